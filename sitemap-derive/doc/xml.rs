// Evaluates to a function that returns the `<url>` elements of a record, for the examples of the reference.
// It is an expression, because `include!` in a function body accepts nothing else.
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
