//! Keeps a published sitemap set in sync with a PostgreSQL table, without reading the whole table each time.
//!
//! An [`Outbox`] is a table with the keys of changed rows. Triggers or the application fill it. A
//! [`Mirror`](sitemap_update::Mirror) reads the changed rows, publishes their pages, and deletes the keys:
//!
//! ```no_run
//! use postgres::{Client, NoTls};
//! use sitemap_core::{Directory, Site, SitemapSet};
//! use sitemap_postgres::{Outbox, Table};
//! use sitemap_update::Mirror;
//!
//! let site = Site::new("https://example.com")?;
//! let table = Table::new("posts", "/posts/{slug}")?.lastmod("updated_at").filter("is_public");
//! let client = Client::connect("postgres://shop@localhost/shop", NoTls)?;
//! let mut outbox = Outbox::open(client, site.clone(), table, "sitemap_changes")?;
//!
//! let mirror = Mirror::new(SitemapSet::open(site, "public")?);
//! while let Some(mirrored) = mirror.step(&mut outbox)? {
//!     println!("{} added, {} removed", mirrored.applied().added(), mirrored.applied().removed());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Slot`] reads the same keys from the server's write-ahead log, without triggers. It needs the setting
//! `wal_level = logical` and the `REPLICATION` attribute.
//!
//! A [`Poll`] needs neither, but it misses deletions, and reads the whole table each time.
//!
//! No change is lost if the process crashes: the set is published together with the source's position, and only then
//! are the changes acknowledged in the database. The guide [PostgreSQL: publish what changed][guide] explains how to
//! set up, grant access and monitor.
//!
//! All calls block. In an async program, run them on a blocking thread, for example with `spawn_blocking`. The client
//! must come from version 0.19 of the crate `postgres`, which is re-exported as [`postgres_0_19`].
//!
//! [guide]: https://github.com/OWNER/sitemap/blob/main/docs/guides/postgres-changes.md

mod decode;
mod error;
mod lsn;
mod outbox;
mod pgoutput;
mod poll;
mod quote;
mod relation;
mod slot;
mod table;
mod template;

pub use error::PostgresError;
pub use outbox::Outbox;
pub use poll::Poll;
pub use slot::{Slot, SlotToken};
pub use table::Table;
// The public API uses clients of this version.
pub use postgres as postgres_0_19;
