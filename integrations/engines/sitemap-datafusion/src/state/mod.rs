//! States of pages as tables, with the feature `state`.

mod columns;
mod opened;
mod table;

pub use table::StateTableFactory;
