//! Statements whose tasks run on other machines.
//!
//! A session of [`session_with_workers`] plans each statement as usual. If the plan can be sent to the workers, and its
//! tables are large enough for several tasks, the tasks run there: they read the tables, sort the rows and write the shards.
//! The session itself commits the shards. All machines must reach the tables and the folder or bucket of the set.

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

/// The version that coordinator and workers must have in common: the encoding of plans may change with every version.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/datafusion-55.2");
