//! An HTML report about a site: its sections, the findings, its pages' last changes, and its translations.
//!
//! The report is a single file. It loads nothing and works without JavaScript, which only adds the filter. It is
//! readable in dark and light mode, on a phone and with a screen reader: the numbers in each chart are also in a table.
//! Text from the site is escaped. The file size depends on the number of sections and rules, not on the number of
//! pages: a [`ReportBuilder`] counts pages and findings, and keeps at most 1,000 examples and 256 KiB of further URLs
//! per rule.
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
