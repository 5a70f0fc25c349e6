//! What can go wrong, each error with the record or file it belongs to.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::extension::{ExtensionError, Extensions, HreflangError};
use crate::publish::SectionNameError;
use crate::site::SiteError;
use crate::value::{ChangeFreqError, LastModError, LocError, PriorityError};
use crate::write::StylesheetError;

/// An error of this crate.
///
/// One pointer wide; match on [`kind`](Error::kind) to tell errors apart.
pub struct Error(Box<ErrorKind>);

/// What an [`Error`] is about.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A page's address is invalid.
    Loc(LocError),
    /// A date is invalid.
    LastMod(LastModError),
    /// A change frequency is invalid.
    ChangeFreq(ChangeFreqError),
    /// A priority is invalid.
    Priority(PriorityError),
    /// A language tag is invalid.
    Hreflang(HreflangError),
    /// A value of an image, a video, news or another extension is invalid.
    Extension(ExtensionError),
    /// A record names one locale twice, or `x-default` as a locale.
    LocaleTwice {
        /// The locale.
        locale: Box<str>,
    },
    /// An entry uses an extension whose namespace its document does not declare.
    Undeclared {
        /// The page.
        loc: Box<str>,
        /// What the entry uses.
        extensions: Extensions,
    },
    /// An entry has an element of a namespace that its document does not declare.
    UndeclaredNamespace {
        /// The page.
        loc: Box<str>,
        /// The element's prefix.
        prefix: Box<str>,
        /// The element's namespace.
        uri: Box<str>,
    },
    /// The dialect has no extensions.
    NoExtensions {
        /// What was to be declared.
        extensions: Extensions,
        /// The prefixes of other namespaces.
        prefixes: Box<[Box<str>]>,
    },
    /// A site's base URL is invalid.
    Site(SiteError),
    /// A stylesheet's address is invalid.
    Stylesheet(StylesheetError),
    /// A section's name cannot be part of a file name.
    SectionName(SectionNameError),
    /// A page that this site's sitemap may not list.
    OutOfScope {
        /// The page.
        loc: Box<str>,
        /// The site's base.
        base: Box<str>,
    },
    /// One record's pages do not fit into an empty file.
    TooLarge {
        /// URLs the record has.
        urls: u64,
        /// URLs a file may have.
        max_urls: u64,
        /// Bytes of a file with this record alone.
        bytes: u64,
        /// Bytes a file may have.
        max_bytes: u64,
    },
    /// A document is full and the caller asked for everything to go into it.
    Full {
        /// URLs in the document.
        urls: u64,
    },
    /// Two sections' names differ in case only, which not all file systems keep apart.
    SectionCase {
        /// The later name.
        name: Box<str>,
        /// The earlier one.
        other: Box<str>,
    },
    /// A section cannot have so many stable shards.
    Shards {
        /// How many were asked for.
        found: u16,
        /// How many there may be.
        most: u16,
    },
    /// There is no page to publish.
    EmptySet {
        /// Invalid records that were skipped.
        skipped: u64,
    },
    /// Something is wrong with one record.
    Record {
        /// The section it was meant for.
        section: Box<str>,
        /// Its place in the section, counted from 1.
        number: u64,
        /// What is wrong.
        source: Error,
    },
    /// The records' source failed: a database, a file, a network.
    Source {
        /// The section, and the number of the record that it did not give, counted from 1. `None` where it
        /// failed outside any section.
        record: Option<(Box<str>, u64)>,
        /// Its own error.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A file could not be read or written.
    Io {
        /// What was tried, as in "cannot create".
        action: &'static str,
        /// On which file, if on one.
        path: Option<PathBuf>,
        /// What the system said.
        source: io::Error,
    },
    /// Another run publishes to the same place.
    Locked {
        /// The lock.
        path: PathBuf,
        /// The process that holds it, if that is known.
        pid: Option<u32>,
    },
    /// Shards of a set that several processes write do not go together.
    #[cfg(feature = "shards")]
    Shard(crate::publish::ShardError),
    /// Another run has replaced the set since this one began.
    Overtaken {
        /// The set's entry point.
        path: PathBuf,
    },
    /// An earlier error left this publication or document unusable.
    Aborted,
    /// An error of an implementation of [`SitemapEntry`](crate::SitemapEntry) by hand.
    Other(Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// An error of one's own: a message, or any error type.
    ///
    /// ```
    /// let error = sitemap_core::Error::other("`slug` must not be empty");
    /// assert_eq!(error.to_string(), "`slug` must not be empty");
    /// ```
    pub fn other(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        ErrorKind::Other(error.into()).into()
    }

    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// The kind by value, to take an inner error out of it.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// Whether one record is at fault, so that a run may go on without it.
    #[must_use]
    pub fn is_about_record(&self) -> bool {
        match self.kind() {
            ErrorKind::Loc(_)
            | ErrorKind::LastMod(_)
            | ErrorKind::ChangeFreq(_)
            | ErrorKind::Priority(_)
            | ErrorKind::Hreflang(_)
            | ErrorKind::Extension(_)
            | ErrorKind::LocaleTwice { .. }
            | ErrorKind::OutOfScope { .. }
            | ErrorKind::TooLarge { .. }
            | ErrorKind::Other(_)
            | ErrorKind::Record { .. } => true,
            #[cfg(feature = "shards")]
            ErrorKind::Shard(_) => false,
            ErrorKind::NoExtensions { .. }
            | ErrorKind::Undeclared { .. }
            | ErrorKind::UndeclaredNamespace { .. }
            | ErrorKind::Site(_)
            | ErrorKind::Stylesheet(_)
            | ErrorKind::SectionName(_)
            | ErrorKind::Full { .. }
            | ErrorKind::EmptySet { .. }
            | ErrorKind::SectionCase { .. }
            | ErrorKind::Shards { .. }
            | ErrorKind::Source { .. }
            | ErrorKind::Io { .. }
            | ErrorKind::Locked { .. }
            | ErrorKind::Overtaken { .. }
            | ErrorKind::Aborted => false,
        }
    }

    pub(crate) fn io(action: &'static str, path: Option<&Path>, source: io::Error) -> Self {
        // One of ours that came through a writer's interface says more.
        match source.downcast() {
            Ok(error) => error,
            Err(source) => ErrorKind::Io { action, path: path.map(Path::to_path_buf), source }.into(),
        }
    }

    /// Names the file of an input or output error that does not name one yet.
    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        if let ErrorKind::Io { path: path @ None, .. } = &mut *self.0 {
            *path = Some(file.to_path_buf());
        }
        self
    }

    pub(crate) fn in_record(self, section: &str, number: u64) -> Self {
        ErrorKind::Record { section: section.into(), number, source: self }.into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ErrorKind::Loc(error) => error.fmt(f),
            ErrorKind::LastMod(error) => error.fmt(f),
            ErrorKind::ChangeFreq(error) => error.fmt(f),
            ErrorKind::Priority(error) => error.fmt(f),
            ErrorKind::Hreflang(error) => error.fmt(f),
            ErrorKind::Extension(error) => error.fmt(f),
            ErrorKind::LocaleTwice { locale } => {
                write!(f, "a record's locales must be languages that differ, found {locale:?} again")
            }
            ErrorKind::Undeclared { loc, extensions } => write!(
                f,
                "entry uses an extension that its sitemap does not declare; name it in the options, \
                 as with `PublisherBuilder::extensions`, or give such records a section of their own, \
                 found {extensions:?} in {loc:?}"
            ),
            ErrorKind::UndeclaredNamespace { loc, prefix, uri } => write!(
                f,
                "entry has an element of a namespace that its sitemap does not declare; name it in \
                 `WriteOptions::namespace`, found `{prefix}` {uri:?} in {loc:?}"
            ),
            ErrorKind::NoExtensions { extensions, prefixes } if prefixes.is_empty() => {
                write!(f, "dialect 0.84 has no extensions; use 0.9, found {extensions:?}")
            }
            ErrorKind::NoExtensions { prefixes, .. } => {
                write!(f, "dialect 0.84 has no extensions; use 0.9, found `{}`", prefixes.join("`, `"))
            }
            ErrorKind::Site(error) => error.fmt(f),
            ErrorKind::Stylesheet(error) => error.fmt(f),
            ErrorKind::SectionName(error) => error.fmt(f),
            ErrorKind::OutOfScope { loc, base } => write!(
                f,
                "`loc` is not under `{base}`, where crawlers look for this sitemap's pages; \
                 publish it with its own site or allow it with `also_list`, found {loc:?}"
            ),
            ErrorKind::TooLarge { urls, max_urls, bytes, max_bytes } => write!(
                f,
                "record is larger than a whole sitemap file; a file has at most {max_urls} URLs \
                 and {max_bytes} bytes, found {urls} URLs in {bytes} bytes"
            ),
            ErrorKind::Full { urls } => {
                write!(f, "sitemap is full after {urls} URLs; use a `Publisher`, which begins another file")
            }
            ErrorKind::SectionCase { name, other } => write!(
                f,
                "section names must differ in more than case; choose another or write `{other}`, found {name:?}"
            ),
            ErrorKind::Shards { found, most } => {
                write!(
                    f,
                    "a section has 1 to {most} shards, which all have a file open at once, found {found}"
                )
            }
            ErrorKind::EmptySet { skipped } => write!(
                f,
                "no page to publish; an empty set would make search engines forget the site, so the \
                 old one was left as it is, found 0 pages and {skipped} skipped records"
            ),
            ErrorKind::Record { section, number, source } => {
                write!(f, "record {number} of section `{section}`: {source}")
            }
            ErrorKind::Source { record: Some((section, number)), source } => {
                write!(f, "cannot read record {number} of section `{section}`: {source}")
            }
            ErrorKind::Source { record: None, source } => write!(f, "cannot read the records: {source}"),
            ErrorKind::Io { action, path: Some(path), source } => {
                write!(f, "cannot {action} `{}`: {source}", path.display())
            }
            ErrorKind::Io { action, path: None, source } => {
                write!(f, "cannot {action} the sitemap: {source}")
            }
            ErrorKind::Locked { path, pid } => {
                f.write_str("another run publishes here; wait until it ends, found ")?;
                if let Some(pid) = pid {
                    write!(f, "process {pid} with ")?;
                }
                write!(f, "`{}` locked", path.display())
            }
            #[cfg(feature = "shards")]
            ErrorKind::Shard(error) => error.fmt(f),
            ErrorKind::Overtaken { path } => write!(
                f,
                "another run has published since this one began, and its set stands; run again, found \
                 `{}` changed",
                path.display()
            ),
            ErrorKind::Aborted => f.write_str("an earlier error ended this publication; begin a new one"),
            ErrorKind::Other(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for Error {
    /// The message, because that is what a `main` that returns the error prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for Error {
    /// The cause, where the message does not already hold all of it.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self.kind() {
            ErrorKind::Record { source, .. } => Some(source),
            ErrorKind::Source { source, .. } => Some(&**source),
            ErrorKind::Io { source, .. } => Some(source),
            ErrorKind::Other(error) => error.source(),
            _ => None,
        }
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

impl From<Infallible> for Error {
    /// For conversions that cannot fail.
    fn from(error: Infallible) -> Self {
        match error {}
    }
}

macro_rules! from_value_error {
    ($($kind:ident($error:ty)),+ $(,)?) => {$(
        impl From<$error> for Error {
            #[cold]
            fn from(error: $error) -> Self {
                ErrorKind::$kind(error).into()
            }
        }
    )+};
}

from_value_error! {
    Loc(LocError),
    LastMod(LastModError),
    ChangeFreq(ChangeFreqError),
    Priority(PriorityError),
    Hreflang(HreflangError),
    Extension(ExtensionError),
    Site(SiteError),
    Stylesheet(StylesheetError),
    SectionName(SectionNameError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_cross_threads_and_are_one_pointer_wide() {
        fn assert_send_sync<T: Send + Sync + 'static>() {}
        assert_send_sync::<Error>();
        assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
    }
}
