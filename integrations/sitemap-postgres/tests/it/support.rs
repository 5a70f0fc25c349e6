//! A database for each test, and the pages of published sets.

use std::collections::BTreeMap;
use std::env;
use std::str::FromStr as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use postgres::{Client, Config, NoTls};
use sitemap_core::publish::{SetOptions, ShrinkLimit};
use sitemap_core::{Memory, Site, SitemapSet};
use sitemap_postgres::Table;
use sitemap_read::SitemapReader;
use sitemap_update::Build;

/// The pages of a set and their dates.
pub(crate) type Model = BTreeMap<String, Option<String>>;

/// Some tests change the server's settings, so they run alone.
static SERVER: RwLock<()> = RwLock::new(());

/// Prevents other tests from changing the server's settings, or from running at all.
enum Guard {
    Shared { _guard: RwLockReadGuard<'static, ()> },
    Alone { _guard: RwLockWriteGuard<'static, ()> },
}

/// A test's own database. It is dropped at the end.
pub(crate) struct Database {
    config: Config,
    name: String,
    _guard: Guard,
}

impl Database {
    /// Returns `None` if there is no server, or panics with `CI=true`.
    pub(crate) fn create() -> Option<Self> {
        Self::with(Guard::Shared { _guard: SERVER.read().unwrap_or_else(PoisonError::into_inner) })
    }

    /// Creates a database while no other test runs.
    pub(crate) fn create_alone() -> Option<Self> {
        Self::with(Guard::Alone { _guard: SERVER.write().unwrap_or_else(PoisonError::into_inner) })
    }

    fn with(guard: Guard) -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);

        let Ok(url) = env::var("DATABASE_URL") else {
            eprintln!(
                "skipped: no PostgreSQL server; run `dev/ci/with-postgres cargo test -p sitemap-postgres`"
            );
            assert_ne!(env::var("CI").as_deref(), Ok("true"), "a test needs a PostgreSQL server");
            return None;
        };
        let mut config = Config::from_str(&url).unwrap();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("sitemap_{}_{number}", std::process::id());
        config.connect(NoTls).unwrap().batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        config.dbname(&name);
        Some(Self { config, name, _guard: guard })
    }

    pub(crate) fn connect(&self) -> Client {
        self.config.connect(NoTls).unwrap()
    }

    /// Creates the table `posts` with this number of rows.
    pub(crate) fn with_posts(self, rows: u32) -> Self {
        self.connect()
            .batch_execute(&format!(
                "CREATE TABLE posts (id bigint PRIMARY KEY, slug text NOT NULL UNIQUE, updated_at timestamptz,
                     is_public bool NOT NULL DEFAULT true);
                 INSERT INTO posts SELECT id, 'post ' || id, '2026-01-01T00:00:00Z'::timestamptz + id * interval '1s'
                     FROM generate_series(1, {rows}) id"
            ))
            .unwrap();
        self
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let mut config = self.config.clone();
        let name = &self.name;
        let Ok(mut client) = config.dbname("postgres").connect(NoTls) else { return };
        let slots = format!(
            "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '{name}'"
        );
        let _ = client.batch_execute(&slots);
        let _ = client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)"));
    }
}

pub(crate) fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

pub(crate) fn builder() -> SetOptions {
    SitemapSet::builder(site()).max_shrink(ShrinkLimit::OFF)
}

pub(crate) fn build() -> Build {
    Build::new(builder(), 16, Memory::new())
}

pub(crate) fn posts() -> Table {
    Table::new("posts", "/posts/{slug}").unwrap().lastmod("updated_at").filter("is_public")
}

/// Reads the table's current rows.
pub(crate) fn rows(client: &mut Client) -> Model {
    let query = "SELECT 'https://example.com/posts/' || replace(slug, ' ', '%20'),
            to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS+00:00')
        FROM posts WHERE is_public";
    client.query(query, &[]).unwrap().iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// Reads the set as a crawler does: first the index, then each child sitemap.
pub(crate) fn published(memory: &Memory) -> Model {
    let index = memory.get("sitemap.xml").unwrap();
    let mut reader = SitemapReader::from_slice(&index);
    let mut pages = Model::new();
    while let Some(item) = reader.next().unwrap() {
        let name = item.loc().as_str().strip_prefix("https://example.com/").unwrap().to_owned();
        let bytes = memory.get(&name).unwrap_or_else(|| panic!("{name} is missing"));
        for entry in SitemapReader::from_slice(&bytes).into_entries() {
            let entry = entry.unwrap();
            let date = entry.lastmod().map(|date| date.to_string().replace('Z', "+00:00"));
            let earlier = pages.insert(entry.loc().to_string(), date);
            assert_eq!(earlier, None, "{} is listed twice", entry.loc());
        }
    }
    pages
}
