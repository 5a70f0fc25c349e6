//! Rows in memory, to measure publishing alone.

use std::path::Path;

use super::record::{Dated, Texts, publish as publish_section, text};
use super::work::Work;
use crate::workload::Item;

/// Publishes rows whose dates are values.
pub(super) fn publish(_: &Path, out: &Path, rows: u64) -> Work {
    let items: Vec<Item> = (0..rows).map(Item::nth).collect();
    let out = out.to_path_buf();
    Box::new(move || {
        publish_section(&out, |section| {
            for &Item { id, size, lastmod, priority, .. } in &items {
                section.add(&Dated { id, size, lastmod, priority })?;
            }
            Ok(())
        })
    })
}

/// Publishes rows whose dates are text.
pub(super) fn publish_texts(_: &Path, out: &Path, rows: u64) -> Work {
    let items: Vec<_> = (0..rows).map(Item::nth).map(|item| (item, text(item.lastmod))).collect();
    let out = out.to_path_buf();
    Box::new(move || {
        publish_section(&out, |section| {
            for (item, lastmod) in &items {
                let &Item { id, size, priority, .. } = item;
                section.add(&Texts { id, size, lastmod, priority })?;
            }
            Ok(())
        })
    })
}
