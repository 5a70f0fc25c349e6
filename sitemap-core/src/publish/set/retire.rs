//! Decides how long the files of earlier sets stay in the storage.

use std::collections::HashSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::manifest::{Kept, Manifest};
use crate::publish::options::{Names, PublisherBuilder};

/// The conditions under which a file that the set no longer lists stays. The file stays as long as one of them holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retention {
    /// The set has changed at most this many times since it listed the file.
    generations: u64,
    /// The set has listed the file within this time.
    time: Duration,
}

impl Retention {
    pub(super) fn of(options: &PublisherBuilder) -> Self {
        let default = match options.names {
            Names::Stable => 0,
            Names::Digest => 1,
        };
        let generations = options.keep_generations.map_or(default, u64::from);
        Self { generations, time: options.keep_for }
    }

    /// Decides, for each file that the storage has and the next set does not list, whether the file stays.
    pub(super) fn retire(
        self,
        current: &Manifest,
        next: &mut Manifest,
        has_new_files: bool,
        now: SystemTime,
    ) {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let listed: HashSet<&str> = next.rows.iter().map(|row| row.name.as_str()).collect();
        let is_gone = |name: &String| !listed.contains(name.as_str());
        let dropped: Vec<_> = current.rows.iter().map(|row| &row.name).filter(|name| is_gone(name)).collect();
        let changes = u64::from(has_new_files || !dropped.is_empty());
        let earlier = current.kept.iter().filter(|kept| is_gone(&kept.name)).map(|kept| Kept {
            // A manifest without this time comes from an older version, and a time in the future from a wrong clock.
            since: kept.since.filter(|since| *since <= now).or(Some(now)),
            changes: kept.changes.saturating_add(changes),
            ..kept.clone()
        });
        let dropped =
            dropped.into_iter().map(|name| Kept { name: name.clone(), since: Some(now), changes: 1 });
        let (kept, removed): (Vec<_>, Vec<_>) =
            dropped.chain(earlier).partition(|file| self.keeps(file, now));
        let removed = removed.into_iter().map(|file| file.name);
        let unlisted = current.unlisted.iter().filter(|name| is_gone(name)).cloned();
        let unlisted = removed.chain(unlisted).collect();
        next.kept = kept;
        next.unlisted = unlisted;
    }

    fn keeps(self, file: &Kept, now: u64) -> bool {
        let age = Duration::from_secs(now.saturating_sub(file.since.unwrap_or(now)));
        file.changes <= self.generations || age < self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_700_000_000;

    fn kept(name: &str, since: Option<u64>, changes: u64) -> Kept {
        Kept { name: name.to_owned(), since, changes }
    }

    /// Returns the files that stay and the files that are removed when the set changes.
    fn retired(retention: Retention, files: Vec<Kept>, has_new_files: bool) -> (Vec<Kept>, Vec<String>) {
        let current = Manifest { kept: files, ..Manifest::default() };
        let mut next = Manifest::default();
        retention.retire(&current, &mut next, has_new_files, UNIX_EPOCH + Duration::from_secs(NOW));
        (next.kept, next.unlisted)
    }

    #[test]
    fn a_file_stays_for_a_number_of_generations_or_for_a_time() {
        let files = || {
            vec![
                kept("new", Some(NOW - 10), 1),
                kept("frequent", Some(NOW - 10), 9),
                kept("old", Some(NOW - 99), 1),
                kept("past", Some(NOW - 99), 9),
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
            let retention = Retention { generations, time: Duration::from_secs(time) };
            let (kept, removed) = retired(retention, files(), true);
            let names: Vec<_> = kept.iter().map(|file| file.name.as_str()).collect();
            assert_eq!(names, stays, "{generations} {time}");
            assert_eq!(kept.len() + removed.len(), 4);
        }
    }

    #[test]
    fn a_run_that_changes_nothing_makes_no_generation_but_time_passes() {
        let files = vec![kept("a", Some(NOW - 10), 1), kept("b", Some(NOW - 20), 2)];
        let by_number = Retention { generations: 2, time: Duration::ZERO };
        assert_eq!(retired(by_number, files.clone(), false), (files.clone(), vec![]));
        let by_time = Retention { generations: 0, time: Duration::from_secs(15) };
        assert_eq!(
            retired(by_time, files, false),
            (vec![kept("a", Some(NOW - 10), 1)], vec!["b".to_owned()])
        );
    }

    #[test]
    fn a_time_that_is_missing_or_in_the_future_counts_from_now() {
        let retention = Retention { generations: 0, time: Duration::from_secs(1) };
        let files = vec![kept("a", None, 1), kept("b", Some(NOW + 1_000_000), 1)];
        let expected = vec![kept("a", Some(NOW), 2), kept("b", Some(NOW), 2)];
        assert_eq!(retired(retention, files, true), (expected, vec![]));
    }
}
