//! Formats a record's entries as strings.

use sitemap_core::{Entry, Site, SitemapEntry, entries_of};

pub(crate) fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

pub(crate) fn all(record: &impl SitemapEntry) -> Vec<Entry<'static>> {
    entries_of(record, &site()).unwrap()
}

pub(crate) fn one(record: &impl SitemapEntry) -> Entry<'static> {
    let mut found = all(record);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

pub(crate) fn locs(record: &impl SitemapEntry) -> Vec<String> {
    all(record).iter().map(|entry| entry.loc().to_string()).collect()
}

/// Returns `loc lastmod changefreq priority` for a record's only page, with `-` for a missing value.
pub(crate) fn summary(record: &impl SitemapEntry) -> String {
    fn or_dash(value: Option<impl ToString>) -> String {
        value.map_or_else(|| "-".to_owned(), |value| value.to_string())
    }
    let entry = one(record);
    format!(
        "{} {} {} {}",
        entry.loc(),
        or_dash(entry.lastmod()),
        or_dash(entry.changefreq()),
        or_dash(entry.priority())
    )
}

pub(crate) fn error(record: &impl SitemapEntry) -> String {
    entries_of(record, &site()).unwrap_err().to_string()
}
