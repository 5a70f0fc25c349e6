//! Reads less common entries: with extensions, and in unusual layouts.

pub mod documents;
mod ours;
mod quick_xml_loop;
mod tally;

pub use tally::Tally;

use crate::Result;

/// A way to read a document.
#[derive(Clone, Copy)]
pub struct Reader {
    /// The name in the table.
    pub name: &'static str,
    /// Reads all values of a document.
    pub read: fn(&[u8]) -> Result<Tally>,
}

/// All readers. The table compares each of them with the first.
pub const READERS: &[Reader] = &[
    Reader { name: "quick_xml_loop", read: quick_xml_loop::read },
    Reader { name: "ours_slice", read: ours::slice },
    Reader { name: "ours_general", read: ours::general },
];
