//! Tests of hash buckets: changing one record changes one file.

use std::collections::BTreeSet;

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::{BucketKey, OnInvalid, PublishedFile};
use sitemap_core::{Memory, Site, SitemapSet, Summary};

const BUCKETS: u16 = 16;

fn builder() -> sitemap_core::publish::SetOptions {
    SitemapSet::builder(Site::new("https://example.com").unwrap())
}

fn page(id: u64) -> String {
    format!("/posts/{id}")
}

fn by_path(path: &String) -> BucketKey {
    path.into()
}

fn publish(memory: &Memory, pages: impl IntoIterator<Item = u64>) -> Summary {
    let mut run = builder().storage(memory.clone()).replace().unwrap();
    let mut posts = run.section("posts").unwrap().in_buckets(BUCKETS, by_path).unwrap();
    posts.add_all(pages.into_iter().map(page)).unwrap();
    run.commit().unwrap()
}

fn changed(summary: &Summary) -> BTreeSet<String> {
    summary.files().iter().filter(|file| file.changed()).map(|file| file.name().to_owned()).collect()
}

#[test]
fn an_added_or_removed_record_changes_only_its_own_bucket() {
    let memory = Memory::new();
    let all = publish(&memory, 0..2_000);
    assert_eq!((all.urls(), all.files().len()), (2_000, BUCKETS.into()));
    assert_eq!(changed(&publish(&memory, 0..2_000)), BTreeSet::new());
    assert_eq!(changed(&publish(&memory, 1..2_000)).len(), 1, "files changed by removing the first page");
    assert_eq!(changed(&publish(&memory, 0..2_000)).len(), 1, "files changed by adding the first page again");
    let some = changed(&publish(&memory, (0..2_000).filter(|id| ![7, 77, 777].contains(id))));
    assert!((1..=3).contains(&some.len()), "{some:?}");
}

#[test]
fn a_records_bucket_does_not_depend_on_the_others() {
    let (all, few) = (Memory::new(), Memory::new());
    publish(&all, 0..500);
    let summary = publish(&few, [3, 33, 333]);
    for name in summary.files().iter().map(PublishedFile::name) {
        let text = |memory: &Memory| String::from_utf8(memory.get(name).unwrap().to_vec()).unwrap();
        for line in text(&few).lines() {
            assert!(text(&all).contains(line), "{name}: {line}");
        }
    }
}

#[test]
fn buckets_are_about_the_same_size() {
    let summary = publish(&Memory::new(), 0..16_000);
    assert!(summary.files().iter().all(|file| (850..1_150).contains(&file.entries())), "{summary}");
}

#[test]
fn a_bad_record_is_counted_in_its_section() {
    let mut run = builder().on_invalid(OnInvalid::Skip).storage(Memory::new()).replace().unwrap();
    let mut posts = run.section("posts").unwrap().in_buckets(BUCKETS, by_path).unwrap();
    posts.add_all(["/1", "/2", "bad", "/4"].map(str::to_owned)).unwrap();
    let summary = run.commit().unwrap();
    let skipped = &summary.skipped_records()[0];
    assert_eq!((skipped.section(), skipped.number()), ("posts", 3));
}

#[test]
fn the_number_of_buckets_is_1_to_512() {
    let mut run = builder().storage(Memory::new()).replace().unwrap();
    for buckets in [0, 513, u16::MAX] {
        let error = run.section("posts").unwrap().in_buckets(buckets, by_path).unwrap_err();
        assert!(matches!(error.kind(), PublishErrorKind::Buckets { .. }), "{error}");
    }
}

#[test]
fn a_name_in_use_claims_no_bucket() {
    let mut run = builder().storage(Memory::new()).replace().unwrap();
    run.section("posts-002").unwrap();
    for _ in 0..2 {
        let posts = run.section("posts").unwrap();
        let error = posts.in_buckets(4, by_path).unwrap_err();
        assert!(error.to_string().contains("`posts-002` is used twice"), "{error}");
    }
    run.section("posts-000").unwrap();
}
