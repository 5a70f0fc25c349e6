//! The shop's pages as HTML, with contents from the database.

use sea_orm::{ColumnTrait as _, DatabaseConnection, DbErr, EntityTrait as _, QueryFilter as _};
use shop::html;

use super::entity::{article, category, product};

/// Returns a product's page, or `None` if the product does not exist or is sold out.
pub async fn product(db: &DatabaseConnection, slug: &str) -> Result<Option<String>, DbErr> {
    let slug = product::Column::Slug.eq(slug);
    let on_sale = product::Column::Stock.gt(0);
    let found = product::Entity::find().filter(slug).filter(on_sale).one(db).await?;
    Ok(found.map(|product| html::of_product(&product.name, product.price)))
}

/// Returns a category's page, or `None` if the category does not exist.
pub async fn category(db: &DatabaseConnection, slug: &str) -> Result<Option<String>, DbErr> {
    let found = category::Entity::find().filter(category::Column::Slug.eq(slug)).one(db).await?;
    Ok(found.map(|category| html::of_category(&category.name)))
}

/// Returns an article's page in one language, or `None` if the article does not exist or is a draft.
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
