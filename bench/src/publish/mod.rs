//! The contenders, each a module with one function `run` that publishes the whole set.

use std::path::Path;

use crate::Result;

mod by_hand;
mod derived;
mod digits;
mod floor;
mod floor_format;
mod floor_tuned;
mod quick_xml_writer;
mod same_by_hand;
mod sitemap_rs;
mod sitemap_xml_writer;
mod sitemapo;
mod two_images;

pub use derived::page;

/// One way to publish the set.
#[derive(Debug, Clone, Copy)]
pub struct Contender {
    /// The name in the table and after `--only`.
    pub name: &'static str,
    /// Publishes that many entries into an empty directory.
    pub run: fn(&Path, u64) -> Result<()>,
    /// What the files must look like.
    pub layout: Layout,
}

/// How strictly a contender's files are compared with the expected ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Byte for byte the workload's files.
    Exact,
    /// The same values, in the crate's own white space, namespaces and spelling of dates.
    Own,
    /// Byte for byte the workload's files with two images on each page: more work than the others do.
    TwoImages,
}

/// Every contender, in the order of the table; the first one is what the others are compared with.
pub const CONTENDERS: &[Contender] = &[
    contender("floor", floor::run, Layout::Exact),
    contender("floor_format", floor_format::run, Layout::Exact),
    contender("floor_tuned", floor_tuned::run, Layout::Exact),
    contender("derived", derived::run, Layout::Exact),
    contender("same_by_hand", same_by_hand::run, Layout::Exact),
    contender("by_hand", by_hand::run, Layout::Exact),
    contender("quick_xml_writer", quick_xml_writer::run, Layout::Exact),
    contender("sitemap_rs", sitemap_rs::run, Layout::Own),
    contender("sitemap_xml_writer", sitemap_xml_writer::run, Layout::Own),
    contender("sitemapo", sitemapo::run, Layout::Own),
    contender("two_images", two_images::run, Layout::TwoImages),
];

const fn contender(name: &'static str, run: fn(&Path, u64) -> Result<()>, layout: Layout) -> Contender {
    Contender { name, run, layout }
}
