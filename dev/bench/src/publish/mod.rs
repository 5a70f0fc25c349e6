//! The contenders that publish. Each is a module with a function `run` that publishes the whole set.

use std::path::Path;

use crate::Result;

mod by_hand;
mod derived;
mod digits;
mod floor;
mod floor_images;
mod quick_xml_writer;
mod sitemap_rs;
mod sitemap_xml_writer;
mod two_images;

pub use derived::page;

/// A way to publish the set.
#[derive(Debug, Clone, Copy)]
pub struct Contender {
    /// The name in the table and after `--only`.
    pub name: &'static str,
    /// Publishes this number of entries into an empty directory.
    pub run: fn(&Path, u64) -> Result<()>,
    /// The form that the files must have.
    pub layout: Layout,
}

/// What a contender's files must have in common with the expected ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// The files contain exactly the expected bytes.
    Exact,
    /// The files contain the expected values. White space, namespaces and date formats may differ.
    Own,
    /// The files contain exactly the expected bytes, with two images in each entry. This is more work than the other
    /// layouts.
    TwoImages,
}

/// All contenders, in table order. The table compares each of them with the first.
pub const CONTENDERS: &[Contender] = &[
    contender("floor", floor::run, Layout::Exact),
    contender("derived", derived::run, Layout::Exact),
    contender("by_hand", by_hand::run, Layout::Exact),
    contender("quick_xml_writer", quick_xml_writer::run, Layout::Exact),
    contender("sitemap_rs", sitemap_rs::run, Layout::Own),
    contender("sitemap_xml_writer", sitemap_xml_writer::run, Layout::Own),
    contender("floor_images", floor_images::run, Layout::TwoImages),
    contender("two_images", two_images::run, Layout::TwoImages),
];

const fn contender(name: &'static str, run: fn(&Path, u64) -> Result<()>, layout: Layout) -> Contender {
    Contender { name, run, layout }
}
