//! The HTTP client for pages.

use std::time::Duration;

use sitemap_fetch::{FetchOptions, Fetcher};
use tokio::runtime::{Builder, Runtime};

use crate::args::{ReadArgs, RequestArgs};
use crate::error::{Outcome, Stop, system_message};
use crate::run_time;
use crate::source::Identity;

/// The default number of requests to send to one host at the same time; `--jobs` overrides it.
const JOBS: u16 = 4;

/// Returns the client for these options. Returns an error if the identity contains headers or credentials, but no host
/// to send them to.
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

/// Returns the client's runtime. Its threads receive and parse pages, and the calling thread stores them.
pub(super) fn runtime() -> Outcome<Runtime> {
    let runtime = Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| Stop::new(format!("cannot start the network client: {}", system_message(&error))))
}
