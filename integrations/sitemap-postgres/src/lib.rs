//! Keeps a published sitemap set equal to a table in PostgreSQL, without reading the table again.
//!
//! An [`Outbox`] is a table of the keys of changed rows, which triggers or the application fill. A
//! [`Mirror`](sitemap_update::Mirror) reads these rows again, publishes their pages, and deletes the keys:
//!
//! ```no_run
//! use postgres::{Client, NoTls};
//! use sitemap_core::{Directory, Publisher, Site};
//! use sitemap_postgres::{Outbox, Table};
//! use sitemap_update::Mirror;
//!
//! let site = Site::new("https://example.com")?;
//! let table = Table::new("posts", "/posts/{slug}")?.lastmod("updated_at").filter("is_public");
//! let client = Client::connect("postgres://shop@localhost/shop", NoTls)?;
//! let mut outbox = Outbox::open(client, site.clone(), table, "sitemap_changes")?;
//!
//! let mirror = Mirror::new(Publisher::builder(site));
//! while let Some(mirrored) = mirror.step(&mut outbox, Directory::open("public")?)? {
//!     println!("{} added, {} removed", mirrored.applied().added(), mirrored.applied().removed());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Slot`] reads the same keys from the log of the server, without triggers. It needs the setting `wal_level = logical`,
//! and the right `REPLICATION`.
//!
//! A [`Poll`] needs neither, but does not notice deletions, and reads the whole table each time.
//!
//! A crash at any moment loses no change: the set and the position of the source are published together, and the
//! database is told afterwards. The guide [PostgreSQL: publish what changed][guide] has the set-up, the rights and the
//! monitoring.
//!
//! All calls block. In an async program, call them on a thread of their own, such as with `spawn_blocking`. The
//! client must be one of the crate `postgres` 0.19, which is re-exported as [`postgres_0_19`].
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
// The clients in the interface are of this version.
pub use postgres as postgres_0_19;
