//! What the pages of a server show.

use sea_orm::{ColumnTrait as _, DatabaseConnection, DbErr, EntityTrait as _, QueryFilter as _};
use shop::html;

use crate::entity::{article, category, product};

/// A product's page; `None` if there is no such product or it is sold out.
pub async fn product(db: &DatabaseConnection, slug: &str) -> Result<Option<String>, DbErr> {
    let slug = product::Column::Slug.eq(slug);
    let on_sale = product::Column::Stock.gt(0);
    let found = product::Entity::find().filter(slug).filter(on_sale).one(db).await?;
    Ok(found.map(|product| html::of_product(&product.name, product.price)))
}

/// A category's page.
pub async fn category(db: &DatabaseConnection, slug: &str) -> Result<Option<String>, DbErr> {
    let found = category::Entity::find().filter(category::Column::Slug.eq(slug)).one(db).await?;
    Ok(found.map(|category| html::of_category(&category.name)))
}

/// An article's page in a language; `None` if there is no such page, or not yet.
pub async fn article(db: &DatabaseConnection, language: &str, slug: &str) -> Result<Option<String>, DbErr> {
    let slug = article::Column::Slug.eq(slug);
    let published = article::Column::IsDraft.eq(false);
    let Some(found) = article::Entity::find().filter(slug).filter(published).one(db).await? else {
        return Ok(None);
    };
    let title = match language {
        "en" => found.title_en,
        "de" => found.title_de,
        "fr" => found.title_fr,
        _ => return Ok(None),
    };
    Ok(Some(html::of_article(language, &title)))
}
