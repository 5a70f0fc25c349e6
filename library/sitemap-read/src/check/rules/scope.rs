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
    /// True if only a private network reaches the file's own URL, so that its pages may be there too.
    is_private: bool,
    /// The origin of the first page, if the file's own URL is unknown.
    first: Option<Box<str>>,
    first_is_private: bool,
    /// The results of `allows_cross_submission` by origin.
    asked: HashMap<Box<str>, bool>,
    reported_cross: bool,
}

/// The maximum number of origins per file for which `allows_cross_submission` is called. URLs of further origins are
/// not allowed. A normal file lists URLs of only a few origins.
const MAX_ORIGINS: usize = 1_000;

impl Scope {
    pub(super) fn new(served_at: Option<Loc<'static>>) -> Self {
        let directory = served_at.as_ref().and_then(|loc| Site::new(directory(loc.as_str())).ok());
        let is_private = served_at.as_ref().is_some_and(Loc::has_private_host);
        Self { served_at, directory, is_private, ..Self::default() }
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
        if !self.is_private && loc.has_private_host() {
            visit.sink().add_found(Rule::LocPrivateHost, span, loc.as_str());
        }
    }

    #[cold]
    fn foreign_page(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        let (loc, span) = (visit.item.loc(), visit.item.span_of(Value::Loc));
        if self.is_allowed(visit) {
            if !self.reported_cross && visit.options.engines.has(Engine::Yandex) {
                self.reported_cross = true;
                visit.sink().add_found(Rule::CrossSubmission, span, loc.as_str());
            }
            return;
        }
        match (&self.directory, &self.first) {
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
        if visit.options.same_site && !self.is_allowed(visit) {
            visit.sink().add_with(Rule::ChildOtherHost, span, || {
                format!("the child sitemap is not on {own}, found {}", quoted(loc.as_str()))
            });
        }
    }

    /// Returns `true` if the file may list the entry because the options or the URL's host allow it.
    fn is_allowed<I: Item>(&mut self, visit: &mut Visit<'_, '_, I>) -> bool {
        let loc = visit.item.loc();
        if visit.options.also_lists.iter().any(|site| site.covers(loc)) {
            return true;
        }
        let Some(served_at) = &self.served_at else {
            return false;
        };
        let origin = origin(loc.as_str());
        // A host's robots.txt can allow sitemaps on other hosts to list the host's pages. A sitemap on the same host,
        // however, may only list pages in its own directory.
        if is_of(served_at, origin) {
            return false;
        }
        if let Some(allows_cross_submission) = self.asked.get(origin) {
            return *allows_cross_submission;
        }
        if self.asked.len() >= MAX_ORIGINS {
            return false;
        }
        let allows_cross_submission = visit.others.submissions.allows(served_at, origin);
        self.asked.insert(origin.into(), allows_cross_submission);
        allows_cross_submission
    }
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
