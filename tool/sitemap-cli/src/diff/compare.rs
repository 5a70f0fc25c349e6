//! Compares the pages of two lists of targets.

use std::hash::RandomState;

use super::lines::Lines;
use super::new::{Compared, Comparing, Page};
use super::old::{Pages, Reading};
use super::values::Values;
use crate::error::{Outcome, Stop};
use crate::source::{Counted, Crawled, Document, Messages, PART, Source, crawl_parts};
use crate::url_map::UrlMap;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) added: u64,
    pub(super) removed: u64,
    pub(super) changed: u64,
    pub(super) same: u64,
}

impl Counts {
    pub(super) fn add(&mut self, other: Self) {
        self.added += other.added;
        self.removed += other.removed;
        self.changed += other.changed;
        self.same += other.same;
    }
}

/// The result of a comparison.
pub(super) struct Comparison {
    pub(super) counts: Counts,
    pub(super) old: Crawled,
    pub(super) new: Crawled,
    /// True if some values were not compared, because one of the sets can't have them.
    pub(super) is_partial: bool,
}

/// The reason why two sets could not be compared completely.
pub(super) enum NotCompared {
    Stop(Stop),
    /// A target that could not be read completely. Some of its pages would look added or removed.
    Incomplete(String, Crawled),
}

impl NotCompared {
    /// Prints the target's findings, and returns the error.
    pub(super) fn report(self) -> Stop {
        match self {
            Self::Stop(stop) => stop,
            Self::Incomplete(target, crawled) => match crawled.report(&target) {
                Err(stop) => stop,
                Ok(()) => Stop::new(format!("cannot read all of `{target}`")),
            },
        }
    }
}

impl From<Stop> for NotCompared {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// Compares the pages of `old` with those of `new`, and passes the output lines to `print`.
pub(super) fn compare(
    source: &Source,
    (old, new): (&[String], &[String]),
    threads: usize,
    (lines, map): (Lines, &UrlMap),
    messages: &mut dyn Messages,
    print: &mut dyn FnMut(&[u8]) -> Outcome<()>,
) -> Result<Comparison, NotCompared> {
    let mut pages = Pages::with_hasher(RandomState::new());
    let hasher = pages.hasher().clone();
    let start = |document: &Document| Reading::new(hasher.clone(), document.carried(), map);
    let of_old = complete(crawl_parts(source, old, threads, messages, &start, &mut |(_, part)| {
        for (page, values) in part {
            pages.add(page, values);
        }
        Ok(())
    })?)?;
    let pages = &pages;
    let mut turns = Turns {
        is_seen: vec![false; pages.len()],
        added: Pages::with_hasher(hasher),
        counts: Counts::default(),
        is_partial: false,
    };
    let start = |document: &Document| Comparing::new(pages, lines, document.carried(), map);
    let of_new =
        complete(crawl_parts(source, new, threads, messages, &start, &mut |part| turns.take(part, print))?)?;
    turns.removed(pages, lines, print)?;
    Ok(Comparison { counts: turns.counts, old: of_old, new: of_new, is_partial: turns.is_partial })
}

fn complete(Counted { crawled, incomplete }: Counted) -> Result<Crawled, NotCompared> {
    match incomplete {
        Some((target, crawled)) => Err(NotCompared::Incomplete(target, crawled)),
        None => Ok(crawled),
    }
}

/// The pages of the new set that have been seen so far.
struct Turns {
    /// For each page of the old set: whether the new set also lists it.
    is_seen: Vec<bool>,
    added: Pages<()>,
    counts: Counts,
    is_partial: bool,
}

impl Turns {
    /// Counts pages of the new set, and prints their lines.
    fn take(&mut self, part: Compared, print: &mut dyn FnMut(&[u8]) -> Outcome<()>) -> Outcome<()> {
        self.is_partial |= part.is_partial;
        let mut text = part.text.as_slice();
        let mut is_new = |number: usize| !std::mem::replace(&mut self.is_seen[number], true);
        for page in part.pages {
            let (is_counted, count, len) = match page {
                Page::Same(number) => (is_new(number), &mut self.counts.same, 0),
                Page::Changed(number, len) => (is_new(number), &mut self.counts.changed, len),
                Page::Added(page, len) => (self.added.add(page, ()), &mut self.counts.added, len),
            };
            let (line, rest) = text.split_at(len);
            text = rest;
            if is_counted {
                *count += 1;
                print(line)?;
            }
        }
        Ok(())
    }

    /// Prints the pages that the new set doesn't list, in the order of the old set.
    fn removed(
        &mut self,
        pages: &Pages<Values>,
        lines: Lines,
        print: &mut dyn FnMut(&[u8]) -> Outcome<()>,
    ) -> Outcome<()> {
        let mut text = Vec::new();
        for (loc, _) in pages.locs().zip(&self.is_seen).filter(|(_, is_seen)| !**is_seen) {
            self.counts.removed += 1;
            lines.removed(&mut text, loc)?;
            if text.len() >= PART {
                print(&text)?;
                text.clear();
            }
        }
        print(&text)
    }
}
