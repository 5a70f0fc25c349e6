//! The rules about pages that are listed twice, and about the recent section, which repeats entries of other files.

use std::sync::Arc;

use sitemap_core::LastMod;

use super::visit::{Item, Visit};
use crate::check::log::LoggedPage;
use crate::check::sink::Sink;
use crate::read::{PageItem, Position, Value, message, quoted};
use crate::rule::Rule;

/// Compares a page with the recent section, and logs it so that it can be compared with other files.
#[inline]
pub(super) fn page(visit: &mut Visit<'_, '_, PageItem<'_>>) {
    if !visit.options.duplicates {
        return;
    }
    let page = visit.item;
    let (url, lastmod) = (page.loc().as_str(), page.entry().lastmod());
    let fingerprint = visit.others.fingerprints.of_url(url);
    if visit.facts.is_recent {
        if !Arc::make_mut(visit.others.recent).add(fingerprint, lastmod, visit.others.name) {
            visit.sink().add_found(Rule::DuplicateLoc, page.span_of(Value::Loc), url);
        }
        return;
    }
    if let Some((date, recent)) = visit.others.recent.other_date(fingerprint, lastmod) {
        let (date, recent) = (*date, Arc::clone(recent));
        let text = |date: Option<LastMod>| {
            date.map_or_else(|| "no date".to_owned(), |date| format!("the date {date}"))
        };
        let value = if lastmod.is_some() { Value::LastMod } else { Value::Loc };
        visit.sink().add_with(Rule::RecentDateDiffers, page.span_of(value), || {
            format!("the page has {}, but {} in {recent}, found {}", text(lastmod), text(date), quoted(url))
        });
    }
    let log = &mut *visit.log;
    log.urls.push_str(url);
    log.pages.push(LoggedPage {
        fingerprint,
        lastmod,
        is_news: page.entry().news().is_some(),
        span: page.span_of(Value::Loc),
        url_end: log.urls.len(),
    });
}

/// The entry that listed a page first.
pub(crate) enum First<'f> {
    /// An entry of another file.
    In(&'f str),
    /// An entry of the same file, with its date. `None` if the file has too many entries to know it.
    Here(Option<(Position, Option<LastMod>)>),
}

/// Reports a page that is listed twice.
pub(crate) fn twice(url: &str, page: &LoggedPage, first: &First<'_>, sink: &mut Sink<'_>) {
    let span = page.span;
    match first {
        First::Here(first) => sink.add_with(Rule::DuplicateLoc, span, || {
            let summary = Rule::DuplicateLoc.summary();
            let Some((first, date)) = first else { return message(Rule::DuplicateLoc, url) };
            let text = |date: Option<LastMod>| date.map_or("no date".to_owned(), |date| date.to_string());
            let dates = if *date == page.lastmod {
                String::new()
            } else {
                format!(" with {}, here with {}", text(*date), text(page.lastmod))
            };
            format!("{summary}, first in line {}{dates}, found {}", first.line, quoted(url))
        }),
        First::In(other) => sink.add_with(Rule::PageInTwoFiles, span, || {
            format!("the page is also listed in {other}, found {}", quoted(url))
        }),
    }
}
