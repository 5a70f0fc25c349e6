//! Upserts and removals of records that implement `SitemapEntry`.

use std::sync::atomic::{AtomicBool, Ordering};

use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::{Memory, SitemapEntry, SitemapSet};
use sitemap_tests::{Hooked, Operation, OperationKind};
use sitemap_update::{Converted, UpdateError, UpdateSet as _};

use crate::support::{builder, published};

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", section = "posts", skip_if = Post::is_draft)]
struct Post {
    slug: &'static str,
    is_draft: bool,
}

impl Post {
    fn is_draft(&self) -> bool {
        self.is_draft
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/teas/{slug}", locales = ["en", "de"], section = "posts")]
struct Tea {
    slug: &'static str,
    #[sitemap(skip_if)]
    is_draft: bool,
}

fn post(slug: &'static str) -> Post {
    Post { slug, is_draft: false }
}

/// Publishes the post `old`, in files in order.
fn start() -> (SitemapSet, Memory) {
    let memory = Memory::new();
    let set = builder().storage(memory.clone());
    let mut run = set.replace().unwrap();
    run.add(&post("old")).unwrap();
    run.section("pages").unwrap().add("/").unwrap();
    run.commit().unwrap();
    (set, memory)
}

fn paths(memory: &Memory) -> Vec<String> {
    let urls = published(memory).into_keys();
    urls.map(|url| url.trim_start_matches("https://example.com").to_owned()).collect()
}

#[test]
fn a_saved_post_is_listed_a_draft_is_not_and_a_renamed_one_has_one_url() {
    let (set, memory) = start();
    let mut update = set.update();
    update.upsert(&post("new")).unwrap();
    update.upsert(&Post { slug: "idea", is_draft: true }).unwrap();
    let applied = update.commit().unwrap();
    assert_eq!((applied.added(), applied.removed()), (1, 0));
    assert_eq!(paths(&memory), ["/", "/posts/new", "/posts/old"]);

    let mut update = set.update();
    update.upsert(&Post { slug: "old", is_draft: true }).unwrap();
    update.replace(&post("new"), &post("renamed")).unwrap();
    let applied = update.commit().unwrap();
    assert_eq!((applied.added(), applied.removed()), (1, 2));
    assert_eq!(paths(&memory), ["/", "/posts/renamed"]);

    // A draft is removed too, and so is a post whose name stays the same.
    let mut update = set.update();
    update.replace(&post("renamed"), &post("renamed")).unwrap();
    update.upsert(&post("next")).unwrap();
    assert_eq!(update.commit().unwrap().unchanged(), 1);
    let mut update = set.update();
    update.remove(&Post { slug: "renamed", is_draft: true }).unwrap();
    assert_eq!(update.commit().unwrap().removed(), 1);
    assert_eq!(paths(&memory), ["/", "/posts/next"]);
}

#[test]
fn all_pages_of_a_record_are_replaced_and_removed() {
    let (set, memory) = start();
    let apply = |tea: Tea| {
        let mut update = set.update();
        update.upsert(&tea).unwrap();
        update.commit().unwrap()
    };
    assert_eq!(apply(Tea { slug: "green", is_draft: false }).added(), 2);
    assert_eq!(paths(&memory), ["/", "/de/teas/green", "/en/teas/green", "/posts/old"]);
    assert_eq!(apply(Tea { slug: "green", is_draft: true }).removed(), 2);
    assert_eq!(paths(&memory), ["/", "/posts/old"]);
}

#[test]
fn the_first_update_converts_only_the_sections_that_it_changes() {
    let (set, memory) = start();
    let mut update = set.update();
    update.upsert(&post("new")).unwrap();
    let applied = update.commit().unwrap();
    let converted: Vec<_> = applied.converted().iter().map(Converted::section).collect();
    assert_eq!((converted, applied.restarts()), (vec!["posts"], 0));
    let buckets = |section: &str| PublishedShards::read(&memory, set.site()).unwrap().buckets(section);
    assert_eq!((buckets("posts"), buckets("pages")), (Some(1), None));
    assert!(update.commit().unwrap().converted().is_empty());
}

#[test]
fn an_upsert_creates_a_section_also_if_another_process_does_at_the_same_time() {
    let (set, memory) = start();
    let (is_done, other) = (AtomicBool::new(false), set.clone());
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        let is_new_shard = operation.kind == OperationKind::Put && operation.name.contains("-news-");
        if is_new_shard && !is_done.swap(true, Ordering::SeqCst) {
            let mut quicker = other.update();
            quicker.section("news").upsert("/news/1").unwrap();
            quicker.commit().unwrap();
        }
        Ok(())
    });
    let mut update = builder().storage(storage).update().pause(std::time::Duration::ZERO);
    let mut news = update.section("news");
    news.upsert("/news/2").unwrap();
    news.remove("/news/0").unwrap();
    let applied = update.commit().unwrap();
    assert_eq!((applied.added(), applied.unknown_removals(), applied.restarts()), (1, 1, 1));
    assert_eq!(paths(&memory), ["/", "/news/1", "/news/2", "/posts/old"]);

    // Nothing is to be done in a section that does not exist.
    let mut update = set.update();
    update.section("shop").remove("/shop/1").unwrap();
    let applied = update.commit().unwrap();
    assert_eq!((applied.unknown_removals(), applied.summary().is_none()), (1, true));
}

#[test]
fn an_invalid_record_adds_nothing() {
    let (set, memory) = start();
    let mut update = set.update();
    assert!(matches!(update.upsert(&post("")).unwrap_err(), UpdateError::Record(_)));
    assert!(matches!(update.replace(&post("old"), &post("")).unwrap_err(), UpdateError::Record(_)));
    // A draft without a name has no page yet.
    update.upsert(&Post { slug: "", is_draft: true }).unwrap();
    assert!(update.commit().unwrap().summary().is_none());
    assert_eq!(paths(&memory), ["/", "/posts/old"]);
}
