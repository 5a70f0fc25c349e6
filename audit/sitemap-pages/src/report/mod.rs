//! One HTML page about a site: its sections, what was found, when its pages changed, and its translations.
//!
//! The page is a single file. It loads nothing, runs without JavaScript (which only adds the filter), and is readable
//! in dark and light, on a phone and by a screen reader: each picture has its numbers in a table. Text of the site is
//! escaped. The size of the file depends on the numbers of sections and rules, not on the number of pages: a
//! [`ReportBuilder`] counts pages and findings, and keeps at most 1,000 examples and 256 KiB of further URLs of each rule.
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | counting, and the page as a whole | `builder`, `html`, `page`, `subject` |
//! | sections | `section`, `row`, `health`, `tree_map`, `indexing` |
//! | findings and their URLs | `findings`, `more_urls` |
//! | answers, dates, translations | `answers`, `dates`, `translations` |
//! | visits of crawlers | `fetches` |

mod answers;
mod builder;
mod dates;
mod fetches;
mod findings;
mod health;
mod html;
mod indexing;
mod more_urls;
mod page;
mod row;
mod section;
mod subject;
mod translations;
mod tree_map;

pub use builder::ReportBuilder;
pub use fetches::Fetches;
pub use page::ReportPage;
