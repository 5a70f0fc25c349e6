//! Judgements of sites made up for the tests.

mod cases;
mod clean;
mod crawled;
#[cfg(feature = "state")]
mod from_state;
mod moved;
mod planted;
mod site;
