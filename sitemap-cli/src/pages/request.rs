//! The client for pages.

use std::time::Duration;

use sitemap_pages::fetch::{FetchOptions, Fetcher};
use tokio::runtime::{Builder, Runtime};

use crate::args::{ReadArgs, RequestArgs};
use crate::error::{Outcome, Stop, system_message};

/// Returns the client that the options describe.
pub(super) fn fetcher(args: &RequestArgs, read: &ReadArgs) -> Outcome<Fetcher> {
    let mut options = FetchOptions::new()
        .per_host(args.jobs.into())
        .delay(Duration::from_millis(args.delay))
        .retries(args.retries)
        .timeout(Duration::from_secs(args.page_timeout))
        .allow_private(read.allow_private)
        .allow_link_local(read.allow_link_local);
    if let Some(user_agent) = &args.user_agent {
        options = options.user_agent(user_agent);
    }
    for header in &args.header {
        let Some((name, value)) = header.split_once(':') else {
            return Err(Stop::new(format!("`--header {header:?}` has no colon; write `NAME: VALUE`")));
        };
        options = options.header(name.trim(), value.trim());
    }
    Fetcher::new(options).map_err(|error| Stop::new(error.to_string()))
}

/// Returns the runtime that drives the client, on the thread of the state.
pub(super) fn runtime() -> Outcome<Runtime> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Stop::new(format!("cannot start the network client: {}", system_message(&error))))
}
