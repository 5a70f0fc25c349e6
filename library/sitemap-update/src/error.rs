//! The errors of updates.

use std::error::Error as StdError;
use std::fmt;

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::shards::ShardError;
use sitemap_read::ReadError;

/// An error of an update. The published set is unchanged, unless the commit itself was interrupted; then the next run
/// completes it (see [`ShardCommit::publish`](sitemap_core::publish::shards::ShardCommit::publish)).
///
/// ```
/// use sitemap_core::{Loc, Memory, Site, SitemapSet};
/// use sitemap_update::{Change, UpdateSet as _, UpdateError};
///
/// let mut update = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).update();
/// update.add(Change::Remove(Loc::parse("https://example.com/tea")?))?;
/// let error = update.commit().unwrap_err();
/// assert!(matches!(error, UpdateError::NoSet));
/// assert_eq!(error.to_string(), "no set is published that could be updated; publish one first");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum UpdateError {
    /// The set could not be read or published.
    Publish(PublishError),
    /// No set is published.
    NoSet,
    /// No section was given and the set has several, or the given section does not exist.
    Section {
        /// The sections of the published set.
        sections: Vec<String>,
    },
    /// A record that was to be upserted or removed is invalid.
    Record(sitemap_core::Error),
    /// The removed pages of a section cannot be counted, because it was published without hash buckets, or with a
    /// different number of them; see [`Build::max_removed`](crate::Build::max_removed).
    CannotCount {
        /// The name of the section.
        section: String,
        /// The number of hash buckets in the published section.
        buckets: Option<u32>,
    },
    /// A page does not belong to the site.
    OtherSite {
        /// The URL of the page.
        loc: String,
    },
    /// Some removals name pages that the set does not list, and the update is set to [stop](crate::OnUnknown::Stop) in
    /// this case.
    Unknown {
        /// The number of these pages.
        count: u64,
        /// The URLs of the first 20 of them.
        first: Vec<String>,
    },
    /// Another run has moved the source's position since the changes were read.
    OtherPosition {
        /// The name of the source.
        source_name: String,
        /// The position where the changes start, or `None` if the source had no position.
        expected: Option<String>,
        /// The position of the published set, or `None` if it has none.
        found: Option<String>,
    },
    /// A published file is missing, or its bytes don't match the manifest.
    Changed {
        /// The name of the file.
        name: String,
    },
    /// A published file cannot be read as a sitemap without losing something.
    Read {
        /// The name of the file.
        name: String,
        /// The reader's error.
        source: ReadError,
    },
    /// A page is in the wrong hash bucket for its URL.
    OtherBucket {
        /// The URL of the page.
        loc: String,
        /// The name of the file that lists the page.
        name: String,
    },
}

impl UpdateError {
    /// Returns `true` if another run committed first, so that the update can be restarted.
    pub(crate) fn is_contention(&self) -> bool {
        match self {
            Self::Publish(error) => matches!(
                error.kind(),
                PublishErrorKind::Overtaken { .. }
                    | PublishErrorKind::Locked { .. }
                    // An interrupted run still had to delete an old file with the same name. That run is complete now.
                    | PublishErrorKind::Shard(ShardError::Missing { .. })
            ),
            // Another run may have deleted the file since this run read the manifest.
            Self::Changed { .. } => true,
            _ => false,
        }
    }
}

impl fmt::Display for UpdateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Publish(error) => error.fmt(f),
            Self::NoSet => f.write_str("no set is published that could be updated; publish one first"),
            Self::Section { sections } => {
                write!(f, "the published set has the sections `{}`; name one of them", sections.join("`, `"))
            }
            Self::Record(error) => error.fmt(f),
            Self::CannotCount { section, buckets } => {
                write!(
                    f,
                    "the pages that section `{section}` would lose cannot be counted, because it is published "
                )?;
                match buckets {
                    Some(buckets) => write!(f, "with {buckets} hash buckets")?,
                    None => f.write_str("without hash buckets")?,
                }
                f.write_str("; publish with the same number, or allow a loss for this run")
            }
            Self::OtherSite { loc } => {
                write!(f, "page {loc:?} is not of the site of the set; correct its URL or leave it out")
            }
            Self::Unknown { count, first } => {
                write!(f, "the set does not list `{}`", first.join("`, `"))?;
                match count.saturating_sub(first.len() as u64) {
                    0 => {}
                    more => write!(f, " and {more} more pages")?,
                }
                let verb = if *count == 1 { "is" } else { "are" };
                write!(f, ", which {verb} to be removed; correct the URL, or allow such removals")
            }
            Self::OtherPosition { source_name, expected, found } => {
                let text = |position: &Option<String>| match position {
                    Some(position) => format!("at position `{position}`"),
                    None => "at no position".to_owned(),
                };
                write!(
                    f,
                    "the published set is {} of `{source_name}`, but the changes start {}; read the changes again",
                    text(found),
                    text(expected)
                )
            }
            Self::Changed { name } => write!(
                f,
                "file `{name}` is missing or was changed by another program; publish all pages of the set again"
            ),
            Self::Read { name, source } => write!(f, "cannot read `{name}`: {source}"),
            Self::OtherBucket { loc, name } => write!(
                f,
                "page {loc:?} in `{name}` is not in the hash bucket of its URL; run `sitemap rebucket --buckets N` once"
            ),
        }
    }
}

impl StdError for UpdateError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Publish(error) => error.source(),
            Self::Record(error) => error.source(),
            Self::Read { source, .. } => source.source(),
            _ => None,
        }
    }
}

impl From<PublishError> for UpdateError {
    fn from(error: PublishError) -> Self {
        Self::Publish(error)
    }
}

impl From<sitemap_core::Error> for UpdateError {
    fn from(error: sitemap_core::Error) -> Self {
        Self::Record(error)
    }
}
