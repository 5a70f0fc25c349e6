//! The contenders that read: each takes every value of every entry of the set's files.

use std::path::Path;

use crate::Result;
use crate::publish::{Contender, Layout};

mod check;
mod ours;
mod quick_xml_loop;
mod sitemap;
mod sitemapo;
mod sitemaps;
mod tally;

/// Every contender, in the order of the table; the first one is what the others are compared with.
pub const READERS: &[Contender] = &[
    reader("quick_xml_loop", quick_xml_loop::texts),
    reader("quick_xml_values", quick_xml_loop::values),
    reader("quick_xml_ns", quick_xml_loop::namespaces),
    reader("ours_slice", ours::slice),
    reader("ours_stream", ours::stream),
    reader("ours_general", ours::general),
    reader("ours_check", check::run),
    reader("sitemapo", sitemapo::run),
    reader("sitemaps", sitemaps::run),
    reader("sitemap", sitemap::run),
];

const fn reader(name: &'static str, run: fn(&Path, u64) -> Result<()>) -> Contender {
    Contender { name, run, layout: Layout::Own }
}
