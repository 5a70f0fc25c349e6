//! The client for pages.

use std::time::Duration;

use sitemap_pages::fetch::{FetchOptions, Fetcher};
use tokio::runtime::{Builder, Runtime};

use super::header;
use crate::args::{ReadArgs, RequestArgs};
use crate::error::{Outcome, Stop, system_message};
use crate::source::{Identity, Source};

/// Returns what the requests of a command send. Headers are for the hosts of the targets that are URLs.
pub(crate) fn identity<'t>(
    args: &RequestArgs,
    targets: impl IntoIterator<Item = &'t str>,
) -> Outcome<Identity> {
    let headers = args.header.iter().map(|text| header::parse(text)).collect::<Outcome<_>>()?;
    let hosts = targets.into_iter().filter_map(Source::url_of).collect();
    let identity = Identity { user_agent: args.user_agent.clone(), headers, hosts };
    if identity.user_agent.is_some() || !identity.headers.is_empty() {
        // Reports invalid values before the first request.
        client(named(FetchOptions::new(), &identity))?;
    }
    Ok(identity)
}

/// Returns the client that the options describe. If the identity has no host, its headers are for the host of this URL.
pub(super) fn fetcher(
    args: &RequestArgs,
    read: &ReadArgs,
    identity: &Identity,
    first: Option<&str>,
) -> Outcome<Fetcher> {
    let mut options = FetchOptions::new()
        .per_host(args.jobs.into())
        .delay(Duration::from_millis(args.delay))
        .retries(args.retries)
        .timeout(Duration::from_secs(args.page_timeout))
        .allow_private(read.allow_private)
        .allow_link_local(read.allow_link_local);
    for host in &identity.hosts {
        options = options.headers_only_for(host.as_str());
    }
    if let (true, Some(first)) = (identity.hosts.is_empty(), first) {
        options = options.headers_only_for(first);
    }
    client(named(options, identity))
}

/// Adds what requests send to the options.
fn named(mut options: FetchOptions, identity: &Identity) -> FetchOptions {
    if let Some(user_agent) = &identity.user_agent {
        options = options.user_agent(user_agent);
    }
    for (name, value) in &identity.headers {
        options = options.header(name, value);
    }
    options
}

fn client(options: FetchOptions) -> Outcome<Fetcher> {
    Fetcher::new(options).map_err(|error| Stop::new(error.to_string()))
}

/// Returns the runtime that drives the client, on the thread of the state.
pub(super) fn runtime() -> Outcome<Runtime> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Stop::new(format!("cannot start the network client: {}", system_message(&error))))
}
