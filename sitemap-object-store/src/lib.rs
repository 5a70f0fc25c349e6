//! Sitemaps published to buckets: a [`Storage`](sitemap_core::Storage) for Amazon S3, Google Cloud Storage, Azure Blob
//! Storage, and services with their interfaces.

mod bucket;
mod file;
mod location;
mod storage;
mod waiting;
mod worker;

pub use storage::ObjectStorage;
