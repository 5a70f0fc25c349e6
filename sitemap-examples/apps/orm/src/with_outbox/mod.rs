//! An outbox in SQLite as a source of changes. The same statements work in every SQL database with triggers.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension as _, Row};
use sitemap_core::publish::SetOptions;
use sitemap_core::{Directory, Site, SitemapEntry, SitemapSet, entries_of};
use sitemap_update::{Applied, Batch, Build, Change, ChangeSource};

/// The base URL of the site.
pub const BASE: &str = "https://www.example.com";
/// The section that contains the posts.
pub const SECTION: &str = "posts";

/// The maximum number of changes to publish at once.
const BATCH: u32 = 1_000;
/// The number of hash buckets. For a set that has been updated, `sitemap stats` suggests a number.
const BUCKETS: u32 = 64;

/// A row of `posts`.
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}")]
pub struct Post {
    slug: String,
    #[sitemap(lastmod)]
    revised_on: NaiveDate,
    #[sitemap(skip_if)]
    is_draft: bool,
}

impl Post {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            slug: row.get("slug")?,
            revised_on: row.get("revised_on")?,
            is_draft: row.get("is_draft")?,
        })
    }
}

/// Returns the options of the set.
pub fn set_options() -> Result<SetOptions, shop::Error> {
    Ok(SitemapSet::builder(Site::new(BASE)?))
}

/// The outbox: a table `sitemap_changes` into which triggers write the slug of each changed post.
#[derive(Debug)]
pub struct Outbox {
    database: Connection,
    site: Site,
}

impl Outbox {
    /// Opens the database. Creates missing tables and triggers.
    pub fn open(path: &str) -> Result<Self, shop::Error> {
        let database = Connection::open(path)?;
        // Another process may write at the same time.
        database.busy_timeout(Duration::from_secs(10))?;
        database.pragma_update(None, "journal_mode", "wal")?;
        database.execute_batch(include_str!("schema.sql"))?;
        Ok(Self { database, site: Site::new(BASE)? })
    }

    /// Publishes all posts as a new set, then deletes the changes that were in the outbox before. No mirror may run at
    /// the same time.
    pub fn publish(&mut self, out: &str) -> Result<Applied, shop::Error> {
        // The rows are read after this, so they already contain all changes up to this number.
        let before: i64 =
            self.database
                .query_row("SELECT coalesce(max(id), 0) FROM sitemap_changes", [], |row| row.get(0))?;
        let temporary = Directory::open(std::env::temp_dir())?;
        let mut build =
            Build::new(set_options()?, BUCKETS, temporary).position(SECTION, self.name(), self.position()?);
        let mut query = self.database.prepare("SELECT slug, revised_on, is_draft FROM posts")?;
        for post in query.query_map([], Post::from_row)? {
            for entry in entries_of(&post?, &self.site)? {
                build.add(SECTION, entry)?;
            }
        }
        let applied = build.run(Directory::open(out)?)?;
        self.database.execute("DELETE FROM sitemap_changes WHERE id <= ?", [before])?;
        Ok(applied)
    }

    /// Returns a unique position for a batch.
    fn position(&self) -> rusqlite::Result<String> {
        self.database.query_row("SELECT lower(hex(randomblob(16)))", [], |row| row.get(0))
    }

    /// Reads a post's row, if there is one.
    fn row(&self, slug: &str) -> rusqlite::Result<Option<Post>> {
        let query = "SELECT slug, revised_on, is_draft FROM posts WHERE slug = ?";
        self.database.prepare_cached(query)?.query_row([slug], Post::from_row).optional()
    }

    /// Returns the change for a post's page: adding or updating its entry, or removing it if there is no row. A draft
    /// has no page.
    fn change(&self, slug: &str, row: Option<Post>) -> Result<Change, sitemap_core::Error> {
        let entries = row.map_or(Ok(Vec::new()), |post| entries_of(&post, &self.site))?;
        if let Some(entry) = entries.into_iter().next() {
            return Ok(Change::Upsert(entry));
        }
        let gone = Post { slug: slug.to_owned(), revised_on: NaiveDate::default(), is_draft: false };
        Ok(Change::Remove(entries_of(&gone, &self.site)?[0].loc().clone()))
    }
}

impl ChangeSource for Outbox {
    /// The numbers of the changes in a batch.
    type Token = Vec<i64>;
    type Error = rusqlite::Error;

    fn name(&self) -> &'static str {
        "outbox"
    }

    fn peek(&mut self, _: Option<&str>) -> Result<Option<Batch<Vec<i64>>>, rusqlite::Error> {
        let query = "SELECT id, slug FROM sitemap_changes ORDER BY id LIMIT ?";
        let mut query = self.database.prepare_cached(query)?;
        let (mut ids, mut slugs) = (Vec::new(), BTreeSet::<String>::new());
        let mut rows = query.query([BATCH])?;
        while let Some(row) = rows.next()? {
            ids.push(row.get("id")?);
            slugs.insert(row.get("slug")?);
        }
        if ids.is_empty() {
            return Ok(None);
        }
        // The rows are read after the changes, so each row is at least as new as its change. A later change has another
        // number, so it stays in the outbox.
        let mut batch = Batch::new(self.position()?, ids);
        for slug in slugs {
            let row = self.row(&slug)?;
            match self.change(&slug, row) {
                Ok(change) => batch.push(change),
                Err(error) => batch.skip(format!("post `{slug}`: {error}")),
            }
        }
        Ok(Some(batch))
    }

    fn acknowledge(&mut self, ids: Vec<i64>) -> Result<(), rusqlite::Error> {
        // Deletes exactly these numbers. In some databases, a transaction that began earlier may have committed a lower
        // number since.
        let transaction = self.database.transaction()?;
        for id in ids {
            transaction.prepare_cached("DELETE FROM sitemap_changes WHERE id = ?")?.execute([id])?;
        }
        transaction.commit()
    }
}
