//! The contender `floor_images`: like `floor`, but with two images per page. It writes the same bytes as `two_images`.

use std::path::Path;

use super::floor;
use crate::Result;
use crate::workload::IMAGES;

pub(super) const HEAD: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n";

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    floor::publish_extended(dir, entries, HEAD, floor::loc, |out, item| {
        let mut digits = itoa::Buffer::new();
        for name in IMAGES {
            out.extend_from_slice(b"<image:image><image:loc>https://cdn.example.com/");
            out.extend_from_slice(digits.format(item.id).as_bytes());
            out.extend_from_slice(b"/");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b".jpg?w=640&amp;h=480</image:loc></image:image>");
        }
    })
}
