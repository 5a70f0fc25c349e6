//! The floor with one `format!` per location: what a loop pays for the usual way to make a URL.

use std::path::Path;

use crate::Result;

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    super::floor::publish(dir, entries, |out, at, item| {
        let loc =
            format!("https://www.example.com/catalog/item-{}?color=red&amp;size={}", item.id, item.size);
        let end = at + loc.len();
        out[at..end].copy_from_slice(loc.as_bytes());
        end
    })
}
