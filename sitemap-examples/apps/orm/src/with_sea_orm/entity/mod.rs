//! The tables as SeaORM entities. Tables with pages are annotated for SeaORM, which reads the rows, and for the derive,
//! which lists their pages.

pub mod article;
pub mod category;
pub mod image;
pub mod product;
