//! What a run published and what it left out.

use std::fmt;

use super::error::PublishError;
use super::options::PublisherBuilder;
use super::set::{Kind, Row, names};
use super::skipped::{SkippedRecord, SkippedRecords};
use crate::robots;
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
    entry_point: Loc<'static>,
    files: Vec<PublishedFile>,
    indexes: Vec<PublishedFile>,
    skipped: SkippedRecords,
}

impl Summary {
    pub(super) fn new(
        rows: &[Row],
        options: &PublisherBuilder,
        skipped: SkippedRecords,
    ) -> Result<Self, PublishError> {
        let entry_point = options.site.file(names::ENTRY_POINT)?;
        let (mut files, mut indexes) = (Vec::new(), Vec::new());
        for row in rows {
            let file = PublishedFile {
                name: row.name.clone(),
                loc: options.site.file(&row.name)?,
                entries: row.entries,
                bytes: row.bytes,
                stored_bytes: row.metadata.len,
                lastmod: row.index_lastmod(options.index_lastmod),
                changed: row.staged.is_some(),
            };
            match row.kind {
                Kind::Pages => files.push(file),
                Kind::Index => indexes.push(file),
            }
        }
        Ok(Self { entry_point, files, indexes, skipped })
    }

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
        self.files.iter().map(|file| file.entries).sum()
    }

    /// Bytes of all files with pages, before compression.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// How many records were skipped.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped.count()
    }

    /// The first thousand of them.
    #[must_use]
    pub fn skipped_records(&self) -> &[SkippedRecord] {
        self.skipped.first()
    }

    /// The lines to put in robots.txt: one for the entry point and one for each further index.
    #[must_use]
    pub fn robots_txt(&self) -> String {
        let further = self.indexes.iter().skip(1).map(PublishedFile::loc);
        robots::sitemap_lines(std::iter::once(&self.entry_point).chain(further))
    }
}

/// An object with the keys `entry_point`, `files`, `indexes`, `urls`, `bytes`, `skipped` and `skipped_records`.
#[cfg(feature = "serde")]
impl serde::Serialize for Summary {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut object = serializer.serialize_struct("Summary", 7)?;
        object.serialize_field("entry_point", &self.entry_point)?;
        object.serialize_field("files", &self.files)?;
        object.serialize_field("indexes", &self.indexes)?;
        object.serialize_field("urls", &self.urls())?;
        object.serialize_field("bytes", &self.bytes())?;
        object.serialize_field("skipped", &self.skipped())?;
        object.serialize_field("skipped_records", self.skipped_records())?;
        object.end()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in &self.indexes {
            index.write_row(f, plural(index.entries, "sitemap", "sitemaps"))?;
        }
        for file in &self.files {
            file.write_row(f, plural(file.entries, "URL", "URLs"))?;
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PublishedFile {
    name: String,
    loc: Loc<'static>,
    entries: u64,
    bytes: u64,
    stored_bytes: u64,
    lastmod: Option<LastMod>,
    changed: bool,
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
    pub fn entries(&self) -> u64 {
        self.entries
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
        write!(f, "{name:<32} {:>9} {items:<8} {:>14} bytes", Grouped(self.entries), Grouped(*bytes))?;
        if bytes != stored_bytes {
            write!(f, " {:>12} stored", Grouped(*stored_bytes))?;
        }
        writeln!(f)
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
