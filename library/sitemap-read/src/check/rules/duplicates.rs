//! The rules about pages that are listed twice, and about the recent section, which repeats entries of other files.

use std::sync::Arc;

use sitemap_core::LastMod;

use super::visit::{Item, Visit};
use crate::check::log::LoggedPage;
use crate::check::sink::Sink;
use crate::read::{PageItem, Span, Value, quoted};
use crate::rule::Rule;

/// Compares a page with the recent section, and logs it so that it can be compared with other files.
#[inline]
pub(super) fn page(visit: &mut Visit<'_, '_, PageItem<'_>>) {
    if !visit.options.duplicates {
        return;
    }
    let page = visit.item;
    let (url, lastmod) = (page.loc().as_str(), page.entry().lastmod());
    let fingerprint = visit.others.fingerprints.of(url);
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
    log.pages.push(LoggedPage { fingerprint, span: page.span_of(Value::Loc), url_end: log.urls.len() });
}

/// Reports a page that is listed twice. `other` is the file that listed it first, if that is not this file.
pub(crate) fn twice(url: &str, span: Span, other: Option<&str>, sink: &mut Sink<'_>) {
    match other {
        None => sink.add_found(Rule::DuplicateLoc, span, url),
        Some(other) => sink.add_with(Rule::PageInTwoFiles, span, || {
            format!("the page is also listed in {other}, found {}", quoted(url))
        }),
    }
}
