//! Judges the `lastmod` of an entry by our record of the page's content, and by the page's own dates.

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::Rule;

use super::dates::{DAY, Range, day, differ, seconds};
use super::evidence::PageRecord;
use super::fault::Fault;
use crate::facts::{PageDateKind, PageFacts};

/// Judges the `lastmod` of an entry that was read at a time, if it is known. The earlier the time, the more faults.
pub(super) fn judge(
    lastmod: Option<LastMod>,
    read_at: Option<SystemTime>,
    record: &PageRecord,
    facts: &PageFacts,
) -> Option<Fault> {
    let lastmod = lastmod?;
    by_record(&lastmod, read_at, record, facts).or_else(|| by_page(&lastmod, record, facts))
}

/// Compares with the visits, which saw the content change or stay the same.
fn by_record(
    lastmod: &LastMod,
    read_at: Option<SystemTime>,
    record: &PageRecord,
    facts: &PageFacts,
) -> Option<Fault> {
    let range = Range::of(lastmod);
    let since = record.content_since?;
    if let Some(until) = record.unchanged_until
        && range.to < seconds(until)
    {
        let (after, by) = (day(until), day(since));
        let time = if after == by { format!("on {by}") } else { format!("between {after} and {by}") };
        let message = format!("the content changed {time}, but the `lastmod` is {lastmod}");
        return Some(Fault::new(Rule::PageLastModOld, message));
    }
    // What was not read may have changed.
    if facts.is_cut {
        return None;
    }
    let seen = record.visit.at;
    // The clocks of the server and of the crawler differ, and visits with a fixed time were up to a day later.
    let is_later = seconds(since) + DAY < range.from;
    // If the sitemap was read before the visit, the change that it claims was before the visit too.
    let is_past = read_at.is_some_and(|read_at| read_at <= seen) && lastmod.timestamp() <= seconds(seen);
    if is_later && (is_past || range.to <= seconds(seen)) {
        let message =
            format!("the content has not changed since {}, but the `lastmod` is {lastmod}", day(since));
        return Some(Fault::new(Rule::PageLastModUnfounded, message));
    }
    None
}

/// Compares with the dates that the page states. One that agrees is enough. The header `Last-Modified` does not count,
/// because it is often the time when the page was generated.
fn by_page(lastmod: &LastMod, record: &PageRecord, facts: &PageFacts) -> Option<Fault> {
    let name = |kind| match kind {
        PageDateKind::StructuredModified => Some("`dateModified`"),
        PageDateKind::ArticleModified => Some("`article:modified_time`"),
        PageDateKind::OpenGraphUpdated => Some("`og:updated_time`"),
        _ => None,
    };
    let known = facts.dates.iter().filter_map(|date| Some((name(date.kind)?, date.date?)));
    // A date in the future is no date of a change.
    let mut own = known.filter(|(_, date)| date.timestamp() <= seconds(record.visit.at) + DAY).peekable();
    let (name, date) = *own.peek()?;
    if !own.all(|(_, date)| differ(lastmod, &date)) {
        return None;
    }
    let message = format!("the page states {date} as its {name}, but the `lastmod` is {lastmod}");
    Some(Fault::new(Rule::PageLastModDiffers, message))
}
