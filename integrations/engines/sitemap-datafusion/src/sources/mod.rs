//! Sources of rows other than local files.

#[cfg(feature = "buckets")]
mod buckets;
#[cfg(feature = "postgres")]
mod postgres;

#[cfg(feature = "buckets")]
pub(crate) use buckets::Buckets;
#[cfg(feature = "postgres")]
pub use postgres::PostgresTableFactory;
