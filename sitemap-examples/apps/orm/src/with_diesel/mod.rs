//! The shop's database in SQLite or PostgreSQL, read with Diesel for the sitemap and the pages.
//!
//! Diesel checks each query for one database system at compile time, so macros repeat the queries for both systems. A
//! program for one database system only needs plain functions.

mod add_pages;
mod model;
mod moment;
mod pages;
mod schema;

pub use model::{Article, Category, ProductWithImages};

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, SqliteConnection};
use shop::{Engine, Options};
use sitemap_core::Replacement;

/// A connection to one of the two databases.
#[allow(missing_debug_implementations, clippy::large_enum_variant)] // Diesel's connections have no `Debug`, and the program has one connection
pub enum Database {
    /// The sample data in memory, or the database at a `sqlite:` URL.
    Sqlite(SqliteConnection),
    /// The database at a `postgres:` URL.
    #[cfg(feature = "postgres")]
    Postgres(diesel::PgConnection),
}

impl Database {
    /// Opens the database in `DATABASE_URL`, or creates a database in memory with the sample data.
    pub fn open(options: &Options) -> Result<Self, shop::Error> {
        let url = options.database_url.as_deref().unwrap_or("sqlite::memory:");
        let engine = Engine::of_url(url)?;
        let is_new = options.fill || options.database_url.is_none();
        let fill = if is_new { shop::fill(engine) } else { String::new() };
        match engine {
            Engine::Sqlite => {
                let mut connection = SqliteConnection::establish(url.trim_start_matches("sqlite:"))?;
                connection.batch_execute(&fill)?;
                Ok(Self::Sqlite(connection))
            }
            #[cfg(feature = "postgres")]
            Engine::Postgres => {
                let mut connection = diesel::PgConnection::establish(url)?;
                connection.batch_execute(&fill)?;
                Ok(Self::Postgres(connection))
            }
            #[cfg(not(feature = "postgres"))]
            Engine::Postgres => Err("this program was built without PostgreSQL; add `--features postgres` after `cargo run -p with-diesel`".into()),
        }
    }

    /// Adds all pages of the shop.
    pub fn add_pages(&mut self, run: &mut Replacement) -> Result<(), shop::Error> {
        match self {
            Self::Sqlite(connection) => add_pages::sqlite(connection, run),
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => add_pages::postgres(connection, run),
        }
    }
}
