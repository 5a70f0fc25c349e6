//! The shop's database in SQLite or PostgreSQL, read with SeaORM for the sitemap and the pages.

mod add_pages;
pub mod entity;
mod pages;

pub use add_pages::add_pages;

use sea_orm::{ConnectOptions, ConnectionTrait as _, Database, DatabaseConnection};
use shop::{Engine, Options};

/// Opens the database in `DATABASE_URL`, or creates a database in memory with the sample data.
pub async fn open(options: &Options) -> Result<DatabaseConnection, shop::Error> {
    let url = options.database_url.as_deref().unwrap_or("sqlite::memory:");
    let mut connect = ConnectOptions::new(url);
    if options.database_url.is_none() {
        // Each connection would have its own in-memory database, so limit the pool to one connection.
        connect.max_connections(1);
    } else if options.fill && url.starts_with("sqlite:") {
        connect.map_sqlx_sqlite_opts(|sqlite| sqlite.create_if_missing(true));
    }
    let database = Database::connect(connect).await?;
    if options.fill || options.database_url.is_none() {
        database.execute_unprepared(&shop::fill(Engine::of_url(url)?)).await?;
    }
    Ok(database)
}

pub use pages::{article, category, product};
