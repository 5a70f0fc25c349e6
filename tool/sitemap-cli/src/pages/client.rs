//! The client for pages.

use std::time::Duration;

use sitemap_fetch::{FetchOptions, Fetcher};
use tokio::runtime::{Builder, Runtime};

use crate::args::{ReadArgs, RequestArgs};
use crate::error::{Outcome, Stop, system_message};
use crate::run_time;
use crate::source::Identity;

/// The maximum number of requests to one host at the same time, without `--jobs`.
const JOBS: u16 = 4;

/// Returns the client that the options describe. Headers and credentials are an error if the identity has no host.
pub(super) fn fetcher(args: &RequestArgs, read: &ReadArgs, identity: &Identity) -> Outcome<Fetcher> {
    identity.check_hosts()?;
    let options = FetchOptions::new()
        .per_host(read.network.jobs.unwrap_or(JOBS).into())
        .delay(Duration::from_millis(args.delay))
        .retries(read.network.retries)
        .timeout(Duration::from_secs(args.page_timeout))
        .max_body_bytes(usize::try_from(args.max_page_bytes).unwrap_or(usize::MAX))
        .fixed_time(run_time::is_fixed())
        .allow_private(read.allow_private)
        .allow_link_local(read.allow_link_local);
    Fetcher::new(identity.add_to(options)).map_err(|error| Stop::new(error.to_string()))
}

/// Returns the runtime that drives the client. Pages are received and parsed on its threads, and stored on the thread that
/// calls it.
pub(super) fn runtime() -> Outcome<Runtime> {
    let runtime = Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| Stop::new(format!("cannot start the network client: {}", system_message(&error))))
}
