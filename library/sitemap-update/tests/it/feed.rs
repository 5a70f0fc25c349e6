//! The feed of recent changes.

use crate::support::{builder, feed, loc, published, remove, start, update, upsert};
use sitemap_core::publish::feed::Feed;
use sitemap_core::publish::files::FEED;
use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet, Storage as _};
use sitemap_read::{CheckOptions, Checker, DocumentKind, SitemapReader};
use sitemap_update::{Build, Rebucket, Update};

fn text(memory: &Memory) -> String {
    String::from_utf8(memory.get(FEED).unwrap().to_vec()).unwrap()
}

#[test]
fn pages_that_really_changed_are_listed() {
    let (memory, _) = start(&builder(), 4);
    let changes = [
        upsert(100, Some("2026-01-31")),
        upsert(1, Some("2026-02-01T10:00:00+01:00")),
        upsert(2, None),
        remove(3),
        remove(99),
    ];
    let applied = update(changes.clone()).commit_to(memory.clone()).unwrap();
    let expected = [
        (loc(1), Some("2026-02-01T09:00:00Z".to_owned())),
        (loc(100), Some("2026-01-31T00:00:00Z".to_owned())),
        (loc(3), None),
    ];
    assert_eq!(feed(&memory), expected.into());
    let numbers = applied.summary().unwrap().feed_changes().unwrap();
    assert_eq!((numbers.entries(), numbers.removals(), numbers.cut()), (3, 1, 0));
    assert!(numbers.is_new() && !numbers.is_reset());

    // Applying the same changes again doesn't change the feed.
    let before = text(&memory);
    assert!(update(changes).commit_to(memory.clone()).unwrap().summary().is_none());
    assert_eq!(text(&memory), before);

    // A later change to a page replaces the earlier one.
    let applied = update([remove(100), upsert(3, Some("2026-02-02"))]).commit_to(memory.clone()).unwrap();
    let expected = [
        (loc(1), Some("2026-02-01T09:00:00Z".to_owned())),
        (loc(100), None),
        (loc(3), Some("2026-02-02T00:00:00Z".to_owned())),
    ];
    assert_eq!(feed(&memory), expected.into());
    assert!(!applied.summary().unwrap().feed_changes().unwrap().is_new());
    let lines = applied.summary().unwrap().robots_txt();
    assert!(lines.ends_with("\nSitemap: https://example.com/sitemap-changes.atom\n"), "{lines}");
}

#[test]
fn the_feed_is_an_atom_document_without_findings() {
    let (memory, _) = start(&builder(), 4);
    update([upsert(100, None), remove(3)]).commit_to(memory.clone()).unwrap();
    let bytes = memory.get(FEED).unwrap();
    let mut reader = SitemapReader::from_slice(&bytes);
    assert_eq!(reader.document().unwrap().kind, DocumentKind::Atom);
    let mut checker = Checker::new(CheckOptions::new());
    checker.check_slice(FEED, &bytes).unwrap();
    let report = checker.finish();
    assert_eq!(report.findings().count(), 0, "{:?}", report.findings().collect::<Vec<_>>());
}

#[test]
fn other_runs_leave_the_feed_as_it_is() {
    let (memory, _) = start(&builder(), 4);
    update([upsert(100, None), remove(3)]).commit_to(memory.clone()).unwrap();
    let before = text(&memory);
    let unchanged = |what: &str| {
        assert_eq!(text(&memory), before, "{what}");
        let mut listed: Vec<_> = memory.list().unwrap().into_iter().filter(|name| name == FEED).collect();
        assert_eq!(listed.pop().as_deref(), Some(FEED), "{what}");
    };
    Rebucket::new(&builder().storage(memory.clone()), 7).commit().unwrap();
    unchanged("other hash buckets");
    let mut run = builder().storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add_all((0..30).map(loc)).unwrap();
    let summary = run.commit().unwrap();
    unchanged("a full publication");
    assert_eq!(summary.feed().map(|feed| (feed.entries(), feed.changed())), Some((2, false)));
    assert_eq!(summary.feed_changes(), None);
    let mut build = Build::new(builder(), 3, Memory::new());
    for id in 0..30 {
        build.add("posts", Entry::new(Loc::parse(loc(id)).unwrap())).unwrap();
    }
    build.run(memory.clone()).unwrap();
    unchanged("a full publication in hash buckets");

    // The next update continues the feed.
    update([upsert(200, None)]).commit_to(memory.clone()).unwrap();
    assert_eq!(feed(&memory).into_keys().collect::<Vec<_>>(), [loc(100), loc(200), loc(3)]);
}

#[test]
fn a_feed_can_be_limited_and_removed() {
    let (memory, mut model) = start(&builder(), 4);
    let applied = update((100..110).map(|id| upsert(id, None)))
        .feed(Feed::new().max_entries(4))
        .commit_to(memory.clone())
        .unwrap();
    let numbers = applied.summary().unwrap().feed_changes().unwrap();
    assert_eq!((numbers.entries(), numbers.cut(), feed(&memory).len()), (4, 6, 4));

    let applied = update([remove(5)]).feed(None).commit_to(memory.clone()).unwrap();
    assert!(applied.summary().unwrap().feed().is_none());
    assert!(memory.get(FEED).is_none());
    model.remove(&loc(5));
    model.extend((100..110).map(|id| (loc(id), None)));
    assert_eq!(published(&memory), model);

    let applied = update([remove(6)]).commit_to(memory.clone()).unwrap();
    assert!(applied.summary().unwrap().feed_changes().unwrap().is_new());
    assert_eq!(feed(&memory).into_keys().collect::<Vec<_>>(), [loc(6)]);
}

#[test]
fn a_missing_or_foreign_feed_is_reported_and_replaced() {
    let (memory, _) = start(&builder(), 4);
    update([upsert(100, None)]).commit_to(memory.clone()).unwrap();
    memory.remove(FEED).unwrap();
    let applied = update([upsert(101, None)]).commit_to(memory.clone()).unwrap();
    assert!(applied.summary().unwrap().feed_changes().unwrap().is_new());
    memory.put(FEED, b"<feed xmlns=\"http://www.w3.org/2005/Atom\"/>").unwrap();
    let applied = update([upsert(102, None)]).commit_to(memory.clone()).unwrap();
    assert!(applied.summary().unwrap().feed_changes().unwrap().is_reset());
    assert_eq!(feed(&memory).into_keys().collect::<Vec<_>>(), [loc(102)]);

    // Without a manifest, all pages must be published again. The feed continues anyway.
    memory.remove(".sitemap-manifest.jsonl").unwrap();
    let mut build = Build::new(builder(), 3, Memory::new());
    build.add("posts", Entry::new(Loc::parse(loc(1)).unwrap())).unwrap();
    build.run(memory.clone()).unwrap();
    update([upsert(103, None)]).commit_to(memory.clone()).unwrap();
    assert_eq!(feed(&memory).into_keys().collect::<Vec<_>>(), [loc(102), loc(103)]);
}

#[test]
fn a_set_of_another_site_starts_without_the_feed() {
    let (memory, _) = start(&builder(), 4);
    update([upsert(100, None)]).commit_to(memory.clone()).unwrap();
    let other = SitemapSet::builder(Site::new("https://example.org").unwrap()).change_base(true);
    let mut run = other.clone().storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add("/tea").unwrap();
    run.allow_shrink(sitemap_core::publish::AllowShrink::Smaller);
    assert!(run.commit().unwrap().feed().is_none());
    assert!(memory.get(FEED).is_none());
    Rebucket::new(&other.clone().storage(memory.clone()), 2).commit().unwrap();
    let mut update = Update::new(&other.storage(Memory::new()));
    let page = Loc::parse("https://example.org/cups").unwrap();
    update.add(sitemap_update::Change::Upsert(Entry::new(page))).unwrap();
    update.commit_to(memory.clone()).unwrap();
    assert_eq!(feed(&memory).into_keys().collect::<Vec<_>>(), ["https://example.org/cups"]);
}
