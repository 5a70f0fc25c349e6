//! Checks that a contender published the whole set, so that none gains by skipping work.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::Result;
use crate::publish::Layout;
use crate::workload::{self, Item};

/// Checks the file names and the number of URLs in each file. Returns the total size in bytes.
///
/// # Errors
///
/// Returns an error that names the first file with the wrong number of URLs, or the missing and unexpected files.
pub fn shape(dir: &Path, entries: u64) -> Result<u64> {
    let mut expected = BTreeSet::from([workload::index_path(dir)]);
    let mut bytes = fs::metadata(workload::index_path(dir))?.len();
    for (ids, n) in workload::files(entries).zip(1..) {
        let path = workload::child_path(dir, n);
        let text = fs::read_to_string(&path)?;
        let urls = text.matches("<url>").count() as u64;
        if urls != ids.end - ids.start {
            let expected = ids.end - ids.start;
            return Err(format!("{}: found {urls} URLs, expected {expected}", path.display()).into());
        }
        bytes += text.len() as u64;
        expected.insert(path);
    }
    let mut found: BTreeSet<_> = fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    // The manifest is allowed, because this project writes it for its next run.
    found.remove(&dir.join(".sitemap-manifest.jsonl"));
    if found != expected {
        let odd: Vec<_> = found.symmetric_difference(&expected).collect();
        return Err(format!("missing or unexpected files: {odd:?}").into());
    }
    Ok(bytes)
}

/// Checks every value of every entry and, for an exact layout, every byte.
///
/// # Errors
///
/// Returns an error that quotes the first difference.
pub fn contents(dir: &Path, entries: u64, layout: Layout) -> Result<()> {
    let mut files = 0;
    for (ids, n) in workload::files(entries).zip(1..) {
        let text = fs::read_to_string(workload::child_path(dir, n))?;
        let lines = ids.clone().map(|id| line(&Item::nth(id)));
        match layout {
            Layout::Exact => exact(&text, "urlset", "", lines)?,
            Layout::Own => own(&text, lines)?,
            Layout::TwoImages => exact(&text, "urlset", IMAGE_NAMESPACE, ids.map(line_with_images))?,
        }
        files = n;
    }
    let index = fs::read_to_string(workload::index_path(dir))?;
    let lines = (1..=files).map(|n| format!("<sitemap><loc>{}</loc></sitemap>\n", workload::child_url(n)));
    match layout {
        Layout::Exact | Layout::TwoImages => exact(&index, "sitemapindex", "", lines),
        Layout::Own => own(&index, lines),
    }
}

/// Returns the line that the exact layout expects for an entry.
fn line(item: &Item) -> String {
    format!(
        "<url><loc>{}</loc><lastmod>{}</lastmod><changefreq>weekly</changefreq>\
         <priority>{}.{}</priority></url>\n",
        item.loc().replace('&', "&amp;"),
        item.lastmod.format("%Y-%m-%dT%H:%M:%SZ"),
        item.tenths / 10,
        item.tenths % 10,
    )
}

const IMAGE_NAMESPACE: &str = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";

fn line_with_images(id: u64) -> String {
    let image = |name| {
        let url = format!("https://cdn.example.com/{id}/{name}.jpg?w=640&amp;h=480");
        format!("<image:image><image:loc>{url}</image:loc></image:image>")
    };
    let images: String = workload::IMAGES.map(image).concat();
    line(&Item::nth(id)).replace("</url>", &format!("{images}</url>"))
}

fn exact(text: &str, root: &str, namespaces: &str, lines: impl Iterator<Item = String>) -> Result<()> {
    let head = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"{namespaces}>\n"
    );
    let mut rest = text;
    for piece in [head].into_iter().chain(lines) {
        rest = rest.strip_prefix(&piece).ok_or_else(|| differs(&piece, rest))?;
    }
    let tail = format!("</{root}>\n");
    if rest == tail { Ok(()) } else { Err(differs(&tail, rest)) }
}

/// Compares the elements' names and text with the expected lines. Elements without text are ignored.
fn own(text: &str, lines: impl Iterator<Item = String>) -> Result<()> {
    let mut found = texts(text);
    for line in lines {
        for (name, expected) in texts(&line) {
            let Some((found_name, found)) = found.next() else {
                return Err(differs(expected, ""));
            };
            if found_name != name || !same(name, found, expected) {
                return Err(differs(expected, found));
            }
        }
    }
    match found.next() {
        Some((_, rest)) => Err(differs("", rest)),
        None => Ok(()),
    }
}

/// Returns the name and text of each element that contains text.
fn texts(xml: &str) -> impl Iterator<Item = (&str, &str)> {
    xml.split('<').filter_map(|tag| {
        let (name, text) = tag.split_once('>')?;
        (!text.trim().is_empty()).then_some((name, text))
    })
}

fn same(name: &str, found: &str, expected: &str) -> bool {
    match name {
        "lastmod" => found.replace("+00:00", "Z") == expected,
        "priority" => found.parse::<f32>() == expected.parse::<f32>(),
        _ => found == expected,
    }
}

fn differs(expected: &str, found: &str) -> Box<dyn std::error::Error> {
    let found: String = found.chars().take(expected.len().max(80)).collect();
    format!("expected {expected:?}\n   found {found:?}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> impl Iterator<Item = String> {
        (0..3).map(|id| line(&Item::nth(id)))
    }

    #[test]
    fn own_layout_compares_values() {
        let text: String = lines().collect();
        let indented = text.replace("><", ">\n\t<").replace('Z', "+00:00");
        own(&indented, lines()).unwrap();
        own(&text.replace("item-2", "item-3"), lines()).unwrap_err();
        own(&text.replace("0.1", "0.2"), lines()).unwrap_err();
        own(&text.replace("&amp;", "&"), lines()).unwrap_err();
        own(&text, lines().take(2)).unwrap_err();
        own(&text, lines().chain(lines())).unwrap_err();
    }

    #[test]
    fn exact_layout_compares_bytes() {
        let body: String = lines().collect();
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{body}</urlset>\n"
        );
        exact(&text, "urlset", "", lines()).unwrap();
        exact(text.trim_end(), "urlset", "", lines()).unwrap_err();
        exact(&text.replace("><", ">\n<"), "urlset", "", lines()).unwrap_err();
    }
}
