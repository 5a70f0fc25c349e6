//! The table `images`.

use sea_orm::entity::prelude::*;

/// A row of `images`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "images")]
pub struct Model {
    /// The primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The ID of the product.
    pub product_id: i64,
    /// The URL of the image.
    pub url: String,
}

/// The relation to the product.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// The product of the image.
    #[sea_orm(
        belongs_to = "super::product::Entity",
        from = "Column::ProductId",
        to = "super::product::Column::Id"
    )]
    Product,
}

impl Related<super::product::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Product.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
