//! Decides how long the files of earlier sets stay in the storage.

use std::collections::HashSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::manifest::{Kept, Manifest};
use super::row::Kind;
use crate::publish::options::{Names, SetOptions};

/// The conditions for keeping a file that the set no longer lists. The file stays as long as one of them is met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retention {
    /// The maximum number of times that the set may have changed since it listed the file.
    generations: u64,
    /// The maximum time since the set stopped listing the file.
    time: Duration,
    /// The maximum total size of the kept files, in bytes. Files that are kept because of `generations` count towards
    /// it, but are never removed early.
    bytes: u64,
    /// Files that the set listed within this time are never removed early.
    needed_for: Duration,
}

impl Retention {
    pub(super) fn of(options: &SetOptions) -> Self {
        let default = match options.names {
            Names::Stable => 0,
            Names::Digest => 1,
        };
        let generations = options.keep_generations.map_or(default, u64::from);
        Self {
            generations,
            time: options.keep_for,
            bytes: options.keep_at_most,
            needed_for: options.needed_for,
        }
    }

    /// Decides which files stay, of those that are in the storage but not in the next set. Returns the number of files
    /// that are removed early because of the maximum size.
    pub(super) fn retire(
        self,
        current: &Manifest,
        next: &mut Manifest,
        has_new_files: bool,
        now: SystemTime,
    ) -> u64 {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let listed: HashSet<&str> = next.rows.iter().map(|row| &*row.name).collect();
        let is_gone = |name: &str| !listed.contains(name);
        // The HTML page is the same for every set, so it doesn't belong to an earlier one.
        let dropped: Vec<_> =
            current.rows.iter().filter(|row| is_gone(&row.name) && row.kind != Kind::HtmlPage).collect();
        let changes = u64::from(has_new_files || !dropped.is_empty());
        let earlier = current.kept.iter().filter(|kept| is_gone(&kept.name)).map(|kept| Kept {
            // A time in the future comes from a wrong clock.
            since: kept.since.min(now),
            changes: kept.changes.saturating_add(changes),
            ..kept.clone()
        });
        let dropped = dropped.into_iter().map(|row| Kept {
            name: row.name.clone(),
            since: now,
            changes: 1,
            stored: row.metadata.len,
        });
        let (kept, removed): (Vec<_>, Vec<_>) =
            dropped.chain(earlier).partition(|file| self.keeps(file, now));
        let (kept, removed_early) = self.fit(kept, now);
        let early = removed_early.len() as u64;
        let removed = removed.into_iter().chain(removed_early).map(|file| file.name.to_string());
        let unlisted = current.unlisted.iter().filter(|name| is_gone(name)).cloned();
        let unlisted = removed.chain(unlisted).collect();
        next.kept = kept;
        next.unlisted = unlisted;
        early
    }

    fn keeps(self, file: &Kept, now: u64) -> bool {
        file.changes <= self.generations || age(file, now) < self.time
    }

    /// Removes the oldest files until the total size of the rest is within the maximum. Returns the files that stay and
    /// the files that are removed.
    fn fit(self, mut files: Vec<Kept>, now: u64) -> (Vec<Kept>, Vec<Kept>) {
        if self.bytes == u64::MAX {
            return (files, Vec::new());
        }
        // Newest first. The sort is stable, so files of the same set stay in order.
        files.sort_by_key(|file| (age(file, now), file.changes));
        let mut total: u64 = 0;
        files.into_iter().partition(|file| {
            total = total.saturating_add(file.stored);
            let is_needed = file.changes <= self.generations || age(file, now) < self.needed_for;
            total <= self.bytes || is_needed
        })
    }
}

/// Returns how long ago the set stopped listing a file.
fn age(file: &Kept, now: u64) -> Duration {
    Duration::from_secs(now.saturating_sub(file.since))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_700_000_000;

    const NOTHING: Retention =
        Retention { generations: 0, time: Duration::ZERO, bytes: u64::MAX, needed_for: Duration::ZERO };

    fn kept(name: &str, since: u64, changes: u64) -> Kept {
        Kept { name: name.into(), since, changes, stored: 0 }
    }

    /// Returns which files stay and which are removed when the set changes.
    fn retired(retention: Retention, files: Vec<Kept>, has_new_files: bool) -> (Vec<Kept>, Vec<String>) {
        let current = Manifest { kept: files, ..Manifest::default() };
        let mut next = Manifest::default();
        let now = UNIX_EPOCH + Duration::from_secs(NOW);
        retention.retire(&current, &mut next, has_new_files, now);
        (next.kept, next.unlisted)
    }

    #[test]
    fn a_file_stays_for_a_number_of_generations_or_for_a_time() {
        let files = || {
            vec![
                kept("new", NOW - 10, 1),
                kept("frequent", NOW - 10, 9),
                kept("old", NOW - 99, 1),
                kept("past", NOW - 99, 9),
            ]
        };
        for (generations, time, stays) in [
            (0, 0, &[][..]),
            (1, 0, &[]),
            (2, 0, &["new", "old"]),
            (0, 99, &["new", "frequent"]),
            (0, 100, &["new", "frequent", "old", "past"]),
            (2, 50, &["new", "frequent", "old"]),
        ] {
            let retention = Retention { generations, time: Duration::from_secs(time), ..NOTHING };
            let (kept, removed) = retired(retention, files(), true);
            let names: Vec<_> = kept.iter().map(|file| &*file.name).collect();
            assert_eq!(names, stays, "{generations} {time}");
            assert_eq!(kept.len() + removed.len(), 4);
        }
    }

    #[test]
    fn a_run_that_changes_nothing_makes_no_generation_but_time_passes() {
        let files = vec![kept("a", NOW - 10, 1), kept("b", NOW - 20, 2)];
        let by_number = Retention { generations: 2, ..NOTHING };
        assert_eq!(retired(by_number, files.clone(), false), (files.clone(), vec![]));
        let by_time = Retention { time: Duration::from_secs(15), ..NOTHING };
        assert_eq!(retired(by_time, files, false), (vec![kept("a", NOW - 10, 1)], vec!["b".to_owned()]));
    }

    #[test]
    fn a_time_in_the_future_counts_from_now() {
        let retention = Retention { time: Duration::from_secs(1), ..NOTHING };
        let files = vec![kept("a", NOW + 1_000_000, 1)];
        let expected = vec![kept("a", NOW, 2)];
        assert_eq!(retired(retention, files, true), (expected, vec![]));
    }

    #[test]
    fn the_oldest_files_go_first_when_the_kept_files_have_too_many_bytes() {
        let file = |name, age, changes, stored| Kept { stored, ..kept(name, NOW - age, changes) };
        let files =
            || vec![file("d", 30, 4, 5), file("a", 0, 1, 40), file("b", 10, 2, 30), file("c", 20, 3, 100)];
        let hour = Duration::from_secs(3600);
        for (generations, bytes, needed_for, stays) in [
            (0, 175, 0, &["a", "b", "c", "d"][..]),
            (0, 174, 0, &["a", "b", "c"]),
            (0, 100, 0, &["a", "b"]),
            (0, 69, 0, &["a"]),
            (0, 0, 0, &[]),
            // These files stay, whatever their size.
            (2, 0, 0, &["a", "b"]),
            (0, 0, 20, &["a", "b"]),
        ] {
            let needed_for = Duration::from_secs(needed_for);
            let retention = Retention { generations, time: hour, bytes, needed_for };
            let current = Manifest { kept: files(), ..Manifest::default() };
            let mut next = Manifest::default();
            let now = UNIX_EPOCH + Duration::from_secs(NOW);
            let early = retention.retire(&current, &mut next, false, now);
            let names: Vec<_> = next.kept.iter().map(|file| &*file.name).collect();
            assert_eq!(names, stays, "{retention:?}");
            assert_eq!((early, next.unlisted.len()), (4 - stays.len() as u64, 4 - stays.len()));
        }
        // A file whose time is up isn't removed early.
        let retention = Retention { time: Duration::from_secs(20), bytes: 40, ..NOTHING };
        let current = Manifest { kept: files(), ..Manifest::default() };
        let now = UNIX_EPOCH + Duration::from_secs(NOW);
        assert_eq!(retention.retire(&current, &mut Manifest::default(), false, now), 1);
    }
}
