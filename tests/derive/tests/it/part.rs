//! Tests of `SitemapPart`: values that several record types share.

#![allow(clippy::items_after_statements)] // tests declare records next to the expected results
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option, clippy::ref_option_ref)] // `with` passes references to fields

use crate::support::{error, summary};
use sitemap_core::{ChangeFreq, Entry, Error, LastMod, Priority, SitemapEntry, SitemapPart};

#[derive(SitemapPart, Clone, Copy)]
#[sitemap(priority = 0.1)]
struct Meta {
    #[sitemap(lastmod)]
    updated: Option<LastMod>,
    changefreq: Option<ChangeFreq>,
    #[sitemap(skip)]
    #[allow(dead_code)]
    priority: &'static str,
}

fn meta() -> Meta {
    Meta { updated: "2026-01-31".parse().ok(), changefreq: Some(ChangeFreq::Daily), priority: "high" }
}

#[test]
fn a_part_fills_what_the_record_leaves_unset() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}", changefreq = "never")]
    struct Page {
        id: u8,
        lastmod: Option<LastMod>,
        #[sitemap(flatten)]
        meta: Meta,
    }
    let page = Page { id: 1, lastmod: None, meta: meta() };
    assert_eq!(summary(&page), "https://example.com/1 2026-01-31 never 0.1");
    let page = Page { id: 1, lastmod: "2020".parse().ok(), meta: meta() };
    assert_eq!(summary(&page), "https://example.com/1 2020 never 0.1");
}

#[test]
fn the_first_of_two_parts_wins() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Page {
        #[sitemap(flatten)]
        first: Meta,
        #[sitemap(flatten)]
        second: Meta,
    }
    let first = Meta { updated: None, changefreq: Some(ChangeFreq::Always), ..meta() };
    let page = Page { first, second: meta() };
    assert_eq!(summary(&page), "https://example.com/ 2026-01-31 always 0.1");
}

#[test]
fn parts_may_be_nested_generic_converted_and_in_variants() {
    #[derive(SitemapPart)]
    struct Outer<'a, D, M> {
        #[sitemap(lastmod)]
        date: &'a D,
        #[sitemap(priority, with = percent)]
        weight: u8,
        #[sitemap(flatten)]
        meta: M,
    }
    fn percent(number: &u8) -> f64 {
        f64::from(*number) / 100.0
    }

    #[derive(SitemapEntry)]
    enum Route<'sitemap, T> {
        #[sitemap(loc = "/{id}")]
        Page {
            id: u8,
            #[sitemap(flatten)]
            outer: Outer<'sitemap, LastMod, T>,
        },
    }
    let date = "2020-02".parse().unwrap();
    let page = Route::Page { id: 1, outer: Outer { date: &date, weight: 70, meta: meta() } };
    assert_eq!(summary(&page), "https://example.com/1 2020-02 daily 0.7");
}

#[test]
fn a_part_may_be_constants_alone_or_written_by_hand() {
    #[derive(SitemapPart)]
    #[sitemap(lastmod = "2026-01-31T10:00Z", changefreq = ChangeFreq::Weekly, priority = 1)]
    struct Defaults;

    struct ByHand(Priority);
    impl SitemapPart for ByHand {
        fn fill<'a>(&self, entry: Entry<'a>) -> Result<Entry<'a>, Error> {
            Ok(if entry.priority().is_none() { entry.with_priority(self.0) } else { entry })
        }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Page(#[sitemap(flatten)] ByHand, #[sitemap(flatten)] Defaults);
    assert_eq!(
        summary(&Page(ByHand(Priority::MIN), Defaults)),
        "https://example.com/ 2026-01-31T10:00Z weekly 0.0"
    );
}

#[test]
fn an_error_of_a_part_names_the_page_of_the_record() {
    #[derive(SitemapPart)]
    struct Weight {
        priority: f64,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}")]
    struct Page {
        id: u8,
        #[sitemap(flatten)]
        weight: Weight,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}/{id}", locales = ["de", "en"])]
    struct Translated {
        id: u8,
        #[sitemap(flatten)]
        weight: Weight,
    }
    let weight = || Weight { priority: 1.5 };
    assert_eq!(
        error(&Page { id: 1, weight: weight() }),
        "`priority` of `Weight` at \"https://example.com/1\": sitemap priority must be between 0.0 and 1.0, found 1.5"
    );
    assert_eq!(
        error(&Translated { id: 1, weight: weight() }),
        "`priority` of `Weight` at \"https://example.com/de/1\": sitemap priority must be between 0.0 and 1.0, found 1.5"
    );
}
