//! The tables as SeaORM entities. A table with pages is annotated twice: for SeaORM, which reads the rows, and for the
//! derive macro, which lists their pages.

pub mod article;
pub mod category;
pub mod image;
pub mod product;
