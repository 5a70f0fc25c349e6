//! Whole small programs that publish sitemaps, to copy from.
