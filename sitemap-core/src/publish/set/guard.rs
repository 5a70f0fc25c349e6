//! Refuses a run that would shrink the published set too much.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::time::UNIX_EPOCH;

use super::count;
use super::history::{History, Sizes};
use super::next::NextSet;
use super::row::{Kind, Row};
use crate::clock::{self, NoClock};
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::publish::options::SetOptions;
use crate::publish::shrink::{AllowShrink, ShrinkLimit, Shrinkage};

/// The permission and the number of skipped records that the caller passes to the guard.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Guard {
    pub(crate) allow: Option<AllowShrink>,
    /// The number of invalid records that the run skipped. They may be the cause of a loss.
    pub(crate) skipped: u64,
}

impl Guard {
    /// Compares the next set with the published set and with the sets of the last weeks. Returns the history for the
    /// next set's manifest.
    ///
    /// This happens before the run writes an index or the journal, so a refused run changes nothing.
    ///
    /// If there is no readable manifest, the pages of the published set are counted in its files.
    pub(super) fn check<'r>(
        self,
        set: &NextSet,
        options: &SetOptions,
        written: &[&str],
        new: impl Iterator<Item = &'r Row>,
    ) -> Result<History, PublishError> {
        let current = &set.current;
        let mut published = sizes(current.manifest().rows.iter());
        if (current.has_no_manifest || current.is_unreadable) && options.max_shrink != ShrinkLimit::OFF {
            published.add(None, count::pages(&*set.storage)?);
        }
        let mut next = sizes(new);
        if options.keep_sections {
            let written: HashSet<&str> = written.iter().copied().collect();
            for row in pages(current.manifest().rows.iter()) {
                if row.section().is_some_and(|section| !written.contains(section)) {
                    next.add(row.section(), row.entries);
                }
            }
        }
        let now = seconds_now()?;
        if current.other_base(&options.site).is_some() {
            // The pages of another site aren't comparable, and the caller has allowed replacing all of them.
            return Ok(History::starting(now, &next));
        }
        let history = current.manifest().history.clone().at(now).with(&published);
        if self.judge(options, &history, &published, &next)? {
            // The caller has accepted the new numbers, so later runs are compared with them.
            return Ok(History::starting(now, &next));
        }
        Ok(history.with(&next).of_sections(&next))
    }

    /// Checks an update before it writes anything. `changed` contains the new page counts of the changed sections. All
    /// other sections stay as they are.
    pub(crate) fn check_update<'r>(
        self,
        options: &SetOptions,
        history: &History,
        sections: impl Iterator<Item = (&'r str, u64)>,
        changed: BTreeMap<&'r str, u64>,
    ) -> Result<(), PublishError> {
        let (mut published, mut next) = (Sizes::default(), Sizes::default());
        for (name, pages) in sections {
            published.add(Some(name), pages);
            if !changed.contains_key(name) {
                next.add(Some(name), pages);
            }
        }
        for (name, pages) in changed {
            next.add(Some(name), pages);
        }
        let history = history.clone().at(seconds_now()?).with(&published);
        self.judge(options, &history, &published, &next).map(drop)
    }

    /// Refuses a loss that exceeds the limit, unless the run has a permission. Returns `true` if the permission was
    /// needed.
    fn judge(
        self,
        options: &SetOptions,
        history: &History,
        published: &Sizes<'_>,
        next: &Sizes<'_>,
    ) -> Result<bool, PublishError> {
        let losses = losses(options.max_shrink, history, published, next);
        let needed = losses.iter().map(|loss| match loss.after {
            0 => AllowShrink::Empty,
            _ => AllowShrink::Smaller,
        });
        let needed = needed.max();
        if needed <= self.allow {
            return Ok(needed.is_some());
        }
        let (limit, skipped) = (options.max_shrink, self.skipped);
        Err(PublishErrorKind::Shrunk { losses, limit, skipped }.into())
    }
}

fn seconds_now() -> Result<u64, NoClock> {
    Ok(clock::now()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

/// Returns the losses that exceed the limit. The sections come first, sorted by name, and the whole set comes last.
fn losses(limit: ShrinkLimit, history: &History, published: &Sizes<'_>, next: &Sizes<'_>) -> Vec<Shrinkage> {
    let loss = |section: Option<&str>, highest, before, after| {
        // A run that loses nothing itself isn't refused for earlier losses.
        if before <= after || !limit.refuses(highest, after) {
            return None;
        }
        let is_gradual = !limit.refuses(before, after);
        let before = if is_gradual { highest } else { before };
        Some(Shrinkage { section: section.map(Into::into), before, after, is_gradual, removed: None })
    };
    let sections = published.sections.iter().map(|(section, before)| {
        let highest = history.sections.get(*section).copied().unwrap_or_default().highest();
        loss(Some(section), highest, *before, next.of_section(section))
    });
    let set = loss(None, history.set.highest(), published.set, next.set);
    let mut losses: Vec<Shrinkage> = sections.flatten().collect();
    // If the set has only one section, the set loses the same pages as the section, so only the section is reported.
    let is_reported =
        |set: &Shrinkage| losses.iter().any(|loss| loss.before == set.before && loss.after == set.after);
    let set = set.filter(|set| !is_reported(set));
    losses.extend(set);
    losses
}

fn sizes<'r>(rows: impl Iterator<Item = &'r Row>) -> Sizes<'r> {
    let mut sizes = Sizes::default();
    pages(rows).for_each(|row| sizes.add(row.section(), row.entries));
    sizes
}

fn pages<'r>(rows: impl Iterator<Item = &'r Row>) -> impl Iterator<Item = &'r Row> {
    rows.filter(|row| row.kind == Kind::Pages)
}
