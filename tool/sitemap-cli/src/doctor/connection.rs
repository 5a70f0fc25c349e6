//! The steps up to a connection: the host's name, address and certificate.

use std::net::ToSocketAddrs as _;

use sitemap_pages::visit::Failure;
use url::{Host, Url};

use super::failure::step_of_failure;
use super::log::{Log, Step};
use crate::error::Outcome;

/// The maximum number of addresses to print for a host.
const MAX_ADDRESSES: usize = 4;

/// Prints the steps up to the connection with a URL's host. Returns `false` if one of them failed.
pub(super) fn check(url: &Url, failure: Option<&Failure>, explained: &str, log: &mut Log) -> Outcome<bool> {
    let step = failure.map(step_of_failure);
    for (of, text) in [
        (Step::Dns, addresses(url)),
        (Step::Connection, "the server accepts the connection".to_owned()),
        (Step::Tls, "the certificate is valid for the host".to_owned()),
    ] {
        if step == Some(of) {
            log.fail(of, explained)?;
            return Ok(false);
        }
        if of != Step::Tls || url.scheme() == "https" {
            log.ok(of, &text)?;
        }
    }
    Ok(true)
}

/// Returns the addresses of a host. A name that can't be resolved on this machine was resolved by a proxy.
fn addresses(url: &Url) -> String {
    let Some(Host::Domain(host)) = url.host() else {
        return "the URL has an IP address".to_owned();
    };
    let found = (host, url.port_or_known_default().unwrap_or(443)).to_socket_addrs();
    let mut found: Vec<String> =
        found.into_iter().flatten().map(|address| address.ip().to_string()).collect();
    found.dedup();
    let more = match found.len().saturating_sub(MAX_ADDRESSES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if found.is_empty() {
        return format!("`{host}` is resolved by the proxy");
    }
    found.truncate(MAX_ADDRESSES);
    format!("`{host}` is {}{more}", found.join(", "))
}
