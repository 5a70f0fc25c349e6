//! The main content and the links of pages, which are too large to be read with every page.

use serde::{Deserialize, Serialize};

use super::error::StateError;
use super::handle::State;
use super::run::Run;
use super::table::{Table, TableId};
use crate::content::{Block, Blocks};
use crate::facts::{LinkKind, PageFacts, PageLink};
use crate::visit::{Outcome, Visit};

/// The content that the last finished run knew.
pub(super) const CONTENT: Table<Content> = Table::new(TableId::Content);
/// The content that runs have seen since.
pub(super) const FRESH: Table<Fresh> = Table::new(TableId::Fresh);
pub(super) const LINKS: Table<Links> = Table::new(TableId::Links);

/// The main content of a page.
#[derive(Serialize, Deserialize)]
pub(super) struct Content {
    /// The run that saw it first.
    pub(super) run: u64,
    #[serde(with = "bytes")]
    pub(super) blocks: Blocks,
}

/// What an unfinished run saw.
#[derive(Serialize, Deserialize)]
pub(super) struct Fresh {
    pub(super) run: u64,
    /// `None` if the blocks are those of [`CONTENT`].
    pub(super) other: Option<FreshBlocks>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct FreshBlocks(#[serde(with = "bytes")] pub(super) Blocks);

/// The links of a page.
#[derive(Deserialize)]
pub(super) struct Links {
    pub(super) run: u64,
    pub(super) links: Vec<PageLink>,
}

/// The same fields as in [`Links`], to write links without a copy.
#[derive(Serialize)]
pub(super) struct LinksRef<'a> {
    pub(super) run: u64,
    pub(super) links: &'a [PageLink],
}

/// [`Links`] as they are stored.
#[derive(Deserialize)]
struct LinksRow<'r> {
    #[expect(dead_code, reason = "a part of the row")]
    run: u64,
    #[serde(borrow)]
    links: Vec<LinkRow<'r>>,
}

/// A [`PageLink`] as it is stored.
#[derive(Deserialize)]
struct LinkRow<'r> {
    url: &'r str,
    #[expect(dead_code, reason = "a part of the row")]
    kind: LinkKind,
    #[expect(dead_code, reason = "a part of the row")]
    is_nofollow: bool,
}

impl State {
    /// Returns the blocks of a page's main content, as the last finished run knew them.
    ///
    /// The content of a file that is not HTML is the digest of its bytes. A page that redirects has no content.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file cannot be read.
    pub fn blocks(&self, url: &str) -> Result<Option<Blocks>, StateError> {
        Ok(self.db.get(&CONTENT, url.as_bytes())?.map(|content| content.blocks))
    }

    /// Returns the URLs of all pages with content, in order, each with its blocks; see [`blocks`](Self::blocks).
    pub fn contents(&self) -> impl Iterator<Item = Result<(String, Blocks), StateError>> {
        self.db.all(CONTENT).map(|row| row.map(|(key, content)| (url(&key), content.blocks)))
    }

    /// Passes the URLs of all pages with content, in order, each with its blocks.
    pub(crate) fn each_content(
        &self,
        mut each: impl FnMut(&str, &Blocks) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        self.db.scan(CONTENT.id, |key, row| {
            let content: Content = self.db.read(CONTENT.id, key, row)?;
            each(&String::from_utf8_lossy(key), &content.blocks)
        })
    }

    /// Passes all links: the URL of the page, and the URL that it links to.
    pub(crate) fn each_link(
        &self,
        mut each: impl FnMut(&str, &str) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        self.db.scan(LINKS.id, |key, row| {
            let from = String::from_utf8_lossy(key);
            let row: LinksRow<'_> = self.db.read(LINKS.id, key, row)?;
            row.links.iter().try_for_each(|link| each(&from, link.url))
        })
    }

    /// Returns the links of a page, as the last visit with content found them.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file cannot be read.
    pub fn links(&self, url: &str) -> Result<Vec<PageLink>, StateError> {
        Ok(self.db.get(&LINKS, url.as_bytes())?.map(|row| row.links).unwrap_or_default())
    }

    /// Returns the URLs of all pages with links, in order, each with the number of the run that found the links, and
    /// the links.
    pub fn all_links(&self) -> impl Iterator<Item = Result<(String, u64, Vec<PageLink>), StateError>> {
        self.db.all(LINKS).map(|row| row.map(|(key, row)| (url(&key), row.run, row.links)))
    }

    /// Stores the content of a visit until the run is finished. `is_new` says that no run has visited the page, so that
    /// nothing is known of its content.
    pub(super) fn store_content(
        &self,
        run: &Run,
        visit: &Visit,
        facts: Option<&PageFacts>,
        is_new: bool,
    ) -> Result<(), StateError> {
        // What a redirect leads to is the content of another page.
        if !visit.hops.is_empty() {
            return Ok(());
        }
        let key = visit.url.as_bytes();
        if is_new {
            return match facts.map(|facts| FreshBlocks(blocks_of(facts))) {
                Some(blocks) => {
                    self.db.replace(&FRESH, key, &Fresh { run: run.number(), other: Some(blocks) }, None)
                }
                None => Ok(()),
            };
        }
        let other = match (facts, self.db.get(&CONTENT, key)?) {
            (Some(facts), known) => {
                let blocks = blocks_of(facts);
                (known.as_ref().map(|known| &known.blocks) != Some(&blocks)).then_some(FreshBlocks(blocks))
            }
            (None, Some(_)) if matches!(visit.outcome, Outcome::NotModified(_)) => None,
            (None, _) => return Ok(()),
        };
        self.db.put(&FRESH, key, &Fresh { run: run.number(), other })
    }
}

/// Returns the content of a page that answered with 2xx.
fn blocks_of(facts: &PageFacts) -> Blocks {
    if facts.is_html {
        return facts.blocks.clone();
    }
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
    let words = facts.body_digest.chunks(4).map(word);
    words.map(|word| Block { text: word, shape: word }).collect::<Vec<_>>().into()
}

/// Returns the URL that is the key of a row.
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
