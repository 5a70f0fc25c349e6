//! The tables as SeaORM's entities. Those with pages are annotated for both: SeaORM reads them, the
//! derive publishes them.

pub mod article;
pub mod category;
pub mod image;
pub mod product;
