//! The contender `floor_urls`: `floor_images`, but each row has the URLs of its images as strings, as rows of a database have
//! them, so that `&` is escaped while they are written.

use std::path::Path;

use super::floor;
use crate::Result;
use crate::workload::image_urls;

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    floor::publish_extended(dir, entries, super::floor_images::HEAD, floor::loc, |out, item| {
        for url in image_urls(item.id) {
            out.extend_from_slice(b"<image:image><image:loc>");
            for (number, part) in url.split('&').enumerate() {
                if number > 0 {
                    out.extend_from_slice(b"&amp;");
                }
                out.extend_from_slice(part.as_bytes());
            }
            out.extend_from_slice(b"</image:loc></image:image>");
        }
    })
}
