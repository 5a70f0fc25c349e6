//! Requests all pages of a local site, and measures how much each contender needs for this.

pub mod bare;
pub mod contenders;
pub mod run;
pub mod server;
pub mod site;
