//! The shop's database through Diesel, SQLite or PostgreSQL: what is published and what pages show.
//!
//! Diesel's queries are checked for one database while compiling, so the two modules with queries are
//! written by a macro for each; a program with one database has plain functions in its place.

mod add_pages;
mod model;
mod moment;
mod pages;
mod schema;

pub use model::{ARTICLE, Article, CATEGORY, Category, PRODUCT, Product};

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, SqliteConnection};
use shop::{Engine, Options};
use sitemap_core::Publisher;

/// A connection to one of the two.
#[allow(missing_debug_implementations, clippy::large_enum_variant)] // Diesel's have none; there is one of these
pub enum Database {
    /// The sample data in memory, or what a `sqlite:` URL names.
    Sqlite(SqliteConnection),
    /// What a `postgres:` URL names.
    #[cfg(feature = "postgres")]
    Postgres(diesel::PgConnection),
}

impl Database {
    /// Opens the database that `DATABASE_URL` names, or the sample data in memory.
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
            Engine::Postgres => Err("this was built without PostgreSQL; add `--features postgres` after `cargo run -p with-diesel`".into()),
        }
    }

    /// Adds all that has a page.
    pub fn add_pages(&mut self, publisher: &mut Publisher) -> Result<(), shop::Error> {
        match self {
            Self::Sqlite(connection) => add_pages::sqlite(connection, publisher),
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => add_pages::postgres(connection, publisher),
        }
    }
}
