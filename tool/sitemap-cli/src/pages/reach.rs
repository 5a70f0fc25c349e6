//! Checks whether requests may be sent to at least one of the pages.

use std::env;
use std::net::{IpAddr, ToSocketAddrs as _};

use sitemap_fetch::AddressRange;
use url::{Host, Url};

use super::hosts::Hosts;
use crate::args::ReadArgs;
use crate::error::{Outcome, Stop};

/// The variables that configure a proxy. With a proxy, host names are not resolved here.
const PROXIES: [&str; 6] =
    ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/// Returns an error if no page can be requested, because all addresses require an option such as `--allow-private`. If
/// only some addresses require one, each of them becomes a finding instead, because a public site shouldn't list pages
/// that nobody else can reach.
pub(super) fn check(hosts: &Hosts, args: &ReadArgs) -> Outcome<()> {
    let mut first = None;
    for url in hosts.urls() {
        match refusal(url, args) {
            None => return Ok(()),
            Some(why) => _ = first.get_or_insert(why),
        }
    }
    first.map_or(Ok(()), |why| Err(Stop::new(format!("cannot request the pages: {why}"))))
}

/// Returns the reason why a URL's host may not be requested, with a remedy.
fn refusal(url: &str, args: &ReadArgs) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let host = url.host()?;
    let addresses: Vec<IpAddr> = match host {
        Host::Ipv4(address) => vec![address.into()],
        Host::Ipv6(address) => vec![address.into()],
        Host::Domain(_)
            if PROXIES.iter().any(|name| env::var_os(name).is_some_and(|url| !url.is_empty())) =>
        {
            return None;
        }
        Host::Domain(name) => {
            let found = (name, url.port_or_known_default()?).to_socket_addrs().ok()?;
            found.map(|address| address.ip()).collect()
        }
    };
    addresses.into_iter().find_map(|address| {
        let why = match AddressRange::of(address) {
            AddressRange::Private if !args.allow_private => {
                "is on this machine or a private network; allow it with `--allow-private`"
            }
            AddressRange::LinkLocal if !args.allow_link_local => {
                "is a link-local address or a metadata service; allow it with `--allow-link-local`"
            }
            AddressRange::Reserved => "is reserved, so no site can be there; check the URLs",
            _ => return None,
        };
        let of_name = if matches!(host, Host::Domain(_)) { format!(" ({address})") } else { String::new() };
        Some(format!("`{host}`{of_name} {why}"))
    })
}
