// The `<url>` elements that a record has in a sitemap, for the examples of the reference. An
// expression, because `include!` in a function takes nothing else; each use makes it anew.
{
    fn xml(record: &impl sitemap_core::SitemapEntry) -> String {
        let site = sitemap_core::Site::new("https://example.com").unwrap();
        let mut sitemap = sitemap_core::SitemapWriter::new(site, Vec::new());
        sitemap.add(record).unwrap();
        let text = String::from_utf8(sitemap.finish().unwrap().0).unwrap();
        let lines: Vec<_> = text.lines().filter(|line| line.contains("<url>")).collect();
        lines.join("\n")
    }
    xml
}
