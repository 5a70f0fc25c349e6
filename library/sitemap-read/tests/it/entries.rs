//! Tests the iterator over the pages in a document.

use sitemap_read::{Entries, ReadErrorKind, Rule, SitemapReader};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Returns the URLs of the remaining pages.
fn locs(entries: &mut Entries<'_>) -> Vec<String> {
    entries.map(|entry| entry.unwrap().loc().to_string()).collect()
}

#[test]
fn a_child_sitemap_in_a_urlset_is_skipped() {
    let xml = format!(
        "<urlset xmlns=\"{NS}\">\n<url><loc>https://example.com/1</loc></url>\n\
         <sitemap><loc>https://example.com/a.xml</loc></sitemap>\n\
         <sitemap><loc>https://example.com/b.xml</loc></sitemap>\n\
         <url><loc>https://example.com/2</loc></url>\n</urlset>"
    );
    let mut entries = SitemapReader::from_slice(xml.as_bytes()).into_entries();
    assert_eq!(locs(&mut entries), ["https://example.com/1", "https://example.com/2"]);
    let rules: Vec<_> = entries.drain_findings().map(|finding| finding.rule()).collect();
    assert_eq!(rules, [Rule::ElementMisplaced, Rule::ElementMisplaced]);
    assert!(entries.next().is_none());
}

#[test]
fn an_index_is_one_error_even_if_it_lists_a_page() {
    let xml =
        format!("<sitemapindex xmlns=\"{NS}\"><url><loc>https://example.com/</loc></url></sitemapindex>");
    let mut entries = SitemapReader::from_slice(xml.as_bytes()).into_entries();
    let error = entries.next().unwrap().unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::Index), "{error}");
    assert!(entries.next().is_none());
}
