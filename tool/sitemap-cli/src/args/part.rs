//! `--part K/N`: the hash buckets that a writer keeps.

use std::str::FromStr;

/// A part, counted from 1, and the number of parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    number: u32,
    of: u32,
}

impl Part {
    /// Returns `true` if the bucket belongs to the part. Engines with parts of their own use the same rule.
    pub(crate) fn keeps(self, bucket: u32) -> bool {
        bucket % self.of == self.number - 1
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let part = numbers.map(|(number, of)| Self { number, of });
        part.filter(|part| (1..=part.of).contains(&part.number))
            .ok_or_else(|| "write the number of the part and that of all parts, such as 2/4".to_owned())
    }
}
