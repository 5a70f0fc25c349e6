//! Errors from publishing a set.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::set::names::SectionNameError;
use super::shards::ShardError;
use super::shrink::{ShrinkLimit, Shrinkage};
use crate::clock::NoClock;
use crate::error::{Error, ErrorKind};
use crate::extension::{AlternateError, ExtensionError, HreflangError};
use crate::storage::StorageError;
use crate::value::{ChangeFreqError, LastModError, LocError, PriorityError, SiteError};

/// An error from publishing a set.
///
/// Match on [`kind`](PublishError::kind) to tell errors apart. The type is the size of one pointer.
///
/// ```
/// use sitemap_core::publish::{PublishError, PublishErrorKind};
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// fn publish() -> Result<(), PublishError> {
///     let site = Site::new("https://example.com")?;
///     let mut run = SitemapSet::builder(site).storage(Memory::new()).replace()?;
///     run.section("pages")?.add_all(["/", "ftp://example.com/"])
/// }
///
/// let error = publish().unwrap_err();
/// assert!(matches!(error.kind(), PublishErrorKind::Record { number: 2, .. }));
/// assert_eq!(
///     error.to_string(),
///     "record 2 of section `pages`: `loc` must be an `http` or `https` URL, found \"ftp://example.com/\""
/// );
/// ```
pub struct PublishError(Box<PublishErrorKind>);

/// The cause of a [`PublishError`].
///
/// ```
/// use sitemap_core::publish::PublishErrorKind;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
/// run.section("posts")?.add_all(Vec::<String>::new())?;
/// let error = run.commit().unwrap_err();
/// assert!(matches!(error.kind(), PublishErrorKind::EmptySet { skipped: 0 }));
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum PublishErrorKind {
    /// A record is invalid, or its entries can't be part of this set.
    Record {
        /// The section of the record.
        section: Box<str>,
        /// The position of the record in its section, counted from 1.
        number: u64,
        /// What is wrong with the record.
        source: Error,
    },
    /// The source of the records failed: for example a database, a file or the network.
    Source {
        /// The section and position of the record that could not be read. The first record of a section is number 1.
        /// `None` if the source failed outside a section.
        record: Option<(Box<str>, u64)>,
        /// The error that the source returned.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A setting of the set is invalid, or a document can't be written with these settings.
    Document(Error),
    /// The name of a section is empty, too long or reserved, or contains a character that isn't allowed.
    SectionName(SectionNameError),
    /// Two sections, or a section and a hash bucket, have names that are equal or differ only in case. Some file
    /// systems treat such names as equal.
    NameInUse {
        /// The name that was claimed second.
        name: Box<str>,
        /// The name that was claimed first.
        other: Box<str>,
    },
    /// The set contains no pages.
    EmptySet {
        /// The number of invalid records that were skipped.
        skipped: u64,
    },
    /// The shards written by several processes don't form a set.
    Shard(ShardError),
    /// A file could not be read or written.
    Io {
        /// The words after "cannot" in the message, such as `read`.
        action: &'static str,
        /// The path or URL of the file or directory.
        path: PathBuf,
        /// The error from the operating system or the object store.
        source: io::Error,
    },
    /// The published set belongs to another site.
    OtherSite {
        /// The base URL of the published set.
        published: Box<str>,
        /// The base URL of this run.
        base: Box<str>,
    },
    /// The sections that the run doesn't write can't be kept. The published set stays as it is.
    CannotKeep {
        /// The path or URL of the manifest, or of a file of a kept section.
        path: PathBuf,
        /// The words after the path in the message, such as `is missing`.
        problem: &'static str,
    },
    /// The set would lose more pages than [`max_shrink`](super::SetOptions::max_shrink) allows. The published set
    /// stays as it is.
    Shrunk {
        /// The sections that would lose too many pages, and the whole set if it would too. Never empty.
        losses: Vec<Shrinkage>,
        /// The limit that was exceeded.
        limit: ShrinkLimit,
        /// The number of invalid records that the run skipped.
        skipped: u64,
    },
    /// Another run holds the lock of the set.
    Locked {
        /// The path of the lock.
        path: PathBuf,
        /// The id of the process that holds the lock, if known.
        pid: Option<u32>,
    },
    /// Another run published the set after this run had started.
    Overtaken {
        /// The path or URL of the set's entry point.
        path: PathBuf,
    },
    /// The platform has no clock, and the program hasn't [set](crate::clock::set()) one.
    NoClock(NoClock),
    /// An earlier error ended this run.
    Aborted {
        /// The message of the earlier error, if known. The error itself may have gone to another thread.
        cause: Option<Arc<str>>,
    },
}

impl PublishError {
    /// Returns the error for a run that was ended by an unknown error.
    pub(crate) fn aborted() -> Self {
        PublishErrorKind::Aborted { cause: None }.into()
    }

    /// Returns what went wrong.
    #[must_use]
    pub fn kind(&self) -> &PublishErrorKind {
        &self.0
    }

    /// Consumes the error and returns its kind, so that the caller can take ownership of an inner error.
    #[must_use]
    pub fn into_kind(self) -> PublishErrorKind {
        *self.0
    }

    /// Creates the error for a failed source of records, such as a database that can't be reached. Use it in functions
    /// that read records and add them to a run.
    ///
    /// ```
    /// use sitemap_core::publish::PublishError;
    ///
    /// let error = PublishError::source("connection refused");
    /// assert_eq!(error.to_string(), "cannot read the records: connection refused");
    /// ```
    pub fn source(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        PublishErrorKind::Source { record: None, source: source.into() }.into()
    }

    #[cold]
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        PublishErrorKind::Io { action, path: path.to_path_buf(), source }.into()
    }

    /// Converts an error from writing a document to a `PublishError`. An I/O error gets the path of the document's
    /// file.
    #[cold]
    pub(super) fn of_document(error: Error, path: &Path) -> Self {
        match error.into_kind() {
            ErrorKind::Io(error) => Self::io("write", path, error),
            kind => PublishErrorKind::Document(kind.into()).into(),
        }
    }
}

impl fmt::Display for PublishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            PublishErrorKind::Record { section, number, source } => {
                write!(f, "record {number} of section `{section}`: {source}")
            }
            PublishErrorKind::Source { record: Some((section, number)), source } => {
                write!(f, "cannot read record {number} of section `{section}`: {source}")
            }
            PublishErrorKind::Source { record: None, source } => {
                write!(f, "cannot read the records: {source}")
            }
            PublishErrorKind::Document(error) => error.fmt(f),
            PublishErrorKind::SectionName(error) => error.fmt(f),
            PublishErrorKind::NameInUse { name, other } if name == other => {
                write!(f, "the name `{name}` is used twice in this set; use another name")
            }
            PublishErrorKind::NameInUse { name, other } => write!(
                f,
                "the names `{name}` and `{other}` differ only in case; write `{other}` or use another name"
            ),
            PublishErrorKind::EmptySet { skipped: 0 } => f.write_str(
                "there is no page to publish, so the published set stays as it is; check the source of the records",
            ),
            PublishErrorKind::EmptySet { skipped } => write!(
                f,
                "all {skipped} records are invalid, so the published set stays as it is; set `OnInvalid::Stop` to \
                 see the first error"
            ),
            PublishErrorKind::Shard(error) => error.fmt(f),
            PublishErrorKind::Io { action, path, source } => {
                write!(f, "cannot {action} `{}`: {source}", path.display())
            }
            PublishErrorKind::OtherSite { published, base } => write!(
                f,
                "the published set is of the site `{published}`, and this run is of `{base}`; correct the base URL, \
                 publish to another place, or replace the set with `SetOptions::change_base`"
            ),
            PublishErrorKind::CannotKeep { path, problem } => write!(
                f,
                "cannot keep the other sections of the set: `{}` {problem}; publish all sections in one run",
                path.display()
            ),
            PublishErrorKind::Shrunk { losses, limit, skipped } => {
                write_losses(f, losses, *limit, *skipped)?;
                let allow = if losses.iter().any(|loss| loss.after() == 0) { "Empty" } else { "Smaller" };
                write!(
                    f,
                    "; check the source of the records, or allow the loss for this run with \
                     `allow_shrink(AllowShrink::{allow})`"
                )
            }
            PublishErrorKind::Locked { path, pid: Some(pid) } => {
                write!(f, "`{}` is locked by process {pid}; wait until its run ends", path.display())
            }
            PublishErrorKind::Locked { path, pid: None } => {
                write!(f, "`{}` is locked by another run; wait until it ends", path.display())
            }
            PublishErrorKind::Overtaken { path } => write!(
                f,
                "another run has replaced `{}` since this run started, and the set of the other run stays published; \
                 run again",
                path.display()
            ),
            PublishErrorKind::NoClock(error) => error.fmt(f),
            PublishErrorKind::Aborted { cause: None } => {
                f.write_str("an earlier error ended this run; start a new one")
            }
            PublishErrorKind::Aborted { cause: Some(cause) } => {
                write!(f, "an earlier error ended this run: {cause}")
            }
        }
    }
}

/// Writes the losses that exceed the limit, and the limit.
fn write_losses(
    f: &mut fmt::Formatter<'_>,
    losses: &[Shrinkage],
    limit: ShrinkLimit,
    skipped: u64,
) -> fmt::Result {
    /// The maximum number of losses that the message names.
    const SHOWN: usize = 3;

    for (n, loss) in losses.iter().take(SHOWN).enumerate() {
        if n > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{loss}")?;
    }
    match losses.len().saturating_sub(SHOWN) {
        0 => {}
        1 => f.write_str(", 1 more would fall too far")?,
        more => write!(f, ", {more} more would fall too far")?,
    }
    write!(f, ", and the limit is a loss of {limit}")?;
    if losses.iter().any(|loss| loss.after() == 0) {
        f.write_str(", without empty sections")?;
    }
    match skipped {
        0 => Ok(()),
        1 => f.write_str("; 1 invalid record was skipped"),
        _ => write!(f, "; {skipped} invalid records were skipped"),
    }
}

impl fmt::Debug for PublishError {
    /// Writes the same message as `Display`, because Rust prints the `Debug` form of an error that is returned from
    /// `main`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for PublishError {
    /// Skips the inner error, because its message is already part of the outer one, and returns the inner error's
    /// source.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self.kind() {
            PublishErrorKind::Record { source, .. } | PublishErrorKind::Document(source) => source.source(),
            PublishErrorKind::Source { source, .. } => source.source(),
            PublishErrorKind::Io { source, .. } => source.source(),
            _ => None,
        }
    }
}

impl From<PublishErrorKind> for PublishError {
    fn from(kind: PublishErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

impl From<Error> for PublishError {
    fn from(error: Error) -> Self {
        PublishErrorKind::Document(error).into()
    }
}

impl From<StorageError> for PublishError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Io { action, path, source } => PublishErrorKind::Io { action, path, source },
            StorageError::Locked { path, pid } => PublishErrorKind::Locked { path, pid },
        }
        .into()
    }
}

impl From<NoClock> for PublishError {
    fn from(error: NoClock) -> Self {
        PublishErrorKind::NoClock(error).into()
    }
}

impl From<SectionNameError> for PublishError {
    fn from(error: SectionNameError) -> Self {
        PublishErrorKind::SectionName(error).into()
    }
}

impl From<ShardError> for PublishError {
    fn from(error: ShardError) -> Self {
        PublishErrorKind::Shard(error).into()
    }
}

macro_rules! from_value_error {
    ($($error:ty),+ $(,)?) => {$(
        impl From<$error> for PublishError {
            fn from(error: $error) -> Self {
                Error::from(error).into()
            }
        }
    )+};
}

from_value_error!(
    AlternateError,
    ChangeFreqError,
    ExtensionError,
    HreflangError,
    LastModError,
    LocError,
    PriorityError,
    SiteError,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_cross_threads_and_are_one_pointer_wide() {
        fn assert_send_sync<T: Send + Sync + 'static>() {}
        assert_send_sync::<PublishError>();
        assert_eq!(size_of::<Result<(), PublishError>>(), size_of::<usize>());
    }
}
