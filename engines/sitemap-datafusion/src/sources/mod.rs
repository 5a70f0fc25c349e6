//! Where rows come from, beside files of this machine.

#[cfg(feature = "buckets")]
mod buckets;
#[cfg(feature = "postgres")]
mod postgres;

#[cfg(feature = "buckets")]
pub(crate) use buckets::Buckets;
#[cfg(feature = "postgres")]
pub use postgres::PostgresTableFactory;
