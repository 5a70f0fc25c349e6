//! How soon crawlers return to pages whose content has changed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, SystemTime};

use sitemap_core::LastMod;

use super::html::Html;
use super::section::section_of;

/// The maximum number of sections to show. Changes in further sections share one row.
const SHOWN: usize = 50;

/// Page changes and the crawler requests that fetched them, for a [`ReportBuilder`](super::ReportBuilder).
///
/// Add the changes first, then the requests, each in any order. Requests come from access logs, so only changes in a
/// period that the logs cover are used.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use sitemap_pages::report::{Fetches, ReportBuilder};
///
/// let day = |day: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86_400);
/// let mut fetches = Fetches::default();
/// fetches.change("https://example.com/trees/oak", day(10));
/// fetches.change("https://example.com/trees/elm", day(11));
/// fetches.covers(day(1), day(20));
/// fetches.fetch("https://example.com/trees/oak", day(9));
/// fetches.fetch("https://example.com/trees/oak", day(13));
/// let mut report = ReportBuilder::new("https://example.com/", None);
/// report.fetches(fetches);
/// let html = report.finish();
/// // Of two changes, one was fetched after three days.
/// assert!(
///     html.contains("https://example.com/trees/</th><td>2</td><td>1</td><td>1</td><td>3.0</td><td>3.0</td>"),
///     "{html}"
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fetches {
    changes: HashMap<Box<str>, Change>,
    covered: Option<(SystemTime, SystemTime)>,
}

/// The last change of a page.
#[derive(Clone, Copy, Debug)]
struct Change {
    time: SystemTime,
    /// The first request after the change.
    fetched: Option<SystemTime>,
}

impl Fetches {
    /// Adds a page's last change: its URL, and the time when the change was found.
    pub fn change(&mut self, url: &str, time: SystemTime) {
        self.changes.insert(url.into(), Change { time, fetched: None });
    }

    /// Adds a crawler's request. Requests before the page's change, and requests for pages without a change, are
    /// ignored.
    pub fn fetch(&mut self, url: &str, time: SystemTime) {
        let Some(change) = self.changes.get_mut(url) else { return };
        if time >= change.time && change.fetched.is_none_or(|first| time < first) {
            change.fetched = Some(time);
        }
    }

    /// Extends the period that the logs cover to include this time. Changes outside the period are ignored, because the
    /// requests after them are unknown.
    pub fn covers(&mut self, from: SystemTime, to: SystemTime) {
        self.covered = Some(match self.covered {
            Some((first, last)) => (first.min(from), last.max(to)),
            None => (from, to),
        });
    }

    pub(super) fn write(mut self, html: &mut Html) {
        html.raw("<section>\n<h2 id=fetches>How soon crawlers come back</h2>\n");
        let all = self.changes.len();
        let covered = self.covered;
        self.changes
            .retain(|_, change| covered.is_some_and(|(from, to)| from <= change.time && change.time <= to));
        if let Some((from, to)) = covered {
            html.raw("<p>From the visit that found new content of a page to the next request of it by a verified crawler, \
                in logs from ");
            html.text(&day(from))
                .raw(" to ")
                .text(&day(to))
                .raw(". The content may be older than the visit.</p>\n");
        }
        let others = (all - self.changes.len()) as u64;
        if others > 0 {
            html.raw("<p>").count(others, "page that changed", "pages that changed");
            html.raw(" before or after the logs ").raw(if others == 1 { "does" } else { "do" });
            html.raw(" not count.</p>\n");
        }
        if self.changes.is_empty() {
            html.raw("<p>The logs cover no change of a page. Keep the state and the logs of a longer time.</p>\n</section>\n");
            return;
        }
        self.rows().write(html);
        html.raw("</section>\n");
    }

    fn rows(&self) -> Rows {
        let mut sections: BTreeMap<&str, Row> = BTreeMap::new();
        for (url, change) in &self.changes {
            sections.entry(section_of(url)).or_default().add(*change);
        }
        let mut rows: Vec<(String, Row)> =
            sections.into_iter().map(|(name, row)| (name.to_owned(), row)).collect();
        rows.sort_by_key(|(_, row)| Reverse(row.changes));
        let mut rest = Row::default();
        for (_, row) in rows.drain(rows.len().min(SHOWN)..) {
            rest.changes += row.changes;
            rest.delays.extend(row.delays);
        }
        if rest.changes > 0 {
            rows.push(("other sections".to_owned(), rest));
        }
        if rows.len() > 1 {
            let mut whole = Row::default();
            for (_, row) in &rows {
                whole.changes += row.changes;
                whole.delays.extend(&row.delays);
            }
            rows.push(("all sections".to_owned(), whole));
        }
        for (_, row) in &mut rows {
            row.delays.sort_unstable();
        }
        Rows(rows)
    }
}

/// The rows of the table.
struct Rows(Vec<(String, Row)>);

#[derive(Default)]
struct Row {
    changes: usize,
    /// The delays from a change to the next request, for changes that were fetched.
    delays: Vec<Duration>,
}

impl Row {
    fn add(&mut self, change: Change) {
        self.changes += 1;
        self.delays.extend(change.fetched.and_then(|fetched| fetched.duration_since(change.time).ok()));
    }

    /// Returns a percentile of the delays.
    fn percentile(&self, hundredths: usize) -> Option<Duration> {
        let rank = (self.delays.len() * hundredths).div_ceil(100);
        self.delays.get(rank.checked_sub(1)?).copied()
    }
}

impl Rows {
    fn write(&self, html: &mut Html) {
        let longest = self.0.iter().filter_map(|(_, row)| row.percentile(50)).max().unwrap_or_default();
        html.raw(
            "<div class=wide role=region aria-labelledby=fetches tabindex=0><table class=\"bars delays\">",
        );
        html.raw("<tr><th scope=col>Section");
        for heading in ["Changes", "Fetched", "Not yet fetched", "Median days", "90 % within days"] {
            html.raw("<th scope=col>").raw(heading);
        }
        html.raw("<th aria-hidden=true></tr>\n");
        for (name, row) in &self.0 {
            html.raw("<tr><th scope=row>").text(name).raw("</th>");
            for number in [row.changes, row.delays.len(), row.changes - row.delays.len()] {
                html.raw("<td>").number(number as u64).raw("</td>");
            }
            for delay in [row.percentile(50), row.percentile(90)] {
                html.raw("<td>").text(&delay.map(days).unwrap_or_default()).raw("</td>");
            }
            html.raw("<td aria-hidden=true>");
            if let Some(median) = row.percentile(50) {
                let share = median.as_secs() * 100 / longest.as_secs().max(1);
                html.raw("<i style=\"width:").number(share).raw("%\"></i>");
            }
            html.raw("</td></tr>\n");
        }
        html.raw("</table></div>\n");
    }
}

/// Formats a duration in days, with one decimal.
fn days(delay: Duration) -> String {
    let tenths = (delay.as_secs() + 4320) / 8640;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Formats the date of a time.
fn day(time: SystemTime) -> String {
    let text = LastMod::try_from(time).map(|time| time.to_string()).unwrap_or_default();
    text.get(..10).unwrap_or(&text).to_owned()
}
