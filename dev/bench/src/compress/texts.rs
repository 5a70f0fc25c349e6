//! The texts that are compressed: whole sitemaps.

use std::fmt::Write as _;

use chrono::DateTime;
use sitemap_core::{Site, SitemapWriter};

use crate::Result;
use crate::publish::page;
use crate::rich::documents::KINDS;
use crate::workload::BASE;

/// The number of entries in each text, which is the protocol's limit for a file.
const ENTRIES: u64 = 50_000;

/// The text from which the slugs take their words. A word that is common here is also common in the slugs.
const WORDS: &str = include_str!("../../../../LICENSE-APACHE");

/// A sitemap and its name in the table.
pub struct Text {
    /// The name in the table.
    pub name: String,
    /// The bytes of the sitemap.
    pub bytes: Vec<u8>,
}

/// Returns the texts of the table, in order.
///
/// # Errors
///
/// Returns an error if an entry is invalid.
pub fn all() -> Result<Vec<Text>> {
    let mut texts = vec![
        Text { name: "catalog".to_owned(), bytes: catalog()? },
        Text { name: "slugs".to_owned(), bytes: slugs().into_bytes() },
    ];
    for name in ["two images", "five translations"] {
        let kind = KINDS.iter().find(|kind| kind.name == name).ok_or("a kind of document is missing")?;
        texts.push(Text { name: name.to_owned(), bytes: kind.document(ENTRIES).into_bytes() });
    }
    Ok(texts)
}

/// Returns the first file of the set that the program `publish` publishes.
fn catalog() -> Result<Vec<u8>> {
    let mut writer = SitemapWriter::new(Site::new(BASE)?, Vec::new());
    (0..ENTRIES).try_for_each(|id| writer.add(&page(id)))?;
    Ok(writer.finish()?.0)
}

/// Returns a sitemap of a magazine: long URLs with a section, a date, three to nine words and a number, each with a
/// `lastmod` in seconds. Neighbouring entries have nothing in common but the layout.
fn slugs() -> String {
    let words: Vec<String> = WORDS
        .split(|char: char| !char.is_ascii_alphabetic())
        .filter(|word| word.len() > 1)
        .map(str::to_ascii_lowercase)
        .collect();
    let sections = ["world", "business", "technology", "science", "health", "sport", "travel", "arts"];
    let mut random = Random(1);
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for _ in 0..ENTRIES {
        let published =
            DateTime::from_timestamp(1_262_304_000 + random.below(500_000_000), 0).unwrap_or_default();
        let modified = published + chrono::Duration::seconds(random.below(10_000_000));
        let section = sections[random.index(sections.len())];
        _ = write!(out, "<url><loc>{BASE}{section}/{}/", published.format("%Y/%m/%d"));
        for _ in 0..3 + random.below(7) {
            _ = write!(out, "{}-", words[random.index(words.len())]);
        }
        let (number, date) = (100_000 + random.below(900_000), modified.format("%Y-%m-%dT%H:%M:%SZ"));
        _ = writeln!(out, "{number}</loc><lastmod>{date}</lastmod></url>");
    }
    out.push_str("</urlset>\n");
    out
}

/// Random numbers that are the same in every run (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> i64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((number * u64::from(limit)) >> 32).cast_signed()
    }

    fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(u32::try_from(len).unwrap_or(u32::MAX))).unwrap_or_default()
    }
}
