//! The recent section.

use std::time::Duration;

use crate::support::{Model, builder, loc, published, recent, remove, start, update, upsert};
use sitemap_core::publish::files::is_recent_file;
use sitemap_core::publish::shards::{PublishedShard, PublishedShards, RecentCounts};
use sitemap_core::publish::{PublishErrorKind, PublishedFile, SetOptions, ShrinkLimit};
use sitemap_core::{Dialect, Entry, Format, Loc, Memory, SitemapSet, Storage as _};
use sitemap_update::{Applied, Batch, Build, Change, ChangeSource, Mirror, Rebucket, Recent, Update};

const OLD: &str = "2026-01-01";
const NEW: &str = "2026-01-02";

fn model<const N: usize>(pages: [(u64, &str); N]) -> Model {
    pages.into_iter().map(|(id, date)| (loc(id), Some(date.to_owned()))).collect()
}

/// Applies changes, and checks that the recent section repeats entries of other files.
fn apply(memory: &Memory, settings: Option<Recent>, changes: impl IntoIterator<Item = Change>) -> Applied {
    let applied = update(changes).recent(settings).commit_to(memory.clone()).unwrap();
    let pages = published(memory);
    for (url, date) in recent(memory) {
        assert_eq!(pages.get(&url), Some(&date), "{url}");
    }
    applied
}

fn read(memory: &Memory) -> PublishedShards {
    PublishedShards::read(memory, builder().site()).unwrap()
}

#[test]
fn an_update_repeats_what_it_has_changed_and_drops_what_it_has_removed() {
    let (memory, _) = start(&builder(), 4);
    apply(&memory, Some(Recent::new()), [upsert(1, Some(OLD)), upsert(90, Some(OLD)), remove(3)]);
    assert_eq!(recent(&memory), model([(1, OLD), (90, OLD)]));
    // An upsert without an effect is not listed, and a second change of a page replaces its entry.
    apply(&memory, Some(Recent::new()), [upsert(2, None), upsert(1, Some(NEW))]);
    assert_eq!(recent(&memory), model([(90, OLD), (1, NEW)]));
    apply(&memory, Some(Recent::new()), [remove(1)]);
    assert_eq!(recent(&memory), model([(90, OLD)]));
    // An update without an effect writes nothing.
    let before = memory.list().unwrap();
    let applied = apply(&memory, Some(Recent::new()), [remove(1), upsert(90, Some(OLD))]);
    assert!(applied.summary().is_none() && applied.recent().is_none());
    assert_eq!(memory.list().unwrap(), before);
    apply(&memory, Some(Recent::new()), [remove(90)]);
    assert_eq!(recent(&memory), Model::new());
    assert_eq!((read(&memory).recent(), read(&memory).recent_counts()), (None, RecentCounts::default()));
}

#[test]
fn repeats_do_not_count_as_pages() {
    let (memory, _) = start(&builder(), 4);
    let before = read(&memory);
    let applied = apply(&memory, Some(Recent::new()), [upsert(1, Some(OLD)), upsert(2, Some(OLD))]);
    let summary = applied.summary().unwrap();
    assert_eq!((summary.urls(), summary.files().len() as u64), (40, before.files()));
    assert_eq!(summary.recent().map(PublishedFile::entries), Some(2));
    assert_eq!(summary.bytes(), summary.files().iter().map(PublishedFile::bytes).sum::<u64>());
    assert!(summary.files().iter().all(|file| !is_recent_file(file.name())));
    assert!(summary.to_string().contains("2 repeats"), "{summary}");

    let after = read(&memory);
    assert_eq!(
        (after.sections(), after.files(), after.buckets("posts")),
        (vec!["posts"], before.files(), Some(4))
    );
    assert_eq!(after.section("posts").iter().map(|file| file.urls()).sum::<u64>(), 40);
    assert_eq!((0..4).map(|bucket| after.bucket("posts", bucket).len() as u64).sum::<u64>(), after.files());
    assert_eq!(after.bucket("recent", 0).len() + after.section("recent").len(), 0);
    let error = update([upsert(1, None)]).default_section("recent").commit_to(memory).unwrap_err();
    assert_eq!(error.to_string(), "the published set has the sections `posts`; name one of them");
}

#[test]
fn the_guard_counts_each_page_once() {
    // If repeats were counted, the 20 remaining pages would count as 40, which would not be a loss.
    let builder = builder().max_shrink(ShrinkLimit::percent(30).floor(10));
    let (memory, _) = start(&builder, 1);
    let run = |changes: Vec<Change>| {
        let mut update =
            Update::new(&builder.clone().storage(Memory::new())).recent(Recent::new()).pause(Duration::ZERO);
        changes.into_iter().try_for_each(|change| update.add(change)).unwrap();
        update.commit_to(memory.clone())
    };
    run((0..20).map(|id| upsert(id, Some(OLD))).collect()).unwrap();
    assert!(run((20..40).map(remove).collect()).is_err());
    assert_eq!(published(&memory).len(), 40);
    // The history also contains the number of pages, so ten removals are 25 %.
    assert_eq!(run((30..40).map(remove).collect()).unwrap().removed(), 10);
}

#[test]
fn other_runs_keep_or_remove_the_section() {
    let (memory, _) = start(&builder(), 4);
    let again = || apply(&memory, Some(Recent::new()), [upsert(1, Some(NEW)), upsert(2, Some(NEW))]);
    again();
    let counts = read(&memory).recent_counts();
    // No page changes.
    let done = Rebucket::new(&builder().storage(memory.clone()), 7).commit().unwrap();
    assert_eq!(done.summary().map(|summary| (summary.urls(), summary.removed_recent())), Some((40, 0)));
    assert_eq!((recent(&memory), read(&memory).recent_counts()), (model([(1, NEW), (2, NEW)]), counts));
    let moved = update([]).recent(Recent::new()).move_position("queue", None, "7");
    moved.commit_to(memory.clone()).unwrap();
    assert_eq!(recent(&memory).len(), 2);

    let applied = apply(&memory, None, [upsert(1, Some(OLD))]);
    let summary = applied.summary().unwrap();
    assert_eq!((summary.recent().is_none(), summary.removed_recent()), (true, 2));
    assert!(summary.to_string().contains("recent section removed, with 2 repeats"), "{summary}");
    assert_eq!(recent(&memory), Model::new());

    again();
    let mut run = builder().keep_sections(true).storage(memory.clone()).replace().unwrap();
    run.section("shop").unwrap().add("/shop").unwrap();
    let summary = run.commit().unwrap();
    assert_eq!((summary.urls(), summary.removed_recent()), (41, 1));
    let mut build = Build::new(builder(), 4, Memory::new());
    build.add("posts", Entry::new(Loc::parse(loc(1)).unwrap())).unwrap();
    build.run(memory.clone()).unwrap();
    apply(&memory, Some(Recent::new()), [upsert(1, Some(NEW))]);
    let mut run = builder().storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add(&loc(1)).unwrap();
    assert_eq!(run.commit().unwrap().removed_recent(), 1);
}

#[test]
fn the_section_is_one_file_with_the_newest_entries() {
    // Files contain at most seven pages.
    let (memory, _) = start(&builder(), 4);
    apply(&memory, Some(Recent::new()), (0..4).map(|id| upsert(id, Some(OLD))));
    let applied = apply(&memory, Some(Recent::new()), (4..9).map(|id| upsert(id, Some(NEW))));
    let numbers = applied.recent().unwrap();
    assert_eq!((numbers.entries(), numbers.folded(), numbers.cut()), (7, 0, 2));
    // Entries are sorted by update, then by URL.
    let expected = [(2, OLD), (3, OLD), (4, NEW), (5, NEW), (6, NEW), (7, NEW), (8, NEW)];
    assert_eq!(recent(&memory), model(expected));
    let applied = apply(&memory, Some(Recent::new().max_entries(3)), [upsert(9, Some(NEW))]);
    assert_eq!(applied.recent().map(|recent| (recent.entries(), recent.cut())), Some((3, 5)));
    assert_eq!(recent(&memory), model([(7, NEW), (8, NEW), (9, NEW)]));
    let applied = apply(&memory, Some(Recent::new().max_entries(0)), [upsert(9, Some(OLD))]);
    assert_eq!(applied.recent().map(|recent| (recent.entries(), recent.cut())), Some((0, 3)));
    assert_eq!(recent(&memory), Model::new());
}

/// Returns settings that allow files as long as the protocol does.
fn large() -> SetOptions {
    builder().lower_limits(Dialect::V0_9.limits())
}

#[test]
fn old_entries_go_when_carrying_them_has_cost_what_they_save() {
    let (memory, _) = start(&large(), 40);
    let (mut carried, mut written, mut later, mut older, mut folds) = (0, 0, 0, 0, 0);
    for id in 0..60_u64 {
        let before = read(&memory).recent().map_or(0, PublishedShard::stored_bytes);
        let mut update = Update::new(&large().storage(Memory::new())).recent(Recent::new());
        update.add(upsert(id, Some(NEW))).unwrap();
        let applied = update.commit_to(memory.clone()).unwrap();
        // Each update writes one bucket. Without the section, a crawler would have to fetch its file.
        carried += before;
        written += applied.bytes_written();
        later += 1;
        let numbers = applied.recent().unwrap();
        if carried >= written && carried > 0 {
            assert_eq!(numbers.folded(), older, "update {id}");
            (older, later, carried, written) = (later - 1, 1, 0, applied.bytes_written());
            folds += 1;
        } else {
            assert_eq!(numbers.folded(), 0, "update {id}");
        }
        assert_eq!(numbers.entries(), older + later, "update {id}");
        let counts = read(&memory).recent_counts();
        assert_eq!(
            (counts.older(), counts.carried(), counts.fold()),
            (older, carried, written),
            "update {id}"
        );
        assert!(recent(&memory).contains_key(&loc(id)));
    }
    assert!(folds > 3, "{folds} folds");
}

#[test]
fn a_crawler_need_never_fetch_more_than_all_files() {
    // One bucket contains all pages, so the section can never save more than that one file, however often it was
    // written.
    let (memory, _) = start(&large(), 1);
    for id in 0..30 {
        let mut update = Update::new(&large().storage(Memory::new())).recent(Recent::new());
        update.add(upsert(id, Some(NEW))).unwrap();
        let applied = update.commit_to(memory.clone()).unwrap();
        assert!(read(&memory).recent_counts().fold() <= applied.bytes_written() * 2);
    }
    assert!(recent(&memory).len() < 30);
}

#[test]
fn changes_of_several_sections_are_repeated_together() {
    let memory = Memory::new();
    let mut build = Build::new(builder(), 3, Memory::new());
    let page = |path: &str| Loc::parse(format!("https://example.com{path}")).unwrap();
    for (section, path) in [("posts", "/tea"), ("posts", "/cups"), ("shop", "/shop/tea"), ("shop", "/cups")] {
        build.add(section, Entry::new(page(path))).unwrap();
    }
    build.run(memory.clone()).unwrap();
    let mut update = Update::new(&builder().storage(Memory::new())).recent(Recent::new());
    update.add_to("posts", Change::Upsert(Entry::new(page("/posts/new")))).unwrap();
    update.add_to("shop", Change::Upsert(Entry::new(page("/shop/new")))).unwrap();
    // The page stays in the shop, but the change that had an effect is its removal.
    update.add_to("posts", Change::Remove(page("/cups"))).unwrap();
    update.commit_to(memory.clone()).unwrap();
    let pages: Vec<String> = recent(&memory).into_keys().collect();
    assert_eq!(pages, ["https://example.com/posts/new", "https://example.com/shop/new"]);
}

#[test]
fn the_section_has_the_format_of_the_pages_and_their_extensions() {
    let memory = Memory::new();
    let builder = || builder().gzip();
    let mut build = Build::new(builder(), 2, Memory::new());
    build.add("posts", Entry::new(Loc::parse(loc(1)).unwrap())).unwrap();
    build.run(memory.clone()).unwrap();
    let image = sitemap_core::Image::new(Loc::parse("https://example.com/tea.jpg").unwrap());
    let entry = Entry::new(Loc::parse(loc(1)).unwrap()).with_images(vec![image]);
    let mut update = Update::new(&builder().storage(Memory::new())).recent(Recent::new());
    update.add(Change::Upsert(entry)).unwrap();
    let applied = update.commit_to(memory.clone()).unwrap();
    let file = applied.summary().and_then(|summary| summary.recent()).unwrap();
    assert!(file.name().ends_with(".xml.gz"), "{}", file.name());
    let bytes = memory.get(file.name()).unwrap();
    let entries = sitemap_read::SitemapReader::from_slice(&bytes).into_entries();
    let images: Vec<usize> = entries.map(|entry| entry.unwrap().images().len()).collect();
    assert_eq!(images, [1]);
}

#[test]
fn the_name_of_the_section_is_reserved() {
    let memory = Memory::new();
    let reserved = |error: sitemap_core::PublishError| {
        assert!(matches!(error.kind(), PublishErrorKind::SectionName(_)), "{error}");
    };
    let mut run = SitemapSet::builder(builder().site().clone()).storage(memory.clone()).replace().unwrap();
    reserved(run.section("recent").map(drop).unwrap_err());
    drop(run);
    reserved(builder().write_shards(memory.clone(), "recent", 4).map(drop).unwrap_err());
    let mut writer = builder().write_recent(memory.clone());
    writer.add(0, &loc(1)).unwrap();
    let row = writer.finish().unwrap().into_rows().remove(0);
    reserved(sitemap_core::publish::shards::ShardCommit::new(builder()).add(row).unwrap_err());
}

/// A single page that changes with each batch.
struct Ticks(u64);

impl ChangeSource for Ticks {
    type Token = ();
    type Error = std::convert::Infallible;

    fn name(&self) -> &'static str {
        "ticks"
    }

    fn peek(&mut self, _: Option<&str>) -> Result<Option<Batch<()>>, Self::Error> {
        let mut batch = Batch::new(self.0.to_string(), ());
        batch.push(upsert(self.0, Some(NEW)));
        Ok(Some(batch))
    }

    fn acknowledge(&mut self, (): ()) -> Result<(), Self::Error> {
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn a_mirror_repeats_changes_too() {
    let (memory, _) = start(&builder(), 4);
    let mirror = Mirror::new(Update::new(&builder().storage(memory.clone())).recent(Recent::new()));
    let mut ticks = Ticks(1);
    for _ in 0..2 {
        mirror.step(&mut ticks).unwrap();
    }
    assert_eq!(recent(&memory), model([(1, NEW), (2, NEW)]));
}

#[test]
fn an_interrupted_file_is_removed_with_the_other_uncommitted_ones() {
    let (memory, _) = start(&builder(), 4);
    let mut lost = builder().write_recent(memory.clone());
    lost.add(0, &loc(7)).unwrap();
    let lost = lost.finish().unwrap().into_rows().remove(0);
    assert!(memory.get(lost.name()).is_some());
    let update = update([upsert(1, Some(NEW))]).recent(Recent::new()).remove_uncommitted(Duration::ZERO);
    update.commit_to(memory.clone()).unwrap();
    assert!(memory.get(lost.name()).is_none());
    assert_eq!(recent(&memory), model([(1, NEW)]));
}

#[test]
fn a_section_that_is_missing_or_damaged_begins_anew() {
    for damage in [None, Some(b"<urlset>".to_vec())] {
        let (memory, _) = start(&builder(), 4);
        apply(&memory, Some(Recent::new()), [upsert(1, Some(OLD)), upsert(2, Some(OLD))]);
        let name = read(&memory).recent().unwrap().name().to_owned();
        match damage {
            Some(bytes) => memory.put(&name, &bytes).unwrap(),
            None => memory.remove(&name).unwrap(),
        }
        let applied = apply(&memory, Some(Recent::new()), [upsert(3, Some(NEW))]);
        let summary = applied.recent().unwrap();
        assert_eq!((summary.entries(), summary.lost(), applied.restarts()), (1, 2, 0));
        assert_eq!(recent(&memory), model([(3, NEW)]));
    }
}

#[test]
fn pages_of_text_sections_are_not_repeated() {
    let memory = Memory::new();
    let mut build = Build::new(builder().format(Format::Text), 2, Memory::new());
    build.add("a", Entry::new(Loc::parse(loc(0)).unwrap())).unwrap();
    build.run(memory.clone()).unwrap();
    let mut build = Build::new(builder().keep_sections(true), 2, Memory::new());
    build.add("b", Entry::new(Loc::parse(loc(100)).unwrap())).unwrap();
    build.run(memory.clone()).unwrap();
    let both = |id: u64| {
        let mut update = Update::new(&builder().storage(Memory::new())).recent(Recent::new());
        update.add_to("a", upsert(id, Some(OLD))).unwrap();
        update.add_to("b", upsert(100 + id, Some(OLD))).unwrap();
        update.commit_to(memory.clone()).unwrap();
    };
    both(1);
    assert_eq!(recent(&memory), model([(101, OLD)]));
    // An update of only the text section doesn't change the recent section.
    let mut update = Update::new(&builder().storage(Memory::new())).recent(Recent::new());
    update.add_to("a", upsert(2, None)).unwrap();
    assert!(update.commit_to(memory.clone()).unwrap().recent().is_none());
    assert_eq!(recent(&memory), model([(101, OLD)]));
}

#[test]
fn entries_that_need_a_second_file_leave_no_file_behind() {
    let limits = |bytes| {
        let mut limits = Dialect::V0_9.limits();
        limits.bytes = bytes;
        builder().lower_limits(limits)
    };
    let (memory, _) = start(&limits(600), 40);
    let mut update = Update::new(&limits(600).storage(Memory::new())).recent(Recent::new());
    for id in 0..30 {
        update.add(upsert(id, Some(NEW))).unwrap();
    }
    let applied = update.commit_to(memory.clone()).unwrap();
    let summary = applied.recent().unwrap();
    assert!(summary.cut() > 0 && summary.entries() + summary.cut() == 30, "{summary:?}");
    let published = read(&memory);
    let files: Vec<String> = memory.list().unwrap().into_iter().filter(|name| is_recent_file(name)).collect();
    assert_eq!(files, [published.recent().unwrap().name()]);
    // There is no other file, not even one that is waiting to be deleted.
    let others = memory.list().unwrap().into_iter().filter(|name| name.starts_with("sitemap-recent-"));
    assert_eq!(others.count(), 1);
}
