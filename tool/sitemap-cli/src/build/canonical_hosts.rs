//! Compares the hosts of the pages' canonical URLs with the base URL.

use std::collections::BTreeMap;

use sitemap_core::Site;
use sitemap_pages::facts::PageFacts;
use sitemap_pages::urls::origin;

use crate::error::{Outcome, Stop};
use crate::number::grouped;

/// The maximum number of hosts to count separately.
const MOST: usize = 1_000;

/// The number of canonical URLs on each host.
#[derive(Debug, Default)]
pub(super) struct CanonicalHosts {
    here: u64,
    elsewhere: BTreeMap<String, u64>,
    more: u64,
}

/// The host of a page's canonical URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CanonicalHost {
    Here,
    Elsewhere(String),
}

impl CanonicalHost {
    /// Returns the host that a page names, compared with the base URL of its site.
    pub(super) fn of(facts: &PageFacts, site: &Site) -> Option<Self> {
        let url = facts.canonicals.first()?.url.as_deref()?;
        let host = origin(url)?.into_owned();
        let is_here = origin(site.base()).is_some_and(|base| *base == host);
        Some(if is_here { Self::Here } else { Self::Elsewhere(host) })
    }
}

impl CanonicalHosts {
    pub(super) fn add(&mut self, host: CanonicalHost) {
        match host {
            CanonicalHost::Here => self.here += 1,
            CanonicalHost::Elsewhere(host) => {
                if self.elsewhere.contains_key(&host) || self.elsewhere.len() < MOST {
                    *self.elsewhere.entry(host).or_default() += 1;
                } else {
                    self.more += 1;
                }
            }
        }
    }

    /// Returns an error if nearly all canonical URLs are on another host than the base URL, and because of this most
    /// pages would not be listed.
    pub(super) fn check(&self, site: &Site, listed: u64) -> Outcome<()> {
        let elsewhere = self.elsewhere.values().sum::<u64>() + self.more;
        let all = self.here + elsewhere;
        let Some((host, count)) = self.elsewhere.iter().max_by_key(|(_, count)| **count) else {
            return Ok(());
        };
        if elsewhere * 10 < all * 9 || elsewhere < listed {
            return Ok(());
        }
        let base = site.base();
        let path =
            base.find("://").and_then(|at| base[at + 3..].find('/').map(|slash| &base[at + 3 + slash..]));
        let right = format!("{host}{}", path.unwrap_or("/"));
        Err(Stop::new(format!(
            "{} of {} canonical URLs in the pages are on `{host}`, not under `--base {base}`; write `--base {right}`, or \
             correct the canonical URLs",
            grouped(*count),
            grouped(all)
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(here: u64, elsewhere: &[(&str, u64)], listed: u64) -> Option<String> {
        let mut hosts = CanonicalHosts { here, ..CanonicalHosts::default() };
        for (host, count) in elsewhere {
            (0..*count).for_each(|_| hosts.add(CanonicalHost::Elsewhere((*host).to_owned())));
        }
        let site = Site::new("https://www.example.com/docs").unwrap();
        hosts.check(&site, listed).err().map(|stop| match stop {
            Stop::Error(message) => message,
            stop => format!("{stop:?}"),
        })
    }

    #[test]
    fn nearly_all_canonicals_on_another_host_are_an_error() {
        let other = "https://example.com";
        assert_eq!(
            message(1, &[("https://a.test", 1), (other, 8)], 1).as_deref(),
            Some(
                "8 of 10 canonical URLs in the pages are on `https://example.com`, not under `--base \
                 https://www.example.com/docs/`; write `--base https://example.com/docs/`, or correct the canonical URLs"
            )
        );
        // Some articles are copies, and other pages name no canonical.
        for (here, elsewhere, listed) in [(2, 9, 2), (0, 3, 20), (0, 0, 0), (5, 0, 5)] {
            assert_eq!(message(here, &[(other, elsewhere)], listed), None, "{here} {elsewhere} {listed}");
        }
    }
}
