//! The hosts of the pages to request.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sitemap_pages::state::State;

use super::state::stop;
use crate::error::{Outcome, Stop};

/// The maximum number of hosts to remember. A set with more hosts is not compared with a state file.
const MOST: usize = 1_000;

/// The hosts of the listed pages, each with its port and the URL of the first listed page on this host.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    urls: BTreeMap<String, String>,
    is_cut: bool,
}

impl Hosts {
    /// Returns the host of one URL.
    pub(super) fn of(url: &str) -> Self {
        let mut hosts = Self::default();
        hosts.add(url);
        hosts
    }

    pub(super) fn add(&mut self, url: &str) {
        let host = host(url);
        if self.urls.contains_key(host) {
            return;
        }
        if self.urls.len() == MOST {
            self.is_cut = true;
            return;
        }
        self.urls.insert(host.to_owned(), url.to_owned());
    }

    /// Returns the URL of one page on each host.
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        self.urls.values().map(String::as_str)
    }
}

/// The hosts in a state file: the host of its base URL, and the hosts whose robots.txt was requested.
#[derive(Debug)]
pub(super) struct KnownHosts {
    path: PathBuf,
    hosts: BTreeSet<String>,
}

impl KnownHosts {
    pub(super) fn of(state: &State) -> Outcome<Self> {
        let base = state.base();
        let mut hosts: BTreeSet<String> = base.iter().map(|base| host(base).to_owned()).collect();
        for row in state.hosts() {
            let (origin, _) = row.map_err(stop)?;
            hosts.insert(host(&origin).to_owned());
        }
        if hosts.is_empty()
            && let Some(page) = state.pages().next()
        {
            hosts.insert(host(&page.map_err(stop)?.visit.url).to_owned());
        }
        Ok(Self { path: state.path().to_owned(), hosts })
    }

    /// Returns an error if the state file contains pages, but none of them is on one of these hosts.
    pub(super) fn check(&self, listed: &Hosts) -> Outcome<()> {
        let is_other =
            !self.hosts.is_empty() && self.hosts.iter().all(|host| !listed.urls.contains_key(host));
        match listed.urls.keys().next() {
            Some(first) if is_other && !listed.is_cut => Err(Stop::new(format!(
                "`{}` is the state of {}, not of {}; name another file with `--state`",
                self.path.display(),
                shown(self.hosts.first(), self.hosts.len()),
                shown(Some(first), listed.urls.len()),
            ))),
            _ => Ok(()),
        }
    }
}

fn shown(first: Option<&String>, len: usize) -> String {
    let first = first.map_or("", String::as_str);
    match len {
        0 | 1 => format!("`{first}`"),
        2 => format!("`{first}` and 1 more host"),
        len => format!("`{first}` and {} more hosts", len - 1),
    }
}

/// Returns a URL's host, with the port unless it is the default one.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit('@').next().unwrap_or(authority)
}

#[cfg(test)]
mod tests {
    use super::{Hosts, host};

    #[test]
    fn a_host_has_its_port_and_no_password() {
        for (url, expected) in [
            ("https://a.test/x@y", "a.test"),
            ("http://a.test:81?b", "a.test:81"),
            ("https://u:p@a.test/", "a.test"),
            ("http://[::1]:8/", "[::1]:8"),
            ("", ""),
        ] {
            assert_eq!(host(url), expected, "{url}");
        }
    }

    #[test]
    fn hosts_past_a_thousand_are_not_kept() {
        let mut hosts = Hosts::default();
        for number in 0..1_001 {
            hosts.add(&format!("https://{number}.test/"));
        }
        assert_eq!((hosts.urls().count(), hosts.is_cut), (1_000, true));
    }
}
