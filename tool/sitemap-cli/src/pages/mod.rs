//! The commands that ask the pages themselves: `check --pages`, `crawl` and `report`.

mod access_logs;
mod ask;
pub(crate) mod check;
pub(crate) mod crawl;
mod csv_file;
mod findings_csv;
mod hosts;
mod listing;
pub(crate) mod moved;
mod reach;
pub(crate) mod report;
mod request;
mod set;
mod site_folder;
mod state;
mod summary;
