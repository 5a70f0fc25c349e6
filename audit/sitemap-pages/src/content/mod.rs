//! Extracts the main content of pages, to tell when it changed.
//!
//! A page consists of its actual content, and of parts that are the same on every page: navigation, footers, the build
//! date. Only the content determines whether the page has changed. This module finds it in four steps, without settings
//! and without knowing the site, so that the same pages always give the same result.
//!
//! 1. **The part of the page.** If the page contains exactly one `<main>`, that is its content. Otherwise, the content
//!    is the only `<article>` that is not inside another. If there is no such article, it is the body without
//!    `<header>`, `<footer>` and `<aside>`. Navigation is always ignored: `<nav>`, and elements with a class that
//!    generators use for navigation, such as `navfooter` or `breadcrumbs`. A `role` such as `main` is equivalent to the
//!    element. Scripts, styles, `<noscript>`, `<template>`, drawings, comments and form fields are ignored too.
//! 2. **Blocks.** The text is split where a browser starts a new block, such as a paragraph, a list item or a table
//!    cell. A block includes the targets of its links and images, without fragments, session identifiers, and the
//!    hashes that builds put into file names. If all words of a block are links, only the targets are used, because the
//!    words are titles of other pages. The page's title is split at ` | `, ` - ` and the like, and its parts are blocks
//!    too.
//! 3. **Shapes.** A block's shape is its words without anything that varies between builds: dates, times, copyright
//!    years, hashes and other generated tokens, numbers of views and comments, "3 days ago". Targets are not part of
//!    the shape, so `Next` has the same shape on all pages, wherever it links to. Other numbers are kept: if a price or
//!    a version changes, the content has changed. Month names are recognised in English, German, French, Spanish,
//!    Portuguese, Italian and Dutch, weekdays in English only.
//! 4. **Shared blocks.** A shape that is on many pages belongs to their template, and so do all blocks with this shape.
//!    See [`SharedBlocks`] for the thresholds. The remaining blocks are the page's own.
//!
//! [`ContentChange`] reports whether a page's own blocks differ between two runs, ignoring the templates of both.
//! [`ContentDigest`] compares pages of one run: equal digests mean equal content.
//!
//! # Limits
//!
//! - A site of one or two pages has no shared blocks, so a change to its template is a change to each page. On a site
//!   of three or more pages, blocks that are on more than half of them are shared.
//! - A block that differs on every page and in every build, but contains no date or token, looks like content. An
//!   example is "rendered in 0.12 s" outside a footer.
//! - Suppose a template now shows one text on some pages and another text on others. Where a text is on too few pages
//!   to be shared, it is treated as content.
//! - Structured data (JSON-LD) is not content, because many sites use it for counts and prices that change every day.
//!   Its dates are [facts](crate::facts).
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
