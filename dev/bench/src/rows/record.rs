//! The records to publish, with dates as values or as text.

use std::path::Path;

use chrono::{DateTime, Utc};
use sitemap_core::publish::{IndexLastMod, Section};
use sitemap_core::{LastMod, Site, SitemapEntry, SitemapSet};

use crate::Result;
use crate::workload;

/// A row whose date is a value.
#[derive(SitemapEntry)]
#[sitemap(loc = "https://www.example.com/catalog/item-{id}?color=red&size={size}", changefreq = "weekly")]
pub(super) struct Dated {
    pub(super) id: u64,
    pub(super) size: u64,
    pub(super) lastmod: DateTime<Utc>,
    pub(super) priority: f32,
}

/// A row whose date is text, as in files and in databases without a date type.
#[derive(SitemapEntry)]
#[sitemap(loc = "https://www.example.com/catalog/item-{id}?color=red&size={size}", changefreq = "weekly")]
pub(super) struct Texts<'a> {
    pub(super) id: u64,
    pub(super) size: u64,
    #[sitemap(lastmod, with = str::parse::<LastMod>)]
    pub(super) lastmod: &'a str,
    pub(super) priority: f32,
}

/// Publishes the records that `add` adds to the section.
pub(super) fn publish(out: &Path, add: impl FnOnce(&mut Section<'_>) -> Result<()>) -> Result<()> {
    let site = Site::new(workload::BASE)?;
    // The index contains no dates, because they would differ from run to run.
    let mut run = SitemapSet::builder(site).index_lastmod(IndexLastMod::Omit).open(out)?.replace()?;
    let mut section = run.section("catalog")?;
    add(&mut section)?;
    run.commit()?;
    Ok(())
}

/// Returns a row's date as text.
pub(super) fn text(date: DateTime<Utc>) -> String {
    date.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}
