//! The commands that ask the pages themselves: `check --pages`, `crawl` and `report`.

mod ask;
pub(crate) mod check;
pub(crate) mod crawl;
mod listing;
pub(crate) mod moved;
pub(crate) mod report;
mod request;
mod state;
mod summary;
