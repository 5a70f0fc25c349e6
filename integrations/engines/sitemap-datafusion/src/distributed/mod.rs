//! Statements whose tasks run on other machines.
//!
//! A session from [`session_with_workers`] plans each statement as usual. If the plan can be sent to workers, and its
//! tables are large enough for several tasks, the workers run these tasks: they read the tables, sort the rows and
//! write the shards. The session itself commits the shards. All machines must be able to access the tables and the
//! set's folder or bucket.

mod channel;
mod lost;
mod planner;
mod root;
mod scan;
mod session;
mod settings;
mod worker;
mod workers;

pub use lost::{is_lost_worker, retry};
pub use session::session_with_workers;
pub use worker::Worker;
pub use workers::Workers;

/// The version that the coordinator and the workers must share, because the encoding of plans may change with every
/// version.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/datafusion-55.2");
