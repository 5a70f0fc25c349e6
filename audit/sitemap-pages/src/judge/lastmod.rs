//! Judges an entry's `lastmod` using the recorded visits to the page, and the dates that the page states.

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::Rule;

use super::dates::{DAY, Range, day, differ, seconds};
use super::evidence::PageRecord;
use super::fault::Fault;
use crate::facts::{PageDateKind, PageFacts};

/// Judges an entry's `lastmod`. `read_at` is the time when the entry was read, if known. The earlier it is, the more
/// faults can be found.
pub(super) fn judge(
    lastmod: Option<LastMod>,
    read_at: Option<SystemTime>,
    record: &PageRecord,
    facts: &PageFacts,
) -> Option<Fault> {
    let lastmod = lastmod?;
    by_record(&lastmod, read_at, record, facts).or_else(|| by_page(&lastmod, record, facts))
}

/// Compares the `lastmod` with the visits, which show when the content changed or stayed the same.
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
    // If the page was truncated, the part that was not read may have changed.
    if facts.is_cut {
        return None;
    }
    let seen = record.visit.at;
    // Allow a day's tolerance: the server's clock may differ from the crawler's, and visits with a fixed time may be
    // dated up to a day too early.
    let is_later = seconds(since) + DAY < range.from;
    // If the sitemap was read before the visit, the change that it claims must also have happened before the visit.
    let is_past = read_at.is_some_and(|read_at| read_at <= seen) && lastmod.timestamp() <= seconds(seen);
    if is_later && (is_past || range.to <= seconds(seen)) {
        let message =
            format!("the content has not changed since {}, but the `lastmod` is {lastmod}", day(since));
        return Some(Fault::new(Rule::PageLastModUnfounded, message));
    }
    None
}

/// Compares the `lastmod` with the dates that the page states. A single match is enough. The `Last-Modified` header is
/// ignored, because it is often the time when the page was generated.
fn by_page(lastmod: &LastMod, record: &PageRecord, facts: &PageFacts) -> Option<Fault> {
    let name = |kind| match kind {
        PageDateKind::StructuredModified => Some("`dateModified`"),
        PageDateKind::ArticleModified => Some("`article:modified_time`"),
        PageDateKind::OpenGraphUpdated => Some("`og:updated_time`"),
        _ => None,
    };
    let known = facts.dates.iter().filter_map(|date| Some((name(date.kind)?, date.date?)));
    // A date in the future can't be the date of a change.
    let mut own = known.filter(|(_, date)| date.timestamp() <= seconds(record.visit.at) + DAY).peekable();
    let (name, date) = *own.peek()?;
    if !own.all(|(_, date)| differ(lastmod, &date)) {
        return None;
    }
    let message = format!("the page states {date} as its {name}, but the `lastmod` is {lastmod}");
    Some(Fault::new(Rule::PageLastModDiffers, message))
}
