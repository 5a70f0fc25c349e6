//! Polling: finds the rows that transactions have written since the last time.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use postgres::{Client, GenericClient, IsolationLevel, Transaction};
use sitemap_core::publish::files::content_digest;
use sitemap_core::{Site, Storage};
use sitemap_update::{Applied, Batch, Build, ChangeSource};

use crate::error::PostgresError;
use crate::quote::check_name;
use crate::relation::{Key, Relation};
use crate::table::Table;

/// Rows have 32-bit transaction IDs. If two IDs were further apart than this, an old row could look new, or a new row
/// old.
const MOST_BEHIND: u64 = 1 << 31;

/// A table that is polled for changed rows. This needs no trigger, no slot, and only the `SELECT` privilege.
///
/// **Polling does not notice deletions.** If a row's URL changes, it does not notice that the old URL is gone, either.
/// Such pages stay in the set until the next [`publish`](Self::publish). Only use polling if URLs never change, and
/// rows are never deleted or are just marked as deleted in a column of the [filter](Table::filter). Otherwise, use an
/// [`Outbox`](crate::Outbox) or a [`Slot`](crate::Slot).
///
/// A query for newer values of `updated_at` would miss rows, because a slow transaction sets this time long before its
/// rows become visible. So each poll records the *transaction horizon*, which is the oldest transaction still running.
/// The next poll uses the system column `xmin` to find the rows written by that transaction or a later one. It may
/// return rows that were already published, which is harmless. There is no index on `xmin`, so the server reads the
/// whole table for each poll. But it only sends the keys of changed rows.
///
/// ```no_run
/// use postgres::{Client, NoTls};
/// use sitemap_core::{Directory, Site, SitemapSet};
/// use sitemap_postgres::{Poll, Table};
/// use sitemap_update::{Build, Mirror};
///
/// let site = Site::new("https://example.com")?;
/// let table = Table::new("posts", "/posts/{slug}")?.lastmod("updated_at").filter("deleted_at IS NULL");
/// let client = Client::connect("postgres://shop@localhost/shop", NoTls)?;
/// let mut poll = Poll::open(client, site.clone(), table, "posts")?;
///
/// // Once, and whenever rows were deleted: publishes all rows.
/// let builder = SitemapSet::builder(site);
/// let build = Build::new(builder.clone(), 400, Directory::open("temporary")?);
/// let built = poll.publish(build, "posts", Directory::open("public")?)?;
/// assert!(built.summary().is_some());
///
/// // Every few minutes:
/// while let Some(mirrored) = Mirror::new(builder.clone().storage(Directory::open("public")?)).step(&mut poll)? {
///     println!("{} pages changed", mirrored.applied().changed());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Poll {
    client: Client,
    relation: Relation,
    name: String,
}

/// The position up to which a set contains a table's changes.
#[derive(Debug, PartialEq, Eq)]
struct Position {
    system: String,
    timeline: u32,
    /// The first transaction that may still have been running. All earlier ones had ended.
    horizon: u64,
    /// A digest of the rows that this or later transactions had already written.
    seen: String,
}

/// The server's state in a snapshot.
struct Server {
    system: String,
    timeline: u32,
    /// The oldest transaction still running.
    horizon: u64,
    /// The first transaction that has not started yet.
    next: u64,
}

impl Poll {
    /// Opens a table. `name` is the source's name in the set's manifest.
    ///
    /// # Errors
    ///
    /// [`PostgresError::Setup`] if the table or one of its columns does not exist, or if the table is a view, because a
    /// view's rows have no `xmin`.
    pub fn open(client: Client, site: Site, table: Table, name: &str) -> Result<Self, PostgresError> {
        check_name(name)?;
        let mut client = client;
        let relation = Relation::find(&mut client, site, table)?;
        if !matches!(relation.kind.as_str(), "r" | "p") {
            return Err(PostgresError::Setup(format!(
                "`{}` is not a table; poll the table that it reads, or use an outbox",
                relation.table.name
            )));
        }
        Ok(Self { client, relation, name: name.to_owned() })
    }

    /// Publishes the pages of all rows as a new set, or as one section if the settings [keep
    /// sections](sitemap_core::publish::SetOptions::keep_sections). Pages without a row are removed.
    ///
    /// # Errors
    ///
    /// [`PostgresError::Update`] if the set cannot be published, for example because it would lose too many pages, and
    /// [`PostgresError::Page`] if a row is not a valid page.
    pub fn publish(
        &mut self,
        build: Build,
        section: &str,
        storage: impl Storage + 'static,
    ) -> Result<Applied, PostgresError> {
        let mut snapshot = snapshot(&mut self.client)?;
        let server = Server::read(&mut snapshot)?;
        let (_, seen) = changed(&mut snapshot, &self.relation, server.horizon, server.next)?;
        let Server { system, timeline, horizon, .. } = server;
        let position = Position { system, timeline, horizon, seen };
        let mut build = build.position(section, self.name.as_str(), position.to_string());
        self.relation.read_all(&mut snapshot, section, &mut build)?;
        snapshot.commit()?;
        Ok(build.run(storage)?)
    }
}

impl ChangeSource for Poll {
    type Token = ();
    type Error = PostgresError;

    fn name(&self) -> &str {
        &self.name
    }

    fn peek(&mut self, position: Option<&str>) -> Result<Option<Batch<()>>, PostgresError> {
        let name = &self.name;
        let Some(position) = position.and_then(|text| text.parse::<Position>().ok()) else {
            return Err(PostgresError::MustPublish(format!(
                "the published set has no position of the poll `{name}`"
            )));
        };
        // All rows are read in one snapshot.
        let mut snapshot = snapshot(&mut self.client)?;
        let server = Server::read(&mut snapshot)?;
        position.check(&server)?;
        let (keys, seen) = changed(&mut snapshot, &self.relation, position.horizon, server.next)?;
        // A long-running transaction holds back the horizon, so the query also returns rows that are already published.
        let is_near = server.horizon.saturating_sub(position.horizon) < MOST_BEHIND / 2;
        if seen == position.seen && is_near {
            return Ok(None);
        }
        // Even without a new row, move the position forward before it falls too far behind.
        let (_, seen) = changed(&mut snapshot, &self.relation, server.horizon, server.next)?;
        let Server { system, timeline, horizon, .. } = server;
        let mut batch = Batch::new(Position { system, timeline, horizon, seen }.to_string(), ());
        self.relation.read_again(&mut snapshot, &keys, &mut batch)?;
        snapshot.commit()?;
        Ok(Some(batch))
    }

    fn acknowledge(&mut self, (): ()) -> Result<(), PostgresError> {
        // The server stores nothing about the poll.
        Ok(())
    }
}

impl fmt::Debug for Poll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { relation, name, .. } = self;
        f.debug_struct("Poll").field("relation", relation).field("name", name).finish_non_exhaustive()
    }
}

impl Position {
    /// Checks that the server's transactions continue from the set's position.
    fn check(&self, server: &Server) -> Result<(), PostgresError> {
        let must = |text: String| Err(PostgresError::MustPublish(text));
        if (&self.system, self.timeline) != (&server.system, server.timeline) {
            return must(format!(
                "the published set follows server {} on timeline {}, but this one is {} on timeline {}",
                self.system, self.timeline, server.system, server.timeline
            ));
        }
        match server.next.checked_sub(self.horizon) {
            None => must(format!(
                "the published set is at transaction {}, but the next one of the server is {}",
                self.horizon, server.next
            )),
            Some(behind) if behind >= MOST_BEHIND => {
                must(format!("the published set is {behind} transactions behind"))
            }
            Some(_) => Ok(()),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, timeline, horizon, seen } = self;
        write!(f, "{system}/{timeline}/{horizon}/{seen}")
    }
}

impl FromStr for Position {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let parts: Vec<&str> = text.split('/').collect();
        let &[system, timeline, horizon, seen] = parts.as_slice() else { return Err(()) };
        let (timeline, horizon) = (timeline.parse().map_err(drop)?, horizon.parse().map_err(drop)?);
        Ok(Self { system: system.to_owned(), timeline, horizon, seen: seen.to_owned() })
    }
}

impl Server {
    fn read(client: &mut impl GenericClient) -> Result<Self, PostgresError> {
        let row = client.query_one(
            "SELECT system_identifier::text,
                 ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int,
                 pg_snapshot_xmin(s)::text::bigint, pg_snapshot_xmax(s)::text::bigint
             FROM pg_control_system(), pg_current_snapshot() s",
            &[],
        )?;
        Ok(Self {
            system: row.get(0),
            timeline: row.get::<_, i32>(1).cast_unsigned(),
            horizon: row.get::<_, i64>(2).cast_unsigned(),
            next: row.get::<_, i64>(3).cast_unsigned(),
        })
    }
}

fn snapshot(client: &mut Client) -> Result<Transaction<'_>, PostgresError> {
    let transaction = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    Ok(transaction.read_only(true).start()?)
}

/// Returns the keys of the rows written by `horizon` or a later transaction, and a digest of these rows. `next` is the
/// first transaction that has not started yet.
fn changed(
    client: &mut impl GenericClient,
    relation: &Relation,
    horizon: u64,
    next: u64,
) -> Result<(BTreeSet<Key>, String), PostgresError> {
    // The query computes a row's distance from `next` modulo 2^32, because `xmin` has 32 bits.
    let query = format!(
        "SELECT {}, t.xmin::text || ' ' || t.ctid::text || ' ' || t.tableoid::text FROM {} t
         WHERE (($1 - t.xmin::text::bigint) & 4294967295) <= $2 ORDER BY 2",
        relation.key_of("t"),
        relation.name
    );
    let behind = next.saturating_sub(horizon);
    let (mut keys, mut versions) = (BTreeSet::new(), String::new());
    for row in client.query(&query, &[&next.cast_signed(), &behind.cast_signed()])? {
        let key: Vec<Option<String>> = row.get(0);
        // A row with `NULL` in its URL is not a page.
        keys.extend(key.into_iter().collect::<Option<Key>>());
        versions.push_str(row.get(1));
        versions.push('\n');
    }
    Ok((keys, content_digest(versions.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(horizon: u64, next: u64) -> Server {
        Server { system: "7".to_owned(), timeline: 1, horizon, next }
    }

    #[test]
    fn a_set_of_another_history_must_be_published() {
        let position: Position = "7/1/1000/abc".parse().unwrap();
        assert_eq!(position.to_string(), "7/1/1000/abc");
        assert!(position.check(&server(1_000, 1_000)).is_ok());
        assert!(position.check(&server(900, 1_000 + MOST_BEHIND - 1)).is_ok());
        for (server, text) in [
            (server(900, 999), "is at transaction 1000, but the next one of the server is 999"),
            (server(0, 1_000 + MOST_BEHIND), "is 2147483648 transactions behind"),
            (Server { timeline: 2, ..server(1_000, 1_000) }, "on timeline 2"),
            (Server { system: "8".to_owned(), ..server(1_000, 1_000) }, "this one is 8"),
        ] {
            let error = position.check(&server).unwrap_err().to_string();
            assert!(error.contains(text) && error.contains("publish all pages again"), "{error}");
        }
        for text in ["", "7/1/1000", "7/x/1000/abc", "7/1/1000/abc/d"] {
            assert!(text.parse::<Position>().is_err(), "{text}");
        }
    }
}
