//! The number of threads that read sitemaps.

use std::num::NonZero;
use std::thread;

use clap::Args;

/// The threads of a command that reads sitemaps.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ThreadArgs {
    /// The number of threads that read sitemaps [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    pub(crate) fn count(self) -> usize {
        count(self.threads)
    }
}

/// Returns the number of threads: the option's value, or the number of cores.
pub(crate) fn count(option: Option<u16>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    option.map_or_else(cores, usize::from)
}
