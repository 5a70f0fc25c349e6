//! All that reading a document gives, as text to compare.

use sitemap_core::read::Value;
use sitemap_core::{Item, SitemapReader};

/// Entries with their places, then findings, then the error.
pub fn outcome(mut reader: SitemapReader<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(item)) => lines.push(show(&item)),
            Ok(None) => break,
            Err(error) => {
                lines.push(error.to_string());
                break;
            }
        }
    }
    assert!(matches!(reader.next(), Ok(None)));
    lines.extend(reader.drain_findings().map(|finding| format!("{finding:?}")));
    lines.push(format!("{} {} {:?}", reader.findings_total(), reader.entries(), reader.document().ok()));
    lines
}

fn show(item: &Item<'_>) -> String {
    let places =
        [Value::Loc, Value::LastMod, Value::ChangeFreq, Value::Priority].map(|value| item.value_span(value));
    match item {
        Item::Page(page) => format!("{:?} {:?} {places:?}", page.entry(), page.span()),
        Item::Sitemap(sitemap) => {
            format!("{} {:?} {:?} {places:?}", sitemap.loc(), sitemap.lastmod(), sitemap.span())
        }
        _ => unreachable!(),
    }
}
