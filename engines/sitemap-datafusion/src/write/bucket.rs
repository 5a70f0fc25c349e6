//! The rows of one bucket, from the first to the last, and then in order.

use std::cmp::Ordering;

use datafusion::error;
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use sitemap_core::Error;
use sitemap_core::publish::ShardWriter;

use super::error::failed;
use super::page::{Page, Values};

/// Rows of the bucket that is being read.
///
/// The engine sorts by bucket, on disk if it must. By address the rows of one bucket are sorted here, where they
/// lie next to each other: it takes a fraction of the comparisons, and of the time of each.
#[derive(Debug)]
pub(super) struct Bucket {
    /// All addresses, one behind the other.
    text: String,
    rows: Vec<Row>,
    /// Where the rows are, in order, and of each how its address goes on behind what all share.
    order: Vec<(u64, usize)>,
    reservation: MemoryReservation,
}

#[derive(Debug)]
struct Row {
    /// Where the address begins and ends; `None` of a row without one.
    loc: Option<(usize, usize)>,
    values: Result<Values, Box<Error>>,
}

impl Row {
    fn loc<'b>(&self, text: &'b str) -> Option<&'b str> {
        self.loc.map(|(start, end)| &text[start..end])
    }

    /// What the address has behind so many bytes, as far as a number holds it: smaller if it comes first.
    fn key(&self, text: &str, shared: usize) -> u64 {
        let mut key = [0; 8];
        let rest = &self.loc(text).unwrap_or_default().as_bytes()[shared..];
        let len = rest.len().min(key.len());
        key[..len].copy_from_slice(&rest[..len]);
        u64::from_be_bytes(key)
    }

    fn page<'b>(&'b self, text: &'b str) -> Page<'b> {
        let loc = self.loc(text);
        Page { loc, values: self.values.as_ref().copied().map_err(|error| &**error) }
    }

    /// By address; rows that share one are told apart by all that they say, so that the order is always the same.
    fn order(&self, other: &Self, text: &str) -> Ordering {
        let (one, another) = (self.page(text), other.page(text));
        one.loc
            .cmp(&another.loc)
            .then_with(|| format!("{:?}", one.values).cmp(&format!("{:?}", another.values)))
    }
}

impl Bucket {
    /// An empty bucket; `consumer` names it in errors about memory.
    pub(super) fn new(context: &TaskContext, consumer: String) -> Self {
        let reservation = MemoryConsumer::new(consumer).register(context.memory_pool());
        Self { text: String::new(), rows: Vec::new(), order: Vec::new(), reservation }
    }

    pub(super) fn push(&mut self, loc: Option<&str>, values: Result<Values, Error>) {
        let start = self.text.len();
        self.text.push_str(loc.unwrap_or_default());
        let loc = loc.map(|_| (start, self.text.len()));
        self.rows.push(Row { loc, values: values.map_err(Box::new) });
    }

    /// Asks for the memory that the rows take.
    pub(super) fn reserve(&mut self) -> error::Result<()> {
        let a_row = size_of::<Row>() + size_of::<(u64, usize)>();
        let bytes = self.text.capacity() + self.rows.capacity() * a_row;
        self.reservation.try_resize(bytes).map_err(|error| {
            error.context(format!(
                "the rows of a bucket are sorted in memory, which is too little for {}; use more `buckets`, or let the \
                 query have more memory or fewer tasks, as by `sitemap-sql --memory` and `--partitions`",
                self.rows.len()
            ))
        })
    }

    fn sort(&mut self) {
        let Self { text, rows, order, .. } = self;
        let shared = shared(rows, text);
        order.extend(rows.iter().enumerate().map(|(at, row)| (row.key(text, shared), at)));
        order.sort_unstable_by(|(one, a), (other, b)| {
            one.cmp(other).then_with(|| rows[*a].order(&rows[*b], text))
        });
    }

    /// Hands the rows over in order, and begins the next bucket.
    pub(super) fn write(&mut self, number: u32, shards: &mut ShardWriter) -> error::Result<()> {
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

/// How many bytes all addresses begin with alike.
fn shared(rows: &[Row], text: &str) -> usize {
    let mut addresses = rows.iter().map(|row| row.loc(text).unwrap_or_default().as_bytes());
    let first = addresses.next().unwrap_or_default();
    addresses.fold(first.len(), |shared, address| {
        first[..shared].iter().zip(address).take_while(|(one, other)| one == other).count()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_their_addresses_bytes() {
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
            let mut bucket = Bucket::new(&TaskContext::default(), String::new());
            let mut expected = Vec::new();
            for (at, loc) in locs.iter().enumerate().filter(|(at, _)| *at != leave_out) {
                bucket.push(*loc, Err(Error::other(at.to_string())));
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
    fn rows_of_one_address_are_in_an_order_of_their_own() {
        let values = |priority: Option<f64>| {
            let priority = priority.map(|priority| sitemap_core::Priority::new(priority).unwrap());
            Ok(Values { lastmod: None, changefreq: None, priority })
        };
        let order = |priorities: [Option<f64>; 3]| {
            let mut bucket = Bucket::new(&TaskContext::default(), String::new());
            for priority in priorities {
                bucket.push(Some("/a"), values(priority));
            }
            bucket.sort();
            let rows = bucket.order.iter().map(|(_, at)| format!("{:?}", bucket.rows[*at].values));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(order([Some(0.5), None, Some(0.2)]), order([Some(0.2), Some(0.5), None]));
    }
}
