//! Random histories of updates, compared with a map after every step.

use crate::support::{Model, builder, loc, published, remove, start, update, upsert};
use sitemap_core::publish::shards::{PublishedShards, bucket_of};
use sitemap_core::{Entry, Format, Image, Loc, Memory, Site, SitemapSet};
use sitemap_update::{Change, Rebucket, Update};

#[test]
fn a_set_equals_a_map_after_every_update() {
    let dates = [None, Some("2026-01-31"), Some("2026-02-01T10:00:00Z")];
    for seed in 0..25 {
        let mut random = fastrand::Rng::with_seed(seed);
        let buckets = random.u32(1..=12);
        let builder = if seed % 2 == 0 { builder() } else { builder().gzip() };
        let (memory, mut model) = start(&builder, buckets);
        for step in 0..12 {
            let (mut batch, before) = (Vec::new(), model.clone());
            let (mut unknown, mut touched) = (0, Model::new());
            for _ in 0..random.usize(0..8) {
                let id = random.u64(0..60);
                let date = dates[random.usize(0..3)];
                if random.bool() {
                    batch.push(upsert(id, date));
                    model.insert(loc(id), date.map(str::to_owned));
                } else {
                    batch.push(remove(id));
                    model.remove(&loc(id));
                }
                touched.insert(loc(id), None);
            }
            let applied = update(batch.clone()).commit_to(memory.clone()).unwrap();
            let context = format!("seed {seed}, step {step}");
            assert_eq!(published(&memory), model, "{context}");
            let (mut added, mut changed, mut removed, mut unchanged) = (0, 0, 0, 0);
            for url in touched.keys() {
                match (before.get(url), model.get(url)) {
                    (None, Some(_)) => added += 1,
                    (Some(_), None) => removed += 1,
                    (None, None) => unknown += 1,
                    (old, new) if old == new => unchanged += 1,
                    _ => changed += 1,
                }
            }
            let counts = (applied.added(), applied.changed(), applied.unchanged());
            assert_eq!(counts, (added, changed, unchanged), "{context}");
            assert_eq!((applied.removed(), applied.unknown_removals()), (removed, unknown), "{context}");
            assert_eq!(applied.summary().is_some(), before != model, "{context}");

            // Applying the same changes again writes nothing.
            let index = memory.get("sitemap.xml");
            let again = update(batch).commit_to(memory.clone()).unwrap();
            assert!(again.summary().is_none(), "{context}");
            assert_eq!(memory.get("sitemap.xml"), index, "{context}");
        }
        // The bytes depend only on the pages, not on the history.
        let entries = model.iter().map(|(loc, date)| {
            let entry = Entry::new(Loc::parse(loc.clone()).unwrap());
            entry.with_lastmod(date.as_deref().map(|date| date.parse().unwrap()))
        });
        let other = Memory::new();
        let mut run = builder.clone().storage(other.clone()).replace().unwrap();
        run.section("posts").unwrap().add_all(entries).unwrap();
        run.commit().unwrap();
        Rebucket::new(&builder.storage(other.clone()), buckets).commit().unwrap();
        assert_eq!(shards(&memory), shards(&other), "seed {seed}");
    }
}

/// Returns the names of the published shards, which contain digests of their bytes.
fn shards(memory: &Memory) -> Vec<String> {
    let site = Site::new("https://example.com").unwrap();
    let published = PublishedShards::read(memory, &site).unwrap();
    published.section("posts").iter().map(|shard| shard.name().to_owned()).collect()
}

#[test]
fn only_the_files_of_changed_buckets_are_read_and_written() {
    let (memory, _) = start(&builder(), 16);
    let site = Site::new("https://example.com").unwrap();
    let before = PublishedShards::read(&memory, &site).unwrap();
    let applied = update([upsert(3, Some("2026-01-31"))]).commit_to(memory.clone()).unwrap();
    assert_eq!((applied.files_read(), applied.files_written(), applied.changed()), (1, 1, 1));
    let after = PublishedShards::read(&memory, &site).unwrap();
    let changed = bucket_of(&loc(3), 16);
    for bucket in 0..16 {
        let is_same = before.bucket("posts", bucket) == after.bucket("posts", bucket);
        assert_eq!(is_same, bucket != changed, "bucket {bucket}");
    }
}

#[test]
fn another_number_of_buckets_moves_pages_and_loses_none() {
    let (memory, model) = start(&builder(), 3);
    for buckets in [1, 8, 50, 7] {
        Rebucket::new(&builder().storage(memory.clone()), buckets).commit().unwrap();
        assert_eq!(published(&memory), model);
        update([upsert(1, None), remove(99)]).commit_to(memory.clone()).unwrap();
    }
}

#[test]
fn text_sets_stay_text() {
    let text = || builder().format(Format::Text).gzip();
    let (memory, mut model) = start(&text(), 4);
    // The update's builder does not set the format.
    update([upsert(100, None), remove(0)]).commit_to(memory.clone()).unwrap();
    model.insert(loc(100), None);
    model.remove(&loc(0));
    assert_eq!(published(&memory), model);
    assert!(shards(&memory).iter().all(|name| name.contains(".txt.gz")), "{:?}", shards(&memory));
}

#[test]
fn extensions_of_pages_stay() {
    let (memory, _) = start(&builder(), 1);
    let image = Image::new(Loc::parse("https://example.com/a.jpg").unwrap()).with_title("A & B").unwrap();
    let page = Entry::new(Loc::parse(loc(100)).unwrap()).with_images(vec![image]);
    update([Change::Upsert(page.clone())]).commit_to(memory.clone()).unwrap();
    update([upsert(101, None)]).commit_to(memory.clone()).unwrap();
    // The page is the same as before, including the deprecated title of its image.
    let applied = update([Change::Upsert(page)]).commit_to(memory).unwrap();
    assert_eq!(applied.unchanged(), 1);
}

#[test]
fn other_sections_stay_and_must_not_be_guessed() {
    let memory = Memory::new();
    let mut run = builder().storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add_all((0..20).map(loc)).unwrap();
    run.section("shop").unwrap().add("/shop").unwrap();
    run.commit().unwrap();
    Rebucket::new(&builder().storage(memory.clone()), 4).section("posts").commit().unwrap();
    let error = update([upsert(1, None)]).commit_to(memory.clone()).unwrap_err();
    assert_eq!(error.to_string(), "the published set has the sections `posts`, `shop`; name one of them");
    assert_eq!(update([remove(1)]).default_section("posts").commit_to(memory.clone()).unwrap().removed(), 1);
    assert!(published(&memory).contains_key("https://example.com/shop"));
    assert_eq!(published(&memory).len(), 20);
}

#[test]
fn a_page_of_another_site_is_refused_and_the_rest_goes_on() {
    let other = Change::Remove(Loc::parse("https://example.org/").unwrap());
    let mut update: Update = update([remove(1)]);
    assert_eq!(
        update.add(other).unwrap_err().to_string(),
        "page \"https://example.org/\" is not of the site of the set; correct its URL or leave it out"
    );
    let (memory, _) = start(&builder(), 4);
    assert_eq!(update.commit_to(memory).unwrap().removed(), 1);
}

#[test]
fn pages_in_the_buckets_of_their_paths_are_not_mixed_up() {
    let memory = Memory::new();
    let site = SitemapSet::builder(Site::new("https://example.com").unwrap());
    let mut shards = site.clone().write_shards(memory.clone(), "posts", 2).unwrap();
    // Spark wrote the set using the hash of the path instead of the URL.
    let by_path = bucket_of("/posts/1?a=1&b=2", 2);
    assert_ne!(by_path, bucket_of(&loc(1), 2));
    let other = bucket_of(&loc(1), 2);
    let wrong = (0..1000).find(|id| bucket_of(&loc(*id), 2) != other && *id != 1).unwrap();
    shards.add(other, &loc(wrong)).unwrap();
    let mut commit = sitemap_core::publish::shards::ShardCommit::new(site);
    commit.add(shards.finish().unwrap().into_rows().remove(0)).unwrap();
    commit.publish(memory.clone()).unwrap();
    let error = update([upsert(1, None)]).commit_to(memory.clone()).unwrap_err();
    assert!(
        error.to_string().contains("is not in the hash bucket of its URL; run `sitemap rebucket"),
        "{error}"
    );
}
