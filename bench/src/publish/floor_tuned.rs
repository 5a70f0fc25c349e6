//! The floor as fast as plain safe Rust gets: every entry written into an array of fixed length, all
//! digits of a number at once.
//!
//! It does nothing that a library could not: it takes the `DateTime<Utc>` and the numbers of a row,
//! and remembers nothing from one row to the next.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use super::digits::{number, priority, put, rfc3339};
use crate::Result;
use crate::workload::{self, Item};

/// What goes to the file in one write. 64 KiB to 1 MiB are within 3% of each other; this one was the
/// quickest more often than not.
const FLUSH: usize = 128 * 1024;

/// Longer than any entry can be. Entries are written into an array of this length, so that the
/// compiler knows the bounds and copies constants without calls.
const ROOM: usize = 256;

const HEAD: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
const TAIL: &[u8] = b"</urlset>\n";
const INDEX_HEAD: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
const INDEX_TAIL: &[u8] = b"</sitemapindex>\n";

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    publish(dir, entries, |out, at, item| {
        let at = put(out, at, b"https://www.example.com/catalog/item-");
        let at = number(out, at, item.id);
        let at = put(out, at, b"?color=red&amp;size=");
        number(out, at, item.size)
    })
}

/// Publishes the set with locations that `loc` writes, escaped, and whose end it returns.
pub(super) fn publish(
    dir: &Path,
    entries: u64,
    loc: impl Fn(&mut [u8; ROOM], usize, &Item) -> usize,
) -> Result<()> {
    let mut index = INDEX_HEAD.to_vec();
    let mut buffer = vec![0; FLUSH + ROOM];
    for (ids, n) in workload::files(entries).zip(1..) {
        let mut file = File::create(workload::child_path(dir, n))?;
        file.write_all(HEAD)?;
        let mut filled = 0;
        for id in ids {
            let room = buffer[filled..].first_chunk_mut().ok_or("no room")?;
            filled += entry(room, &Item::nth(id), &loc);
            if filled >= FLUSH {
                file.write_all(&buffer[..filled])?;
                filled = 0;
            }
        }
        file.write_all(&buffer[..filled])?;
        file.write_all(TAIL)?;
        let url = workload::child_url(n);
        writeln!(index, "<sitemap><loc>{url}</loc></sitemap>")?;
    }
    index.extend_from_slice(INDEX_TAIL);
    std::fs::write(workload::index_path(dir), index)?;
    Ok(())
}

#[inline]
fn entry(out: &mut [u8; ROOM], item: &Item, loc: &impl Fn(&mut [u8; ROOM], usize, &Item) -> usize) -> usize {
    let at = put(out, 0, b"<url><loc>");
    let at = loc(out, at, item);
    let at = put(out, at, b"</loc><lastmod>");
    let at = put(out, at, &rfc3339(item.lastmod));
    let at = put(out, at, b"</lastmod><changefreq>weekly</changefreq><priority>");
    let at = put(out, at, &priority(item.tenths));
    put(out, at, b"</priority></url>\n")
}
