//! Decides which of several instances refreshes the set that they share.
//!
//! The instances share a note in the storage. Before a scheduled refresh, an instance puts a note that it has begun, under
//! the condition that the note is still the one it has read. So one instance wins, and the others leave the refresh to it.
//! After a success, it replaces the note by the date. The note only saves queries: whatever it says, the commit of a set
//! keeps two runs apart.

use std::io::{self, Read, Write as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_core::Storage;
use sitemap_core::storage::{Metadata, temporary_name};

/// The name of the file with the note.
pub(super) const REFRESH_NOTE: &str = ".sitemap-refresh.txt";

/// The time for which a refresh that has begun keeps other instances from refreshing while there is no set.
///
/// Until the first set is published, requests get 503, so the others must not wait for an interval if the instance is
/// gone. A first refresh that takes longer than a minute is at worst run twice: on a storage with a lock, the second run
/// fails before it reads the records; on one without, it reads them in vain. A shorter time would make that usual for
/// large sets, and a longer one would keep requests waiting after each kill.
const BEGUN_WITHOUT_SET: Duration = Duration::from_secs(60);

/// The answer to the question who refreshes the set now.
#[derive(Debug)]
pub(super) enum Lease<C = Claim> {
    /// This instance.
    Ours(C),
    /// Another instance, or nobody yet.
    NotOurs {
        /// The time after which to ask again.
        again_in: Duration,
        /// The last time at which any instance has refreshed the set.
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

/// The note of this instance that it has begun a refresh. `None` if there is no note.
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
    /// The time at which a refresh began, or at which one succeeded.
    since: u64,
    /// The last time at which a refresh succeeded.
    success: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Begun,
    Refreshed,
}

/// Asks for the lease to refresh the set. It is not ours if another instance has begun or completed a refresh within the
/// interval.
///
/// `lacks_set` looks into the storage, and returns `true` if there surely is no set. It is asked only if the note leaves
/// the lease to another instance. Without a set, a note that a refresh has succeeded counts for nothing, because the set
/// has been removed since, and a note that one has begun counts for [a minute](BEGUN_WITHOUT_SET).
///
/// If the storage fails, the lease is ours: the refresh then fails, too, and reports the error.
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
    // The note must still be the one that was read before the storage was asked for a set, so a set that another instance
    // has published in the meantime is not overlooked.
    let text = Note { state: State::Begun, since: micros(now), success }.to_text();
    match put_if(storage, &text, seen.as_ref()) {
        Ok(true) => Lease::Ours(Claim(Some(text))),
        Ok(false) => Lease::NotOurs { again_in: interval, last_success },
        Err(_) => Lease::Ours(Claim::default()),
    }
}

/// Gives the lease back after a refresh that has failed, so that another instance may take it.
pub(super) fn give_back(storage: &dyn Storage, claim: Claim) -> io::Result<()> {
    match claim.0 {
        Some(claim) if read(storage)?.1.as_ref() == Some(&claim) => storage.remove(REFRESH_NOTE),
        _ => Ok(()),
    }
}

/// Notes that this instance has refreshed the set.
pub(super) fn note_success(storage: &dyn Storage, now: SystemTime) -> io::Result<()> {
    let now = micros(now);
    let note = Note { state: State::Refreshed, since: now, success: Some(now) };
    storage.put(REFRESH_NOTE, note.to_text().as_bytes())
}

/// Reads the note, and the metadata that it had before.
fn read(storage: &dyn Storage) -> io::Result<(Option<Metadata>, Option<String>)> {
    /// More bytes than any note has.
    const LONGEST: u64 = 1_000;

    let Some(seen) = storage.metadata(REFRESH_NOTE)? else { return Ok((None, None)) };
    let mut text = String::new();
    match storage.open(REFRESH_NOTE).and_then(|file| file.take(LONGEST).read_to_string(&mut text)) {
        Ok(_) => Ok((Some(seen), Some(text))),
        // It was removed in the meantime, or is not a text. A note that is damaged is replaced.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => {
            Ok((Some(seen), None))
        }
        Err(error) => Err(error),
    }
}

/// Puts the note if it still has the metadata `seen`.
fn put_if(storage: &dyn Storage, text: &str, seen: Option<&Metadata>) -> io::Result<bool> {
    let temporary = temporary_name(REFRESH_NOTE);
    let mut file = storage.create(&temporary)?;
    let put = file
        .write_all(text.as_bytes())
        .and_then(|()| file.finish())
        .and_then(|_| storage.rename_if(&temporary, REFRESH_NOTE, seen));
    if !matches!(put, Ok(true)) {
        drop(file);
        // If the removal fails, a later publication removes the file, because its name is a temporary one.
        let _ = storage.remove(&temporary);
    }
    put
}

impl Note {
    /// Writes a note. Its last word is different each time, also in other processes and on other machines, so no instance
    /// takes the note of another for its own.
    fn to_text(self) -> String {
        let state = match self.state {
            State::Begun => "begun",
            State::Refreshed => "refreshed",
        };
        let success = self.success.map_or("never".to_owned(), |success| success.to_string());
        format!("{state} {} {success} {}\n", self.since, temporary_name("note"))
    }

    /// Returns `None` for any other text.
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

    /// Returns how long the note still keeps other instances from refreshing. The clocks of instances may differ, but a
    /// note that is further in the future than the interval comes from a wrong clock and counts for nothing.
    fn rest_of(self, interval: Duration, now: u64) -> Option<Duration> {
        let age = Duration::from_micros(now.abs_diff(self.since));
        let rest = if self.since <= now { interval.checked_sub(age)? } else { interval };
        (age < interval && !rest.is_zero()).then_some(rest)
    }

    /// Returns the last success, which is never later than now. Like a note, a success that is further in the future than
    /// the interval comes from a wrong clock and counts for nothing.
    fn success_by(self, interval: Duration, now: u64) -> Option<u64> {
        let success = self.success?;
        let ahead = Duration::from_micros(success.saturating_sub(now));
        (ahead < interval).then_some(success.min(now))
    }

    /// Does the same as [`rest_of`](Self::rest_of) for a storage without a set.
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

    /// Returns the claim, or the seconds after which to ask again and the second of the last success.
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
        // The refresh that has begun is left to its instance. If it dies, others take over after the interval.
        assert_eq!(take_at(&storage, 20).unwrap_err(), (40, None));
        assert!(take_at(&storage, 60).is_ok());
        note_success(&*storage, at(70)).unwrap();
        assert_eq!(take_at(&storage, 129).unwrap_err(), (1, Some(70)));
        let claim = take_at(&storage, 130).unwrap();
        assert_eq!(take_at(&storage, 131).unwrap_err(), (59, Some(70)));
        // A failure leaves the lease to whoever asks next.
        give_back(&*storage, claim).unwrap();
        assert!(take_at(&storage, 132).is_ok());
    }

    #[test]
    fn of_several_instances_that_ask_at_once_one_gets_the_turn() {
        let memory = Memory::new();
        note_success(&memory, at(0)).unwrap();
        let other = storage(&memory);
        // The other instance asks between the question and the claim of this one.
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
        // The lease is now that of an instance that has begun. It may be gone.
        assert!(take_without(&storage, DAY, 60, || true).is_err());
        assert!(take_without(&storage, DAY, 61, || false).is_err(), "there is a set");
        assert!(take_without(&storage, DAY, 61, || true).is_ok());
        // A shorter interval stays shorter.
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
        // The next note does not repeat it.
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
