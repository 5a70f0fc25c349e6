//! Collects rows by section and hash bucket, in memory and on disk.

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::execution::disk_manager::DiskManager;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use sitemap_core::publish::bucket_of;

use super::lists::{Disk, List, Rows, Stored};
use super::row::Row;

/// The largest number of hash buckets that are told apart at once. With more, the rows of neighbouring buckets are collected
/// together, and then once more by bucket. So each list that is on disk has long parts, which are read fast.
const MOST_LISTS: u32 = 1024;

/// The rows of one task, in a list for each hash bucket, or for a few neighbouring buckets, of each section.
///
/// A list is in the order in which its rows came. If the memory limit is reached, all lists move to disk.
pub(super) struct Gather {
    numbers: Numbers,
    /// The sections, in the order of their first rows.
    sections: Vec<Section>,
    /// The position of the section of the last row.
    last: usize,
    /// The number of bytes of memory of all lists.
    held: usize,
    disk: Disk,
    reservation: MemoryReservation,
    /// The bytes of the row that is added.
    row: Vec<u8>,
}

/// The hash buckets whose rows are collected, and how many neighbouring ones share a list.
#[derive(Clone, Copy)]
struct Numbers {
    /// The number of hash buckets of each section.
    buckets: u32,
    first: u32,
    width: u32,
    lists: u32,
}

struct Section {
    name: String,
    lists: Vec<Option<Box<List>>>,
}

/// The lists of a section, with their numbers, in order. If a list has one hash bucket, its number is that of the bucket.
pub(super) struct Gathered {
    pub(super) section: String,
    pub(super) lists: Vec<(u32, Box<List>)>,
}

/// Reads the lists that were collected.
pub(super) struct Lists {
    numbers: Numbers,
    manager: Arc<DiskManager>,
    stored: Stored,
    reservation: MemoryReservation,
}

impl Numbers {
    fn all(buckets: u32) -> Self {
        let width = buckets.div_ceil(MOST_LISTS).max(1);
        Self { buckets, first: 0, width, lists: buckets.div_ceil(width) }
    }

    /// Returns the hash buckets of a list.
    fn of_list(self, number: u32) -> Self {
        let first = self.first + number * self.width;
        Self { first, width: 1, lists: self.width.min(self.buckets - first), ..self }
    }

    /// Returns the position of the list of a hash bucket.
    fn list(self, bucket: u32) -> usize {
        (bucket.saturating_sub(self.first) / self.width).min(self.lists - 1) as usize
    }
}

impl Gather {
    /// Starts to collect rows of `buckets` hash buckets. Errors about memory contain the name `consumer`.
    pub(super) fn new(context: &TaskContext, consumer: String, buckets: u32) -> Self {
        let consumer = MemoryConsumer::new(consumer).with_can_spill(true);
        let disk = Arc::clone(&context.runtime_env().disk_manager);
        Self::with(Numbers::all(buckets), disk, consumer.register(context.memory_pool()))
    }

    fn with(numbers: Numbers, manager: Arc<DiskManager>, reservation: MemoryReservation) -> Self {
        let (sections, disk, row) = (Vec::new(), Disk::new(manager), Vec::new());
        Self { numbers, sections, last: 0, held: 0, disk, reservation, row }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, section: &str, bucket: u32, row: &Row<'_>) {
        let mut bytes = std::mem::take(&mut self.row);
        bytes.clear();
        row.encode(&mut bytes);
        self.push_bytes(section, bucket, &bytes);
        self.row = bytes;
    }

    fn push_bytes(&mut self, section: &str, bucket: u32, row: &[u8]) {
        let numbers = self.numbers;
        let list = self.section(section).lists[numbers.list(bucket)].get_or_insert_default();
        if numbers.width == 1 {
            list.count(row);
        }
        let before = list.held();
        list.push(row);
        self.held += list.held() - before;
    }

    fn section(&mut self, name: &str) -> &mut Section {
        if self.sections.get(self.last).is_none_or(|section| section.name != name) {
            let found = self.sections.iter().position(|section| section.name == name);
            self.last = found.unwrap_or(self.sections.len());
            if found.is_none() {
                let lists = (0..self.numbers.lists).map(|_| None).collect();
                self.sections.push(Section { name: name.to_owned(), lists });
            }
        }
        &mut self.sections[self.last]
    }

    /// Reserves the memory that the rows occupy. If there is too little, moves the rows to disk.
    pub(super) fn reserve(&mut self) -> Result<()> {
        if self.reservation.try_resize(self.held).is_ok() { Ok(()) } else { self.store() }
    }

    /// Moves all rows to disk.
    fn store(&mut self) -> Result<()> {
        for list in self.sections.iter_mut().flat_map(|section| section.lists.iter_mut().flatten()) {
            list.store(&mut self.disk)?;
        }
        self.held = 0;
        self.reservation.try_resize(0)
    }

    /// Ends the collection. Returns the sections in the order of their names.
    pub(super) fn finish(mut self) -> Result<(Vec<Gathered>, Lists)> {
        if self.numbers.width > 1 && !self.disk.is_empty() {
            // Dividing a list needs the memory.
            self.store()?;
        }
        let Self { numbers, mut sections, disk, reservation, .. } = self;
        sections.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        let gathered = sections.into_iter().map(|Section { name, lists }| {
            let lists = (numbers.first..).zip(lists).filter_map(|(number, list)| Some((number, list?)));
            Gathered { section: name, lists: lists.collect() }
        });
        let gathered = gathered.collect();
        let manager = Arc::clone(disk.manager());
        Ok((gathered, Lists { numbers, manager, stored: disk.finish()?, reservation }))
    }
}

impl Lists {
    /// Returns `true` if each list has the rows of one hash bucket.
    pub(super) fn are_buckets(&self) -> bool {
        self.numbers.width == 1
    }

    /// Collects the rows of a list once more, by hash bucket.
    pub(super) fn divide(&mut self, section: &str, number: u32, list: List) -> Result<(Vec<Gathered>, Self)> {
        let (numbers, manager) = (self.numbers.of_list(number), Arc::clone(&self.manager));
        let mut gather = Gather::with(numbers, manager, self.reservation.new_empty());
        self.read(list, |rows| {
            for row in rows {
                let row = row?;
                // `sitemap_bucket` puts a row without a URL into bucket 0.
                let loc = Row::loc_in(row).unwrap_or_default();
                let bucket = str::from_utf8(loc).map_or(0, |loc| bucket_of(loc, numbers.buckets));
                gather.push_bytes(section, bucket, row);
            }
            gather.reserve()
        })?;
        gather.finish()
    }

    /// Passes the rows of a list, piece by piece, and frees it.
    pub(super) fn read(&mut self, list: List, each: impl FnMut(Rows<'_>) -> Result<()>) -> Result<()> {
        let held = list.held();
        list.read(&mut self.stored, each)?;
        self.reservation.shrink(held.min(self.reservation.size()));
        Ok(())
    }

    /// Frees a list.
    pub(super) fn leave_out(&mut self, list: List) {
        self.reservation.shrink(list.held().min(self.reservation.size()));
        drop(list);
    }
}
