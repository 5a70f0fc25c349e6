//! The order in which rows must come.

use std::cmp::Ordering;

use sitemap_core::publish::bucket_of;

use crate::error::{Outcome, Stop};

/// Sees to it that rows come by bucket, then by address.
///
/// One bucket's rows in another order would make another file of the same pages, and a shard that is
/// written twice would then be there twice.
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

    /// The bucket of the next row.
    pub(super) fn next(&mut self, line: u64, loc: &str) -> Outcome<u32> {
        let bucket = bucket_of(loc, self.buckets);
        let loc_order = self.loc.as_str().cmp(loc);
        if self.bucket.cmp(&bucket).then(loc_order) == Ordering::Greater {
            return Err(Stop::new(format!(
                "<stdin>:{line}: rows must come sorted by bucket, then by the bytes of their address; sort \
                 them as by `crc32(loc) % {}, loc`, found {loc:?} of bucket {bucket} after {:?} of bucket {}",
                self.buckets, self.loc, self.bucket
            )));
        }
        self.bucket = bucket;
        if loc_order != Ordering::Equal {
            self.loc.clear();
            self.loc.push_str(loc);
        }
        Ok(bucket)
    }

    /// The bucket of a row that has no address.
    pub(super) fn same(&self) -> u32 {
        self.bucket
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_by_bucket_then_by_address() {
        let mut order = Order::new(2);
        let mut pages = ["/a", "/b", "/c", "/d", "/e", "/f"];
        pages.sort_by_key(|loc| (bucket_of(loc, 2), *loc));
        assert_eq!((bucket_of(pages[0], 2), bucket_of(pages[5], 2)), (0, 1));
        for (line, loc) in (1..).zip(pages) {
            assert_eq!(order.next(line, loc).unwrap(), bucket_of(loc, 2));
            // The same once more is in order.
            assert_eq!(order.next(line, loc).unwrap(), bucket_of(loc, 2));
        }
        assert!(order.next(7, pages[0]).is_err());
    }
}
