//! The commands that request pages: `check --pages`, `check --moved-to`, `crawl` and `report`.
//!
//! | what | where |
//! |---|---|
//! | a command | `check`, `moved`, `crawl`, `report` |
//! | requests, their client and their hosts | `requests`, `client`, `hosts`, `reach` |
//! | the entries of a set | `listing`, `set` |
//! | the pages of a folder | `site_folder` |
//! | the state file | `state` |
//! | what a run prints at its end | `summary` |
//! | CSV files | `csv_file`, `findings_csv` |
//! | access logs | `access_logs` |

mod access_logs;
pub(crate) mod check;
mod client;
pub(crate) mod crawl;
mod csv_file;
mod findings_csv;
mod hosts;
mod listing;
pub(crate) mod moved;
mod reach;
pub(crate) mod report;
mod requests;
mod set;
mod site_folder;
mod state;
mod summary;
