use std::time::{Duration, UNIX_EPOCH};

use super::*;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:at=\"http://purl.org/atompub/tombstones/1.0\">\n\
    <id>https://example.com/sitemap-changes.atom</id>\n<title>Changed pages of https://example.com/</title>\n";

fn loc(path: &str) -> Loc<'static> {
    Loc::parse(format!("https://example.com{path}")).unwrap()
}

fn upsert(path: &str, lastmod: &str) -> FeedChange {
    FeedChange::Upsert(loc(path), lastmod.parse().ok())
}

/// Adds changes to a feed, this many seconds after 2026-01-31T10:00:00Z.
fn add(settings: &Feed, old: Option<&str>, changes: Vec<FeedChange>, seconds: u64) -> Document {
    let now = UNIX_EPOCH + Duration::from_secs(1_769_853_600 + seconds);
    let own = loc("/sitemap-changes.atom");
    Document::of(settings, "https://example.com/", &own, old.map(str::as_bytes), changes, now)
}

/// Returns the lines of a feed after its head.
fn lines(feed: &Document) -> Vec<&str> {
    let is_change = |line: &&str| ["<!--", "<entry>", "<at:"].iter().any(|start| line.starts_with(start));
    feed.text.lines().filter(is_change).collect()
}

#[test]
fn a_feed_has_the_bytes_of_rfc_4287() {
    let changes = vec![
        upsert("/b?x=1&y='<z>'", "2026-01-30T12:00:00+01:00"),
        FeedChange::Remove(loc("/c")),
        upsert("/a", "2026-01"),
        upsert("/d", ""),
    ];
    let feed = add(&Feed::new(), None, changes, 0);
    let expected = "<updated>2026-01-31T10:00:00Z</updated>\n\
        <author><name>https://example.com/</name></author>\n\
        <link rel=\"self\" href=\"https://example.com/sitemap-changes.atom\"/>\n\
        <!-- 2026-01-31T10:00:00Z -->\n\
        <entry><id>https://example.com/a</id><title>https://example.com/a</title>\
        <updated>2026-01-01T00:00:00Z</updated><link href=\"https://example.com/a\"/></entry>\n\
        <entry><id>https://example.com/b?x=1&amp;y=&apos;%3Cz%3E&apos;</id>\
        <title>https://example.com/b?x=1&amp;y=&apos;%3Cz%3E&apos;</title>\
        <updated>2026-01-30T11:00:00Z</updated>\
        <link href=\"https://example.com/b?x=1&amp;y=&apos;%3Cz%3E&apos;\"/></entry>\n\
        <at:deleted-entry ref=\"https://example.com/c\" when=\"2026-01-31T10:00:00Z\"/>\n\
        <entry><id>https://example.com/d</id><title>https://example.com/d</title>\
        <updated>2026-01-31T10:00:00Z</updated><link href=\"https://example.com/d\"/></entry>\n\
        </feed>\n";
    assert_eq!(feed.text, format!("{HEAD}{expected}"));
    assert_eq!(feed.summary, FeedSummary { entries: 4, removals: 1, cut: 0, is_new: true, is_reset: false });
}

#[test]
fn the_newest_change_of_a_page_is_first_and_alone() {
    let settings = Feed::new();
    let changes = vec![upsert("/a", "2026-01-01"), upsert("/b?x&y", ""), FeedChange::Remove(loc("/c"))];
    let first = add(&settings, None, changes, 0);
    let changes = vec![upsert("/c", "2026-01-31"), upsert("/b?x&y", ""), FeedChange::Remove(loc("/b?x&y"))];
    let second = add(&settings, Some(&first.text), changes, 60);
    assert_eq!(
        lines(&second),
        [
            "<!-- 2026-01-31T10:01:00Z -->",
            "<at:deleted-entry ref=\"https://example.com/b?x&amp;y\" when=\"2026-01-31T10:01:00Z\"/>",
            "<entry><id>https://example.com/c</id><title>https://example.com/c</title>\
             <updated>2026-01-31T00:00:00Z</updated><link href=\"https://example.com/c\"/></entry>",
            "<!-- 2026-01-31T10:00:00Z -->",
            "<entry><id>https://example.com/a</id><title>https://example.com/a</title>\
             <updated>2026-01-01T00:00:00Z</updated><link href=\"https://example.com/a\"/></entry>",
        ]
    );
    assert_eq!(
        second.summary,
        FeedSummary { entries: 3, removals: 1, cut: 0, is_new: false, is_reset: false }
    );
}

#[test]
fn old_changes_and_too_many_are_left_out() {
    let settings = Feed::new().max_entries(3).max_age(Duration::from_secs(100));
    let old = add(&settings, None, vec![upsert("/1", ""), upsert("/2", "")], 0);
    let next = add(&settings, Some(&old.text), vec![upsert("/3", ""), upsert("/4", "")], 99);
    assert_eq!((next.summary.entries, next.summary.cut), (3, 1));
    assert!(next.text.contains("/1</id>") && !next.text.contains("/2</id>"), "{}", next.text);
    // A change that is too old isn't counted as dropped.
    let next = add(&settings, Some(&old.text), vec![upsert("/3", "")], 100);
    assert_eq!((next.summary.entries, next.summary.cut), (1, 0));
    // The clock was set back.
    let back = add(&settings, Some(&next.text), vec![upsert("/5", "")], 0);
    assert_eq!(back.summary.entries, 2);
}

#[test]
fn only_a_feed_of_this_crate_is_continued() {
    let settings = Feed::new().hub(Loc::parse("https://hub.example/?a&b").unwrap());
    let feed = add(&settings, None, vec![upsert("/1", ""), FeedChange::Remove(loc("/2"))], 0);
    assert!(feed.text.contains("<link rel=\"hub\" href=\"https://hub.example/?a&amp;b\"/>\n<!-- "));
    let add = |old: &str| add(&Feed::new(), Some(old), vec![upsert("/3", "")], 1).summary;
    assert_eq!((add(&feed.text).entries, add(&feed.text).is_reset), (3, false));
    let text = feed.text.as_str();
    for (what, old) in [
        ("another document", "<feed/>".to_owned()),
        ("no bytes", String::new()),
        ("cut off", text[..text.len() - 20].to_owned()),
        ("a line that is not of a feed", text.replace("<title>https", "<content>x</content>\n<title>https")),
        ("a changed entry", text.replace("</updated><link href", "</updated><link rel=\"x\" href")),
        ("another title", text.replacen("<title>https://example.com/1", "<title>Tea", 1)),
        ("a date that does not exist", text.replace("2026-01-31T10:00:00Z -->", "2026-02-31T10:00:00Z -->")),
        ("markup in a URL", text.replace("/1<", "/<b/>1<")),
    ] {
        assert_ne!(old, text, "{what}");
        assert_eq!(
            add(&old),
            FeedSummary { entries: 1, removals: 0, cut: 0, is_new: false, is_reset: true },
            "{what}"
        );
    }
}
