//! Checks the order of rows.

use std::cmp::Ordering;

use sitemap_core::publish::shards::bucket_of;

use crate::error::{Outcome, Stop};

/// Checks that rows are sorted by hash bucket, then by `loc`.
///
/// A shard's name depends on the order of its rows. If a task ran again and received its rows in a different order, it
/// would store the same shards again under other names.
#[derive(Debug)]
pub(super) struct Order {
    buckets: u32,
    bucket: u32,
    loc: String,
}

impl Order {
    pub(super) fn new(buckets: u32) -> Self {
        Self { buckets, bucket: 0, loc: String::new() }
    }

    /// Returns the hash bucket of the next row, or an error if the row is out of order.
    pub(super) fn next(&mut self, line: u64, loc: &str) -> Outcome<u32> {
        let bucket = bucket_of(loc, self.buckets);
        let loc_order = self.loc.as_str().cmp(loc);
        if self.bucket.cmp(&bucket).then(loc_order) == Ordering::Greater {
            return Err(Stop::new(format!(
                "<stdin>:{line}: row {loc:?} of hash bucket {bucket} comes after {:?} of hash bucket {}; sort the \
                 rows by `crc32(loc) % {}`, then by the bytes of `loc`",
                self.loc, self.bucket, self.buckets
            )));
        }
        self.bucket = bucket;
        if loc_order != Ordering::Equal {
            self.loc.clear();
            self.loc.push_str(loc);
        }
        Ok(bucket)
    }

    /// Returns the hash bucket of the previous row. This bucket is also used for an invalid row, which may have no
    /// `loc`.
    pub(super) fn same(&self) -> u32 {
        self.bucket
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_by_bucket_then_by_loc() {
        let mut order = Order::new(2);
        let mut pages = ["/a", "/b", "/c", "/d", "/e", "/f"];
        pages.sort_by_key(|loc| (bucket_of(loc, 2), *loc));
        assert_eq!((bucket_of(pages[0], 2), bucket_of(pages[5], 2)), (0, 1));
        for (line, loc) in (1..).zip(pages) {
            assert_eq!(order.next(line, loc).unwrap(), bucket_of(loc, 2));
            // The same row may occur twice.
            assert_eq!(order.next(line, loc).unwrap(), bucket_of(loc, 2));
        }
        assert!(order.next(7, pages[0]).is_err());
    }
}
