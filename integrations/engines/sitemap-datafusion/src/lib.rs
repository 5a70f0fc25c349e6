//! Writes and reads sitemaps in SQL, with [DataFusion](https://datafusion.apache.org).
//!
//! [`register`] adds two statements to a session:
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
//! # let dir = tempfile::tempdir().unwrap();
//! # let out = dir.path().display();
//! let session = SessionContext::new();
//! sitemap_datafusion::register(&session)?;
//!
//! let published = session
//!     .sql(&format!(
//!         "COPY (SELECT 'https://www.example.com/' || value AS loc, DATE '2026-01-31' AS lastmod
//!                FROM generate_series(1, 1000))
//!          TO '{out}/' STORED AS SITEMAP
//!          OPTIONS (base 'https://www.example.com', section 'items', buckets 4, gzip true)"
//!     ))
//!     .await?;
//! published.collect().await?;
//!
//! session
//!     .sql(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{out}/'"))
//!     .await?;
//! let changed = session.sql("SELECT loc FROM pages WHERE lastmod >= '2026-01-01' AND section = 'items'").await?;
//! assert_eq!(changed.count().await?, 1_000);
//! # Ok::<(), datafusion::error::DataFusionError>(())
//! # }).unwrap();
//! ```
//!
//! `COPY … STORED AS SITEMAP` distributes the rows by the hash of their URLs. For each partition, a task collects the
//! rows by hash bucket, and then sorts and writes every bucket whose rows have changed since it was published. Finally,
//! a single task commits all shards. The commit replaces the sections of the rows in one step; nothing is published
//! before it. The bytes of the shards don't depend on the number of partitions. `sitemap shard write` and Spark write
//! the same bytes for the same rows.
//!
//! `COPY … OPTIONS (mode 'update')` changes only the pages named in its rows, and rewrites only their hash buckets; see
//! [`SitemapFormatFactory`].
//!
//! With [`Part`], several processes write the shards of one statement.

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod buckets;
mod extensions;
mod loc;
mod memory;
mod read;
mod session;
mod target;
mod text;
mod web;
mod write;

pub use loc::sitemap_loc;
pub use read::{SitemapTable, SitemapTableFactory};
pub use session::{Spill, register, session, session_with};
pub use write::{Part, SitemapFormatFactory};
