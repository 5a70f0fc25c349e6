//! Collects pages for hash buckets in temporary files.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::mem;
use std::sync::Arc;

use sitemap_core::publish::shards::bucket_of;
use sitemap_core::publish::{PublishError, PublishErrorKind};
use sitemap_core::{Entry, Site, SitemapSet, Storage};

use crate::bucket::{self, Pages};
use crate::error::UpdateError;
use crate::file;
use crate::place::Place;

/// The number of parts. Each part contains the pages of a range of buckets, and only one part at a time is in memory.
const PARTS: u32 = 64;

/// The pages of a section. The pages added last are in memory. The others are in files, each of which belongs to one
/// part.
#[derive(Debug)]
pub(crate) struct Spool {
    section: String,
    buckets: u32,
    site: Site,
    storage: Arc<dyn Storage>,
    open: Vec<Entry<'static>>,
    /// The number of pages added so far, including duplicates.
    added: u64,
    /// The names of each part's files, oldest first.
    parts: BTreeMap<u32, Vec<String>>,
    /// The number that identifies the section in the storage.
    number: usize,
    flushes: u64,
}

/// The pages of a range of buckets.
pub(crate) struct Part {
    open: Vec<Entry<'static>>,
    stored: Vec<String>,
}

impl Spool {
    pub(crate) fn new(
        section: &str,
        buckets: u32,
        site: Site,
        storage: Arc<dyn Storage>,
        number: usize,
    ) -> Self {
        Self {
            section: section.to_owned(),
            buckets,
            site,
            storage,
            open: Vec::new(),
            added: 0,
            parts: BTreeMap::new(),
            number,
            flushes: 0,
        }
    }

    pub(crate) fn section(&self) -> &str {
        &self.section
    }

    pub(crate) fn added(&self) -> u64 {
        self.added
    }

    pub(crate) fn add(&mut self, page: Entry<'static>) {
        self.added += 1;
        self.open.push(page);
    }

    /// Writes the pages in memory to temporary files.
    pub(crate) fn flush(&mut self) -> Result<(), UpdateError> {
        let mut parts: BTreeMap<u32, Vec<Entry<'static>>> = BTreeMap::new();
        for page in mem::take(&mut self.open) {
            parts.entry(self.part_of(&page)).or_default().push(page);
        }
        // Each file needs its own name, even if an earlier one contains the same pages.
        self.flushes += 1;
        let section = format!("s{}p{}", self.number, self.flushes);
        for (part, pages) in parts {
            let place = Place::new(&section, PARTS, part);
            let builder = SitemapSet::builder(self.site.clone());
            let rows = bucket::write_all(&builder, &self.storage, &place, pages.iter())?;
            self.parts.entry(part).or_default().extend(rows.iter().map(|row| row.name().to_owned()));
        }
        Ok(())
    }

    fn part_of(&self, page: &Entry<'_>) -> u32 {
        bucket_of(page.loc().as_str(), self.buckets) / self.buckets.div_ceil(PARTS).max(1)
    }

    /// Returns the parts, in the order of their buckets.
    pub(crate) fn take_parts(&mut self) -> Vec<Part> {
        let mut parts: BTreeMap<u32, Part> = BTreeMap::new();
        for (part, stored) in mem::take(&mut self.parts) {
            parts.insert(part, Part { open: Vec::new(), stored });
        }
        for page in mem::take(&mut self.open) {
            let part = parts.entry(self.part_of(&page));
            part.or_insert_with(|| Part { open: Vec::new(), stored: Vec::new() }).open.push(page);
        }
        parts.into_values().collect()
    }

    /// Reads a part's pages, and deletes its files. Returns the pages of each bucket, and the number of duplicates. If
    /// a page was added twice, the last entry wins.
    pub(crate) fn read(&self, part: Part) -> Result<(BTreeMap<u32, Pages>, u64), UpdateError> {
        let (mut of_buckets, mut duplicates) = (BTreeMap::<u32, Pages>::new(), 0);
        let mut add = |page: Entry<'static>| {
            let loc = page.loc().to_string();
            let pages = of_buckets.entry(bucket_of(&loc, self.buckets)).or_default();
            duplicates += u64::from(pages.insert(loc, page).is_some());
            Ok(())
        };
        for name in part.stored {
            file::entries(&self.open(&name)?, &name, &mut add)?;
            // If a file cannot be deleted, it goes away with the whole storage.
            let _ = self.storage.remove(&name);
        }
        part.open.into_iter().try_for_each(add)?;
        Ok((of_buckets, duplicates))
    }

    fn open(&self, name: &str) -> Result<Vec<u8>, UpdateError> {
        let mut bytes = Vec::new();
        let read = self.storage.open(name).and_then(|mut file| file.read_to_end(&mut bytes));
        let failed = |source| {
            let path = self.storage.locate(name);
            UpdateError::from(PublishError::from(PublishErrorKind::Io { action: "read", path, source }))
        };
        read.map(|_| bytes).map_err(failed)
    }
}

/// Deletes all temporary files in the storage.
pub(crate) fn clear(storage: &dyn Storage) {
    for name in storage.list().unwrap_or_default() {
        // If a file cannot be deleted, it goes away with the whole storage.
        let _ = storage.remove(&name);
    }
}
