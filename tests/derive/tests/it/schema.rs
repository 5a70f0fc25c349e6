//! Tests that published sets are valid according to the official schemas.

use chrono::{DateTime, Utc};
use sitemap_core::publish::SetOptions;
use sitemap_core::{Dialect, Format, Limits, Site, SitemapEntry, SitemapSet, Stylesheet};
use sitemap_tests::Schemas;

#[derive(SitemapEntry)]
#[sitemap(loc = "/items/{0}?q='&x={1}", changefreq = "hourly", priority = 0.123_4)]
struct Item(u32, &'static str, #[sitemap(lastmod)] Option<DateTime<Utc>>);

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/{0}", locales = ["en", "pt-BR", "zh-Hant"], x_default = "en")]
struct Translated(u32);

fn items() -> impl Iterator<Item = Item> {
    (0..5).map(|n| Item(n, "<ü & \"b\">", DateTime::from_timestamp(i64::from(n) * 100_000_000, 0)))
}

fn lower(dialect: Dialect) -> Limits {
    let mut limits = dialect.limits();
    limits.urls = 4;
    limits.sitemaps = 2;
    limits
}

/// Publishes a set with several files and indexes, and validates each file.
fn validate(builder: SetOptions, translated: bool, urlset: &str, index: &str) {
    let Some(schemas) = Schemas::find() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut run = builder.open(dir.path()).unwrap().replace().unwrap();
    run.section("items").unwrap().add_all(items()).unwrap();
    if translated {
        run.section("translated").unwrap().add_all((0..3).map(Translated)).unwrap();
    }
    let summary = run.commit().unwrap();
    assert!(summary.files().len() >= 2 && !summary.indexes().is_empty());
    for file in summary.files() {
        assert_eq!(schemas.validate(urlset, &dir.path().join(file.name())), Ok(()));
    }
    for file in summary.indexes() {
        assert_eq!(schemas.validate(index, &dir.path().join(file.name())), Ok(()));
    }
}

fn site() -> Site {
    Site::new("https://www.example.com/it's/").unwrap()
}

#[test]
fn sets_of_dialect_0_9_are_valid() {
    let builder = SitemapSet::builder(site()).lower_limits(lower(Dialect::V0_9));
    validate(builder, true, "all.xsd", "all-index.xsd");
}

#[test]
fn sets_with_a_stylesheet_are_valid() {
    let builder =
        SitemapSet::builder(site()).lower_limits(lower(Dialect::V0_9)).stylesheet(Stylesheet::BUILT_IN);
    validate(builder, true, "all.xsd", "all-index.xsd");
}

#[test]
fn sets_of_dialect_0_84_are_valid() {
    let builder = SitemapSet::builder(site()).dialect(Dialect::V0_84).lower_limits(lower(Dialect::V0_84));
    validate(builder, false, "0.84-derived/sitemap.xsd", "0.84-derived/siteindex.xsd");
}

#[test]
fn an_index_of_text_files_is_valid() {
    let Some(schemas) = Schemas::find() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut run =
        SitemapSet::builder(site()).format(Format::Text).open(dir.path()).unwrap().replace().unwrap();
    run.section("items").unwrap().add_all(items()).unwrap();
    run.commit().unwrap();
    assert_eq!(schemas.validate("all-index.xsd", &dir.path().join("sitemap.xml")), Ok(()));
}
