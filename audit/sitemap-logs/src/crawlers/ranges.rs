//! A table of IP address ranges.

use std::net::IpAddr;
use std::ops::RangeInclusive;

/// Disjoint ranges in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Ranges {
    ranges: Vec<RangeInclusive<u128>>,
}

impl Ranges {
    pub(super) fn new(mut ranges: Vec<RangeInclusive<u128>>) -> Self {
        ranges.sort_by_key(|range| *range.start());
        let mut disjoint: Vec<RangeInclusive<u128>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match disjoint.last_mut() {
                Some(last) if range.start() <= last.end() => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => disjoint.push(range),
            }
        }
        Self { ranges: disjoint }
    }

    pub(super) fn extend(&mut self, others: Vec<RangeInclusive<u128>>) {
        let mut ranges = std::mem::take(&mut self.ranges);
        ranges.extend(others);
        *self = Self::new(ranges);
    }

    pub(super) fn contains(&self, ip: IpAddr) -> bool {
        let ip = number(ip);
        let after = self.ranges.partition_point(|range| *range.start() <= ip);
        after > 0 && ip <= *self.ranges[after - 1].end()
    }
}

/// Converts an address to a number. An IPv4 address gets the number of its IPv4-mapped IPv6 address.
pub(super) fn number(ip: IpAddr) -> u128 {
    match ip {
        IpAddr::V4(ip) => ip.to_ipv6_mapped().to_bits(),
        IpAddr::V6(ip) => ip.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_overlap_and_touch() {
        let ranges = Ranges::new(vec![20..=29, 5..=5, 10..=19, 12..=13, 25..=40]);
        assert_eq!(ranges.ranges, [5..=5, 10..=19, 20..=40]);
    }

    #[test]
    fn both_ends_of_a_range_are_in_it() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let ranges = Ranges::new(vec![number(ip("192.0.2.0"))..=number(ip("192.0.2.31"))]);
        assert!(ranges.contains(ip("192.0.2.0")) && ranges.contains(ip("192.0.2.31")));
        assert!(ranges.contains(ip("::ffff:192.0.2.7")));
        assert!(!ranges.contains(ip("192.0.1.255")) && !ranges.contains(ip("192.0.2.32")));
        assert!(!ranges.contains(ip("::")) && !ranges.contains(ip("ff00::")));
    }
}
