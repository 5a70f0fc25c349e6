//! A moment in either database. Diesel calls it `Timestamptz` in one and `TimestamptzSqlite` in the
//! other; a program with one database uses that name in its schema and needs nothing of this.

use chrono::{DateTime, Utc};
use diesel::deserialize::{FromSql, Result};
use diesel::sql_types::{SqlType, TimestamptzSqlite};
use diesel::sqlite::{Sqlite, SqliteValue};

/// The SQL type of a moment.
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
