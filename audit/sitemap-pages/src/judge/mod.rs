//! Judges whether the entries of a sitemap are true: whether each page answers, may be indexed, names itself as
//! canonical, and changed on its `lastmod`.
//!
//! [`judge`] reads [`Evidence`], such as a state file or [`MemoryEvidence`], and passes a [`Verdict`] on each page,
//! with findings of the [rules about pages](sitemap_read::Rule::is_about_pages). It sends no requests.
//!
//! # What hides what
//!
//! A page gets one finding about why it cannot be indexed, the first of these: robots.txt, no usable answer, status,
//! redirect, no content, `noindex`, soft 404, canonical. Rules about the content, the language versions and `lastmod`
//! apply only to pages that can be indexed. If robots.txt of a host cannot be fetched, if a host was given up, or if at
//! least 80 % of ten or more pages of a host have `noindex`, one finding says so for all its pages.
//!
//! # What is compared
//!
//! - **URLs** are equal if RFC 3986 says so: letter case of the host, default ports, dot segments and needless escapes
//!   do not count, and neither do fragments. `/a` and `/a/`, `http` and `https`, and `www.` count as different.
//! - **Canonicals** count in the head and the headers. Several that are equal count as one, and several that differ
//!   count as none.
//! - **A soft 404** has at least 90 % of its main content, or half of it and the title, from the answer to a URL that does
//!   not exist and that was requested in the same directory. A home page is never one.
//! - **Dates** compare as days, unless both have a time and a zone: these differ if they are a day apart. A date without
//!   a zone can be a day anywhere on earth.
//! - **A `lastmod`** is false if the content changed after it, or if a visit before it and one after it found the same
//!   content.
//! - **Pages without a record** get no findings, and nothing is said about links to them.
//!
//! # A move
//!
//! [`judge_move`] judges a move of a site with the same evidence, if the listing is that of the old sitemap: whether each
//! old URL leads by one permanent redirect to a page of the [`NewSet`].
//!
//! # Memory
//!
//! A judgement keeps some numbers for each page, and one for each link to a language version that has no link back yet.
//! It keeps no page whole. It goes over the pages and the entries at most three times, in the order in which the evidence
//! has them. Only a page that may have a finding is looked up a second time.

mod answer;
mod answered;
mod canonical;
mod content;
mod crawl;
#[cfg(feature = "state")]
mod crawled;
mod dates;
mod entries;
mod evidence;
mod fault;
#[cfg(feature = "state")]
mod from_state;
mod judgement;
mod lastmod;
mod memory;
mod move_fault;
mod moved;
mod new_set;
mod noindex;
mod numbers;
mod options;
mod overview;
mod page;
mod same;
mod soft404;
mod standing;
mod table;
mod translations;
mod verdict;
mod versions;
mod without_listing;

pub use answered::Answer;
#[cfg(feature = "state")]
pub use crawled::{Crawled, indexable_pages, judge_crawl};
pub use evidence::{Crawl, Evidence, Listed, PageRecord};
#[cfg(feature = "state")]
pub use from_state::StateEvidence;
pub use judgement::judge;
pub use memory::MemoryEvidence;
pub use moved::{MoveJudgement, MoveVerdict, judge_move};
pub use new_set::NewSet;
pub use options::JudgeOptions;
pub use standing::Standing;
pub use table::Table;
pub use translations::{Translations, VersionLinks};
pub use verdict::{Judgement, Verdict};

pub(crate) use without_listing::without_listing;
