//! Finds out what the pages of a sitemap say: whether they answer, may be indexed, and when they changed.

pub mod content;
pub mod facts;
pub mod robots;
