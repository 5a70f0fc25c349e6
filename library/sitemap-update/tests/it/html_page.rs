//! The HTML page for human visitors: updates and rebucketing don't change it.

use sitemap_core::html_page::{HtmlPage, Language};
use sitemap_core::publish::{PublishedFile, ShrinkLimit};
use sitemap_core::{Memory, Storage as _};
use sitemap_update::{Rebucket, Update};

use crate::support::{builder, start, update, upsert};

fn page(memory: &Memory) -> Option<String> {
    memory.get("sitemap.html").map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
}

#[test]
fn updates_keep_the_page() {
    let german = HtmlPage::new().languages([Language::German]);
    let with_page = builder().html_page(german.clone());
    // `start` publishes 40 pages and then moves them to hash buckets.
    let (memory, _) = start(&with_page, 3);
    assert_eq!(page(&memory), Some(german.to_html()));
    let metadata = memory.metadata("sitemap.html").unwrap();

    let applied = update([upsert(100, None)]).commit_to(memory.clone()).unwrap();
    let summary = applied.summary().unwrap();
    assert_eq!(summary.html_page().map(PublishedFile::changed), Some(false));
    Rebucket::new(&builder().storage(memory.clone()), 5).commit().unwrap();
    assert_eq!(memory.metadata("sitemap.html").unwrap(), metadata);

    // A full publication that does not set the HTML page removes it.
    let mut run = builder().max_shrink(ShrinkLimit::OFF).storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add("/a").unwrap();
    run.commit().unwrap();
    assert_eq!(page(&memory), None);
}

#[test]
fn an_update_can_add_replace_and_remove_the_page() {
    let (memory, _) = start(&builder(), 3);
    let apply = |id: u64, page: Option<HtmlPage>| {
        let mut update = Update::new(&builder().html_page(page).storage(Memory::new()));
        update.add(upsert(id, None)).unwrap();
        update.commit_to(memory.clone()).unwrap();
    };
    apply(100, Some(HtmlPage::new()));
    assert_eq!(page(&memory), Some(HtmlPage::new().to_html()));
    let german = HtmlPage::new().languages([Language::German]);
    apply(101, Some(german.clone()));
    assert_eq!(page(&memory), Some(german.to_html()));
    apply(102, None);
    assert_eq!(page(&memory), None);
}
