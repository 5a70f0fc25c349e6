//! The `Sitemap:` lines of a set.

use std::fmt::Write as _;

use crate::value::Loc;

/// The `Sitemap:` lines for robots.txt, one for each address.
///
/// They may stand anywhere in the file, outside of its groups. A site has one robots.txt, at its
/// root, also when the sitemap lies deeper.
///
/// Source: [sitemaps.org, informing crawlers](https://www.sitemaps.org/protocol.html#submit_robots).
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_core::robots::sitemap_lines;
///
/// let lines = sitemap_lines([&Loc::parse("https://example.com/sitemap.xml")?]);
/// assert_eq!(lines, "Sitemap: https://example.com/sitemap.xml\n");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[must_use]
pub fn sitemap_lines<'l, 'u: 'l>(sitemaps: impl IntoIterator<Item = &'l Loc<'u>>) -> String {
    let mut lines = String::new();
    for loc in sitemaps {
        // Writing to a string does not fail.
        let _ = writeln!(lines, "Sitemap: {}", without_hash(loc));
    }
    lines
}

/// A `#` begins a comment in robots.txt, and a fragment names no file.
fn without_hash<'l>(loc: &'l Loc<'_>) -> &'l str {
    loc.as_str().split('#').next().unwrap_or_default()
}
