//! Tests of runs that keep the sections they do not write, and of runs for another site.

use std::fs::{self, File};
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use sitemap_core::publish::{IndexLastMod, Names, PublishErrorKind, PublishedFile, SetOptions};
use sitemap_core::{Dialect, Memory, PublishError, Site, SitemapSet, Storage, Summary};
use sitemap_tests::{Hooked, Operation, OperationKind};
use tempfile::tempdir;

const MANIFEST: &str = ".sitemap-manifest.jsonl";

/// Sections and their pages. Each file contains up to two pages.
type Sections<'s> = &'s [(&'s str, &'s [&'s str])];

fn builder() -> SetOptions {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 2;
    let site = Site::new("https://example.com").unwrap();
    SitemapSet::builder(site).lower_limits(limits).index_lastmod(IndexLastMod::Omit)
}

fn publish(
    builder: SetOptions,
    storage: impl Storage + 'static,
    sections: Sections<'_>,
) -> Result<Summary, PublishError> {
    let mut run = builder.storage(storage).replace()?;
    for (name, pages) in sections {
        run.section(name)?.add_all(*pages)?;
    }
    run.commit()
}

/// Publishes these sections and keeps all others.
fn keep(storage: &Memory, sections: Sections<'_>) -> Result<Summary, PublishError> {
    publish(builder().keep_sections(true), storage.clone(), sections)
}

fn text(storage: &Memory, name: &str) -> String {
    String::from_utf8(storage.get(name).unwrap_or_else(|| panic!("{name}")).to_vec()).unwrap()
}

/// Returns the file names of the set.
fn names(storage: &Memory) -> Vec<String> {
    let mut names = storage.list().unwrap();
    names.retain(|name| name != MANIFEST);
    names.sort();
    names
}

fn urlset(locs: &[&str]) -> String {
    let urls: Vec<_> =
        locs.iter().map(|loc| format!("<url><loc>https://example.com{loc}</loc></url>\n")).collect();
    let urls = urls.concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    )
}

fn index(names: &[&str]) -> String {
    let sitemaps: Vec<_> = names
        .iter()
        .map(|name| format!("<sitemap><loc>https://example.com/{name}</loc></sitemap>\n"))
        .collect();
    let sitemaps = sitemaps.concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{sitemaps}</sitemapindex>\n"
    )
}

#[test]
fn only_the_sections_of_the_run_are_replaced() {
    let memory = Memory::new();
    publish(builder(), memory.clone(), &[("posts", &["/1", "/2", "/3"]), ("shop", &["/s"])]).unwrap();
    let kept_file = memory.metadata("sitemap-shop-1.xml").unwrap();

    let touched = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&touched);
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        if operation.name.contains("shop") {
            log.lock().unwrap().push(operation.kind);
        }
        Ok(())
    });
    let summary =
        publish(builder().keep_sections(true), storage, &[("news", &["/n"]), ("posts", &["/4"])]).unwrap();

    // The run checks the size of the kept file, but doesn't touch it otherwise.
    assert_eq!(*touched.lock().unwrap(), [OperationKind::Metadata]);
    assert_eq!(memory.metadata("sitemap-shop-1.xml").unwrap(), kept_file);
    assert_eq!(
        names(&memory),
        ["sitemap-news-1.xml", "sitemap-posts-1.xml", "sitemap-shop-1.xml", "sitemap.xml"]
    );
    assert_eq!(
        text(&memory, "sitemap.xml"),
        index(&["sitemap-posts-1.xml", "sitemap-shop-1.xml", "sitemap-news-1.xml"])
    );
    assert_eq!(text(&memory, "sitemap-posts-1.xml"), urlset(&["/4"]));
    assert_eq!(text(&memory, "sitemap-shop-1.xml"), urlset(&["/s"]));
    assert_eq!(text(&memory, "sitemap-news-1.xml"), urlset(&["/n"]));
    assert_eq!((summary.urls(), summary.kept_sections()), (3, &["shop".to_owned()][..]));
    assert!(
        summary.to_string().ends_with(
            "\n3 URLs in 3 files, 0 invalid records skipped\nsections kept: `shop`; 1 old file removed"
        ),
        "{summary}"
    );

    // A run without the option replaces the whole set and removes all other sections.
    let summary = publish(builder(), memory.clone(), &[("news", &["/n"])]).unwrap();
    assert_eq!(summary.removed_sections(), ["posts", "shop"]);
    assert_eq!(names(&memory), ["sitemap.xml"]);
}

#[test]
fn a_started_section_without_pages_is_removed_and_reported() {
    let memory = Memory::new();
    publish(builder(), memory.clone(), &[("posts", &["/1"]), ("shop", &["/s"])]).unwrap();
    let summary = keep(&memory, &[("posts", &["/2"]), ("shop", &[])]).unwrap();
    assert_eq!((summary.removed_sections(), summary.removed_files()), (&["shop".to_owned()][..], 2));
    assert!(summary.kept_sections().is_empty());
    assert_eq!(text(&memory, "sitemap.xml"), urlset(&["/2"]));

    // A run without any page is an error and changes nothing.
    let error = keep(&memory, &[("posts", &[])]).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::EmptySet { skipped: 0 }));
    assert_eq!(text(&memory, "sitemap.xml"), urlset(&["/2"]));
}

#[test]
fn a_set_of_one_sitemap_becomes_an_index() {
    for names_option in [Names::Stable, Names::Digest] {
        let memory = Memory::new();
        let builder = || builder().names(names_option).keep_sections(true);
        publish(builder(), memory.clone(), &[("posts", &["/1", "/2"])]).unwrap();
        assert_eq!(text(&memory, "sitemap.xml"), urlset(&["/1", "/2"]));
        let summary = publish(builder(), memory.clone(), &[("shop", &["/s"])]).unwrap();
        assert_eq!(summary.kept_sections(), ["posts"]);
        let children: Vec<_> = summary.files().iter().map(PublishedFile::name).collect();
        if names_option == Names::Stable {
            assert_eq!(children, ["sitemap-posts-1.xml", "sitemap-shop-1.xml"]);
        }
        assert_eq!(text(&memory, "sitemap.xml"), index(&children));
        assert_eq!(text(&memory, children[0]), urlset(&["/1", "/2"]));
        assert_eq!(text(&memory, children[1]), urlset(&["/s"]));

        // A set with a single file has one section and needs no index.
        let memory = Memory::new();
        publish(builder(), memory.clone(), &[("posts", &["/1"])]).unwrap();
        publish(builder(), memory.clone(), &[("posts", &["/2"])]).unwrap();
        assert_eq!(text(&memory, "sitemap.xml"), urlset(&["/2"]));
        assert_eq!(names(&memory), ["sitemap.xml"]);
    }
}

#[test]
fn one_section_after_the_other_makes_the_same_set_as_all_at_once() {
    let all: Sections<'_> =
        &[("a", &["/1", "/2", "/3"]), ("b", &["/4"]), ("blog", &["/5"]), ("blog-007", &["/6"])];
    for names_option in [Names::Stable, Names::Digest] {
        for is_locked in [true, false] {
            let mut limits = Dialect::V0_9.limits();
            (limits.urls, limits.sitemaps) = (2, 2);
            let builder = || builder().names(names_option).lower_limits(limits);
            let once = Memory::new();
            publish(builder(), once.clone(), all).unwrap();
            let each = Memory::new();
            for section in all {
                let hooked = Hooked::new(each.clone(), |_| Ok(()));
                let hooked = if is_locked { hooked } else { hooked.without_lock() };
                publish(builder().keep_sections(true), hooked, &[*section]).unwrap();
            }
            let indexes = ["sitemap.xml", "sitemap-2.xml", "sitemap-3.xml"];
            for name in names(&once) {
                assert_eq!(text(&each, &name), text(&once, &name), "{name}");
            }
            assert!(names(&once).iter().filter(|name| indexes.contains(&name.as_str())).count() == 3);
            if names_option == Names::Stable {
                assert_eq!(names(&each), names(&once));
            }
        }
    }
}

#[test]
fn the_index_keeps_the_dates_of_kept_files() {
    let dir = tempdir().unwrap();
    // A file with the same content keeps its date, so the manifest contains this date.
    let child = dir.path().join("sitemap-shop-1.xml");
    fs::write(&child, urlset(&["/s"])).unwrap();
    let date = UNIX_EPOCH + Duration::from_secs(1_577_836_800);
    File::options().write(true).open(&child).unwrap().set_modified(date).unwrap();
    let publish = |sections: Sections<'_>, keeps: bool| {
        let builder = builder().index_lastmod(IndexLastMod::FileChanged).keep_sections(keeps);
        publish(builder, sitemap_core::Directory::open(dir.path()).unwrap(), sections).unwrap()
    };
    publish(&[("posts", &["/1"]), ("shop", &["/s"])], false);
    publish(&[("posts", &["/2"])], true);
    let index = fs::read_to_string(dir.path().join("sitemap.xml")).unwrap();
    let expected = "<sitemap><loc>https://example.com/sitemap-shop-1.xml</loc>\
                    <lastmod>2020-01-01T00:00:00Z</lastmod></sitemap>\n</sitemapindex>\n";
    assert!(index.ends_with(expected), "{index}");
    assert_eq!(fs::metadata(child).unwrap().modified().unwrap(), date);
}

/// Checks that a run can't keep sections and changes nothing.
fn assert_refused(memory: &Memory, problem: &str) {
    let before: Vec<_> = memory.list().unwrap().into_iter().map(|name| (memory.get(&name), name)).collect();
    let error = keep(memory, &[("posts", &["/2"])]).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::CannotKeep { .. }));
    assert_eq!(
        error.to_string(),
        format!("cannot keep the other sections of the set: {problem}; publish all sections in one run")
    );
    let after: Vec<_> = memory.list().unwrap().into_iter().map(|name| (memory.get(&name), name)).collect();
    assert_eq!(after, before);
}

#[test]
fn without_a_manifest_no_section_can_be_kept() {
    let published = || {
        let memory = Memory::new();
        publish(builder(), memory.clone(), &[("posts", &["/1"]), ("shop", &["/s"])]).unwrap();
        memory
    };
    let memory = published();
    memory.remove(MANIFEST).unwrap();
    assert_refused(&memory, "`.sitemap-manifest.jsonl` is missing");
    for content in [&b"damaged"[..], b"{\"sitemap-manifest\":999}\n", b""] {
        let memory = published();
        memory.put(MANIFEST, content).unwrap();
        assert_refused(&memory, "`.sitemap-manifest.jsonl` is damaged or of another version");
    }
    // A run that writes all sections needs no manifest.
    let memory = published();
    memory.remove(MANIFEST).unwrap();
    publish(builder(), memory.clone(), &[("posts", &["/1"]), ("shop", &["/s"])]).unwrap();
    keep(&memory, &[("posts", &["/2"])]).unwrap();
}

#[test]
fn a_kept_file_that_is_missing_or_changed_stops_the_run() {
    let memory = Memory::new();
    publish(builder(), memory.clone(), &[("posts", &["/1"]), ("shop", &["/s"])]).unwrap();
    memory.put("sitemap-shop-1.xml", b"<urlset/>").unwrap();
    assert_refused(&memory, "`sitemap-shop-1.xml` was changed by another program");
    memory.remove("sitemap-shop-1.xml").unwrap();
    assert_refused(&memory, "`sitemap-shop-1.xml` is missing");

    let memory = Memory::new();
    publish(builder(), memory.clone(), &[("shop", &["/s"])]).unwrap();
    let changed = text(&memory, "sitemap.xml").replace("/s<", "/x<");
    memory.put("sitemap.xml", changed.as_bytes()).unwrap();
    assert_refused(&memory, "`sitemap.xml` was changed by another program");
}

#[test]
fn a_new_section_does_not_take_the_names_of_a_kept_one() {
    let memory = Memory::new();
    publish(builder(), memory.clone(), &[("Blog", &["/1"]), ("shop-000", &["/s"])]).unwrap();
    assert_eq!(
        keep(&memory, &[("blog", &["/2"])]).unwrap_err().to_string(),
        "the names `blog` and `Blog` differ only in case; write `Blog` or use another name"
    );
}

#[test]
fn a_set_of_another_site_is_replaced_on_request_only() {
    let memory = Memory::new();
    publish(builder(), memory.clone(), &[("posts", &["/1"]), ("shop", &["/s"])]).unwrap();
    let other = |change_base: bool, keep_sections: bool| {
        let site = Site::new("https://example.com/shop").unwrap();
        let builder = SitemapSet::builder(site).change_base(change_base).keep_sections(keep_sections);
        publish(builder, memory.clone(), &[("posts", &["/1"])])
    };
    for keep_sections in [false, true] {
        assert_eq!(
            other(false, keep_sections).unwrap_err().to_string(),
            "the published set is of the site `https://example.com/`, and this run is of \
             `https://example.com/shop/`; correct the base URL, publish to another place, or replace the set with \
             `SetOptions::change_base`"
        );
    }
    assert_eq!(
        other(true, true).unwrap_err().to_string(),
        "cannot keep the other sections of the set: `.sitemap-manifest.jsonl` is of another site; publish all \
         sections in one run"
    );
    assert_eq!(text(&memory, "sitemap-posts-1.xml"), urlset(&["/1"]));
    let summary = other(true, false).unwrap();
    assert_eq!((summary.removed_sections(), summary.removed_files()), (&["shop".to_owned()][..], 2));
    // The set now belongs to the other site.
    other(false, true).unwrap();
    assert!(matches!(
        keep(&memory, &[("posts", &["/1"])]).unwrap_err().kind(),
        PublishErrorKind::OtherSite { .. }
    ));
}

#[test]
fn a_commit_of_shards_keeps_other_sections() {
    use sitemap_core::publish::shards::ShardCommit;

    let memory = Memory::new();
    let commit = |section: &str, page: &str, keeps: bool| {
        let mut writer = builder().write_shards(memory.clone(), section, 1).unwrap();
        writer.add(0, page).unwrap();
        let written = writer.finish().unwrap();
        let mut commit = ShardCommit::new(builder().keep_sections(keeps));
        written.rows().iter().for_each(|row| commit.add(row.clone()).unwrap());
        commit.publish(memory.clone()).unwrap()
    };
    commit("posts", "/1", false);
    commit("shop", "/s", true);
    let summary = commit("posts", "/2", true);
    assert_eq!(summary.kept_sections(), ["shop"]);
    let children: Vec<_> = summary.files().iter().map(PublishedFile::name).collect();
    assert_eq!(text(&memory, "sitemap.xml"), index(&children));
    assert_eq!([text(&memory, children[0]), text(&memory, children[1])], [urlset(&["/2"]), urlset(&["/s"])]);
    assert_eq!(commit("posts", "/3", false).removed_sections(), ["shop"]);
}
