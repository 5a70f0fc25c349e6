// The examples of the derive's documentation include this file. It evaluates to a function that returns the `<url>`
// elements of a record. It is a block expression, because `include!` in a function body accepts only an expression.
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
