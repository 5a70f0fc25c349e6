//! Tests of records with one page per locale.

#![allow(clippy::items_after_statements)] // tests declare records next to the expected results
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option, clippy::ref_option_ref)] // `with` passes references to fields

use std::borrow::Cow;

use crate::support::{all, error, locs};
use sitemap_core::{ChangeFreq, SitemapEntry, SitemapPart, StaticPages};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/posts/{slug}", locales = ["en", "de", "zh-Hant-TW"], x_default = "en", priority = 0.3)]
struct Post {
    slug: &'static str,
    #[sitemap(changefreq)]
    often: Option<ChangeFreq>,
    #[sitemap(flatten)]
    dates: Dates,
}

#[derive(SitemapPart)]
struct Dates {
    lastmod: Option<sitemap_core::LastMod>,
}

#[test]
fn a_constant_list_gives_one_page_each() {
    let dates = Dates { lastmod: "2026".parse().ok() };
    let post = Post { slug: "a", often: Some(ChangeFreq::Daily), dates };
    assert_eq!(
        locs(&post),
        [
            "https://example.com/en/posts/a",
            "https://example.com/de/posts/a",
            "https://example.com/zh-Hant-TW/posts/a"
        ]
    );
    for entry in all(&post) {
        assert_eq!(entry.lastmod().unwrap().to_string(), "2026");
        assert_eq!(entry.changefreq(), Some(ChangeFreq::Daily));
        assert_eq!(entry.priority().unwrap().to_string(), "0.3");
    }
}

#[test]
fn the_list_may_be_a_constant_of_its_own() {
    const LOCALES: &[&str] = &["en", "fr"];

    #[derive(SitemapEntry)]
    #[sitemap(loc = "https://example.com/x?lang={locale}", locales = LOCALES)]
    struct Page;
    assert_eq!(locs(&Page), ["https://example.com/x?lang=en", "https://example.com/x?lang=fr"]);

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}", locales = &["en"])]
    struct Borrowed;
    assert_eq!(locs(&Borrowed), ["https://example.com/en"]);
}

#[test]
fn a_field_names_the_locales_of_its_record() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}/{id}", base = "https://example.com")]
    struct Page<L: AsRef<str>> {
        id: u8,
        #[sitemap(locales)]
        languages: Vec<L>,
    }
    let urls = ["https://example.com/en/1", "https://example.com/de/1"];
    assert_eq!(locs(&Page { id: 1, languages: vec!["en", "de"] }), urls);
    assert_eq!(locs(&Page { id: 1, languages: vec!["en".to_owned(), "de".to_owned()] }), urls);
    assert_eq!(locs(&Page { id: 1, languages: vec![Cow::Borrowed("en"), Cow::Borrowed("de")] }), urls);
    assert!(locs(&Page::<&str> { id: 1, languages: Vec::new() }).is_empty());
    for (languages, message) in [
        (
            ["en", "EN"],
            "two translations of a page have the language \"EN\"; give each translation its own language",
        ),
        (
            ["en", "x-default"],
            "the locales of a record contain `x-default`; remove it, and name the locale of the default page with \
             the attribute `x_default`",
        ),
    ] {
        assert_eq!(error(&Page { id: 1, languages: languages.into() }), message);
    }
}

#[test]
fn locales_may_be_any_iterable_or_be_converted() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}")]
    struct Slice<'a> {
        #[sitemap(locales)]
        languages: &'a [&'a str],
    }
    assert_eq!(
        locs(&Slice { languages: &["en", "de"] }),
        ["https://example.com/en", "https://example.com/de"]
    );

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}")]
    struct Array {
        #[sitemap(locales)]
        locale: [&'static str; 2],
    }
    assert_eq!(locs(&Array { locale: ["en", "de"] }), ["https://example.com/en", "https://example.com/de"]);

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}")]
    struct Text {
        #[sitemap(locales, with = split)]
        languages: String,
    }
    fn split(text: &str) -> std::str::Split<'_, char> {
        text.split(' ')
    }
    assert_eq!(
        locs(&Text { languages: "en de".into() }),
        ["https://example.com/en", "https://example.com/de"]
    );
}

#[derive(SitemapEntry)]
#[sitemap(locales = ["en", "de"], x_default = "en")]
enum Route {
    #[sitemap(loc = "/{locale}/")]
    Home,
    #[sitemap(loc = "/imprint")]
    Imprint,
    #[sitemap(loc = "/{locale}/{id}", locales = ["fr", "it"], x_default = "it")]
    Item { id: u8 },
    #[sitemap(loc = "/{locale}/list", x_default = "de")]
    List,
    #[sitemap(loc = "/{locale}/{locale}")]
    Twice {
        #[sitemap(locales)]
        languages: Vec<String>,
        #[allow(dead_code)]
        #[sitemap(skip)]
        locale: u8,
    },
}

#[test]
fn an_enums_locales_are_for_the_variants_that_name_them() {
    assert_eq!(locs(&Route::Home), ["https://example.com/en/", "https://example.com/de/"]);
    assert_eq!(locs(&Route::Imprint), ["https://example.com/imprint"]);
    assert_eq!(locs(&Route::Item { id: 1 }), ["https://example.com/fr/1", "https://example.com/it/1"]);
    let twice = Route::Twice { languages: vec!["nl".into()], locale: 0 };
    assert_eq!(locs(&twice), ["https://example.com/nl/nl"]);
    let pages: Vec<_> = Route::PAGES.iter().flat_map(locs).collect();
    assert_eq!(
        pages,
        [
            "https://example.com/en/",
            "https://example.com/de/",
            "https://example.com/imprint",
            "https://example.com/en/list",
            "https://example.com/de/list"
        ]
    );
}

#[test]
fn without_locales_a_field_may_be_named_so() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}")]
    struct Page {
        locale: String,
    }
    assert_eq!(locs(&Page { locale: "en".into() }), ["https://example.com/en"]);
    assert!(error(&Page { locale: String::new() }).starts_with("the value for `{locale}`"));
}
