//! What a run published and what it left out.

use std::fmt;

use crate::error::Error;
use crate::robots::robots_txt_lines;
use crate::value::{LastMod, Loc};

/// A published set: its files, what is in them, and which records were skipped.
///
/// Prints as a table:
///
/// ```text
/// sitemap.xml                             2 sitemaps           372 bytes
/// sitemap-products-1.xml.gz          50,000 URLs         9,114,563 bytes      633,148 stored
/// sitemap-products-2.xml.gz          10,211 URLs         1,861,440 bytes      130,022 stored
/// 60,211 URLs in 2 files, 0 invalid records skipped
/// ```
#[derive(Debug)]
pub struct Summary {
    pub(super) entry_point: Loc<'static>,
    pub(super) files: Vec<PublishedFile>,
    pub(super) indexes: Vec<PublishedFile>,
    pub(super) skipped: SkippedRecords,
}

impl Summary {
    /// The set's address: what to submit to search engines.
    #[must_use]
    pub fn entry_point(&self) -> &Loc<'static> {
        &self.entry_point
    }

    /// The files with pages, in order.
    #[must_use]
    pub fn files(&self) -> &[PublishedFile] {
        &self.files
    }

    /// The index files; none while the entry point is the only file with pages.
    #[must_use]
    pub fn indexes(&self) -> &[PublishedFile] {
        &self.indexes
    }

    /// Pages in all files.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.files.iter().map(|file| file.items).sum()
    }

    /// Bytes of all files with pages, before compression.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// How many records were skipped.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped.count
    }

    /// The first thousand of them.
    #[must_use]
    pub fn skipped_records(&self) -> &[Skipped] {
        &self.skipped.first
    }

    /// The lines to put in robots.txt: one for the entry point and one for each further index.
    #[must_use]
    pub fn robots_txt(&self) -> String {
        let further = self.indexes.iter().skip(1).map(PublishedFile::loc);
        robots_txt_lines(std::iter::once(&self.entry_point).chain(further))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in &self.indexes {
            index.write_row(f, plural(index.items, "sitemap", "sitemaps"))?;
        }
        for file in &self.files {
            file.write_row(f, plural(file.items, "URL", "URLs"))?;
        }
        let (urls, files, skipped) = (self.urls(), self.files.len() as u64, self.skipped());
        write!(
            f,
            "{} {} in {} {}, {} invalid {} skipped",
            Grouped(urls),
            plural(urls, "URL", "URLs"),
            Grouped(files),
            plural(files, "file", "files"),
            Grouped(skipped),
            plural(skipped, "record", "records"),
        )
    }
}

/// One file of a set.
#[derive(Clone, Debug)]
pub struct PublishedFile {
    pub(super) name: String,
    pub(super) loc: Loc<'static>,
    pub(super) items: u64,
    pub(super) bytes: u64,
    pub(super) stored_bytes: u64,
    pub(super) lastmod: Option<LastMod>,
    pub(super) changed: bool,
}

impl PublishedFile {
    /// Its name in the directory.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its address.
    #[must_use]
    pub fn loc(&self) -> &Loc<'static> {
        &self.loc
    }

    /// Pages in it, or sitemaps if it is an index.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Its bytes before compression: what the protocol limits.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its bytes as stored.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// What the index says of its age.
    #[must_use]
    pub fn lastmod(&self) -> Option<LastMod> {
        self.lastmod
    }

    /// Whether this run changed its bytes; unchanged files were left untouched.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.changed
    }

    fn write_row(&self, f: &mut fmt::Formatter<'_>, items: &str) -> fmt::Result {
        let Self { name, bytes, stored_bytes, .. } = self;
        write!(f, "{name:<32} {:>9} {items:<8} {:>14} bytes", Grouped(self.items), Grouped(*bytes))?;
        if bytes != stored_bytes {
            write!(f, " {:>12} stored", Grouped(*stored_bytes))?;
        }
        writeln!(f)
    }
}

/// A record that was left out.
#[derive(Debug)]
pub struct Skipped {
    section: Box<str>,
    number: u64,
    reason: Error,
}

impl Skipped {
    pub(super) fn new(section: &str, number: u64, reason: Error) -> Self {
        Self { section: section.into(), number, reason }
    }

    /// The section it was meant for.
    #[must_use]
    pub fn section(&self) -> &str {
        &self.section
    }

    /// Its place in the section, counted from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What is wrong with it.
    #[must_use]
    pub fn reason(&self) -> &Error {
        &self.reason
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {} of section `{}`: {}", self.number, self.section, self.reason)
    }
}

/// All are counted, but memory must not grow with them.
#[derive(Debug, Default)]
pub(super) struct SkippedRecords {
    count: u64,
    first: Vec<Skipped>,
}

impl SkippedRecords {
    const KEPT: usize = 1_000;

    pub(super) fn push(&mut self, skipped: Skipped) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(skipped);
        }
    }

    #[cfg(feature = "shards")]
    pub(super) fn first(&self) -> &[Skipped] {
        &self.first
    }

    /// Adds those of a section that comes after.
    pub(super) fn append(&mut self, later: Self) {
        self.count += later.count;
        self.first.extend(later.first);
        self.first.truncate(Self::KEPT);
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

fn plural(count: u64, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

/// A number with a comma between each three digits.
struct Grouped(u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        f.pad(&grouped)
    }
}
