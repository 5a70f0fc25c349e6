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
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | what is judged | `evidence`, `memory_evidence`, `state_evidence` |
//! | the passes over the evidence | `judgement`, `overview`, `entries`, `page_numbers` |
//! | the rules about a page | `page`, `answer`, `content`, `noindex`, `canonical`, `soft404`, `lastmod`, `dates` |
//! | the rules about language versions | `versions`, `translations` |
//! | the rules about a crawl | `crawl`, `unlisted_pages`, `without_listing` |
//! | moves of sites | `move_judgement`, `move_fault`, `new_set` |
//! | when two URLs are the same page | `url_key` |
//! | results | `verdict`, `standing`, `answered`, `table`, `fault` |

mod answer;
mod answered;
mod canonical;
mod content;
mod crawl;
mod dates;
mod entries;
mod evidence;
mod fault;
mod judgement;
mod lastmod;
mod memory_evidence;
mod move_fault;
mod move_judgement;
mod new_set;
mod noindex;
mod options;
mod overview;
mod page;
mod page_numbers;
mod soft404;
mod standing;
#[cfg(feature = "state")]
mod state_evidence;
mod table;
mod translations;
#[cfg(feature = "state")]
mod unlisted_pages;
mod url_key;
mod verdict;
mod versions;
mod without_listing;

pub use answered::Answer;
pub use evidence::{Crawl, Evidence, Listed, PageRecord};
pub use judgement::judge;
pub use memory_evidence::MemoryEvidence;
pub use move_judgement::{MoveJudgement, MoveVerdict, judge_move};
pub use new_set::NewSet;
pub use options::JudgeOptions;
pub use standing::Standing;
#[cfg(feature = "state")]
pub use state_evidence::StateEvidence;
pub use table::Table;
pub use translations::{Translations, VersionLinks};
#[cfg(feature = "state")]
pub use unlisted_pages::{Crawled, indexable_pages, judge_crawl};
pub use verdict::{Judgement, Verdict};

pub(crate) use without_listing::without_listing;
