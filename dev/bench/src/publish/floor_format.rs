//! The contender `floor_format`: the same as `floor`, but with one `format!` per URL.

use std::path::Path;

use crate::Result;

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    super::floor::publish(dir, entries, |out, item| {
        let (id, size) = (item.id, item.size);
        let loc = format!("https://www.example.com/catalog/item-{id}?color=red&amp;size={size}");
        out.extend_from_slice(loc.as_bytes());
    })
}
