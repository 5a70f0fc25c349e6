//! The main content of pages, so that a date can say when it changed.
//!
//! A page consists of what it is about, and of what surrounds this on every page: navigation, footers, the date of the
//! build. Only the first part decides whether the page changed. This module finds it in four steps, without settings
//! and without knowledge of the site, so that the same pages always give the same result.
//!
//! 1. **The part of the page.** If the page has exactly one `<main>`, that is its content; else exactly one
//!    `<article>` that is not within another; else the body without `<header>`, `<footer>` and `<aside>`. Navigation
//!    counts nowhere: `<nav>`, and elements whose class is a name that generators give to navigation, such as
//!    `navfooter` or `breadcrumbs`. A `role` such as `main` counts like the element. Scripts, styles, `<noscript>`,
//!    `<template>`, drawings, comments and the fields of forms have no content.
//! 2. **Blocks.** The text is cut where a browser starts a new block, such as a paragraph, a list item or a table cell.
//!    The targets of links and images are a part of the block, without fragments, names of sessions, and the hashes
//!    that builds put into the names of files. If all words of a block are links, only their targets count: the words
//!    are the titles of other pages. The parts of the page's title, cut at ` | `, ` - ` and the like, are blocks too.
//! 3. **Shapes.** The shape of a block is its words without what varies between builds: dates, times, the years of a
//!    copyright, hashes and other generated tokens, numbers of views and comments, "3 days ago". Targets are no part of
//!    the shape. So `Next` has one shape on all pages, wherever it leads. Other numbers stay: a price or a version that
//!    changes is a change of content. English names of months and weekdays are known, and the months of German, French,
//!    Spanish, Portuguese, Italian and Dutch.
//! 4. **Shared blocks.** A shape that many pages have belongs to their template, and so do all its blocks.
//!    [`SharedBlocks`] has the numbers. The blocks that remain are the page's own.
//!
//! [`ContentChange`] tells whether the own blocks of a page differ between two runs. It leaves out the templates of
//! both. [`ContentDigest`] is for pages of one run: equal digests mean equal content.
//!
//! # Limits
//!
//! - A site of one or two pages has no shared blocks, so that a change of its template is a change of each page. From
//!   three pages on, blocks on more than half of them are shared.
//! - A block that differs on every page and every build, without a date or a token in it, cannot be told from content.
//!   An example is "rendered in 0.12 s" outside a footer.
//! - If a template changes in two ways, some pages with one text and some with another, then the texts with too few
//!   pages are content.
//! - Structured data (JSON-LD) is not content, because many sites write counts and prices of the day there. Its dates
//!   are [facts](crate::facts).
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | tokens of HTML | `html` |
//! | the blocks of a page | `collect`, `block`, `words`, `link_target` |
//! | a block without what changes with every build | `mask` |
//! | the blocks that many pages share | `count`, `shared`, `folder` |
//! | comparing two runs | `digest`, `change` |

mod block;
mod change;
mod collect;
mod count;
mod digest;
mod folder;
mod hash;
pub(crate) mod html;
mod link_target;
mod mask;
mod shared;
mod words;

#[cfg(test)]
mod count_tests;

pub use block::{Block, Blocks};
pub use change::ContentChange;
pub(crate) use collect::Collector;
#[cfg(feature = "state")]
pub(crate) use count::{OfPage, distinct};
pub use digest::ContentDigest;
pub use folder::Folder;
pub(crate) use hash::{HashedMap, HashedSet, hash64, hash128};
pub use shared::SharedBlocks;
