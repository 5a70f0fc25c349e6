//! Collects the rows of one hash bucket and sorts them.

use std::sync::Arc;

use datafusion::error;
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use sitemap_core::Error;
use sitemap_core::publish::ShardWriter;

use super::error::failed;
use super::page::{Page, Values};
use super::runs::{RowValues, Runs};

/// The rows of the current hash bucket.
///
/// The engine sorts all rows by hash bucket, on disk if necessary. This type then sorts the rows of one hash bucket by
/// URL. It has these rows next to each other in memory, so it needs fewer and faster comparisons than the engine. If they
/// do not fit into memory, it sorts parts of them and merges these from disk.
pub(super) struct BucketRows {
    /// All URLs and all values of extensions, concatenated.
    text: String,
    rows: Vec<Row>,
    /// The sort key ([`Row::key`]) of each row, and the position of the row in `rows`. Only this list is sorted.
    order: Vec<(u64, usize)>,
    runs: Runs,
    reservation: MemoryReservation,
}

#[derive(Debug)]
struct Row {
    /// The start and the end of the URL in the text. `None` for a row without a URL.
    loc: Option<(usize, usize)>,
    /// The start and the end of the values of extensions in the text.
    extras: (usize, usize),
    values: RowValues,
}

impl Row {
    fn loc<'b>(&self, text: &'b str) -> Option<&'b str> {
        self.loc.map(|(start, end)| &text[start..end])
    }

    /// Returns the first eight bytes of the URL after the prefix that all URLs share, as a number. Numbers are compared
    /// faster than texts, and these numbers have the same order as the bytes.
    fn key(&self, text: &str, shared: usize) -> u64 {
        let mut key = [0; 8];
        let rest = &self.loc(text).unwrap_or_default().as_bytes()[shared..];
        let len = rest.len().min(key.len());
        key[..len].copy_from_slice(&rest[..len]);
        u64::from_be_bytes(key)
    }

    fn extras<'b>(&self, text: &'b str) -> Option<&'b str> {
        let (start, end) = self.extras;
        Some(&text[start..end]).filter(|extras| !extras.is_empty())
    }

    fn page<'b>(&'b self, text: &'b str) -> Page<'b> {
        let values = self.values.as_ref().copied().map_err(|error| &**error);
        Page { loc: self.loc(text), values, extras: self.extras(text) }
    }
}

impl BucketRows {
    /// Creates an empty collection. Errors about memory contain the name `consumer`.
    pub(super) fn new(context: &TaskContext, consumer: String) -> Self {
        let reservation = MemoryConsumer::new(consumer).register(context.memory_pool());
        let runs = Runs::new(Arc::clone(&context.runtime_env().disk_manager));
        Self { text: String::new(), rows: Vec::new(), order: Vec::new(), runs, reservation }
    }

    /// Adds a row. `extras` has its values of extensions, as JSON.
    pub(super) fn push(&mut self, loc: Option<&str>, values: Result<Values, Error>, extras: Option<&str>) {
        let start = self.text.len();
        self.text.push_str(loc.unwrap_or_default());
        let end = self.text.len();
        self.text.push_str(extras.unwrap_or_default());
        let loc = loc.map(|_| (start, end));
        self.rows.push(Row { loc, extras: (end, self.text.len()), values: values.map_err(Box::new) });
    }

    /// Reserves the memory that the rows occupy. If there is too little, moves the rows to disk.
    pub(super) fn reserve(&mut self) -> error::Result<()> {
        let row_size = size_of::<Row>() + size_of::<(u64, usize)>();
        let bytes = self.text.capacity() + self.rows.capacity() * row_size;
        if self.reservation.try_resize(bytes).is_ok() {
            return Ok(());
        }
        self.spill()?;
        self.reservation.try_resize(0)
    }

    /// Moves the rows to disk, in order.
    fn spill(&mut self) -> error::Result<()> {
        self.sort();
        let Self { text, rows, order, runs, .. } = self;
        let text = &**text;
        runs.push(order.drain(..).map(|(_, at)| {
            let values = std::mem::replace(&mut rows[at].values, Ok(Values::default()));
            (rows[at].loc(text), values, rows[at].extras(text))
        }))?;
        (self.text, self.rows, self.order) = Default::default();
        Ok(())
    }

    fn sort(&mut self) {
        let Self { text, rows, order, .. } = self;
        let shared = shared(rows, text);
        order.extend(rows.iter().enumerate().map(|(at, row)| (row.key(text, shared), at)));
        order.sort_unstable_by(|(one, a), (other, b)| {
            one.cmp(other).then_with(|| rows[*a].page(text).order(&rows[*b].page(text)))
        });
    }

    /// Writes the rows in the order of their URLs and clears the collection for the next hash bucket.
    pub(super) fn write(&mut self, number: u32, shards: &mut ShardWriter) -> error::Result<()> {
        if !self.runs.is_empty() {
            self.spill()?;
            return self.runs.merge(|page| shards.add(number, page).map_err(failed));
        }
        self.sort();
        let Self { text, rows, order, .. } = self;
        for (_, at) in order.drain(..) {
            shards.add(number, &rows[at].page(text)).map_err(failed)?;
        }
        rows.clear();
        text.clear();
        Ok(())
    }
}

/// Returns the length of the prefix that all URLs share, in bytes.
fn shared(rows: &[Row], text: &str) -> usize {
    let mut urls = rows.iter().map(|row| row.loc(text).unwrap_or_default().as_bytes());
    let first = urls.next().unwrap_or_default();
    urls.fold(first.len(), |shared, url| {
        first[..shared].iter().zip(url).take_while(|(one, other)| one == other).count()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_bytes_of_their_urls() {
        let locs = [
            Some("https://example.com/items/12345678b"),
            Some("https://example.com/items/12345678a"),
            None,
            Some("https://example.com/items/1234567"),
            Some("https://example.com/items/ü"),
            Some("https://example.com/items/"),
            Some("https://example.com/items/\0"),
            Some("https://example.com/items/Z"),
        ];
        for leave_out in 0..locs.len() {
            let mut bucket = BucketRows::new(&TaskContext::default(), String::new());
            let mut expected = Vec::new();
            for (at, loc) in locs.iter().enumerate().filter(|(at, _)| *at != leave_out) {
                bucket.push(*loc, Err(Error::other(at.to_string())), None);
                expected.push(*loc);
            }
            bucket.sort();
            expected.sort();
            let sorted: Vec<_> =
                bucket.order.iter().map(|(_, at)| bucket.rows[*at].loc(&bucket.text)).collect();
            assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn rows_with_the_same_url_have_a_fixed_order() {
        let values = |priority: Option<f64>| {
            let priority = priority.map(|priority| sitemap_core::Priority::new(priority).unwrap());
            Ok(Values { lastmod: None, changefreq: None, priority })
        };
        let order = |priorities: [Option<f64>; 3]| {
            let mut bucket = BucketRows::new(&TaskContext::default(), String::new());
            for priority in priorities {
                bucket.push(Some("/a"), values(priority), None);
            }
            bucket.sort();
            let rows = bucket.order.iter().map(|(_, at)| format!("{:?}", bucket.rows[*at].values));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(order([Some(0.5), None, Some(0.2)]), order([Some(0.2), Some(0.5), None]));
    }
}
