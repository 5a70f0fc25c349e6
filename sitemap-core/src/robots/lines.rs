//! The `Sitemap:` lines that announce a set.

use std::fmt::Write as _;

use crate::value::Loc;

/// Returns the `Sitemap:` lines for robots.txt, one for each URL.
///
/// You can put the lines anywhere in the file; they do not belong to a `User-agent` group. A site has one robots.txt,
/// at the root of its host, even if the sitemap is in a directory.
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
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "Sitemap: {}", without_fragment(loc));
    }
    lines
}

/// Removes the fragment, because `#` starts a comment in robots.txt.
fn without_fragment<'l>(loc: &'l Loc<'_>) -> &'l str {
    loc.as_str().split('#').next().unwrap_or_default()
}
