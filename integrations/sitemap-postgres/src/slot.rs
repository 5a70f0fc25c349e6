//! A replication slot that is read with plain queries.

use std::collections::BTreeSet;
use std::fmt;
use std::thread;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::ToSql;
use postgres::{Client, IsolationLevel};
use sitemap_core::{Site, Storage};
use sitemap_update::{Applied, Batch, Build, ChangeSource};

use crate::decode::{Changed, Decoder, sees};
use crate::error::PostgresError;
use crate::lsn::{Lsn, Position};
use crate::quote::{check_name, quote};
use crate::relation::{Key, Relation};
use crate::table::Table;

/// After this many bytes of log without a change to the table, the set records the new position. Until then, the server
/// keeps its log.
const IDLE: u64 = 16 << 20;

/// How many times to retry when another process is using the slot, and how long to pause in between. In total, this is
/// half a minute.
const ATTEMPTS: u32 = 600;
const PAUSE: Duration = Duration::from_millis(50);

/// A logical replication slot with the plugin `pgoutput`, which every server has. The server keeps its write-ahead log
/// from the slot's position on. Unlike an [`Outbox`](crate::Outbox), a slot makes no extra work for writers.
///
/// A [`Mirror`](sitemap_update::Mirror) reads the keys of changed rows from the log, reads the current rows with these
/// keys, publishes their pages together with the log position, and then advances the slot. The mirror fails with
/// [`PostgresError::MustPublish`] if the slot and the published set don't match. This happens if the slot was lost, the
/// server was restored, or another program has read the slot.
///
/// The server's setting `wal_level` must be `logical`. In the log, an old row contains only the columns of the table's
/// *replica identity*, which must include the [URL's columns](Table::columns).
///
/// ```no_run
/// use postgres::{Client, NoTls};
/// use sitemap_core::{Directory, Site, SitemapSet};
/// use sitemap_postgres::{Slot, Table};
/// use sitemap_update::{Build, Mirror};
///
/// let site = Site::new("https://example.com")?;
/// let table = Table::new("posts", "/posts/{slug}")?.lastmod("updated_at");
/// let client = Client::connect("postgres://shop@localhost/shop", NoTls)?;
/// let mut slot = Slot::install(client, site.clone(), table, "sitemap")?;
///
/// // Once: creates the slot and publishes all rows.
/// let builder = SitemapSet::builder(site);
/// let build = Build::new(builder.clone(), 400, Directory::open("temporary")?);
/// let built = slot.publish(build, "posts", Directory::open("public")?)?;
/// assert!(built.summary().is_some());
///
/// // Again and again:
/// let mirror = Mirror::new(builder.open("public")?);
/// while let Some(mirrored) = mirror.step(&mut slot)? {
///     println!("{} pages added", mirrored.applied().added());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Slot {
    client: Client,
    relation: Relation,
    name: String,
    batch: i32,
}

/// The server's current state.
#[derive(Debug)]
struct Server {
    system: String,
    timeline: u32,
    /// The end of the log that has been flushed to disk.
    flushed: Lsn,
}

impl Slot {
    /// Creates a publication with this name, so that the slot contains the table's changes. Keeps an existing
    /// publication. The role must own the table, and be allowed to create objects in the database.
    /// [`publish`](Self::publish) creates the slot.
    ///
    /// # Errors
    ///
    /// [`PostgresError::Setup`] if the server, the table or the publication is not set up correctly. The replica
    /// identity is checked before anything is created, because a table that is published without one rejects updates
    /// and deletions.
    pub fn install(client: Client, site: Site, table: Table, name: &str) -> Result<Self, PostgresError> {
        let mut slot = Self::find(client, site, table, name)?;
        if slot.client.query_opt("SELECT FROM pg_publication WHERE pubname = $1", &[&name])?.is_none() {
            let create = format!("CREATE PUBLICATION {} FOR TABLE {}", quote(name), slot.relation.name);
            slot.client.batch_execute(&create)?;
        }
        slot.check_publication()?;
        Ok(slot)
    }

    /// Opens a slot that [`install`](Self::install) has set up. The role needs the attribute `REPLICATION`, and
    /// `SELECT` on the table.
    ///
    /// # Errors
    ///
    /// [`PostgresError::Setup`] if the server, the table or the publication is not set up correctly.
    pub fn open(client: Client, site: Site, table: Table, name: &str) -> Result<Self, PostgresError> {
        let mut slot = Self::find(client, site, table, name)?;
        slot.check_publication()?;
        Ok(slot)
    }

    fn find(client: Client, site: Site, table: Table, name: &str) -> Result<Self, PostgresError> {
        let mut client = client;
        check_name(name)?;
        let relation = Relation::find(&mut client, site, table)?;
        let mut slot = Self { client, relation, name: name.to_owned(), batch: 10_000 };
        slot.check_server()?;
        slot.check_identity()?;
        Ok(slot)
    }

    /// Sets the approximate number of changes in a batch. Transactions are never split, so a batch may be larger.
    /// Default: 10,000.
    #[must_use]
    pub fn batch_size(mut self, changes: u32) -> Self {
        self.batch = i32::try_from(changes.max(1)).unwrap_or(i32::MAX);
        self
    }

    fn check_server(&mut self) -> Result<(), PostgresError> {
        let query = "SELECT current_setting('wal_level'), current_setting('server_version_num')::int";
        let row = self.client.query_one(query, &[])?;
        let (level, version): (String, i32) = (row.get(0), row.get(1));
        // Since version 19, creating the first slot changes the level.
        if level == "logical" || version >= 190_000 {
            return Ok(());
        }
        Err(PostgresError::Setup(format!(
            "`wal_level` is `{level}`; run `ALTER SYSTEM SET wal_level = logical`, and restart the server"
        )))
    }

    /// Checks that old rows in the log contain all columns of the URL.
    fn check_identity(&mut self) -> Result<(), PostgresError> {
        let table = &self.relation.table.name;
        if self.relation.kind != "r" {
            return Err(PostgresError::Setup(format!(
                "`{table}` is a view or has partitions, of which a slot cannot be read; use an `Outbox`"
            )));
        }
        let row = self.client.query_one(
            "SELECT c.relreplident::text, ARRAY(
                 SELECT a.attname::text FROM pg_index i JOIN pg_attribute a
                     ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey[0:i.indnkeyatts - 1])
                 WHERE i.indrelid = c.oid AND i.indisvalid AND CASE c.relreplident
                     WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE false END)
             FROM pg_class c WHERE c.oid = $1",
            &[&self.relation.oid],
        )?;
        let (identity, columns): (String, Vec<String>) = (row.get(0), row.get(1));
        let missing = self
            .relation
            .table
            .columns()
            .into_iter()
            .find(|&column| !columns.iter().any(|one| one == column));
        let Some(missing) = missing.filter(|_| identity != "f") else { return Ok(()) };
        Err(PostgresError::Setup(format!(
            "the replica identity of table `{table}` lacks column `{missing}` of the URL, so the log would not tell the old \
             URL of a changed row; run `ALTER TABLE {name} REPLICA IDENTITY USING INDEX` with a unique index on NOT NULL \
             columns with `{missing}`, or `ALTER TABLE {name} REPLICA IDENTITY FULL`, or use an `Outbox`",
            name = self.relation.name,
        )))
    }

    fn check_publication(&mut self) -> Result<(), PostgresError> {
        let found = self.client.query_opt(
            "SELECT p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate, t.pubname IS NOT NULL,
                 to_jsonb(t) ->> 'rowfilter' IS NULL
             FROM pg_publication p LEFT JOIN pg_publication_tables t
                 ON t.pubname = p.pubname AND quote_ident(t.schemaname) || '.' || quote_ident(t.tablename) = $2
             WHERE p.pubname = $1",
            &[&self.name, &self.relation.name],
        )?;
        let name = &self.name;
        let wrong = match found.map(|row| [0, 1, 2].map(|at| row.get::<_, bool>(at))) {
            Some([true, true, true]) => return Ok(()),
            None => "does not exist",
            Some([false, _, _]) => "leaves out some kinds of changes",
            Some([_, false, _]) => "does not have the table",
            Some(_) => "has a condition for rows",
        };
        Err(PostgresError::Setup(format!(
            "publication `{name}` {wrong}; drop it if it exists, create it with `Slot::install`, and publish all pages with \
             `publish`"
        )))
    }

    /// Creates or replaces the slot. Then publishes the pages of all rows as a new set, or as one section if the
    /// settings [keep sections](sitemap_core::publish::SetOptions::keep_sections). Waits for all writing
    /// transactions to end. If the run fails after it has replaced the slot, the next
    /// [`step`](sitemap_update::Mirror::step) asks for another full publication.
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
        let drop =
            "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1";
        unless_in_use(|| self.client.execute(drop, &[&self.name]))?;
        let create = "SELECT lsn::text FROM pg_create_logical_replication_slot($1, 'pgoutput')";
        let start: String = self.client.query_one(create, &[&self.name])?.get(0);
        let Server { system, timeline, .. } = self.server()?;
        let position = Position { system, timeline, lsn: parse_lsn(&start)? };
        let mut build = build.position(section, self.name.as_str(), position.to_string());
        // These rows may already include changes made from now on. The slot returns such changes again, which is
        // harmless.
        self.relation.read_all(&mut self.client, section, &mut build)?;
        Ok(build.run(storage)?)
    }

    fn server(&mut self) -> Result<Server, PostgresError> {
        let row = self.client.query_one(
            "SELECT system_identifier::text,
                 ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int,
                 pg_current_wal_flush_lsn()::text
             FROM pg_control_system()",
            &[],
        )?;
        let flushed = parse_lsn(row.get(2))?;
        Ok(Server { system: row.get(0), timeline: row.get::<_, i32>(1).cast_unsigned(), flushed })
    }

    /// Checks that the slot continues from the published set's position. Returns the slot's position.
    fn check_position(&mut self, position: &Position, server: &Server) -> Result<Lsn, PostgresError> {
        let name = &self.name;
        let must = |text: String| Err(PostgresError::MustPublish(text));
        if position.system != server.system {
            return must(format!(
                "the published set follows the server with the system identifier {}, but this one has {}",
                position.system, server.system
            ));
        }
        if position.timeline != server.timeline {
            return must(format!(
                "the published set follows timeline {} of the server, but a copy or a backup has continued on timeline {}",
                position.timeline, server.timeline
            ));
        }
        if position.lsn > server.flushed {
            return must(format!(
                "the published set is at {}, but the log of the server ends at {}",
                position.lsn, server.flushed
            ));
        }
        let found = self.client.query_opt(
            "SELECT slot_type = 'logical' AND plugin = 'pgoutput' AND database = current_database(),
                 confirmed_flush_lsn::text, wal_status FROM pg_replication_slots WHERE slot_name = $1",
            &[name],
        )?;
        let Some(found) = found else { return must(format!("slot `{name}` does not exist")) };
        if found.get::<_, Option<bool>>(0) != Some(true) {
            return Err(PostgresError::Setup(format!(
                "slot `{name}` is of another kind or database; drop it, or choose another name"
            )));
        }
        if found.get::<_, Option<&str>>(2) == Some("lost") {
            return must(format!(
                "slot `{name}` is lost, because the server has removed log that the slot needs (`max_slot_wal_keep_size`)"
            ));
        }
        let Some(slot) = found.get::<_, Option<&str>>(1) else {
            return must(format!("slot `{name}` has no position"));
        };
        let slot = parse_lsn(slot)?;
        if slot > position.lsn {
            return must(format!(
                "slot `{name}` is at {slot}, but the published set only at {}",
                position.lsn
            ));
        }
        Ok(slot)
    }

    /// Reads the changes that have been flushed to disk, as whole transactions.
    fn changes(&mut self, upto: Lsn) -> Result<Changed, PostgresError> {
        let Self { client, relation, name, batch } = self;
        let columns = relation.table.columns();
        let (upto, publication) = (upto.to_string(), quote(name));
        let parameters: [&(dyn ToSql + Sync); 4] = [&*name, &upto, &*batch, &publication];
        unless_in_use(|| {
            let mut decoder = Decoder::new(&relation.table.name, relation.oid, &columns);
            let mut rows = client.query_raw(
                "SELECT data FROM pg_logical_slot_peek_binary_changes($1, $2::text::pg_lsn, $3,
                     'proto_version', '1', 'publication_names', $4)",
                parameters,
            )?;
            let mut result = Ok(());
            while let Some(row) = rows.next()? {
                result = result.and_then(|()| decoder.read(row.get(0)));
            }
            Ok(result.and_then(|()| decoder.finish()))
        })
        .map_err(|error| match error.code() {
            // This part of the log was written before the publication was created.
            Some(&SqlState::UNDEFINED_OBJECT) => PostgresError::MustPublish(format!(
                "publication `{name}` did not exist when rows were changed"
            )),
            Some(&SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE) => PostgresError::MustPublish(format!(
                "slot `{name}` cannot be read: {}",
                PostgresError::from(error)
            )),
            _ => error.into(),
        })?
    }

    /// Reads the rows with these keys in a snapshot that includes these transactions.
    fn read_again(
        &mut self,
        keys: &BTreeSet<Key>,
        xids: &[u32],
        batch: &mut Batch<SlotToken>,
    ) -> Result<(), PostgresError> {
        for _ in 0..ATTEMPTS {
            let transaction = self.client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
            let mut transaction = transaction.read_only(true).start()?;
            let snapshot: String = transaction.query_one("SELECT pg_current_snapshot()::text", &[])?.get(0);
            if sees(&snapshot, xids) == Some(true) {
                self.relation.read_again(&mut transaction, keys, batch)?;
                transaction.commit()?;
                return Ok(());
            }
            transaction.rollback()?;
            thread::sleep(PAUSE);
        }
        Err(PostgresError::Setup(
            "transactions are in the log, but not visible after half a minute; check whether synchronous replication waits \
             for a server that is down"
                .to_owned(),
        ))
    }

    fn advance(&mut self, to: Lsn) -> Result<(), PostgresError> {
        // Another process may already have advanced the slot further. If it does so right now, the server reports an
        // error.
        let advance =
            "SELECT pg_replication_slot_advance(slot_name, $2::text::pg_lsn) FROM pg_replication_slots
            WHERE slot_name = $1 AND confirmed_flush_lsn < $2::text::pg_lsn";
        let (client, name, to) = (&mut self.client, &self.name, to.to_string());
        let mut attempt = 1;
        loop {
            match unless_in_use(|| client.execute(advance, &[name, &to])) {
                Err(error)
                    if error.code() == Some(&SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE) && attempt < 3 =>
                {
                    attempt += 1;
                }
                Err(error) => return Err(error.into()),
                Ok(_) => return Ok(()),
            }
        }
    }
}

impl ChangeSource for Slot {
    type Token = SlotToken;
    type Error = PostgresError;

    fn name(&self) -> &str {
        &self.name
    }

    fn peek(&mut self, position: Option<&str>) -> Result<Option<Batch<SlotToken>>, PostgresError> {
        let name = &self.name;
        let position: Position = match position.map(str::parse) {
            Some(Ok(position)) => position,
            Some(Err(())) => {
                return Err(PostgresError::MustPublish(format!(
                    "the published set has a position of another kind of source named `{name}`"
                )));
            }
            None => {
                return Err(PostgresError::MustPublish(format!(
                    "the published set has no position of slot `{name}`"
                )));
            }
        };
        let server = self.server()?;
        // An earlier process was killed after it had committed the set, but before the acknowledgement.
        if self.check_position(&position, &server)? < position.lsn {
            self.advance(position.lsn)?;
        }
        let Changed { keys, xids, end, .. } = self.changes(server.flushed)?;
        let lsn = match end {
            Some(end) => end,
            // All changes up to here have been read.
            None if server.flushed.0 - position.lsn.0 >= IDLE => server.flushed,
            None => return Ok(None),
        };
        let mut batch = Batch::new(Position { lsn, ..position }.to_string(), SlotToken(lsn));
        self.read_again(&keys, &xids, &mut batch)?;
        Ok(Some(batch))
    }

    fn acknowledge(&mut self, SlotToken(lsn): SlotToken) -> Result<(), PostgresError> {
        self.advance(lsn)
    }
}

/// The log position to which a [`Slot`] is advanced.
///
/// ```
/// use sitemap_postgres::{Slot, SlotToken};
/// use sitemap_update::ChangeSource;
///
/// fn is_token<T: ChangeSource<Token = SlotToken>>() -> bool {
///     true
/// }
/// assert!(is_token::<Slot>());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotToken(Lsn);

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { relation, name, batch, .. } = self;
        f.debug_struct("Slot")
            .field("relation", relation)
            .field("name", name)
            .field("batch", batch)
            .finish_non_exhaustive()
    }
}

fn parse_lsn(text: &str) -> Result<Lsn, PostgresError> {
    text.parse().map_err(|()| {
        PostgresError::Setup(format!("the server returns {text:?} as a position in its log; report this"))
    })
}

/// Retries a query while another process uses the slot. It may take a while until the server notices that a process was
/// killed.
fn unless_in_use<T>(mut query: impl FnMut() -> Result<T, postgres::Error>) -> Result<T, postgres::Error> {
    let mut attempt = 1;
    loop {
        match query() {
            Err(error) if error.code() == Some(&SqlState::OBJECT_IN_USE) && attempt < ATTEMPTS => {
                attempt += 1;
                thread::sleep(PAUSE);
            }
            result => return result,
        }
    }
}
