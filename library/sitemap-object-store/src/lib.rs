//! Publishes sitemaps to Amazon S3, Google Cloud Storage, Azure Blob Storage and compatible services.
//!
//! [`ObjectStorage`] implements [`Storage`](sitemap_core::Storage) from `sitemap-core`, so a
//! [`Replacement`](sitemap_core::Replacement) can write to a bucket just as it writes to a directory:
//!
//! ```
//! use sitemap_core::{Site, SitemapSet, Storage};
//! use sitemap_object_store::ObjectStorage;
//!
//! // "s3://bucket/sitemaps", "gs://bucket/sitemaps" or "az://container/sitemaps" outside of tests:
//! let bucket = ObjectStorage::open("memory:///sitemaps")?.cache_control("max-age=3600");
//!
//! let site = Site::new("https://www.example.com")?;
//! let mut run = SitemapSet::builder(site).storage(bucket.clone()).replace()?;
//! run.section("pages")?.add_all(["/", "/about"])?;
//! let summary = run.commit()?;
//!
//! assert_eq!(summary.urls(), 2);
//! assert!(bucket.metadata("sitemap.xml")?.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Credentials come from the environment (`AWS_ACCESS_KEY_ID` and so on), or you can pass them as options:
//!
//! ```
//! use sitemap_object_store::ObjectStorage;
//!
//! let options = [("aws_endpoint", "http://127.0.0.1:9000"), ("aws_allow_http", "true")];
//! let bucket = ObjectStorage::open_with("s3://bucket/sitemaps", options)?;
//! // Options may contain secrets, so `Debug` shows none.
//! assert!(!format!("{bucket:?}").contains("9000"));
//!
//! let error = ObjectStorage::open_with("s3://bucket", [("aws_regoin", "eu-west-1")]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "cannot open `s3://bucket`: `aws_regoin` is not an option of `s3://`; \
//!      use an option name of the crate `object_store`"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A bucket has no lock. If two runs publish to it at the same time, the one that finishes second fails and changes
//! nothing:
//!
//! ```
//! use sitemap_core::publish::PublishErrorKind;
//! use sitemap_core::{Site, SitemapSet};
//! use sitemap_object_store::ObjectStorage;
//!
//! let bucket = ObjectStorage::open("memory:///")?;
//! let start = |page| {
//!     let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(bucket.clone()).replace()?;
//!     run.section("pages")?.add(page)?;
//!     Ok::<_, sitemap_core::PublishError>(run)
//! };
//! let (slow, quick) = (start("/slow")?, start("/quick")?);
//! quick.commit()?;
//! let error = slow.commit().unwrap_err();
//! assert!(matches!(error.kind(), PublishErrorKind::Overtaken { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate only stores bytes under names. What a sitemap contains, and in which order the files of a set are
//! replaced, is up to `sitemap-core`.
//!
//! | about | modules |
//! |---|---|
//! | the URLs, options and headers of a bucket | `storage`, `location` |
//! | requests, and repeating them | `bucket`, `request_thread`, `first_request`, `retry` |
//! | files that are written or read | `file`, `unsent_files` |
//! | lists of a folder | `find_listed`, `temporary_files` |

mod bucket;
mod file;
mod find_listed;
mod first_request;
mod location;
mod request_thread;
mod retry;
mod storage;
mod temporary_files;
mod unsent_files;

pub use storage::ObjectStorage;
