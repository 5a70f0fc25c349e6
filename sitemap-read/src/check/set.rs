//! The check of a whole set: an index and the sitemaps that it lists.

use std::vec;

use crate::read::{DocumentKind, Position, ReadError, ReadErrorKind, SitemapReader, Span, quoted};
use crate::rule::Rule;
use sitemap_core::Dialect;
use sitemap_core::value::Precision;
use sitemap_core::{LastMod, Loc};

use super::document::{self, Outcome};
use super::options::CheckOptions;
use super::report::FileId;
use super::role::{Role, role_of};
use super::set_state::{Child, SetState};
use super::sink::Sink;
use super::source::{OpenError, SitemapSource};

/// An index on the path from the first index to the current child sitemap.
struct Level {
    id: FileId,
    loc: Option<Loc<'static>>,
    dialect: Option<Dialect>,
    children: vec::IntoIter<Child>,
}

/// Checks all child sitemaps of the index, including those that nested indexes list.
pub(super) fn check<S: SitemapSource>(
    set: &mut SetState,
    options: &CheckOptions,
    index: Outcome,
    source: &mut S,
) -> Result<(), ReadError> {
    let mut levels = vec![level(index)];
    let mut opened = 0;
    while let Some(top) = levels.last_mut() {
        let Some(child) = top.children.next() else {
            levels.pop();
            continue;
        };
        let (parent, dialect) = (top.id, top.dialect);
        let leads_back = levels.iter().any(|level| level.loc.as_ref() == Some(&child.loc));
        let mut sink = Sink { report: &mut set.report, options, id: parent };
        if leads_back {
            sink.add_found(Rule::IndexLoop, child.span, child.loc.as_str());
            continue;
        }
        if !child.is_new {
            continue;
        }
        if opened == options.max_children {
            sink.add_with(Rule::TooManyChildren, child.span, || {
                format!("the set has more child sitemaps than the check opens (at most {opened})")
            });
            return Ok(());
        }
        opened += 1;
        let file = match source.open(&child.loc) {
            Ok(file) => file,
            Err(OpenError::Skip) => continue,
            Err(OpenError::Loop) => {
                sink.add_found(Rule::IndexLoop, child.span, child.loc.as_str());
                continue;
            }
            Err(OpenError::Unavailable(why)) => {
                sink.add_with(Rule::ChildMissing, child.span, || {
                    format!("the child sitemap cannot be opened: {why}, found {}", quoted(child.loc.as_str()))
                });
                continue;
            }
            Err(OpenError::Fatal(error)) => {
                return Err(ReadError::new(ReadErrorKind::Source(error), Position::START));
            }
        };
        let served_at = file.served_at.unwrap_or_else(|| child.loc.clone());
        let reader = SitemapReader::from_reader_with(file.content, options.read);
        let (outcome, end) = document::check(set, options, (file.name, Some(served_at)), reader, source);
        if let Err(error) = end {
            let mut sink = Sink { report: &mut set.report, options, id: outcome.id };
            sink.add_with(Rule::FileUnreadable, Span::START, || error.to_string());
        }
        let mut sink = Sink { report: &mut set.report, options, id: parent };
        compare(&child, &outcome, dialect, &mut sink);
        if outcome.document.is_some_and(|document| document.kind == DocumentKind::Index) {
            sink.add_found(Rule::NestedIndex, child.span, child.loc.as_str());
            if levels.len() < options.max_index_depth {
                levels.push(level(outcome));
            } else {
                sink.add_found(Rule::IndexTooDeep, child.span, child.loc.as_str());
            }
        }
    }
    Ok(())
}

fn level(mut index: Outcome) -> Level {
    // The dates of the recent section must be known before the pages that it repeats. The sort is stable.
    index.children.sort_by_key(|child| role_of(Some(&child.loc), "") == Role::Pages);
    Level {
        id: index.id,
        loc: index.served_at,
        dialect: index.document.and_then(|document| document.dialect),
        children: index.children.into_iter(),
    }
}

/// Compares the index's entry for a child sitemap with the child itself.
fn compare(child: &Child, outcome: &Outcome, dialect: Option<Dialect>, sink: &mut Sink<'_>) {
    if let (Some((lastmod, span)), Some(newest)) = (child.lastmod, outcome.newest)
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
    let own = outcome.document.and_then(|document| document.dialect);
    if let (Some(index), Some(own)) = (dialect, own)
        && index != own
    {
        sink.add_found(Rule::MixedDialects, child.span, own.namespace());
    }
}

/// Returns the earliest timestamp at which a date is past in every time zone.
fn end_of(date: LastMod) -> i64 {
    const DAY: i64 = 86_400;
    /// How far UTC-12 is behind UTC, in seconds. In this time zone, each day ends last.
    const LATEST: i64 = 12 * 3_600;
    date.timestamp()
        + match date.precision() {
            Precision::Year => 366 * DAY + LATEST,
            Precision::Month => 31 * DAY + LATEST,
            Precision::Day => DAY + LATEST,
            Precision::Minute => 60,
            Precision::Second | Precision::Fraction => 1,
        }
}
