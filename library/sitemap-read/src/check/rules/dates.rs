//! The rules about `lastmod`.

use sitemap_core::LastMod;
use sitemap_core::value::Precision;

use super::all_equal::AllEqual;
use super::visit::{Facts, Item, Visit};
use crate::check::sink::Sink;
use crate::read::{PageItem, SitemapItem, Value};
use crate::rule::Rule;

const DAY: i64 = 86_400;
/// The offset of UTC+14, in seconds. Every day starts in this time zone first.
const EARLIEST_ZONE: i64 = 14 * 3_600;
/// The offset of UTC-12 without its sign, in seconds. Every day ends in this time zone last.
const LATEST_ZONE: i64 = 12 * 3_600;
/// A time in July 1991. The first web page went online in August 1991.
const FIRST_WEB_PAGE: i64 = 680_000_000;

/// The dates of the pages in one document.
#[derive(Default)]
pub(super) struct Dates {
    newest: Option<(LastMod, i64)>,
    equal: AllEqual<LastMod>,
}

impl Dates {
    #[inline]
    pub(super) fn page(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        let page = visit.item;
        let lastmod = page.entry().lastmod();
        self.equal.add(lastmod, || page.span_of(Value::LastMod));
        let Some(lastmod) = lastmod else { return };
        let timestamp = lastmod.timestamp();
        check(lastmod, timestamp, visit);
        if self.newest.is_none_or(|(_, newest)| newest < timestamp) {
            self.newest = Some((lastmod, timestamp));
        }
    }

    pub(super) fn end(&self, facts: &Facts, sink: &mut Sink<'_>) {
        // The dates in the recent section may all be equal because one update set them.
        if !facts.is_recent
            && let Some((lastmod, span)) = self.equal.value()
            && lastmod.precision() >= Precision::Minute
        {
            sink.add_found(Rule::LastModAllEqual, span, &lastmod.to_string());
        }
    }

    pub(super) const fn newest(&self) -> Option<LastMod> {
        match self.newest {
            Some((lastmod, _)) => Some(lastmod),
            None => None,
        }
    }
}

pub(super) fn child(visit: &mut Visit<'_, '_, SitemapItem<'_>>) {
    if let Some(lastmod) = visit.item.lastmod() {
        check(lastmod, lastmod.timestamp(), visit);
    }
}

#[inline]
fn check<I: Item>(lastmod: LastMod, timestamp: i64, visit: &mut Visit<'_, '_, I>) {
    let now = visit.facts.now;
    let mut found = |rule| {
        let span = visit.item.span_of(Value::LastMod);
        visit.sink().add_found(rule, span, &lastmod.to_string());
    };
    match lastmod.precision() {
        Precision::Year | Precision::Month => found(Rule::LastModPartial),
        Precision::Minute => found(Rule::LastModMinutes),
        _ => {}
    }
    if timestamp < FIRST_WEB_PAGE && lastmod.precision() >= Precision::Day {
        found(Rule::LastModAncient);
    }
    // For most dates, the timestamp is enough to see that they are in the past. `is_after` also looks at the precision,
    // but only for the remaining dates.
    if now.is_some_and(|now| timestamp > now && is_after(lastmod, now)) {
        found(Rule::LastModFuture);
    }
}

/// Returns `true` if the date is in the future in every time zone.
pub(super) fn is_after(date: LastMod, now: i64) -> bool {
    let earlier = if date.precision() <= Precision::Day { EARLIEST_ZONE } else { 0 };
    date.timestamp() - earlier > now
}

/// Returns the first timestamp that is after the date in every time zone.
pub(super) fn end_of(date: LastMod) -> i64 {
    date.timestamp()
        + match date.precision() {
            Precision::Year => 366 * DAY + LATEST_ZONE,
            Precision::Month => 31 * DAY + LATEST_ZONE,
            Precision::Day => DAY + LATEST_ZONE,
            Precision::Minute => 60,
            Precision::Second | Precision::Fraction => 1,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_not_in_the_future_once_it_has_started_anywhere() {
        let now = LastMod::parse("2026-01-31T11:00:00Z").unwrap().timestamp();
        let after = |text| is_after(LastMod::parse(text).unwrap(), now);
        assert!(!after("2026-02-01") && after("2026-02-02"));
        assert!(!after("2026-01-31T11:00:00Z") && after("2026-01-31T11:00:01Z"));
        assert!(!after("2026") && after("2027"));
    }
}
