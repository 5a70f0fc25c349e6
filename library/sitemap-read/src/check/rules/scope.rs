//! The rules about scope: which pages a sitemap may list, and which sitemaps an index may list.

use std::collections::HashMap;

use sitemap_core::{Loc, Site};

use super::visit::{Item, Visit};
use crate::read::{PageItem, SitemapItem, Value, quoted};
use crate::rule::{Engine, Rule};

/// The scope of one file.
#[derive(Debug, Default)]
pub(super) struct Scope {
    served_at: Option<Loc<'static>>,
    /// The directory of the file's URL.
    directory: Option<Site>,
    /// True if the pages may be on hosts of a private network, for example because the file itself is.
    allows_private: bool,
    /// The origin of the first page, if the file's own URL is unknown.
    first: Option<Box<str>>,
    first_is_private: bool,
    /// The results of `robots_lists` by origin.
    asked: HashMap<Box<str>, Option<bool>>,
    reported_cross: bool,
}

/// The maximum number of origins per file for which `robots_lists` is called. URLs of further origins are
/// not allowed. A normal file lists URLs of only a few origins.
const MAX_ORIGINS: usize = 1_000;

impl Scope {
    pub(super) fn new(served_at: Option<Loc<'static>>, private_hosts: bool) -> Self {
        let directory = served_at.as_ref().and_then(|loc| Site::new(directory(loc.as_str())).ok());
        let allows_private = private_hosts || served_at.as_ref().is_some_and(Loc::has_private_host);
        Self { served_at, directory, allows_private, ..Self::default() }
    }

    /// Checks that the page is in the file's scope.
    #[inline]
    pub(super) fn page(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        let loc = visit.item.loc();
        let is_own = match (&self.directory, &self.first) {
            (Some(directory), _) => directory.covers(loc),
            (None, Some(first)) => is_of(loc, first),
            (None, None) => {
                self.first = Some(origin(loc.as_str()).into());
                self.first_is_private = loc.has_private_host();
                true
            }
        };
        if self.first_is_private || !is_own {
            self.private_host(visit);
        }
        if !is_own && visit.options.scope {
            self.foreign_page(visit);
        }
    }

    #[cold]
    fn private_host<I: Item>(&self, visit: &mut Visit<'_, '_, I>) {
        let (loc, span) = (visit.item.loc(), visit.item.span_of(Value::Loc));
        if !self.allows_private && loc.has_private_host() {
            visit.sink().add_found(Rule::LocPrivateHost, span, loc.as_str());
        }
    }

    #[cold]
    fn foreign_page(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        let (loc, span) = (visit.item.loc(), visit.item.span_of(Value::Loc));
        let allows = self.allows(visit);
        if allows == Some(true) {
            let is_other_host = self.served_at.as_ref().is_some_and(|own| !is_of(own, origin(loc.as_str())));
            if is_other_host && !self.reported_cross && visit.options.engines.has(Engine::Yandex) {
                self.reported_cross = true;
                visit.sink().add_found(Rule::CrossSubmission, span, loc.as_str());
            }
            return;
        }
        match (&self.directory, &self.first) {
            _ if allows.is_none() => visit.sink().add_with(Rule::ScopeUnknown, span, || {
                let outside = match (&self.directory, &self.first) {
                    (Some(directory), _) => format!("the page is not under {}", directory.base()),
                    (None, first) => format!("the first page is on {}", first.as_deref().unwrap_or_default()),
                };
                let (origin, found) = (origin(loc.as_str()), quoted(loc.as_str()));
                format!("{outside}, and {origin}/robots.txt is not known, found {found}")
            }),
            (Some(directory), _) => visit.sink().add_with(Rule::OutOfScope, span, || {
                format!("the page is not under {}, found {}", directory.base(), quoted(loc.as_str()))
            }),
            (None, Some(first)) => visit.sink().add_with(Rule::MixedHosts, span, || {
                format!("the first page is on {first}, but this page is {}", quoted(loc.as_str()))
            }),
            (None, None) => {}
        }
    }

    /// Checks that the child sitemap is in the index's scope.
    pub(super) fn child(&mut self, visit: &mut Visit<'_, '_, SitemapItem<'_>>) {
        self.private_host(visit);
        let (loc, span) = (visit.item.loc(), visit.item.span_of(Value::Loc));
        let own = match &self.served_at {
            Some(served_at) => origin(served_at.as_str()),
            None => &**self.first.get_or_insert_with(|| origin(loc.as_str()).into()),
        };
        if is_of(loc, own) {
            if let Some(directory) = self.directory.as_ref().filter(|directory| !directory.covers(loc)) {
                visit.sink().add_with(Rule::ChildOutside, span, || {
                    let found = quoted(loc.as_str());
                    format!("the child sitemap is not under {}, found {found}", directory.base())
                });
            }
            return;
        }
        let own = own.to_owned();
        if visit.options.same_site && self.allows(visit) != Some(true) {
            visit.sink().add_with(Rule::ChildOtherHost, span, || {
                format!("the child sitemap is not on {own}, found {}", quoted(loc.as_str()))
            });
        }
    }

    /// Returns whether the options or the robots.txt of the entry's host allow the file to list the entry. Returns `None`
    /// if that robots.txt is not known.
    fn allows<I: Item>(&mut self, visit: &mut Visit<'_, '_, I>) -> Option<bool> {
        let loc = visit.item.loc();
        if visit.options.also_lists.iter().any(|site| site.covers(loc)) {
            return Some(true);
        }
        // Nobody can read the robots.txt of such a host.
        if loc.has_private_host() && !self.allows_private {
            return Some(false);
        }
        let origin = origin(loc.as_str());
        let Some(served_at) = &self.served_at else {
            // The pages of one site were written in two ways, which is a mistake no matter what robots.txt allows.
            let is_variant = self.first.as_ref().is_some_and(|first| site_name(first) == site_name(origin));
            return is_variant.then_some(false);
        };
        if let Some(answer) = self.asked.get(origin) {
            return *answer;
        }
        if self.asked.len() >= MAX_ORIGINS {
            return Some(false);
        }
        let answer = visit.others.robots.lists(served_at, origin);
        self.asked.insert(origin.into(), answer);
        answer
    }
}

/// Returns the host without `www.` and without the port.
fn site_name(origin: &str) -> &str {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    let host = host.strip_prefix("www.").unwrap_or(host);
    host.split_once(':').map_or(host, |(host, _)| host)
}

/// Returns the scheme, host and port of a URL, such as `https://example.com`.
pub(super) fn origin(loc: &str) -> &str {
    let host = loc.find("://").map_or(0, |at| at + 3);
    let end = loc[host..].find(['/', '?', '#']).map_or(loc.len(), |len| host + len);
    &loc[..end]
}

/// Returns `true` if a URL has this scheme, host and port.
#[inline]
pub(super) fn is_of(loc: &Loc<'_>, origin: &str) -> bool {
    let rest = loc.as_str().strip_prefix(origin);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

/// Returns the URL up to and including the last slash of its path.
fn directory(loc: &str) -> &str {
    let path_end = loc.find(['?', '#']).unwrap_or(loc.len());
    let origin = origin(loc);
    match loc[origin.len()..path_end].rfind('/') {
        Some(slash) => &loc[..=origin.len() + slash],
        None => origin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_of_a_file_is_all_up_to_its_last_slash() {
        for (loc, expected) in [
            ("https://example.com/sitemap.xml", "https://example.com/"),
            ("https://example.com/a/b/sitemap.xml?x=/c/d", "https://example.com/a/b/"),
            ("https://example.com", "https://example.com"),
            ("https://example.com?a/b", "https://example.com"),
            ("https://example.com:8443/a/", "https://example.com:8443/a/"),
        ] {
            assert_eq!(directory(loc), expected, "{loc}");
        }
        assert_eq!(origin("https://example.com:8443?a=/b"), "https://example.com:8443");
    }
}
