//! Asks all pages of a site on this machine, and measures what each contender needs for it.

pub mod bare;
pub mod contenders;
pub mod run;
pub mod server;
pub mod site;
