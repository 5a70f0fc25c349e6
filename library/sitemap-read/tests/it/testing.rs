//! Tests the assertions that programs use to test their own sitemaps.

use std::collections::HashMap;
use std::panic::catch_unwind;

use sitemap_core::{LastMod, Site, SitemapEntry};
use sitemap_read::testing::PublishedSet;

const INDEX: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/shop/sitemap-posts-1.xml</loc></sitemap>
<sitemap><loc>https://example.com/shop/sitemap-lost-1.xml</loc></sitemap>
</sitemapindex>
"#;

const POSTS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/shop/posts/tea</loc><lastmod>2026-01-31</lastmod><priority>0.8</priority></url>
<url><loc>https://example.com/shop/posts/cups#top</loc></url>
</urlset>
"#;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", skip_if = Post::is_hidden)]
struct Post {
    slug: &'static str,
    #[sitemap(lastmod)]
    updated: LastMod,
}

impl Post {
    fn is_hidden(&self) -> bool {
        self.slug.is_empty()
    }
}

fn date() -> LastMod {
    "2026-02-01".parse().unwrap()
}

fn site() -> Site {
    Site::new("https://example.com/shop").unwrap()
}

fn read(files: &[(&str, &str)]) -> PublishedSet {
    let files: HashMap<_, _> = files.iter().copied().collect();
    PublishedSet::read(&site(), |path| files.get(path).copied().ok_or("status 404"))
}

fn set() -> PublishedSet {
    read(&[("/shop/sitemap.xml", INDEX), ("/shop/sitemap-posts-1.xml", POSTS)])
}

/// Returns the panic's message.
fn message(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(work).unwrap_err();
    panic
        .downcast::<String>()
        .map_or_else(|panic| (*panic.downcast::<&str>().unwrap()).to_owned(), |text| *text)
}

#[test]
fn the_pages_of_all_children_are_read() {
    let set = set();
    let urls: Vec<_> = set.pages().map(|page| page.loc().as_str()).collect();
    assert_eq!(urls, ["https://example.com/shop/posts/tea", "https://example.com/shop/posts/cups#top"]);
    assert_eq!((set.len(), set.is_empty()), (2, false));
    assert_eq!(set.page("/posts/tea").lastmod().unwrap().to_string(), "2026-01-31");
    assert_eq!(set.page("https://example.com/shop/posts/tea").changefreq(), None);
}

#[test]
fn a_page_that_is_missing_is_named_with_the_most_similar_one() {
    assert_eq!(
        message(|| _ = set().page("/posts/te")),
        "`https://example.com/shop/posts/te` is not listed; the most similar of 2 pages is \
         `https://example.com/shop/posts/tea` in `https://example.com/shop/sitemap-posts-1.xml`"
    );
    let empty = POSTS.split("<url>").next().unwrap().to_owned() + "</urlset>";
    assert_eq!(
        message(move || _ = read(&[("/shop/sitemap.xml", &empty)]).page("/")),
        "`https://example.com/shop/` is not listed; the set lists no pages"
    );
}

#[test]
fn a_record_whose_values_differ_is_reported_with_both_values() {
    assert_eq!(
        message(|| set().assert_lists(&site(), &Post { slug: "tea", updated: date() })),
        "`https://example.com/shop/posts/tea` is listed with other values:\n\
         lastmod: expected 2026-02-01, found 2026-01-31\n\
         priority: expected none, found 0.8"
    );
}

#[test]
fn a_record_without_a_page_cannot_be_listed() {
    assert_eq!(
        message(|| set().assert_lists(&site(), &Post { slug: "", updated: date() })),
        "the record has no page, so the set cannot list it; see `skip_if`"
    );
}

#[test]
fn a_page_that_must_not_be_listed_is_named_with_its_file() {
    read(&[("/shop/sitemap.xml", POSTS)]).assert_omits("/posts/te");
    assert_eq!(
        message(|| set().assert_omits("/posts/tea")),
        "`https://example.com/shop/posts/tea` is listed in `https://example.com/shop/sitemap-posts-1.xml`"
    );
}

#[test]
fn a_page_may_be_in_a_file_that_cannot_be_read() {
    assert_eq!(
        message(|| set().assert_omits("/posts/te")),
        "`https://example.com/shop/posts/te` may be listed in a file that cannot be read, \
         `https://example.com/shop/sitemap-lost-1.xml`: status 404; mend the set"
    );
    let cut = POSTS.split("<url><loc>https://example.com/shop/posts/cups").next().unwrap();
    for (text, why) in [
        (cut, "the document ends before its root element is closed"),
        ("<!doctype html><html></html>", "the document is a web page"),
    ] {
        let message = message(|| read(&[("/shop/sitemap.xml", text)]).assert_omits("/posts/cups#top"));
        let end = format!("a file that cannot be read, `https://example.com/shop/sitemap.xml`: {why}");
        assert!(message.contains(&end), "{message}");
    }
}

#[test]
fn an_entry_that_the_recent_section_repeats_counts_once() {
    let index = INDEX.replace("sitemap-lost-1.xml", "sitemap-recent-00000-1-99aa06d3014798d8.xml");
    let recent = |slug: &str| {
        let recent = POSTS.replace("<lastmod>2026-01-31</lastmod>", "").replace("posts/tea", slug);
        let files = [
            ("/shop/sitemap.xml", &*index),
            ("/shop/sitemap-posts-1.xml", POSTS),
            ("/shop/sitemap-recent-00000-1-99aa06d3014798d8.xml", &*recent),
        ];
        read(&files)
    };
    assert_eq!(recent("posts/tea").len(), 2);
    assert!(recent("posts/tea").page("/posts/tea").lastmod().is_some());
    // A page that is only in the recent section counts as listed.
    assert_eq!(recent("posts/pots").len(), 3);
    assert_eq!(
        message(|| recent("posts/pots").assert_omits("/posts/pots")),
        "`https://example.com/shop/posts/pots` is listed in \
         `https://example.com/shop/sitemap-recent-00000-1-99aa06d3014798d8.xml`"
    );
}

#[test]
fn findings_of_the_checker_are_listed() {
    assert_eq!(
        message(|| set().assert_valid()),
        "the checker has 2 findings:\n\
         https://example.com/shop/sitemap.xml:4:15: error[child-missing]: the child sitemap cannot be opened: status \
         404, found \"https://example.com/shop/sitemap-lost-1.xml\"; publish the file or remove it from the index\n\
         https://example.com/shop/sitemap-posts-1.xml:4:11: warning[loc-fragment]: a URL has a fragment, which crawlers \
         ignore, found \"https://example.com/shop/posts/cups#top\"; remove the `#` and everything after it"
    );
    let posts = POSTS.replace("#top", "");
    read(&[("/shop/sitemap.xml", &posts)]).assert_valid();
}

#[test]
fn a_set_that_cannot_be_read_is_an_error_at_once() {
    assert_eq!(
        message(|| _ = read(&[])),
        "cannot read `https://example.com/shop/sitemap.xml`: status 404; publish the set before the test reads it"
    );
}
