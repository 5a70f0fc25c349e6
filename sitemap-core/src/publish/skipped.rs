//! The invalid records that a run skipped.

use std::fmt;

use crate::error::Error;

/// An invalid record that a run skipped.
///
/// ```
/// use sitemap_core::publish::OnInvalid;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let builder = SitemapSet::builder(Site::new("https://example.com")?).on_invalid(OnInvalid::Skip);
/// let mut run = builder.storage(Memory::new()).replace()?;
/// run.section("pages")?.add_all(["/", "ftp://example.com/"])?;
/// let summary = run.commit()?;
///
/// let skipped = &summary.skipped_records()[0];
/// assert_eq!((skipped.section(), skipped.number()), ("pages", 2));
/// assert!(skipped.error().to_string().contains("`http` or `https`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SkippedRecord {
    section: Box<str>,
    number: u64,
    reason: Error,
}

impl SkippedRecord {
    pub(super) fn new(section: &str, number: u64, reason: Error) -> Self {
        Self { section: section.into(), number, reason }
    }

    /// Returns the section of the record.
    #[must_use]
    pub fn section(&self) -> &str {
        &self.section
    }

    /// Returns the position of the record in its section, counted from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns what is wrong with the record.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.reason
    }
}

/// Serialises an object with the keys `section`, `number` and `reason`. The reason is the error message.
#[cfg(feature = "serde")]
impl serde::Serialize for SkippedRecord {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut object = serializer.serialize_struct("SkippedRecord", 3)?;
        object.serialize_field("section", &self.section)?;
        object.serialize_field("number", &self.number)?;
        object.serialize_field("reason", &self.reason.to_string())?;
        object.end()
    }
}

impl fmt::Display for SkippedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {} of section `{}`: {}", self.number, self.section, self.reason)
    }
}

/// The number of records that a run skipped, and the first 1,000 of them. The others are only counted, so that memory
/// doesn't grow.
#[derive(Debug, Default)]
pub(super) struct SkippedRecords {
    count: u64,
    first: Vec<SkippedRecord>,
}

impl SkippedRecords {
    const KEPT: usize = 1_000;

    /// Creates the count of records that other processes skipped.
    pub(super) fn counted(count: u64) -> Self {
        Self { count, first: Vec::new() }
    }

    pub(super) fn push(&mut self, skipped: SkippedRecord) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(skipped);
        }
    }

    pub(super) fn first(&self) -> &[SkippedRecord] {
        &self.first
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Appends the skipped records of a later section.
    pub(super) fn append(&mut self, later: Self) {
        self.count += later.count;
        self.first.extend(later.first);
        self.first.truncate(Self::KEPT);
    }
}
