//! Dates for an application's records.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sitemap_core::LastMod;
use sitemap_core::value::ToLastMod as _;

use super::error::StateError;
use super::open_state::State;
use super::table::{Table, TableId};
use crate::content::ContentDigest;

const RECORDS: Table<Record> = Table::new(TableId::Records);

#[derive(Serialize, Deserialize)]
struct Record {
    digest: [u8; 16],
    #[serde(with = "crate::stamp::option")]
    changed: Option<SystemTime>,
}

/// Dates for records whose source doesn't store when they last changed.
///
/// The application passes a digest of what a page shows. If it differs from the previous digest, the date becomes the
/// time of this call.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use sitemap_pages::content::ContentDigest;
/// use sitemap_pages::state::State;
///
/// let state = State::in_memory()?;
/// let day = |number: u64| UNIX_EPOCH + Duration::from_secs(number * 86_400);
/// let (draft, final_text) = (ContentDigest::of_bytes(b"Oak grows."), ContentDigest::of_bytes(b"Oak grows slowly."));
///
/// let dates = state.digest_dates()?;
/// assert_eq!(dates.date("trees/oak", draft, day(20_000))?, None, "nobody knows when it changed last");
/// let changed = dates.date("trees/oak", final_text, day(20_001))?.unwrap();
/// assert_eq!(changed.to_string(), "2024-10-05T00:00:00Z");
/// assert_eq!(dates.date("trees/oak", final_text, day(20_009))?, Some(changed));
/// state.flush()?;
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
///
/// This gives a record a `lastmod` although its table has no column for it:
///
/// ```
/// use std::time::{Duration, SystemTime, UNIX_EPOCH};
/// use sitemap_core::{LastMod, Site, SitemapEntry, entries_of};
/// use sitemap_pages::content::ContentDigest;
/// use sitemap_pages::state::State;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/trees/{slug}")]
/// struct Tree {
///     slug: &'static str,
///     height: u32,
///     #[sitemap(lastmod)]
///     changed: Option<LastMod>,
/// }
///
/// fn build(state: &State, height: u32, now: SystemTime) -> Result<String, Box<dyn std::error::Error>> {
///     let mut oak = Tree { slug: "oak", height, changed: None };
///     // All that the page of a tree shows.
///     let digest = ContentDigest::of_bytes(&oak.height.to_le_bytes());
///     oak.changed = state.digest_dates()?.date(oak.slug, digest, now)?;
///     let site = Site::new("https://example.com")?;
///     let entry = &entries_of(&oak, &site)?[0];
///     Ok(format!("{} {:?}", entry.loc(), entry.lastmod().map(|date| date.to_string())))
/// }
///
/// let (state, day) = (State::in_memory()?, |number: u64| UNIX_EPOCH + Duration::from_secs(number * 86_400));
/// assert_eq!(build(&state, 12, day(20_000))?, "https://example.com/trees/oak None");
/// assert_eq!(build(&state, 13, day(20_001))?, "https://example.com/trees/oak Some(\"2024-10-05T00:00:00Z\")");
/// assert_eq!(build(&state, 13, day(20_009))?, "https://example.com/trees/oak Some(\"2024-10-05T00:00:00Z\")");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DigestDates<'a> {
    state: &'a State,
}

impl DigestDates<'_> {
    /// Returns the date when a record's digest was last seen to change, or `None` if it never was.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read or written.
    pub fn date(
        &self,
        key: &str,
        digest: ContentDigest,
        now: SystemTime,
    ) -> Result<Option<LastMod>, StateError> {
        let db = &self.state.db;
        let digest = digest.to_bytes();
        let changed = match db.get(&RECORDS, key.as_bytes())? {
            Some(old) if old.digest == digest => old.changed,
            old => {
                let changed = old.map(|_| now);
                db.next_visit()?;
                db.write(|| db.put(&RECORDS, key.as_bytes(), &Record { digest, changed }))?;
                changed
            }
        };
        Ok(changed.and_then(|time| time.to_last_mod().ok().flatten()))
    }
}

impl State {
    /// Returns the dates of an application's records.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the stored digests can't be read.
    pub fn digest_dates(&self) -> Result<DigestDates<'_>, StateError> {
        // A record whose row is damaged must not be treated as new.
        self.db.verify(RECORDS.id)?;
        Ok(DigestDates { state: self })
    }
}
