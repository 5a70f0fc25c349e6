//! The shop's database in SQLite or PostgreSQL, read with sqlx for the sitemap and the pages.
//!
//! A program for one database system has a single pool, and needs neither [`Database`] nor type parameters.

mod add_pages;
mod model;
mod pages;

pub use model::{Article, Category, Product};

use shop::{Engine, Options};
use sitemap_core::Replacement;
use sqlx::{AssertSqlSafe, PgPool, SqlitePool, postgres::PgPoolOptions, sqlite::SqlitePoolOptions};

/// A connection pool for one of the two databases.
#[derive(Clone, Debug)]
pub enum Database {
    /// The sample data in memory, or the database at a `sqlite:` URL.
    Sqlite(SqlitePool),
    /// The database at a `postgres:` URL.
    Postgres(PgPool),
}

impl Database {
    /// Opens the database in `DATABASE_URL`, or creates a database in memory with the sample data.
    pub async fn open(options: &Options) -> Result<Self, shop::Error> {
        let Some(url) = &options.database_url else {
            // An in-memory database exists only as long as its connection, so the pool keeps one connection open.
            let one = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
            let pool = one.connect("sqlite::memory:").await?;
            sqlx::raw_sql(AssertSqlSafe(shop::fill(Engine::Sqlite))).execute(&pool).await?;
            return Ok(Self::Sqlite(pool));
        };
        let engine = Engine::of_url(url)?;
        let fill = options.fill.then(|| sqlx::raw_sql(AssertSqlSafe(shop::fill(engine))));
        match engine {
            Engine::Sqlite => {
                let pool = SqlitePool::connect_with(
                    url.parse::<sqlx::sqlite::SqliteConnectOptions>()?.create_if_missing(options.fill),
                )
                .await?;
                if let Some(fill) = fill {
                    fill.execute(&pool).await?;
                }
                Ok(Self::Sqlite(pool))
            }
            Engine::Postgres => {
                let pool = PgPoolOptions::new().max_connections(4).connect(url).await?;
                if let Some(fill) = fill {
                    fill.execute(&pool).await?;
                }
                Ok(Self::Postgres(pool))
            }
        }
    }

    /// Adds all pages of the shop.
    pub async fn add_pages(&self, run: &mut Replacement) -> Result<(), shop::Error> {
        match self {
            Self::Sqlite(pool) => add_pages::add_pages(pool, run).await,
            Self::Postgres(pool) => add_pages::add_pages(pool, run).await,
        }
    }
}
