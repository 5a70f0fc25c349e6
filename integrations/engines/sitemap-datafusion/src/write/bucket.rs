//! Sorts the rows of one hash bucket.

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};

use super::row::{self, Row};
use super::runs::Runs;

/// The rows of the hash bucket that is being written, to be sorted by URL. If they don't fit into memory, sorted runs
/// are spilled to disk and merged.
pub(super) struct BucketRows {
    /// The bytes of all rows.
    bytes: Vec<u8>,
    /// The sort key ([`key_of`]) of each row, and its position in `bytes`. Only this list is sorted.
    order: Vec<(u128, Place)>,
    runs: Runs,
    reservation: MemoryReservation,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    end: usize,
}

impl BucketRows {
    /// Creates an empty collection. Errors about memory contain the name `consumer`.
    pub(super) fn new(context: &TaskContext, consumer: String) -> Self {
        let reservation = MemoryConsumer::new(consumer).register(context.memory_pool());
        let runs = Runs::new(Arc::clone(&context.runtime_env().disk_manager));
        Self { bytes: Vec::new(), order: Vec::new(), runs, reservation }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(row);
        self.order.push((0, Place { start, end: self.bytes.len() }));
    }

    /// Reserves the memory that the rows occupy. If there is not enough, spills the rows to disk.
    pub(super) fn reserve(&mut self) -> Result<()> {
        /// The minimum size of a run on disk, in bytes. Smaller runs would make too many files. Below this size, rows
        /// stay in memory even if the limit is reached.
        const SMALLEST_RUN: usize = 1024 * 1024;

        let bytes = self.bytes.capacity() + self.order.capacity() * size_of::<(u128, Place)>();
        if self.reservation.try_resize(bytes).is_ok() || bytes < SMALLEST_RUN {
            return Ok(());
        }
        self.spill()
    }

    /// Sorts the rows and moves them to disk.
    fn spill(&mut self) -> Result<()> {
        self.sort();
        let (bytes, order) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.order));
        self.runs.push(order.iter().map(|(_, place)| place.of(&bytes)))?;
        self.reservation.free();
        Ok(())
    }

    fn sort(&mut self) {
        let Self { bytes, order, .. } = self;
        let shared = shared(bytes, order);
        for (key, place) in &mut *order {
            *key = key_of(place.of(bytes), shared);
        }
        order.sort_unstable_by(|(one, a), (other, b)| {
            one.cmp(other).then_with(|| row::order(a.of(bytes), b.of(bytes)))
        });
    }

    /// Passes on the rows sorted by URL, and clears the collection for the next hash bucket.
    pub(super) fn drain(&mut self, mut each: impl FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        if !self.runs.is_empty() {
            self.spill()?;
            return self.runs.merge(each);
        }
        self.sort();
        for (_, place) in self.order.drain(..) {
            each(&Row::decode(place.of(&self.bytes))?)?;
        }
        self.bytes.clear();
        Ok(())
    }
}

impl Place {
    fn of(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.start..self.end).unwrap_or_default()
    }
}

/// Returns the length of the common prefix of all URLs, in bytes.
fn shared(bytes: &[u8], order: &[(u128, Place)]) -> usize {
    let mut urls = order.iter().map(|(_, place)| Row::loc_in(place.of(bytes)).unwrap_or_default());
    let first = urls.next().unwrap_or_default();
    urls.fold(first.len(), |shared, url| {
        first[..shared].iter().zip(url).take_while(|(one, other)| one == other).count()
    })
}

/// Returns the first sixteen bytes of the URL after the common prefix, as a number. Numbers compare faster than
/// strings, and these sort in the same order as the bytes.
fn key_of(row: &[u8], shared: usize) -> u128 {
    let mut key = [0; 16];
    let rest = Row::loc_in(row).and_then(|loc| loc.get(shared..)).unwrap_or_default();
    let len = rest.len().min(key.len());
    key[..len].copy_from_slice(&rest[..len]);
    u128::from_be_bytes(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::row::Number;

    fn sorted(rows: &[Row<'_>]) -> Vec<String> {
        let mut bucket = BucketRows::new(&TaskContext::default(), String::new());
        for row in rows {
            let mut bytes = Vec::new();
            row.encode(&mut bytes);
            bucket.push(&bytes);
        }
        bucket.sort();
        let rows = bucket.order.iter().map(|(_, place)| Row::decode(place.of(&bucket.bytes)).unwrap());
        rows.map(|row| format!("{:?} {:?}", row.loc, row.priority)).collect()
    }

    #[test]
    fn rows_are_in_the_order_of_the_bytes_of_their_urls() {
        let locs = [
            Some("https://example.com/items/1234567890123456b"),
            Some("https://example.com/items/1234567890123456a"),
            None,
            Some("https://example.com/items/123456789012345"),
            Some("https://example.com/items/ü"),
            Some("https://example.com/items/"),
            Some("https://example.com/items/\0"),
            Some("https://example.com/items/Z"),
        ];
        for leave_out in 0..locs.len() {
            let mut expected = locs.to_vec();
            expected.remove(leave_out);
            let rows: Vec<_> = expected.iter().map(|&loc| Row { loc, ..Row::default() }).collect();
            expected.sort();
            let expected: Vec<_> = expected.iter().map(|loc| format!("{loc:?} None")).collect();
            assert_eq!(sorted(&rows), expected);
        }
    }

    #[test]
    fn rows_with_the_same_url_have_a_fixed_order() {
        let row = |priority: Option<f64>| Row {
            loc: Some("/a"),
            priority: priority.map(Number::Float),
            ..Row::default()
        };
        let order = |priorities: [Option<f64>; 4]| sorted(&priorities.map(row));
        let first = order([Some(0.5), None, Some(0.2), Some(1.5)]);
        assert_eq!(first, order([Some(1.5), Some(0.2), Some(0.5), None]));
        assert_eq!(first.len(), 4);
    }
}
