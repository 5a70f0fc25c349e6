//! Runs work on threads, in two ways.
//!
//! | task | item |
//! |---|---|
//! | work on many items at once, with the results in order | [`map`], [`in_order`], [`run`] |
//! | run work that blocks or takes long on other threads, and await or wait for its result | [`Pool`], [`Task`] |
//!
//! Both start threads only when there is work, limit the number of threads, and also work on platforms without threads,
//! where the caller's thread does the work.
//!
//! ```
//! use sitemap_core::threads;
//!
//! let sizes = threads::map(4, ["a.xml", "b.xml", "c.xml"], |name| Ok::<_, std::io::Error>(name.len()))?;
//! assert_eq!(sizes, [5, 5, 5]);
//! # Ok::<(), std::io::Error>(())
//! ```

mod jobs;
mod pool;
mod task;

pub use jobs::{Event, Jobs, Worker, in_order, map, run};
pub use pool::Pool;
pub use task::Task;
