//! The contenders that read. Each reads every value of every entry in the set's files.

use std::path::Path;

use crate::Result;
use crate::publish::{Contender, Layout};

mod check;
mod ours;
mod quick_xml_loop;
mod sitemap;
mod sitemaps;
mod tally;

/// All readers, in table order. The table compares each of them with the first.
pub const READERS: &[Contender] = &[
    reader("quick_xml_loop", quick_xml_loop::texts),
    reader("quick_xml_values", quick_xml_loop::values),
    reader("quick_xml_ns", quick_xml_loop::namespaces),
    reader("ours_slice", ours::slice),
    reader("ours_stream", ours::stream),
    reader("ours_general", ours::general),
    reader("ours_check", check::run),
    reader("sitemaps", sitemaps::run),
    reader("sitemap", sitemap::run),
];

const fn reader(name: &'static str, run: fn(&Path, u64) -> Result<()>) -> Contender {
    Contender { name, run, layout: Layout::Own }
}
