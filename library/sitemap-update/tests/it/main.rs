//! Tests of updates.

#![allow(clippy::unwrap_used)]

mod at_once;
mod build;
mod changed_file;
mod contention;
mod damage;
mod faults;
mod feed;
mod formats;
mod guard;
mod histories;
mod html_page;
mod rebucket;
mod recent;
mod records;
mod sections;
mod support;
