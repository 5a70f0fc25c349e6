//! An outbox: a table with the keys of changed rows.

use std::collections::BTreeSet;

use std::sync::Arc;

use postgres::{Client, GenericClient, IsolationLevel};
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::{PublishError, Site, Storage};
use sitemap_update::{Applied, Batch, Build, ChangeSource, UpdateError};

use crate::error::PostgresError;
use crate::quote::{check_name, quote};
use crate::relation::{Key, Relation};
use crate::table::Table;

/// The maximum number of times that a full publication reads all rows, if mirrors that started before it publish
/// changes in the meantime.
const ATTEMPTS: u32 = 5;

/// The first key of an outbox's advisory lock. The second key is the OID of the outbox table.
const LOCK: i32 = 0x5174_E3A9;

/// An outbox is a table with the keys of changed rows. Triggers or the application write a row's key to it in the same
/// transaction that changes the row. It has the columns `id` and `key`. `key` is a text array with the row's values of
/// the [URL's columns](Table::columns). A row whose URL changes needs two keys, the old one and the new one. The key
/// `NULL` means that all rows may have changed.
///
/// A [`Mirror`](sitemap_update::Mirror) reads a batch of keys, reads the rows with these keys, publishes their pages,
/// and deletes exactly these keys. So neither the order of the keys nor duplicates matter. A row written by a slow
/// transaction is never missed, because the row and its key become visible at the same time.
///
/// ```no_run
/// use std::thread;
/// use std::time::Duration;
///
/// use postgres::{Client, NoTls};
/// use sitemap_core::{Directory, Site, SitemapSet};
/// use sitemap_postgres::{Outbox, Table};
/// use sitemap_update::{Build, Mirror};
///
/// let site = Site::new("https://example.com")?;
/// let table = Table::new("posts", "/posts/{slug}")?.lastmod("updated_at");
/// let client = Client::connect("postgres://shop@localhost/shop", NoTls)?;
/// let mut outbox = Outbox::install(client, site.clone(), table, "sitemap_changes")?;
///
/// // Once: publishes all rows.
/// let builder = SitemapSet::builder(site);
/// let storage = || Directory::open("public");
/// let build = Build::new(builder.clone(), 400, Directory::open("temporary")?);
/// let built = outbox.publish(build, "posts", storage()?)?;
/// assert!(built.summary().is_some());
///
/// let mirror = Mirror::new(builder.storage(storage()?));
/// loop {
///     while let Some(mirrored) = mirror.step(&mut outbox)? {
///         println!("{} pages added", mirrored.applied().added());
///     }
///     thread::sleep(Duration::from_secs(10));
/// }
/// # #[allow(unreachable_code)]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Outbox {
    client: Client,
    relation: Relation,
    name: String,
    /// The quoted name of the outbox, including its schema.
    quoted: String,
    batch: i64,
}

impl Outbox {
    /// Creates an outbox with this name in the table's schema, and the triggers that fill it. Does nothing if the
    /// outbox already exists. The role must own the table.
    ///
    /// # Errors
    ///
    /// [`PostgresError::Setup`] if the table or one of its columns does not exist, or the table is a view.
    pub fn install(client: Client, site: Site, table: Table, name: &str) -> Result<Self, PostgresError> {
        let mut client = client;
        let relation = Relation::find(&mut client, site, table)?;
        let sql = setup_sql(&relation, name)?;
        client.batch_execute(&sql)?;
        Self::with(client, relation, name)
    }

    /// Returns the SQL that [`install`](Self::install) runs, for use in your own migrations.
    ///
    /// # Errors
    ///
    /// The same as for [`install`](Self::install).
    pub fn setup_sql(
        client: &mut impl GenericClient,
        site: Site,
        table: Table,
        name: &str,
    ) -> Result<String, PostgresError> {
        setup_sql(&Relation::find(client, site, table)?, name)
    }

    /// Opens an existing outbox. The role needs `SELECT` on the table, and `SELECT` and `DELETE` on the outbox.
    ///
    /// # Errors
    ///
    /// [`PostgresError::Setup`] if the table or the outbox does not exist, or lacks a column.
    pub fn open(client: Client, site: Site, table: Table, name: &str) -> Result<Self, PostgresError> {
        let mut client = client;
        let relation = Relation::find(&mut client, site, table)?;
        Self::with(client, relation, name)
    }

    fn with(mut client: Client, relation: Relation, name: &str) -> Result<Self, PostgresError> {
        check_name(name)?;
        let quoted = format!("{}.{}", relation.schema, quote(name));
        let columns: Vec<String> = client
            .query(
                "SELECT attname || ' ' || atttypid::regtype::text FROM pg_attribute
                 WHERE attrelid = to_regclass($1) AND attname IN ('id', 'key') AND NOT attisdropped ORDER BY 1",
                &[&quoted],
            )?
            .iter()
            .map(|row| row.get(0))
            .collect();
        if columns != ["id bigint", "key text[]"] {
            return Err(PostgresError::Setup(format!(
                "outbox {quoted} does not exist, or lacks the columns `id bigint` and `key text[]`; create it with \
                 `Outbox::install`"
            )));
        }
        Ok(Self { client, relation, name: name.to_owned(), quoted, batch: 10_000 })
    }

    /// Sets the maximum number of keys in a batch. Default: 10,000.
    #[must_use]
    pub fn batch_size(mut self, keys: u32) -> Self {
        self.batch = i64::from(keys.max(1));
        self
    }

    /// Publishes the pages of all rows as a new set, or as one section if the settings [keep
    /// sections](sitemap_core::publish::SetOptions::keep_sections). Then deletes the keys that were in the outbox
    /// before.
    ///
    /// In the meantime, the mirrors of other processes find no changes. But a mirror that has already read its batch
    /// may still publish it. The rows may then be older than the pages of that batch, so all of them are read again. If
    /// `build` already contains pages, these cannot be read again, so the run fails instead.
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
        let storage: Arc<dyn Storage> = Arc::new(storage);
        // If the connection is lost, the server releases the lock. The position keeps the set correct even without the
        // lock.
        self.client
            .execute("SELECT pg_advisory_lock($1, to_regclass($2)::oid::int4)", &[&LOCK, &self.quoted])?;
        let published = self.publish_locked(build, section, &storage);
        let unlock = "SELECT pg_advisory_unlock($1, to_regclass($2)::oid::int4)";
        let unlocked = self.client.query_one(unlock, &[&LOCK, &self.quoted]);
        let published = published?;
        if unlocked?.get::<_, Option<bool>>(0) != Some(true) {
            return Err(PostgresError::Setup(format!(
                "the set is published, but the lock of outbox {} could not be released, so mirrors may pause; use a \
                 connection that keeps its session, not a pool that shares sessions between transactions",
                self.quoted
            )));
        }
        Ok(published)
    }

    fn publish_locked(
        &mut self,
        build: Build,
        section: &str,
        storage: &Arc<dyn Storage>,
    ) -> Result<Applied, PostgresError> {
        let mut build = build;
        let attempts = if build.is_empty() { ATTEMPTS } else { 1 };
        let mut attempt = 1;
        loop {
            let again = build.without_pages();
            // Any run that publishes after this moves the position.
            let before = position(storage, &again, section, &self.name)?;
            let after = self.next_position()?;
            build = build.if_position(section, self.name.as_str(), before.as_deref());
            build = build.position(section, self.name.as_str(), after);
            // We read the rows after these keys, so the rows include their changes.
            let keys = format!("SELECT id FROM {}", self.quoted);
            let ids: Vec<i64> = self.client.query(&keys, &[])?.iter().map(|row| row.get(0)).collect();
            self.relation.read_all(&mut self.client, section, &mut build)?;
            match build.run(Arc::clone(storage)) {
                Err(error) if is_overtaken(&error) && attempt < attempts => {
                    attempt += 1;
                    build = again;
                }
                result => {
                    let applied = result?;
                    self.acknowledge(ids)?;
                    return Ok(applied);
                }
            }
        }
    }

    /// Returns `true` if another process is currently publishing all rows.
    fn is_paused(&mut self) -> Result<bool, PostgresError> {
        let free = "SELECT pg_try_advisory_xact_lock_shared($1, to_regclass($2)::oid::int4)";
        // If the outbox does not exist, the result is `NULL`, and the next query reports the error.
        Ok(self.client.query_one(free, &[&LOCK, &self.quoted])?.get::<_, Option<bool>>(0) == Some(false))
    }

    /// Returns a new unique position.
    fn next_position(&mut self) -> Result<String, PostgresError> {
        Ok(self.client.query_one("SELECT gen_random_uuid()::text", &[])?.get(0))
    }
}

impl std::fmt::Debug for Outbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { relation, quoted, batch, .. } = self;
        f.debug_struct("Outbox")
            .field("relation", relation)
            .field("quoted", quoted)
            .field("batch", batch)
            .finish_non_exhaustive()
    }
}

impl ChangeSource for Outbox {
    /// The `id`s of the keys.
    type Token = Vec<i64>;
    type Error = PostgresError;

    fn name(&self) -> &str {
        &self.name
    }

    fn peek(&mut self, _: Option<&str>) -> Result<Option<Batch<Vec<i64>>>, PostgresError> {
        // If we published a batch now, the other process would have to read all rows again.
        if self.is_paused()? {
            return Ok(None);
        }
        let query = format!("SELECT id, key FROM {} ORDER BY id LIMIT $1", self.quoted);
        let (mut ids, mut keys) = (Vec::new(), BTreeSet::<Key>::new());
        for row in self.client.query(&query, &[&self.batch])? {
            let Some(key) = row.get::<_, Option<Vec<Option<String>>>>(1) else {
                return Err(PostgresError::MustPublish(format!(
                    "outbox {} says that table `{}` was emptied by `TRUNCATE`",
                    self.quoted, self.relation.table.name
                )));
            };
            ids.push(row.get::<_, i64>(0));
            let columns = self.relation.table.columns().len();
            if key.len() != columns {
                return Err(PostgresError::Setup(format!(
                    "outbox {} has a key with {} values, but the URL has {columns} columns; let the trigger write \
                     `{}`, and publish all pages again with `publish`",
                    self.quoted,
                    key.len(),
                    self.relation.key_of("NEW"),
                )));
            }
            // A row with `NULL` in its URL is not a page.
            keys.extend(key.into_iter().collect::<Option<Key>>());
        }
        if ids.is_empty() {
            return Ok(None);
        }
        let mut batch = Batch::new(self.next_position()?, ids);
        // All rows are read in one snapshot, which is newer than the one the keys were read in.
        let transaction = self.client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
        let mut transaction = transaction.read_only(true).start()?;
        self.relation.read_again(&mut transaction, &keys, &mut batch)?;
        transaction.commit()?;
        Ok(Some(batch))
    }

    fn acknowledge(&mut self, ids: Vec<i64>) -> Result<(), PostgresError> {
        let query = format!("DELETE FROM {} WHERE id = ANY($1)", self.quoted);
        self.client.execute(&query, &[&ids])?;
        Ok(())
    }
}

/// Returns a source's position in the published set, or `None` if the set's manifest is unusable.
fn position(
    storage: &Arc<dyn Storage>,
    build: &Build,
    section: &str,
    source: &str,
) -> Result<Option<String>, PostgresError> {
    match PublishedShards::read(storage, build.site()) {
        Ok(published) => Ok(published.position(section, source).map(str::to_owned)),
        Err(error) if matches!(error.kind(), PublishErrorKind::CannotKeep { .. }) => Ok(None),
        Err(error) => Err(UpdateError::from(error).into()),
    }
}

fn is_overtaken(error: &UpdateError) -> bool {
    let is_overtaken = |error: &PublishError| {
        matches!(error.kind(), PublishErrorKind::Overtaken { .. } | PublishErrorKind::Locked { .. })
    };
    matches!(error, UpdateError::Publish(error) if is_overtaken(error))
}

fn setup_sql(relation: &Relation, name: &str) -> Result<String, PostgresError> {
    check_name(name)?;
    if !matches!(relation.kind.as_str(), "r" | "p") {
        return Err(PostgresError::Setup(format!(
            "`{}` is not a table; create the triggers on the tables that it reads, and open the outbox with \
             `Outbox::open`",
            relation.table.name
        )));
    }
    let outbox = format!("{}.{}", relation.schema, quote(name));
    let function = format!("{}.{}", relation.schema, quote(&format!("{name}_note")));
    let (rows, truncate) = (quote(&format!("{name}_rows")), quote(&format!("{name}_truncate")));
    let (table, old, new) = (&relation.name, relation.key_of("OLD"), relation.key_of("NEW"));
    Ok(format!(
        "CREATE TABLE IF NOT EXISTS {outbox} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text[]);

-- Runs with the rights of its owner, so that the roles that write the table need no rights on the outbox.
CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $sitemap$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        INSERT INTO {outbox} (key) VALUES (NULL);
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO {outbox} (key) VALUES ({old});
    END IF;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO {outbox} (key) VALUES ({new});
    ELSIF TG_OP = 'UPDATE' AND {old} IS DISTINCT FROM {new} THEN
        INSERT INTO {outbox} (key) VALUES ({new});
    END IF;
    RETURN NULL;
END
$sitemap$;

CREATE OR REPLACE TRIGGER {rows} AFTER INSERT OR UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION {function}();

CREATE OR REPLACE TRIGGER {truncate} AFTER TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION {function}();
"
    ))
}
