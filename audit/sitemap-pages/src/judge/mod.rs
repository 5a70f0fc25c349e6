//! Judges whether the entries of a sitemap are true: whether each page responds, may be indexed, names itself as
//! canonical, and changed on its `lastmod`.
//!
//! [`judge`] reads [`Evidence`], such as a state file or [`MemoryEvidence`], and passes a [`Verdict`] on each page. The
//! verdict contains the findings of the [rules about pages](sitemap_read::Rule::is_about_pages). No requests are sent.
//!
//! # What hides what
//!
//! If a page can't be indexed, a single finding reports the first reason that applies, in this order: robots.txt, no
//! usable response, status, redirect, no content, `noindex`, soft 404, canonical. Rules about content, language
//! versions and `lastmod` apply only to pages that can be indexed. A single finding covers all pages of a host in three
//! cases: its robots.txt can't be fetched, the crawler gave up on the host, or the host has ten or more pages and at
//! least 80 % of them are `noindex`.
//!
//! # What is compared
//!
//! - **URLs** are compared as RFC 3986 defines: the case of the host, default ports, dot segments, unnecessary escapes
//!   and fragments are ignored. `/a` and `/a/` are different URLs, and so are those that differ in `http` and `https`
//!   or in `www.`.
//! - **Canonicals** are read in the head and in headers. Several equal canonicals are treated as one; if they differ,
//!   none applies.
//! - **A soft 404** is a page that looks like the response to a nonexistent URL in the same directory: it shares at
//!   least 90 % of its main content with that response, or half of it and the title, or it is the same byte for byte, as
//!   in single-page applications. A home page is never a soft 404.
//! - **Dates** are compared as days, unless both have a time and a zone: then they differ if they are at least a day
//!   apart. A date without a zone can refer to a day anywhere on earth.
//! - **A `lastmod`** is wrong if the content changed after it, or if visits before and after it found the same content.
//! - **Pages without a record** get no findings, and links to them are not judged.
//!
//! # A move
//!
//! [`judge_move`] judges the move of a site. It reads the same evidence, with the old sitemap as its listing, and
//! checks whether each old URL redirects permanently and in one step to a page of the [`NewSet`].
//!
//! # Memory
//!
//! A judgement keeps a few numbers in memory for each page, and one for each link to a language version that hasn't
//! been seen to link back. It never keeps whole pages. It iterates over the pages and the entries at most three times,
//! in the order of the evidence. Only pages that may have a finding are looked up a second time.
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | what is judged | `evidence`, `memory_evidence`, `state_evidence` |
//! | the passes over the evidence | `judgement`, `overview`, `entries`, `page_numbers` |
//! | a page without its set | `own_standing` |
//! | the rules about a page | `page`, `answer`, `content`, `noindex`, `canonical`, `soft404`, `lastmod`, `dates` |
//! | the rules about language versions | `versions`, `translations` |
//! | the rules about a crawl | `crawl`, `unlisted_pages`, `without_listing` |
//! | moves of sites | `move_judgement`, `move_fault`, `new_set` |
//! | when two URLs are the same page | `url_key` |
//! | results | `verdict`, `standing`, `answer_kind`, `table`, `fault` |

mod answer;
mod answer_kind;
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
mod own_standing;
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

pub use answer_kind::Answer;
pub use evidence::{Crawl, Evidence, Listed, PageRecord};
pub use judgement::judge;
pub use memory_evidence::MemoryEvidence;
pub use move_judgement::{MoveJudgement, MoveVerdict, judge_move};
pub use new_set::NewSet;
pub use options::JudgeOptions;
pub use own_standing::OwnStanding;
pub use standing::Standing;
#[cfg(feature = "state")]
pub use state_evidence::StateEvidence;
pub use table::Table;
pub use translations::{Translations, VersionLinks};
#[cfg(feature = "state")]
pub use unlisted_pages::{Crawled, indexable_pages, judge_crawl};
pub use verdict::{Judgement, Verdict};

pub(crate) use without_listing::without_listing;
