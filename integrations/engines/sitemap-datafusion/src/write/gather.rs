//! Collects rows by section and hash bucket, in memory and on disk.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::internal_err;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::execution::disk_manager::DiskManager;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use sitemap_core::publish::shards::bucket_of;

use super::lists::{Disk, List, Rows, Stored};
use super::row::Row;

/// The maximum number of lists in a section. If there are more hash buckets, neighbouring buckets share a list, which
/// is split by bucket later. This way, each list has long parts on disk, which are fast to read.
const MOST_LISTS: u32 = 1024;

/// The rows of one task. Each section has one list per hash bucket, or per group of neighbouring buckets.
///
/// A list keeps its rows in the order of their arrival. When the memory limit is reached, the rows of all lists are
/// moved to disk.
pub(super) struct Gather {
    numbers: Numbers,
    /// The sections, ordered by their first rows.
    sections: Vec<Section>,
    /// Each section's index in `sections`.
    by_name: HashMap<Box<str>, usize>,
    /// The index in `sections` of the last row's section.
    last: usize,
    /// The memory used by rows that are not on disk, in bytes.
    held: usize,
    /// The memory still needed after all rows have moved to disk, in bytes.
    fixed: usize,
    disk: Disk,
    reservation: MemoryReservation,
    /// A buffer for a row's bytes.
    row: Vec<u8>,
}

/// How hash buckets are assigned to lists.
#[derive(Clone, Copy)]
struct Numbers {
    /// The number of hash buckets per section.
    buckets: u32,
    /// The first hash bucket whose rows we collect.
    first: u32,
    /// The number of neighbouring hash buckets that share a list.
    width: u32,
    /// The number of lists per section.
    lists: u32,
}

struct Section {
    name: Box<str>,
    lists: Vec<Option<Box<List>>>,
}

/// A section's lists in order. The number of a list is its hash bucket, or the index of its group of neighbouring
/// buckets.
pub(super) struct Gathered {
    pub(super) section: Box<str>,
    pub(super) lists: Vec<(u32, Box<List>)>,
}

/// Reads the collected lists.
pub(super) struct Lists {
    numbers: Numbers,
    manager: Arc<DiskManager>,
    stored: Stored,
    reservation: MemoryReservation,
}

impl Numbers {
    fn all(buckets: u32) -> Self {
        let width = buckets.div_ceil(MOST_LISTS).max(1);
        Self { buckets, first: 0, width, lists: buckets.div_ceil(width).max(1) }
    }

    /// Returns how a single list's hash buckets are split further.
    fn of_list(self, number: u32) -> Self {
        let first = self.first + number * self.width;
        Self { first, width: 1, lists: self.width.min(self.buckets - first), ..self }
    }

    /// Returns the index of a hash bucket's list.
    fn list(self, bucket: u32) -> Option<usize> {
        let list = bucket.checked_sub(self.first)? / self.width;
        (list < self.lists).then_some(list as usize)
    }
}

impl Gather {
    /// Creates a collection for rows of `buckets` hash buckets. Errors about memory contain the name `consumer`.
    pub(super) fn new(context: &TaskContext, consumer: String, buckets: u32) -> Self {
        let consumer = MemoryConsumer::new(consumer).with_can_spill(true);
        let disk = Arc::clone(&context.runtime_env().disk_manager);
        Self::with(Numbers::all(buckets), disk, consumer.register(context.memory_pool()))
    }

    fn with(numbers: Numbers, manager: Arc<DiskManager>, reservation: MemoryReservation) -> Self {
        Self {
            numbers,
            sections: Vec::new(),
            by_name: HashMap::new(),
            last: 0,
            held: 0,
            fixed: 0,
            disk: Disk::new(manager),
            reservation,
            row: Vec::new(),
        }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, section: &str, bucket: u32, row: &Row<'_>) -> Result<()> {
        let mut bytes = std::mem::take(&mut self.row);
        bytes.clear();
        row.encode(&mut bytes);
        self.push_bytes(section, bucket, &bytes)?;
        self.row = bytes;
        Ok(())
    }

    fn push_bytes(&mut self, section: &str, bucket: u32, row: &[u8]) -> Result<()> {
        let numbers = self.numbers;
        let Some(at) = numbers.list(bucket) else {
            return internal_err!("a row is in hash bucket {bucket} of {}", numbers.buckets);
        };
        let list = &mut self.section(section).lists[at];
        let is_new = list.is_none();
        let list = list.get_or_insert_default();
        if numbers.width == 1 {
            list.count(row);
        }
        let before = list.held();
        list.push(row);
        self.held += list.held() - before;
        if is_new {
            self.fixed += size_of::<List>();
        }
        Ok(())
    }

    fn section(&mut self, name: &str) -> &mut Section {
        if self.sections.get(self.last).is_none_or(|section| *section.name != *name) {
            let found = self.by_name.get(name).copied();
            self.last = found.unwrap_or(self.sections.len());
            if found.is_none() {
                let lists: Vec<_> = (0..self.numbers.lists).map(|_| None).collect();
                self.fixed += size_of_val(&*lists) + 2 * name.len() + size_of::<Section>();
                self.sections.push(Section { name: name.into(), lists });
                self.by_name.insert(name.into(), self.last);
            }
        }
        &mut self.sections[self.last]
    }

    /// Reserves the memory that the rows occupy. If there is not enough, moves the rows to disk.
    pub(super) fn reserve(&mut self) -> Result<()> {
        if self.reservation.try_resize(self.fixed + self.held).is_ok() { Ok(()) } else { self.store() }
    }

    /// Moves all rows to disk.
    fn store(&mut self) -> Result<()> {
        for list in self.sections.iter_mut().flat_map(|section| section.lists.iter_mut().flatten()) {
            self.fixed += list.store(&mut self.disk)?;
        }
        self.held = 0;
        self.reservation.try_resize(self.fixed).map_err(|error| {
            let (sections, buckets) = (self.sections.len(), self.numbers.buckets);
            error.context(format!(
                "{sections} sections of {buckets} hash buckets do not fit in memory; use fewer of them, or give the query \
                 more memory, for example with `sitemap-sql --memory`"
            ))
        })
    }

    /// Finishes collecting. Returns the sections sorted by name.
    pub(super) fn finish(mut self) -> Result<(Vec<Gathered>, Lists)> {
        if self.numbers.width > 1 && !self.disk.is_empty() {
            // Splitting a list needs this memory.
            self.store()?;
        }
        let Self { numbers, mut sections, disk, reservation, .. } = self;
        sections.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        let gathered = sections.into_iter().map(|Section { name, lists }| {
            let lists = lists.into_iter().zip(numbers.first..);
            let lists = lists.filter_map(|(list, number)| Some((number, list?)));
            Gathered { section: name, lists: lists.collect() }
        });
        let gathered = gathered.collect();
        let manager = Arc::clone(disk.manager());
        Ok((gathered, Lists { numbers, manager, stored: disk.finish()?, reservation }))
    }
}

impl Lists {
    /// Returns `true` if each list contains a single hash bucket.
    pub(super) fn are_buckets(&self) -> bool {
        self.numbers.width == 1
    }

    /// Collects a list's rows again, this time by hash bucket.
    pub(super) fn divide(&mut self, section: &str, number: u32, list: List) -> Result<(Vec<Gathered>, Self)> {
        let (numbers, manager) = (self.numbers.of_list(number), Arc::clone(&self.manager));
        let mut gather = Gather::with(numbers, manager, self.reservation.new_empty());
        self.read(list, |rows| {
            for row in rows {
                let row = row?;
                let loc = Row::loc_in(row).and_then(|loc| str::from_utf8(loc).ok());
                // A row without a URL goes to bucket 0, as in the SQL function `sitemap_bucket`.
                let bucket = loc.map_or(0, |loc| bucket_of(loc, numbers.buckets));
                gather.push_bytes(section, bucket, row)?;
            }
            gather.reserve()
        })?;
        gather.finish()
    }

    /// Passes on a list's rows, piece by piece, and frees the list.
    pub(super) fn read(&mut self, list: List, each: impl FnMut(Rows<'_>) -> Result<()>) -> Result<()> {
        let held = list.held();
        list.read(&mut self.stored, each)?;
        self.reservation.shrink(held.min(self.reservation.size()));
        Ok(())
    }

    /// Frees a list without reading it.
    pub(super) fn leave_out(&mut self, list: List) {
        self.reservation.shrink(list.held().min(self.reservation.size()));
        drop(list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_is_in_one_list() {
        for buckets in [1, 2, 1023, 1024, 1025, 1500, 2048, 40_000, u32::MAX] {
            let all = Numbers::all(buckets);
            assert!(all.lists <= MOST_LISTS, "{buckets}");
            let mut next = 0;
            for number in 0..all.lists {
                let of_list = all.of_list(number);
                let last = of_list.first + (of_list.lists - 1);
                assert_eq!(of_list.first, next, "{buckets}");
                for bucket in [next, last] {
                    assert_eq!(all.list(bucket), Some(number as usize));
                    assert_eq!(of_list.list(bucket), Some((bucket - next) as usize));
                }
                next = last.wrapping_add(1);
            }
            assert_eq!(next, buckets);
            assert_eq!(all.of_list(all.lists - 1).list(buckets), None);
        }
    }
}
