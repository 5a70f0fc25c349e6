//! A DNS resolver that returns only addresses that requests may go to.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::Url;

use crate::guard::Guard;

/// Resolves host names.
#[derive(Clone, Debug)]
pub(crate) struct Resolver {
    pub(crate) guard: Guard,
    /// The addresses set by the caller. They are not checked.
    pub(crate) addresses: Arc<HashMap<String, Vec<SocketAddr>>>,
    /// The hosts of proxies. They are not checked, because proxies are often in private networks.
    pub(crate) proxies: Arc<HashSet<String>>,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let this = self.clone();
        Box::pin(async move {
            let name = name.as_str();
            if let Some(set) = this.addresses.get(name) {
                return Ok(Box::new(set.clone().into_iter()) as Addrs);
            }
            let found: Vec<_> = tokio::net::lookup_host((name, 0)).await?.collect();
            // A single forbidden address is enough to refuse the host, because the client may connect to any of its
            // addresses.
            if !this.proxies.contains(name) {
                for address in &found {
                    this.guard.check(name, address.ip())?;
                }
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Returns the hosts of the environment's proxies.
pub(crate) fn proxy_hosts(variable: impl Fn(&str) -> Option<String>) -> HashSet<String> {
    ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
        .into_iter()
        .filter_map(variable)
        .filter_map(|value| {
            // A proxy may be given without a scheme.
            let url = if value.contains("://") {
                Url::parse(&value)
            } else {
                Url::parse(&format!("http://{value}"))
            };
            url.ok()?.host_str().map(str::to_owned)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_of_proxies_are_found() {
        let variables = HashMap::from([
            ("HTTP_PROXY", "proxy.internal:3128"),
            ("https_proxy", "http://user:secret@tls.internal:8080/"),
            ("ALL_PROXY", "  "),
        ]);
        let hosts = proxy_hosts(|name| variables.get(name).map(|&value| value.to_owned()));
        assert_eq!(hosts, ["proxy.internal", "tls.internal"].map(str::to_owned).into());
    }
}
