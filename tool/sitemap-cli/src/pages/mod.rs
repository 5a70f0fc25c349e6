//! The commands that request pages: `check --pages`, `check --moved-to`, `crawl` and `report`.
//!
//! | what | where |
//! |---|---|
//! | a command | `check`, `moved`, `crawl`, `report` |
//! | requests, their client and their hosts | `requests`, `client`, `hosts`, `reach` |
//! | the entries of a set | `listing`, `set` |
//! | the folder of `--from-dir` | `folder` |
//! | the state file | `state` |
//! | what a run prints at its end | `summary` |
//! | findings as CSV | `findings_csv` |
//! | access logs | `access_logs` |

mod access_logs;
pub(crate) mod check;
mod client;
pub(crate) mod crawl;
mod findings_csv;
mod folder;
mod hosts;
mod listing;
pub(crate) mod moved;
mod reach;
pub(crate) mod report;
mod requests;
mod set;
mod state;
mod summary;
