//! Validates published sets with the official schemas, if the machine has them next to the checkout.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chrono::{DateTime, Utc};
use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{Dialect, Format, Limits, Publisher, Site, SitemapEntry, Stylesheet};

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

/// Returns the folder of the schemas, or prints a note if the schemas or `xmllint` are missing.
fn schemas() -> Option<PathBuf> {
    let schemas = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/xsd"));
    if schemas.is_dir() && Command::new("xmllint").arg("--version").output().is_ok() {
        return Some(schemas);
    }
    eprintln!("note: validation skipped; it needs xmllint and the schemas in {}", schemas.display());
    None
}

/// Publishes a set of several files and indexes, and validates each file.
fn validate(builder: PublisherBuilder, translated: bool, urlset: &str, index: &str) {
    let Some(schemas) = schemas() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut publisher = builder.to_dir(dir.path()).unwrap();
    publisher.section("items").unwrap().add_all(items()).unwrap();
    if translated {
        publisher.section("translated").unwrap().add_all((0..3).map(Translated)).unwrap();
    }
    let summary = publisher.finish().unwrap();
    assert!(summary.files().len() >= 2 && !summary.indexes().is_empty());
    for file in summary.files() {
        xmllint(&schemas.join(urlset), &dir.path().join(file.name()));
    }
    for file in summary.indexes() {
        xmllint(&schemas.join(index), &dir.path().join(file.name()));
    }
}

fn xmllint(schema: &Path, file: &Path) {
    let output = Command::new("xmllint")
        .args(["--nonet", "--noout", "--schema"])
        .args([schema, file])
        .output()
        .unwrap();
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{problems}{}", fs::read_to_string(file).unwrap());
}

fn site() -> Site {
    Site::new("https://www.example.com/it's/").unwrap()
}

#[test]
fn sets_of_dialect_0_9_are_valid() {
    let builder = Publisher::builder(site()).lower_limits(lower(Dialect::V0_9));
    validate(builder, true, "all.xsd", "all-index.xsd");
}

#[test]
fn sets_with_a_stylesheet_are_valid() {
    let builder = Publisher::builder(site()).lower_limits(lower(Dialect::V0_9)).stylesheet(Stylesheet::OWN);
    validate(builder, true, "all.xsd", "all-index.xsd");
}

#[test]
fn sets_of_dialect_0_84_are_valid() {
    let builder = Publisher::builder(site()).dialect(Dialect::V0_84).lower_limits(lower(Dialect::V0_84));
    validate(builder, false, "0.84-derived/sitemap.xsd", "0.84-derived/siteindex.xsd");
}

#[test]
fn an_index_of_text_files_is_valid() {
    let Some(schemas) = schemas() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut publisher = Publisher::builder(site()).format(Format::Text).to_dir(dir.path()).unwrap();
    publisher.section("items").unwrap().add_all(items()).unwrap();
    publisher.finish().unwrap();
    xmllint(&schemas.join("all-index.xsd"), &dir.path().join("sitemap.xml"));
}
