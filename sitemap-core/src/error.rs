//! Errors of records, entries and single documents.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt;
use std::io;

use crate::extension::{AlternateError, ExtensionError, Extensions, HreflangError};
use crate::stylesheet::StylesheetError;
use crate::value::{ChangeFreqError, LastModError, LocError, PriorityError, SiteError};

/// An error of a record, an entry or a single document.
///
/// Publishing a set has an error of its own, [`PublishError`](crate::publish::PublishError).
///
/// One pointer wide; match on [`kind`](Error::kind) to tell errors apart.
///
/// ```
/// use sitemap_core::{ErrorKind, Site, entries_of};
///
/// let site = Site::new("https://example.com")?;
/// let error = entries_of("ftp://example.com/", &site).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Loc(_)));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
pub struct Error(Box<ErrorKind>);

/// The cause of an [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The URL of a page is invalid.
    Loc(LocError),
    /// A date is invalid.
    LastMod(LastModError),
    /// A change frequency is invalid.
    ChangeFreq(ChangeFreqError),
    /// A priority is invalid.
    Priority(PriorityError),
    /// A language tag is invalid.
    Hreflang(HreflangError),
    /// A value of an image, a video, an article or another extension is invalid.
    Extension(ExtensionError),
    /// A record has a locale twice, or `x-default` as a locale.
    LocaleTwice {
        /// The locale.
        locale: Box<str>,
    },
    /// An entry uses an extension that its document does not declare.
    Undeclared {
        /// The URL of the page.
        loc: Box<str>,
        /// The extensions of the entry.
        extensions: Extensions,
    },
    /// An entry has an element of a namespace that its document does not declare.
    UndeclaredNamespace {
        /// The URL of the page.
        loc: Box<str>,
        /// The prefix of the element.
        prefix: Box<str>,
        /// The namespace of the element.
        uri: Box<str>,
    },
    /// The dialect has no extensions.
    NoExtensions {
        /// The extensions to be declared.
        extensions: Extensions,
        /// The prefixes of other namespaces to be declared.
        prefixes: Box<[Box<str>]>,
    },
    /// The base URL of a site is invalid.
    Site(SiteError),
    /// The URL of a stylesheet is invalid.
    Stylesheet(StylesheetError),
    /// A page is not one that a sitemap of this site may list.
    OutOfScope {
        /// The URL of the page.
        loc: Box<str>,
        /// The base URL of the site.
        base: Box<str>,
    },
    /// The pages of one record do not fit into an empty file.
    TooLarge {
        /// The number of URLs of the record.
        urls: u64,
        /// The number of URLs that a file may have.
        max_urls: u64,
        /// The size in bytes of a file with this record alone.
        bytes: u64,
        /// The size in bytes that a file may have.
        max_bytes: u64,
    },
    /// The document has no room for another record.
    Full {
        /// The number of entries in the document.
        entries: u64,
    },
    /// The writer beneath failed.
    Io(io::Error),
    /// An earlier error made the document unusable.
    Aborted,
    /// An error of an implementation of [`SitemapEntry`](crate::SitemapEntry) by hand.
    Other(Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// Creates an error from a message or any error type, for implementations of
    /// [`SitemapEntry`](crate::SitemapEntry) by hand.
    ///
    /// ```
    /// let error = sitemap_core::Error::other("`slug` must not be empty");
    /// assert_eq!(error.to_string(), "`slug` must not be empty");
    /// ```
    pub fn other(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        ErrorKind::Other(error.into()).into()
    }

    /// Returns the cause of the error.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// Returns the cause by value, so that an inner error can be taken out of it.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// Returns `true` if a value of the record is at fault, so that writing can go on without the record.
    #[must_use]
    pub fn is_invalid_record(&self) -> bool {
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
            | ErrorKind::Other(_) => true,
            ErrorKind::NoExtensions { .. }
            | ErrorKind::Undeclared { .. }
            | ErrorKind::UndeclaredNamespace { .. }
            | ErrorKind::Site(_)
            | ErrorKind::Stylesheet(_)
            | ErrorKind::Full { .. }
            | ErrorKind::Io(_)
            | ErrorKind::Aborted => false,
        }
    }

    pub(crate) fn write(error: io::Error) -> Self {
        ErrorKind::Io(error).into()
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
            ErrorKind::LocaleTwice { locale } => write!(
                f,
                "the locales of a record must be different languages; remove the repeated one, found {locale:?}"
            ),
            ErrorKind::Undeclared { loc, extensions } => write!(
                f,
                "the entry uses an extension that its sitemap does not declare; declare it with \
                 `PublisherBuilder::extensions` or give such records a section of their own, found \
                 {extensions:?} in {loc:?}"
            ),
            ErrorKind::UndeclaredNamespace { loc, prefix, uri } => write!(
                f,
                "the entry has an element of a namespace that its sitemap does not declare; declare it with \
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
            ErrorKind::OutOfScope { loc, base } => write!(
                f,
                "`loc` is not under `{base}`, where crawlers look for the pages of this sitemap; publish it \
                 with a site of its own or allow it with `Site::also_list`, found {loc:?}"
            ),
            ErrorKind::TooLarge { urls, max_urls, bytes, max_bytes } => write!(
                f,
                "the record is larger than a sitemap file; a file has at most {max_urls} URLs and {max_bytes} \
                 bytes, found {urls} URLs in {bytes} bytes"
            ),
            ErrorKind::Full { entries } => write!(
                f,
                "the sitemap is full after {entries} entries; use a `Publisher`, which starts another file"
            ),
            ErrorKind::Io(error) => write!(f, "cannot write the sitemap: {error}"),
            ErrorKind::Aborted => f.write_str("an earlier error ended this document; create a new one"),
            ErrorKind::Other(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for Error {
    /// Writes the message, because that is what a `main` that returns the error prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for Error {
    /// Returns the part of the cause that the message does not hold.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self.kind() {
            ErrorKind::Io(error) => error.source(),
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
    /// Exists for conversions that cannot fail.
    fn from(error: Infallible) -> Self {
        match error {}
    }
}

impl From<AlternateError> for Error {
    #[cold]
    fn from(error: AlternateError) -> Self {
        match error {
            AlternateError::Hreflang(error) => error.into(),
            AlternateError::Href(error) => error.into(),
        }
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
