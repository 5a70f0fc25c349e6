//! The main content of pages, stored separately because it is too large to be read along with every page.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::error::StateError;
use super::open_state::State;
use super::run::Run;
use super::table::{Table, TableId};
use crate::content::{Block, Blocks};
use crate::facts::PageFacts;
use crate::visit::{Outcome, Visit};

/// The pages' content as of the last finished run.
pub(super) const CONTENT: Table<Content> = Table::new(TableId::Content);
/// The content seen by runs that aren't finished.
pub(super) const FRESH: Table<Fresh> = Table::new(TableId::Fresh);

/// A page's main content.
#[derive(Serialize, Deserialize)]
pub(super) struct Content {
    /// The first run that saw this content.
    pub(super) run: u64,
    #[serde(with = "bytes")]
    pub(super) blocks: Blocks,
}

/// The content of a page, as seen by an unfinished run.
#[derive(Deserialize)]
pub(super) struct Fresh {
    pub(super) run: u64,
    /// The page's blocks, or `None` if they equal those in [`CONTENT`].
    pub(super) other: Option<FreshBlocks>,
}

#[derive(Deserialize)]
pub(super) struct FreshBlocks(#[serde(with = "bytes")] pub(super) Blocks);

/// The same fields as [`Fresh`], used to write blocks without copying them.
#[derive(Serialize)]
struct FreshRef<'a> {
    run: u64,
    other: Option<BlocksRef<'a>>,
}

#[derive(Serialize)]
struct BlocksRef<'a>(#[serde(with = "bytes")] &'a Blocks);

impl State {
    /// Returns the blocks of a page's main content, as of the last finished run.
    ///
    /// The content of a file that is not HTML is a digest of its bytes. A page that redirects has no content.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be read.
    pub fn blocks(&self, url: &str) -> Result<Option<Blocks>, StateError> {
        Ok(self.db.get(&CONTENT, url.as_bytes())?.map(|content| content.blocks))
    }

    /// Returns the URL and blocks of every page with content, ordered by URL; see [`blocks`](Self::blocks).
    pub fn contents(&self) -> impl Iterator<Item = Result<(String, Blocks), StateError>> {
        self.db.all(CONTENT).map(|row| row.map(|(key, content)| (url(&key), content.blocks)))
    }

    /// Passes the URL and blocks of every page with content, ordered by URL.
    pub(crate) fn each_content(
        &self,
        mut each: impl FnMut(&str, &Blocks) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        self.db.scan(CONTENT.id, |key, row| {
            let content: Content = self.db.read(CONTENT.id, key, row)?;
            each(&String::from_utf8_lossy(key), &content.blocks)
        })
    }

    /// Stores the content of a visit until the run is finished. `is_new` means that no run has visited the page before,
    /// so nothing is known about its content.
    pub(super) fn store_content(
        &self,
        run: &Run,
        visit: &Visit,
        facts: Option<&PageFacts>,
        is_new: bool,
    ) -> Result<(), StateError> {
        // If the visit was redirected, the content belongs to another page.
        if !visit.hops.is_empty() {
            return Ok(());
        }
        let key = visit.url.as_bytes();
        if is_new {
            let Some(facts) = facts else { return Ok(()) };
            let blocks = blocks_of(facts);
            self.keep(run, visit, &blocks);
            let row = FreshRef { run: run.number(), other: Some(BlocksRef(&blocks)) };
            return self.db.replace(&FRESH, key, &row, None);
        }
        match (facts, self.db.get(&CONTENT, key)?) {
            (Some(facts), known) => {
                let blocks = blocks_of(facts);
                self.keep(run, visit, &blocks);
                let is_other = known.is_none_or(|known| known.blocks != *blocks);
                let other = is_other.then_some(BlocksRef(&blocks));
                self.db.put(&FRESH, key, &FreshRef { run: run.number(), other })
            }
            (None, Some(known)) if matches!(visit.outcome, Outcome::NotModified(_)) => {
                self.keep(run, visit, &known.blocks);
                self.db.put(&FRESH, key, &FreshRef { run: run.number(), other: None })
            }
            (None, _) => Ok(()),
        }
    }

    /// Keeps a page's shapes in memory until the end of the run.
    fn keep(&self, run: &Run, visit: &Visit, blocks: &Blocks) {
        self.shapes.borrow_mut().add(run.number(), &visit.url, blocks);
    }
}

/// Returns the content of a page that responded with 2xx.
fn blocks_of(facts: &PageFacts) -> Cow<'_, Blocks> {
    if facts.is_html {
        return Cow::Borrowed(&facts.blocks);
    }
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
    let words = facts.body_digest.chunks(4).map(word);
    Cow::Owned(words.map(|word| Block { text: word, shape: word }).collect::<Vec<_>>().into())
}

/// Returns the URL that a row's key contains.
pub(super) fn url(key: &[u8]) -> String {
    String::from_utf8_lossy(key).into_owned()
}

/// Blocks as bytes.
pub(super) mod bytes {
    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    use crate::content::Blocks;

    pub(in crate::state) fn serialize<S: Serializer>(
        blocks: &Blocks,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&blocks.to_bytes())
    }

    pub(in crate::state) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Blocks, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Blocks;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the bytes of blocks")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Blocks, E> {
                Blocks::from_bytes(bytes).ok_or_else(|| E::custom("not a multiple of eight bytes"))
            }
        }

        deserializer.deserialize_bytes(Bytes)
    }
}
