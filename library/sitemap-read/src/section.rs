//! The section of a file, from its name.

/// Returns the section of a file, like `products` for `sitemap-products-1.xml.gz`.
///
/// File names of a set contain the section in a fixed position. For any other name, the section is what remains
/// without the extension, the word `sitemap` and numbers. If nothing remains, as for `sitemap.xml`, the section is
/// `sitemap`.
///
/// ```
/// use sitemap_read::section_of;
///
/// assert_eq!(section_of("sitemap-blog-posts-12.xml"), "blog-posts");
/// assert_eq!(section_of("post-sitemap.xml"), "post");
/// ```
#[must_use]
pub fn section_of(file_name: &str) -> &str {
    const SEPARATORS: [char; 3] = ['-', '_', '.'];
    if let Some(section) = sitemap_core::publish::files::section_of(file_name) {
        return section;
    }
    let stem = file_name.strip_suffix(".gz").unwrap_or(file_name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let mut name = stem.trim_matches(SEPARATORS);
    loop {
        let number = name.trim_end_matches(|ch: char| ch.is_ascii_digit());
        let shorter = if number.len() < name.len() && (number.is_empty() || number.ends_with(SEPARATORS)) {
            number
        } else if let Some(rest) = without(name, "sitemap") {
            rest
        } else {
            return if name.is_empty() { "sitemap" } else { name };
        };
        name = shorter.trim_matches(SEPARATORS);
    }
}

/// Removes a word from the start or end of a name, if a separator sets the word apart.
fn without<'n>(name: &'n str, word: &str) -> Option<&'n str> {
    let is_separate =
        |rest: &&str| rest.is_empty() || rest.starts_with(['-', '_', '.']) || rest.ends_with(['-', '_', '.']);
    name.strip_prefix(word).filter(is_separate).or_else(|| name.strip_suffix(word).filter(is_separate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_common_names() {
        for (file, section) in [
            ("sitemap-products-1.xml.gz", "products"),
            ("sitemap-blog-posts-12.xml", "blog-posts"),
            ("sitemap-my-2024-1.xml", "my-2024"),
            ("sitemap-my-600-1.xml", "my-600"),
            ("sitemap-2024-1.xml", "2024"),
            ("sitemap-sitemap-1.xml", "sitemap"),
            ("sitemap-pages-2-683993f6.xml", "pages"),
            ("sitemap-pages-12-12345678.txt.gz", "pages"),
            ("sitemap-my-2024-2-99aa06d3014798d899aa06d3014798d8.xml.gz", "my-2024"),
            ("sitemap-posts-007-1.xml", "posts"),
            ("sitemap-posts-511-12.xml.gz", "posts"),
            ("sitemap-posts-007-1-683993f6.xml", "posts"),
            ("sitemap-posts-00007-1-99aa06d3014798d8.xml", "posts"),
            ("sitemap-my-2024-123456-12-99aa06d3014798d8.txt", "my-2024"),
            ("sitemap-deadbeef-1.xml", "deadbeef"),
            ("sitemap-pages-12345678.xml", "pages"),
            ("sitemap-blog-2026-01.xml", "blog"),
            ("post-sitemap.xml", "post"),
            ("post-sitemap2.xml", "post-sitemap2"),
            ("sitemap_products_1.xml", "products"),
            ("sitemap.xml", "sitemap"),
            ("sitemap-1.xml", "sitemap"),
            ("sitemap1.xml", "sitemap1"),
            ("urls.txt", "urls"),
            ("<stdin>", "<stdin>"),
            ("2024.xml", "sitemap"),
            ("", "sitemap"),
        ] {
            assert_eq!(section_of(file), section, "{file}");
        }
    }
}
