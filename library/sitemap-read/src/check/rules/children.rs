//! The rules about index entries, both on their own and compared with their child sitemaps.

use std::sync::Arc;

use sitemap_core::{Dialect, LastMod};

use super::dates::end_of;
use super::visit::{Item, Visit};
use crate::check::other_files::Child;
use crate::check::sink::Sink;
use crate::read::{SitemapItem, Value, quoted};
use crate::rule::Rule;

/// The maximum number of entries in an index according to the XML schema of 2006.
const MAX_IN_2006: u64 = 1_000;

/// The child sitemaps of one index.
#[derive(Default)]
pub(super) struct ChildRules {
    pub(super) listed: Vec<Child>,
    count: u64,
}

impl ChildRules {
    pub(super) fn child(&mut self, visit: &mut Visit<'_, '_, SitemapItem<'_>>) {
        let (item, loc, span) = (visit.item, visit.item.loc(), visit.item.span_of(Value::Loc));
        let own = visit.others.name;
        let before = visit.others.children.add(visit.others.fingerprints.of_url(loc.as_str()), own);
        if let Some(before) = &before {
            visit.sink().add_with(Rule::DuplicateChild, span, || {
                let place = if Arc::ptr_eq(before, own) { String::new() } else { format!(" in {before}") };
                format!("the child sitemap is already listed{place}, found {}", quoted(loc.as_str()))
            });
        }
        self.count += 1;
        if self.count == MAX_IN_2006 + 1 && !visit.facts.is_v0_84 {
            visit.sink().add(Rule::IndexOver1000, item.span());
        }
        // Keeps one child more than the check may open. When the check reaches that child, it reports that the limit is
        // exceeded.
        if self.count <= visit.options.max_children.saturating_add(1) {
            let lastmod = item.lastmod().map(|lastmod| (lastmod, item.span_of(Value::LastMod)));
            let loc = loc.clone().into_owned();
            self.listed.push(Child { loc, span, lastmod, is_new: before.is_none() });
        }
    }
}

/// The reason for not checking a child sitemap.
pub(crate) enum Problem {
    Loop,
    /// The check has already opened this many child sitemaps, which is the limit.
    TooMany(u64),
    Missing(Box<str>),
}

/// Reports a child sitemap that is not checked.
pub(crate) fn not_checked(child: &Child, problem: &Problem, sink: &mut Sink<'_>) {
    let (span, loc) = (child.span, child.loc.as_str());
    match problem {
        Problem::Loop => sink.add_found(Rule::IndexLoop, span, loc),
        Problem::TooMany(opened) => sink.add_with(Rule::TooManyChildren, span, || {
            format!("the set has more child sitemaps than the check opens (at most {opened})")
        }),
        Problem::Missing(why) => sink.add_with(Rule::ChildMissing, span, || {
            format!("the child sitemap cannot be opened: {why}, found {}", quoted(loc))
        }),
    }
}

/// Reports an index that is listed by another index.
pub(crate) fn nested(child: &Child, is_followed: bool, sink: &mut Sink<'_>) {
    sink.add_found(Rule::NestedIndex, child.span, child.loc.as_str());
    if !is_followed {
        sink.add_found(Rule::IndexTooDeep, child.span, child.loc.as_str());
    }
}

/// Compares an index entry with its child sitemap. `newest` is the newest date among the child sitemap's pages. `index`
/// is the index's dialect, and `own` is the child sitemap's.
pub(crate) fn compare(
    child: &Child,
    newest: Option<LastMod>,
    (index, own): (Option<Dialect>, Option<Dialect>),
    sink: &mut Sink<'_>,
) {
    if let (Some((lastmod, span)), Some(newest)) = (child.lastmod, newest)
        && end_of(lastmod) <= newest.timestamp()
    {
        sink.add_with(Rule::IndexLastModStale, span, || {
            let url = quoted(child.loc.as_str());
            format!(
                "the index gives the child sitemap {url} the date {lastmod}, but a page in that sitemap has the later \
                 date {newest}"
            )
        });
    }
    if let (Some(index), Some(own)) = (index, own)
        && index != own
    {
        sink.add_found(Rule::MixedDialects, child.span, own.namespace());
    }
}
