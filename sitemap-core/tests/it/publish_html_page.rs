//! Tests of the HTML page, a file of the set that no index lists.

use sitemap_core::html_page::{HtmlPage, Language};
use sitemap_core::publish::{IndexLastMod, Names, PublishedFile, SetOptions};
use sitemap_core::{Memory, Site, SitemapSet, Storage, Summary};
use sitemap_tests::{Hooked, OperationKind};

const MANIFEST: &str = ".sitemap-manifest.jsonl";

fn builder() -> SetOptions {
    SitemapSet::builder(Site::new("https://example.com").unwrap()).index_lastmod(IndexLastMod::Omit)
}

fn publish(builder: SetOptions, storage: impl Storage + 'static, pages: &[&str]) -> Summary {
    let mut run = builder.storage(storage).replace().unwrap();
    run.section("pages").unwrap().add_all(pages).unwrap();
    run.commit().unwrap()
}

fn names(memory: &Memory) -> Vec<String> {
    let mut names = memory.list().unwrap();
    names.retain(|name| name != MANIFEST);
    names.sort();
    names
}

fn text(memory: &Memory) -> String {
    String::from_utf8(memory.get("sitemap.html").unwrap().to_vec()).unwrap()
}

/// Returns the manifest line for the page.
fn in_manifest(memory: &Memory) -> Option<String> {
    let text = String::from_utf8(memory.get(MANIFEST).unwrap().to_vec()).unwrap();
    text.lines().find(|line| line.starts_with("{\"html\"")).map(str::to_owned)
}

#[test]
fn a_run_without_the_page_removes_it() {
    for names_of in [Names::Stable, Names::Digest] {
        let memory = Memory::new();
        let builder = || builder().names(names_of);
        let summary = publish(builder().html_page(HtmlPage::new()), memory.clone(), &["/a"]);
        assert_eq!(names(&memory), ["sitemap.html", "sitemap.xml"]);
        assert_eq!(in_manifest(&memory).as_deref(), Some("{\"html\":\"\",\"end\":\".html\"}"));
        let page = summary.html_page().unwrap();
        assert_eq!((page.name(), page.entries(), page.changed()), ("sitemap.html", 0, true));
        assert_eq!(page.bytes(), HtmlPage::new().to_html().len() as u64);

        let summary = publish(builder(), memory.clone(), &["/a"]);
        // The page is not kept as a file of an earlier set.
        assert_eq!((summary.removed_files(), summary.kept_files()), (1, 0));
        assert!(summary.html_page().is_none());
        assert_eq!(names(&memory), ["sitemap.xml"]);
        assert_eq!(in_manifest(&memory), None);
    }
}

#[test]
fn an_unchanged_page_is_not_written_again() {
    let memory = Memory::new();
    publish(builder().html_page(HtmlPage::new()), memory.clone(), &["/a"]);
    let published = memory.metadata("sitemap.html").unwrap();
    let hooked = Hooked::new(memory.clone(), |operation| {
        assert!(operation.kind != OperationKind::Rename || operation.name != "sitemap.html", "{operation:?}");
        Ok(())
    });
    let summary = publish(builder().html_page(HtmlPage::new()), hooked, &["/a", "/b"]);
    assert!(!summary.html_page().unwrap().changed());
    assert_eq!(memory.metadata("sitemap.html").unwrap(), published);

    // Other languages make it a different page.
    let german = HtmlPage::new().languages([Language::German]);
    let summary = publish(builder().html_page(german.clone()), memory.clone(), &["/a", "/b"]);
    assert!(summary.html_page().unwrap().changed());
    assert_eq!(text(&memory), german.to_html());
    // If another program changes the page, it is written again.
    memory.put("sitemap.html", b"other").unwrap();
    let summary = publish(builder().html_page(german.clone()), memory.clone(), &["/a", "/b"]);
    assert!(summary.html_page().unwrap().changed());
    assert_eq!(text(&memory), german.to_html());
}

#[test]
fn a_page_of_another_program_is_never_removed() {
    let memory = Memory::new();
    memory.put("sitemap.html", b"mine").unwrap();
    publish(builder(), memory.clone(), &["/a"]);
    assert_eq!(names(&memory), ["sitemap.html", "sitemap.xml"]);

    publish(builder().html_page(HtmlPage::new()), memory.clone(), &["/a"]);
    memory.put("sitemap.html", b"mine").unwrap();
    let summary = publish(builder(), memory.clone(), &["/a"]);
    assert_eq!((summary.removed_files(), summary.html_page().is_none()), (0, true));
    assert_eq!(text(&memory), "mine");
    publish(builder(), memory.clone(), &["/b"]);
    assert_eq!(text(&memory), "mine");
}

#[test]
fn a_run_that_keeps_sections_keeps_the_page() {
    let memory = Memory::new();
    let publish = |builder: SetOptions, section: &str, page: &str| {
        let mut run = builder.keep_sections(true).storage(memory.clone()).replace().unwrap();
        run.section(section).unwrap().add(page).unwrap();
        run.commit().unwrap()
    };
    publish(builder().html_page(HtmlPage::new()), "posts", "/posts/1");
    let summary = publish(builder(), "shop", "/shop/1");
    assert_eq!(summary.html_page().map(PublishedFile::changed), Some(false));
    assert_eq!(names(&memory), ["sitemap-posts-1.xml", "sitemap-shop-1.xml", "sitemap.html", "sitemap.xml"]);
    let summary = publish(builder().html_page(None), "shop", "/shop/1");
    assert_eq!((summary.removed_files(), summary.html_page().is_none()), (1, true));
    assert_eq!(names(&memory), ["sitemap-posts-1.xml", "sitemap-shop-1.xml", "sitemap.xml"]);
}

#[test]
fn the_summary_names_the_page() {
    let memory = Memory::new();
    let bytes = HtmlPage::new().to_html().len();
    let summary = publish(builder().html_page(HtmlPage::new()), memory, &["/a"]);
    let bytes = format!("{},{:03}", bytes / 1000, bytes % 1000);
    assert_eq!(
        summary.to_string(),
        format!(
            "sitemap.xml                              1 URL                 154 bytes\n\
             sitemap.html                                                {bytes} bytes\n\
             1 URL in 1 file, 0 invalid records skipped"
        )
    );
    assert_eq!(summary.robots_txt(), "Sitemap: https://example.com/sitemap.xml\n");
}

#[test]
fn a_page_that_could_not_be_removed_is_removed_by_the_next_run() {
    let memory = Memory::new();
    publish(builder().html_page(HtmlPage::new()), memory.clone(), &["/a"]);
    let hooked = Hooked::new(memory.clone(), |operation| {
        let is_page = operation.kind == OperationKind::Remove && operation.name == "sitemap.html";
        if is_page { Err(std::io::Error::other("busy")) } else { Ok(()) }
    });
    assert_eq!(publish(builder(), hooked, &["/a"]).files_left(), 1);
    assert_eq!(names(&memory), ["sitemap.html", "sitemap.xml"]);
    assert_eq!(publish(builder(), memory.clone(), &["/a"]).removed_files(), 1);
    assert_eq!(names(&memory), ["sitemap.xml"]);
}

#[test]
fn the_next_run_removes_a_leftover_of_the_page() {
    let dir = tempfile::tempdir().unwrap();
    let leftover = dir.path().join(".sitemap.html.1-1.tmp");
    std::fs::write(&leftover, "half").unwrap();
    let mut run = builder().open(dir.path()).unwrap().replace().unwrap();
    run.section("pages").unwrap().add("/a").unwrap();
    run.commit().unwrap();
    assert!(!leftover.exists());
}

mod shards {
    use super::{Memory, builder, names};
    use sitemap_core::html_page::HtmlPage;
    use sitemap_core::publish::shards::{PublishedShards, ShardCommit};
    use sitemap_core::publish::{PublishedFile, SetOptions};

    #[test]
    fn a_commit_writes_and_removes_the_page_and_an_update_keeps_it() {
        let memory = Memory::new();
        let commit = |builder: SetOptions, page: &str, is_update: bool| {
            let mut shards = builder.clone().write_shards(memory.clone(), "posts", 2).unwrap();
            shards.add(1, page).unwrap();
            let mut commit = ShardCommit::new(builder.keep_generations(0));
            if is_update {
                let site = super::Site::new("https://example.com").unwrap();
                let published = PublishedShards::read(&memory, &site).unwrap();
                commit = commit.update(&published, "posts", [1]).unwrap();
            }
            commit.add(shards.finish().unwrap().into_rows().remove(0)).unwrap();
            commit.publish(memory.clone()).unwrap()
        };
        let changed = |summary: super::Summary| summary.html_page().map(PublishedFile::changed);
        let has_page = || names(&memory).contains(&"sitemap.html".to_owned());

        assert_eq!(changed(commit(builder().html_page(HtmlPage::new()), "/a", false)), Some(true));
        assert_eq!(changed(commit(builder().html_page(HtmlPage::new()), "/b", false)), Some(false));
        assert_eq!(changed(commit(builder(), "/c", true)), Some(false));
        assert!(has_page());
        assert_eq!(changed(commit(builder().html_page(None), "/d", true)), None);
        assert!(!has_page());
        assert_eq!(changed(commit(builder().html_page(HtmlPage::new()), "/e", true)), Some(true));
        assert!(has_page());
        assert_eq!(changed(commit(builder(), "/f", false)), None);
        assert!(!has_page());
    }
}
