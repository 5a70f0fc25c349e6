//! The shop's database, read with four libraries, and an outbox.
//!
//! | module | database | programs |
//! |---|---|---|
//! | [`with_sqlx`] | SQLite, PostgreSQL | `with-sqlx`, and the shop on axum |
//! | [`with_diesel`] | SQLite, PostgreSQL | `with-diesel`, and the shop on actix-web |
//! | [`with_sea_orm`] | SQLite, PostgreSQL | `with-sea-orm`, and the shop on Rocket |
//! | [`with_outbox`] | SQLite | `with-outbox` |
//!
//! `with-rusqlite` and `big-table` are whole programs.

mod guides;
pub mod with_diesel;
pub mod with_outbox;
pub mod with_sea_orm;
pub mod with_sqlx;
