//! A SQL type for timestamps in both database systems. Diesel's own types are `Timestamptz` for PostgreSQL and
//! `TimestamptzSqlite` for SQLite. A program for one database system does not need this module, and uses Diesel's type
//! in its schema.

use chrono::{DateTime, Utc};
use diesel::deserialize::{FromSql, Result};
use diesel::sql_types::{SqlType, TimestamptzSqlite};
use diesel::sqlite::{Sqlite, SqliteValue};

/// The SQL type of a timestamp with a time zone.
#[derive(SqlType)]
#[diesel(sqlite_type(name = "Text"))]
#[cfg_attr(feature = "postgres", diesel(postgres_type(name = "timestamptz")))]
pub struct Moment;

impl FromSql<Moment, Sqlite> for DateTime<Utc> {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> Result<Self> {
        <Self as FromSql<TimestamptzSqlite, Sqlite>>::from_sql(value)
    }
}

#[cfg(feature = "postgres")]
impl FromSql<Moment, diesel::pg::Pg> for DateTime<Utc> {
    fn from_sql(value: diesel::pg::PgValue<'_>) -> Result<Self> {
        <Self as FromSql<diesel::sql_types::Timestamptz, diesel::pg::Pg>>::from_sql(value)
    }
}
