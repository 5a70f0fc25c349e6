//! Tests that judge sites made up for the purpose.

mod cases;
mod clean;
mod crawled;
#[cfg(feature = "state")]
mod from_state;
mod moved;
mod planted;
mod site;
