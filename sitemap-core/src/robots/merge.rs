//! Merges `Sitemap:` lines into an existing robots.txt.

use super::lines::sitemap_lines;
use super::parse::{RawLines, sitemap_value};
use crate::value::{Loc, Site};

/// Replaces the `Sitemap:` lines of a set in a robots.txt, and returns the new content.
///
/// Removes each `Sitemap:` line whose URL starts with the base URL of the site, unless the URL is one of `sitemaps`.
/// Then appends a line for each URL in `sitemaps` that is not listed yet, separated by an empty line. All other bytes
/// stay the same, including line endings and the lines of other sites.
///
/// ```
/// use sitemap_core::robots::merge;
/// use sitemap_core::{Loc, Site};
///
/// let site = Site::new("https://example.com/shop")?;
/// let robots = "User-agent: *\nDisallow: /private\nSitemap: https://example.com/shop/old.xml\n\
///     Sitemap: https://example.com/blog.xml\n";
/// let merged = merge(robots, &site, [&Loc::parse("https://example.com/shop/sitemap.xml")?]);
/// assert_eq!(
///     merged,
///     "User-agent: *\nDisallow: /private\nSitemap: https://example.com/blog.xml\n\n\
///      Sitemap: https://example.com/shop/sitemap.xml\n"
/// );
/// assert_eq!(
///     merge(&merged, &site, [&Loc::parse("https://example.com/shop/sitemap.xml")?]),
///     merged
/// );
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[must_use]
pub fn merge<'l, 'u: 'l>(
    robots_txt: &str,
    site: &Site,
    sitemaps: impl IntoIterator<Item = &'l Loc<'u>>,
) -> String {
    let mut wanted: Vec<String> = Vec::new();
    for loc in sitemaps {
        let line = sitemap_lines([loc]);
        if !wanted.contains(&line) {
            wanted.push(line);
        }
    }
    let mut merged = String::with_capacity(robots_txt.len());
    let mut line_end = "\n";
    let mut is_first = true;
    let lines = RawLines { rest: robots_txt.as_bytes() };
    let mut at = 0;
    for line in lines {
        let whole = &robots_txt[at..at + line.text.len() + line.end.len()];
        if is_first && !line.end.is_empty() {
            line_end = &whole[line.text.len()..];
        }
        at += whole.len();
        let text = if is_first { whole.trim_start_matches('\u{FEFF}') } else { whole };
        is_first = false;
        let value = sitemap_value(text.trim_end_matches(['\r', '\n']).as_bytes());
        let is_wanted = |line: &String| value.is_some() && sitemap_value(line.trim_end().as_bytes()) == value;
        if let Some(at) = wanted.iter().position(is_wanted) {
            wanted.remove(at);
            merged.push_str(whole);
        } else if value.is_some_and(|value| is_of_site(value, site)) {
            // Remove the line, but keep a byte order mark before it.
            merged.push_str(&whole[..whole.len() - text.len()]);
        } else {
            merged.push_str(whole);
        }
    }
    append(&mut merged, &wanted, line_end);
    merged
}

/// Returns `true` if the value of a `Sitemap:` line is a URL that starts with the base URL of the site.
fn is_of_site(value: &[u8], site: &Site) -> bool {
    str::from_utf8(value)
        .ok()
        .and_then(|value| Loc::parse(value).ok())
        .is_some_and(|loc| loc.as_str().starts_with(site.base()))
}

/// Appends `lines` after an empty line.
fn append(merged: &mut String, lines: &[String], line_end: &str) {
    if lines.is_empty() {
        return;
    }
    if !merged.is_empty() && !merged.ends_with(['\n', '\r']) {
        merged.push_str(line_end);
    }
    let is_spaced = merged.is_empty() || merged.ends_with(&format!("{line_end}{line_end}"));
    if !is_spaced {
        merged.push_str(line_end);
    }
    for line in lines {
        merged.push_str(line.trim_end());
        merged.push_str(line_end);
    }
}
