//! The text of a feed: written line by line, so that the next run can parse it.

use std::collections::HashSet;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Feed, FeedChange, FeedSummary};
use crate::value::{LastMod, Loc};
use crate::write::escaped;

/// A feed to be published.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) summary: FeedSummary,
}

/// The changes of one commit.
#[derive(Debug, PartialEq, Eq)]
struct Batch {
    /// The time of the commit, in seconds since 1970.
    time: i64,
    items: Vec<Item>,
}

/// One change, as a line of the feed.
#[derive(Debug, PartialEq, Eq)]
struct Item {
    /// The URL of the page, escaped for XML.
    url: String,
    line: String,
    is_removal: bool,
}

/// The maximum size of a feed in bytes, which is the search engines' limit for a sitemap.
pub(crate) const MOST_BYTES: u64 = 50 * 1024 * 1024;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const START: &str =
    "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:at=\"http://purl.org/atompub/tombstones/1.0\">\n";
const END: &str = "</feed>\n";

impl Document {
    /// Adds changes to the published feed, whose bytes are `old`.
    ///
    /// `base` is the base URL of the site, `own` the URL of the feed, and `now` the time of the commit.
    pub(crate) fn of(
        settings: &Feed,
        base: &str,
        own: &Loc<'_>,
        old: Option<&[u8]>,
        changes: Vec<FeedChange>,
        now: SystemTime,
    ) -> Self {
        let now = LastMod::try_from(now).or_else(|_| LastMod::try_from(UNIX_EPOCH));
        let now = now.map_or(0, |now| now.timestamp());
        let earlier = old.map(parse);
        let mut summary = FeedSummary {
            is_new: old.is_none(),
            is_reset: matches!(earlier, Some(None)),
            ..FeedSummary::default()
        };
        let new = Batch { time: now, items: items(changes, now) };
        let listed: HashSet<String> = new.items.iter().map(|item| item.url.clone()).collect();
        let mut batches = vec![new];
        for mut batch in earlier.flatten().unwrap_or_default() {
            // A time in the future comes from a wrong clock, so the change isn't treated as too old.
            if u64::try_from(now - batch.time).unwrap_or(0) < settings.max_age.as_secs() {
                batch.items.retain(|item| !listed.contains(&item.url));
                batches.push(batch);
            }
        }

        let mut text = head(settings, base, own, now);
        for batch in batches.iter().filter(|batch| !batch.items.is_empty()) {
            let comment = comment(batch.time);
            let mut is_first = true;
            for item in &batch.items {
                let len = text.len() + comment.len() + item.line.len() + END.len();
                if summary.cut > 0
                    || summary.entries == settings.max_entries as u64
                    || len as u64 > MOST_BYTES
                {
                    summary.cut += 1;
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    text.push_str(&comment);
                }
                text.push_str(&item.line);
                summary.entries += 1;
                summary.removals += u64::from(item.is_removal);
            }
        }
        text.push_str(END);
        Self { text, summary }
    }
}

fn head(settings: &Feed, base: &str, own: &Loc<'_>, now: i64) -> String {
    let (base, own, now) = (escaped(base), escaped(own.as_str()), date(now));
    let hub =
        settings.hub.as_ref().map(|hub| format!("<link rel=\"hub\" href=\"{}\"/>\n", escaped(hub.as_str())));
    format!(
        "{DECLARATION}{START}<id>{own}</id>\n<title>Changed pages of {base}</title>\n<updated>{now}</updated>\n\
         <author><name>{base}</name></author>\n<link rel=\"self\" href=\"{own}\"/>\n{}",
        hub.unwrap_or_default()
    )
}

/// Returns the lines of new changes, sorted by URL. If a page has several changes, only the last one is kept.
fn items(changes: Vec<FeedChange>, now: i64) -> Vec<Item> {
    let mut items: Vec<Item> = changes
        .into_iter()
        .rev()
        .map(|change| match &change {
            FeedChange::Upsert(loc, lastmod) => {
                Item::entry(&escaped(loc.as_str()), &date(lastmod.map_or(now, |date| date.timestamp())))
            }
            FeedChange::Remove(_) => Item::removal(&escaped(change.loc().as_str()), &date(now)),
        })
        .collect();
    // The sort is stable, so the last change of a page comes first.
    items.sort_by(|one, other| one.url.cmp(&other.url));
    items.dedup_by(|later, first| later.url == first.url);
    items
}

impl Item {
    fn entry(url: &str, updated: &str) -> Self {
        let line = format!(
            "<entry><id>{url}</id><title>{url}</title><updated>{updated}</updated><link href=\"{url}\"/></entry>\n"
        );
        Self { url: url.to_owned(), line, is_removal: false }
    }

    fn removal(url: &str, when: &str) -> Self {
        let line = format!("<at:deleted-entry ref=\"{url}\" when=\"{when}\"/>\n");
        Self { url: url.to_owned(), line, is_removal: true }
    }

    /// Parses a line written by one of the other functions.
    fn parse(line: &str) -> Option<Self> {
        let item = if let Some(rest) = line.strip_prefix("<entry><id>") {
            let (url, rest) = rest.split_once("</id>")?;
            let (_, rest) = rest.split_once("<updated>")?;
            Self::entry(url, valid(rest.split_once("</updated>")?.0)?)
        } else {
            let (url, rest) = line.strip_prefix("<at:deleted-entry ref=\"")?.split_once("\" when=\"")?;
            Self::removal(url, valid(rest.split_once('"')?.0)?)
        };
        let is_text = !item.url.contains(['<', '>', '"', '\'']);
        (is_text && item.line.strip_suffix('\n') == Some(line)).then_some(item)
    }
}

/// Parses a feed written by this crate. Returns `None` for any other document.
fn parse(bytes: &[u8]) -> Option<Vec<Batch>> {
    let text =
        str::from_utf8(bytes).ok()?.strip_prefix(DECLARATION)?.strip_prefix(START)?.strip_suffix(END)?;
    let mut batches: Vec<Batch> = Vec::new();
    for line in text.lines() {
        if let Some(time) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
            batches.push(Batch { time: LastMod::parse(time).ok()?.timestamp(), items: Vec::new() });
        } else if let Some(batch) = batches.last_mut() {
            batch.items.push(Item::parse(line)?);
        } else if !["<id>", "<title>", "<updated>", "<author>", "<link "]
            .iter()
            .any(|tag| line.starts_with(tag))
        {
            return None;
        }
    }
    Some(batches)
}

fn comment(time: i64) -> String {
    format!("<!-- {} -->\n", date(time))
}

/// Formats a time as RFC 3339.
fn date(time: i64) -> String {
    LastMod::from_timestamp(time).map(|date| date.to_string()).unwrap_or_default()
}

/// Returns the string if it is a date in the format of [`date`].
fn valid(text: &str) -> Option<&str> {
    let time = LastMod::parse(text).ok()?.timestamp();
    (date(time) == text).then_some(text)
}
