//! Decides which instance refreshes a shared set.
//!
//! The instances share a note in the storage. Before a scheduled refresh, an instance reads the note and replaces it
//! with one of its own, on the condition that nobody else has replaced it meanwhile. So only one instance wins, and the
//! others leave the refresh to it. After a successful refresh, that instance stores the date in the note. The note only
//! saves database queries: the commit itself prevents two instances from publishing at once, whatever the note
//! contains.

use std::io::{self, Read, Write as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_core::Storage;
use sitemap_core::storage::{Metadata, temporary_name};

/// The name of the file with the note.
pub(super) const REFRESH_NOTE: &str = ".sitemap-refresh.txt";

/// How long a running refresh prevents other instances from refreshing while there is no set.
///
/// Until the first set is published, requests get 503. So if the refreshing instance is gone, the others must not wait
/// for a whole interval. The price is that a first refresh longer than a minute may run twice. If the storage has a
/// lock, the second run fails before it reads the records; otherwise, it reads them in vain. With a shorter time, this
/// would often happen to large sets. With a longer time, requests would wait longer after an instance is killed.
const BEGUN_WITHOUT_SET: Duration = Duration::from_secs(60);

/// Who may refresh the set now.
#[derive(Debug)]
pub(super) enum Lease<C = Claim> {
    /// This instance.
    Ours(C),
    /// Another instance, or nobody until the interval is over.
    NotOurs {
        /// How long this instance waits before it asks for the lease again.
        again_in: Duration,
        /// The last time that any instance refreshed the set successfully.
        last_success: Option<SystemTime>,
    },
}

impl Lease {
    /// Replaces the claim.
    pub(super) fn map<C>(self, claim: impl FnOnce(Claim) -> C) -> Lease<C> {
        match self {
            Self::Ours(own) => Lease::Ours(claim(own)),
            Self::NotOurs { again_in, last_success } => Lease::NotOurs { again_in, last_success },
        }
    }
}

/// The note with which this instance has claimed the refresh. `None` if it has written no note.
#[derive(Debug, Default)]
pub(super) struct Claim(Option<String>);

impl Claim {
    /// Returns `true` if there is no note.
    pub(super) fn is_none(&self) -> bool {
        self.0.is_none()
    }
}

/// A note, with times in microseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Note {
    state: State,
    /// The time when the current refresh began, or when the last one succeeded, depending on `state`.
    since: u64,
    /// The time of the last successful refresh.
    success: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Begun,
    Refreshed,
}

/// Asks for the lease to refresh the set. Another instance has it if that instance began or completed a refresh within
/// the interval.
///
/// `lacks_set` asks the storage, and returns `true` if there is definitely no set. It is called only if the note would
/// give the lease to another instance. If there is no set, a note about a successful refresh is ignored, because the
/// set must have been removed since. A note about a running refresh is then valid for at most [a
/// minute](BEGUN_WITHOUT_SET).
///
/// If the storage fails, this instance gets the lease. Its refresh then fails as well, and reports the error.
pub(super) fn take(
    storage: &dyn Storage,
    interval: Duration,
    now: SystemTime,
    lacks_set: impl FnOnce() -> bool,
) -> Lease {
    let Ok((seen, note)) = read(storage) else { return Lease::Ours(Claim::default()) };
    let note = note.as_deref().and_then(Note::parse);
    let success = note.and_then(|note| note.success_by(interval, micros(now)));
    let last_success = success.map(|success| UNIX_EPOCH + Duration::from_micros(success));
    if let Some(note) = note
        && let Some(again_in) = note.rest_of(interval, micros(now))
        && !(lacks_set() && note.rest_without_set(interval, micros(now)).is_none())
    {
        return Lease::NotOurs { again_in, last_success };
    }
    // `seen` was read before the storage was searched for a set. If another instance has published a set since, the
    // note has changed, and this instance does not get the lease.
    let text = Note { state: State::Begun, since: micros(now), success }.to_text();
    match put_if(storage, &text, seen.as_ref()) {
        Ok(true) => Lease::Ours(Claim(Some(text))),
        Ok(false) => Lease::NotOurs { again_in: interval, last_success },
        Err(_) => Lease::Ours(Claim::default()),
    }
}

/// Releases the lease after a failed refresh, so another instance can get it.
pub(super) fn give_back(storage: &dyn Storage, claim: Claim) -> io::Result<()> {
    match claim.0 {
        Some(claim) if read(storage)?.1.as_ref() == Some(&claim) => storage.remove(REFRESH_NOTE),
        _ => Ok(()),
    }
}

/// Records that this instance has refreshed the set.
pub(super) fn note_success(storage: &dyn Storage, now: SystemTime) -> io::Result<()> {
    let now = micros(now);
    let note = Note { state: State::Refreshed, since: now, success: Some(now) };
    storage.put(REFRESH_NOTE, note.to_text().as_bytes())
}

/// Returns the metadata of the note, and its content as read after that.
fn read(storage: &dyn Storage) -> io::Result<(Option<Metadata>, Option<String>)> {
    /// The maximum number of bytes to read. Every valid note is shorter.
    const LONGEST: u64 = 1_000;

    let Some(seen) = storage.metadata(REFRESH_NOTE)? else { return Ok((None, None)) };
    let mut text = String::new();
    match storage.open(REFRESH_NOTE).and_then(|file| file.take(LONGEST).read_to_string(&mut text)) {
        Ok(_) => Ok((Some(seen), Some(text))),
        // The note was removed meanwhile, or is not UTF-8. A damaged note is replaced.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => {
            Ok((Some(seen), None))
        }
        Err(error) => Err(error),
    }
}

/// Writes the note if the stored one still has the metadata `seen`.
fn put_if(storage: &dyn Storage, text: &str, seen: Option<&Metadata>) -> io::Result<bool> {
    let temporary = temporary_name(REFRESH_NOTE);
    let mut file = storage.create(&temporary)?;
    let put = file
        .write_all(text.as_bytes())
        .and_then(|()| file.finish())
        .and_then(|_| storage.rename_if(&temporary, REFRESH_NOTE, seen));
    if !matches!(put, Ok(true)) {
        drop(file);
        // If this fails, a later publication removes the file, as it does all files with temporary names.
        let _ = storage.remove(&temporary);
    }
    put
}

impl Note {
    /// Formats the note. Its last word is unique across processes and machines, so an instance never mistakes another
    /// instance's note for its own.
    fn to_text(self) -> String {
        let state = match self.state {
            State::Begun => "begun",
            State::Refreshed => "refreshed",
        };
        let success = self.success.map_or("never".to_owned(), |success| success.to_string());
        format!("{state} {} {success} {}\n", self.since, temporary_name("note"))
    }

    /// Returns `None` if the string is not a valid note.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.strip_suffix('\n')?.split(' ');
        let state = match words.next()? {
            "begun" => State::Begun,
            "refreshed" => State::Refreshed,
            _ => return None,
        };
        let (Some(since), Some(success), Some(_), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return None;
        };
        let success = if success == "never" { None } else { Some(success.parse().ok()?) };
        Some(Self { state, since: since.parse().ok()?, success })
    }

    /// Returns how much longer the note prevents other instances from refreshing. The instances' clocks may differ. But
    /// a time that is a whole interval or more in the future comes from a wrong clock, so such a note is ignored.
    fn rest_of(self, interval: Duration, now: u64) -> Option<Duration> {
        let age = Duration::from_micros(now.abs_diff(self.since));
        let rest = if self.since <= now { interval.checked_sub(age)? } else { interval };
        (age < interval && !rest.is_zero()).then_some(rest)
    }

    /// Returns the time of the last success, or `now` if that is earlier. A time that is a whole interval or more in
    /// the future comes from a wrong clock and is ignored.
    fn success_by(self, interval: Duration, now: u64) -> Option<u64> {
        let success = self.success?;
        let ahead = Duration::from_micros(success.saturating_sub(now));
        (ahead < interval).then_some(success.min(now))
    }

    /// Like [`rest_of`](Self::rest_of), but for storage without a set.
    fn rest_without_set(self, interval: Duration, now: u64) -> Option<Duration> {
        match self.state {
            State::Begun => self.rest_of(interval.min(BEGUN_WITHOUT_SET), now),
            State::Refreshed => None,
        }
    }
}

fn micros(time: SystemTime) -> u64 {
    let time = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use sitemap_core::Memory;
    use sitemap_tests::{Hooked, OperationKind};

    const MINUTE: Duration = Duration::from_secs(60);

    fn at(second: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_800_000_000 + second)
    }

    fn storage(memory: &Memory) -> Arc<dyn Storage> {
        Arc::new(memory.clone())
    }

    /// Returns the claim. If another instance has the lease, returns the seconds to wait before asking again, and the
    /// second of the last success.
    fn take_at(storage: &Arc<dyn Storage>, second: u64) -> Result<Claim, (u64, Option<u64>)> {
        take_without(storage, MINUTE, second, || false)
    }

    fn take_without(
        storage: &Arc<dyn Storage>,
        interval: Duration,
        second: u64,
        lacks_set: impl FnOnce() -> bool,
    ) -> Result<Claim, (u64, Option<u64>)> {
        match take(&**storage, interval, at(second), lacks_set) {
            Lease::Ours(claim) => Ok(claim),
            Lease::NotOurs { again_in, last_success } => Err((
                again_in.as_secs(),
                last_success.map(|date| date.duration_since(at(0)).unwrap().as_secs()),
            )),
        }
    }

    #[test]
    fn one_instance_refreshes_in_each_interval() {
        let storage = storage(&Memory::new());
        assert!(take_at(&storage, 0).is_ok());
        // Other instances leave a running refresh alone. If its instance dies, they take over after the interval.
        assert_eq!(take_at(&storage, 20).unwrap_err(), (40, None));
        assert!(take_at(&storage, 60).is_ok());
        note_success(&*storage, at(70)).unwrap();
        assert_eq!(take_at(&storage, 129).unwrap_err(), (1, Some(70)));
        let claim = take_at(&storage, 130).unwrap();
        assert_eq!(take_at(&storage, 131).unwrap_err(), (59, Some(70)));
        // After a failure, the next instance to ask gets the lease.
        give_back(&*storage, claim).unwrap();
        assert!(take_at(&storage, 132).is_ok());
    }

    #[test]
    fn of_several_instances_that_ask_at_once_one_gets_the_turn() {
        let memory = Memory::new();
        note_success(&memory, at(0)).unwrap();
        let other = storage(&memory);
        // The other instance gets the lease after this one has read the note, but before it writes its own.
        let asked = std::sync::Mutex::new(None);
        let hooked = Hooked::new(memory.clone(), move |operation| {
            if operation.kind == OperationKind::RenameIf && asked.lock().unwrap().is_none() {
                *asked.lock().unwrap() = Some(take_at(&other, 60).is_ok());
                assert_eq!(*asked.lock().unwrap(), Some(true));
            }
            Ok(())
        });
        let ours: Arc<dyn Storage> = Arc::new(hooked);
        assert_eq!(take_at(&ours, 60).unwrap_err(), (60, Some(0)));
        assert_eq!(memory.list().unwrap(), [REFRESH_NOTE], "no temporary file is left");
    }

    #[test]
    fn without_a_set_a_success_counts_for_nothing_and_a_beginning_for_a_minute() {
        const DAY: Duration = Duration::from_secs(24 * 3600);

        let storage = storage(&Memory::new());
        note_success(&*storage, at(0)).unwrap();
        assert!(take_without(&storage, DAY, 1, || false).is_err(), "there is a set");
        assert!(take_without(&storage, DAY, 1, || true).is_ok());
        // An instance that has begun a refresh has the lease now. That instance may be gone.
        assert!(take_without(&storage, DAY, 60, || true).is_err());
        assert!(take_without(&storage, DAY, 61, || false).is_err(), "there is a set");
        assert!(take_without(&storage, DAY, 61, || true).is_ok());
        // An interval shorter than a minute is not extended.
        let interval = Duration::from_secs(10);
        assert!(take_without(&storage, interval, 70, || true).is_err());
        assert!(take_without(&storage, interval, 71, || true).is_ok());
        note_success(&*storage, at(80)).unwrap();
        assert!(
            take_without(&storage, interval, 90, || unreachable!("the note is too old to count")).is_ok()
        );
    }

    #[test]
    fn a_set_that_is_published_while_this_instance_looks_is_not_refreshed_again() {
        let storage = storage(&Memory::new());
        assert!(take_at(&storage, 0).is_ok());
        note_success(&*storage, at(1)).unwrap();
        let lacks_set = || {
            note_success(&*storage, at(2)).unwrap();
            true
        };
        assert!(take_without(&storage, MINUTE, 3, lacks_set).is_err());
    }

    #[test]
    fn the_note_of_another_instance_is_not_removed() {
        let storage = storage(&Memory::new());
        let late = take_at(&storage, 0).unwrap();
        let next = take_at(&storage, 60).unwrap();
        give_back(&*storage, late).unwrap();
        assert_eq!(take_at(&storage, 61).unwrap_err(), (59, None));
        give_back(&*storage, next).unwrap();
        give_back(&*storage, Claim::default()).unwrap();
        assert_eq!(storage.metadata(REFRESH_NOTE).unwrap(), None);
    }

    #[test]
    fn a_note_that_says_nothing_keeps_nobody_from_refreshing() {
        let memory = Memory::new();
        let storage = storage(&memory);
        let now = micros(at(0));
        let future = format!("refreshed {} never x\n", now + 60_000_000);
        for text in ["", "begun\n", "begun 1800000000 never\n", "begun x never x\n", "begun 1 1 x", &future] {
            memory.put(REFRESH_NOTE, text.as_bytes()).unwrap();
            assert!(take_at(&storage, 0).is_ok(), "{text:?}");
        }
        memory.put(REFRESH_NOTE, &[0xFF]).unwrap();
        assert!(take_at(&storage, 0).is_ok());
        // A clock that is a little ahead does no harm.
        memory.put(REFRESH_NOTE, format!("begun {} never x\n", now + 59_000_000).as_bytes()).unwrap();
        assert_eq!(take_at(&storage, 0).unwrap_err(), (60, None));
    }

    #[test]
    fn a_success_in_the_future_does_not_count_as_one_for_longer_than_an_interval() {
        let memory = Memory::new();
        let storage = storage(&memory);
        let now = micros(at(0));
        let success_of = |success: u64| {
            memory.put(REFRESH_NOTE, format!("begun {now} {success} x\n").as_bytes()).unwrap();
            take_at(&storage, 0).unwrap_err().1
        };
        assert_eq!(success_of(now + 59_000_000), Some(0), "the clock is a little ahead");
        assert_eq!(success_of(now + 60_000_000), None, "the clock is wrong");
        // The next note does not repeat the wrong time.
        memory.put(REFRESH_NOTE, format!("begun 1 {} x\n", now + 60_000_000).as_bytes()).unwrap();
        assert!(take_at(&storage, 0).is_ok());
        assert_eq!(take_at(&storage, 1).unwrap_err(), (59, None));
    }

    #[test]
    fn a_storage_that_fails_leaves_the_error_to_the_refresh() {
        let memory = Memory::new();
        for kind in [OperationKind::Metadata, OperationKind::Create, OperationKind::RenameIf] {
            let failing = Hooked::new(memory.clone(), move |operation| {
                if operation.kind == kind { Err(io::Error::other("no answer")) } else { Ok(()) }
            });
            assert!(take_at(&(Arc::new(failing) as Arc<dyn Storage>), 0).is_ok());
        }
        assert!(memory.list().unwrap().is_empty());
    }
}
