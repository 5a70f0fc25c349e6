//! Errors in records, entries and single documents.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt;
use std::io;

use crate::extension::{AlternateError, ExtensionError, Extensions, HreflangError};
use crate::stylesheet::StylesheetError;
use crate::value::{ChangeFreqError, LastModError, LocError, PriorityError, SiteError};

/// An error in a record, an entry or a single document.
///
/// Publishing a set returns a different error, [`PublishError`](crate::publish::PublishError).
///
/// The error is one pointer wide. Match on its [`kind`](Error::kind) to tell causes apart.
///
/// ```
/// use sitemap_core::{ErrorKind, Site, entries_of};
///
/// let site = Site::new("https://example.com")?;
/// let error = entries_of("ftp://example.com/", &site).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Loc(_)));
/// assert!(error.is_invalid_record());
/// assert_eq!(error.to_string(), "`loc` must be an `http` or `https` URL, found \"ftp://example.com/\"");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
pub struct Error(Box<ErrorKind>);

/// The cause of an [`Error`].
///
/// ```
/// use sitemap_core::{Dialect, ErrorKind, Site, SitemapWriter, WriteOptions};
///
/// let mut limits = Dialect::V0_9.limits();
/// limits.urls = 1;
/// let options = WriteOptions::new().lower_limits(limits);
/// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
/// sitemap.add("/")?;
///
/// let error = sitemap.add("/about").unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Full { entries: 1 }));
/// assert!(!error.is_invalid_record());
///
/// let error = sitemap.add("https://example.org/").unwrap_err();
/// match error.into_kind() {
///     ErrorKind::OutOfScope { loc, base } => {
///         assert_eq!((&*loc, &*base), ("https://example.org/", "https://example.com/"));
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The URL of a page is invalid.
    Loc(LocError),
    /// An invalid date.
    LastMod(LastModError),
    /// A change frequency is invalid.
    ChangeFreq(ChangeFreqError),
    /// An invalid priority.
    Priority(PriorityError),
    /// A language tag is invalid.
    Hreflang(HreflangError),
    /// A value in an image, a video, a news article or another extension is invalid.
    Extension(ExtensionError),
    /// A record or a group of translations contains the same language twice.
    LocaleTwice {
        /// The language.
        locale: Box<str>,
    },
    /// The `locales` of a derived record contain `x-default`.
    LocaleXDefault,
    /// An entry uses an extension that its document does not declare.
    Undeclared {
        /// The URL of the page.
        loc: Box<str>,
        /// The extensions of the entry.
        extensions: Extensions,
    },
    /// An entry contains an element from a namespace that its document does not declare.
    UndeclaredNamespace {
        /// The URL of the page.
        loc: Box<str>,
        /// The prefix of the element.
        prefix: Box<str>,
        /// The namespace of the element.
        uri: Box<str>,
    },
    /// The document needs an extension, but its dialect has none.
    NoExtensions {
        /// The extensions that the document would have to declare, because its options or the type of its first record
        /// name them.
        extensions: Extensions,
        /// The prefixes of the other namespaces named in the document's options.
        prefixes: Box<[Box<str>]>,
    },
    /// The base URL of a site is invalid.
    Site(SiteError),
    /// The URL of a stylesheet is invalid.
    Stylesheet(StylesheetError),
    /// A field or method of a derived record has no valid value: the function in its `with` attribute failed with an
    /// error from another library, or an image, a video, an article or an alternate is invalid.
    Field {
        /// The name of the record's type.
        record: &'static str,
        /// The name of the field or method.
        field: &'static str,
        /// The URL of the page or of its first translation. `None` if the value is part of the URL.
        page: Option<Box<str>>,
        /// What is wrong with the value.
        cause: Error,
    },
    /// The sitemap may not list a page, because the page is not under a base URL of the site.
    OutOfScope {
        /// The URL of the page.
        loc: Box<str>,
        /// The base URL of the site.
        base: Box<str>,
    },
    /// The pages of one record do not fit even into an empty file.
    TooLarge {
        /// The number of URLs in the record.
        urls: u64,
        /// The maximum number of URLs in a file.
        max_urls: u64,
        /// The size in bytes of a file with only this record.
        bytes: u64,
        /// The maximum size of a file in bytes.
        max_bytes: u64,
    },
    /// The document has no room for another record.
    Full {
        /// The number of entries in the document.
        entries: u64,
    },
    /// The underlying writer failed.
    Io(io::Error),
    /// The document cannot be used any more, because an earlier call failed.
    Aborted,
    /// A manual implementation of [`SitemapEntry`](crate::SitemapEntry) failed.
    Other(Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// Creates an error from a message or any other error, for manual implementations of
    /// [`SitemapEntry`](crate::SitemapEntry).
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

    /// Returns the cause by value, so that the caller can move an inner error out of it.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// Returns `true` if only the record is invalid. You can skip the record and keep writing.
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
            | ErrorKind::LocaleXDefault
            | ErrorKind::Field { .. }
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
                "two translations of a page have the language {locale:?}; give each translation its own language"
            ),
            ErrorKind::LocaleXDefault => f.write_str(
                "the locales of a record contain `x-default`; remove it, and name the locale of the default page \
                 with the attribute `x_default`",
            ),
            ErrorKind::Undeclared { loc, extensions } => write!(
                f,
                "the entry uses an extension that its sitemap does not declare, found {extensions:?} in {loc:?}; \
                 declare it with `SetOptions::extensions`, or give such records a section of their own"
            ),
            ErrorKind::UndeclaredNamespace { loc, prefix, uri } => write!(
                f,
                "the entry has an element of a namespace that its sitemap does not declare, found `{prefix}` \
                 {uri:?} in {loc:?}; declare it with `WriteOptions::namespace`"
            ),
            ErrorKind::NoExtensions { extensions, prefixes } if prefixes.is_empty() => {
                write!(f, "dialect 0.84 has no extensions, found {extensions:?}; use dialect 0.9")
            }
            ErrorKind::NoExtensions { prefixes, .. } => {
                write!(
                    f,
                    "dialect 0.84 has no extensions, found `{}`; use dialect 0.9",
                    prefixes.join("`, `")
                )
            }
            ErrorKind::Site(error) => error.fmt(f),
            ErrorKind::Stylesheet(error) => error.fmt(f),
            ErrorKind::Field { record, field, page: None, cause } => {
                write!(f, "`{field}` of `{record}`: {cause}")
            }
            ErrorKind::Field { record, field, page: Some(page), cause } => {
                write!(f, "`{field}` of `{record}` at {page:?}: {cause}")
            }
            ErrorKind::OutOfScope { loc, base } => write!(
                f,
                "`loc` is not under `{base}`, the base URL of the sitemap's site, found {loc:?}; publish the page \
                 with a site of its own, or allow its base URL with `Site::also_list`"
            ),
            ErrorKind::TooLarge { urls, max_urls, bytes, max_bytes } => write!(
                f,
                "the record is larger than a sitemap file, found {} in {bytes} bytes; a file holds at \
                 most {max_urls} URLs and {max_bytes} bytes",
                counted_urls(*urls)
            ),
            ErrorKind::Full { entries } => write!(
                f,
                "the sitemap is full after {entries} entries; use a `SitemapSet`, which starts another file"
            ),
            ErrorKind::Io(error) => write!(f, "cannot write the sitemap: {error}"),
            ErrorKind::Aborted => {
                f.write_str("an earlier error made this document unusable; create a new document")
            }
            ErrorKind::Other(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for Error {
    /// Writes the same message as `Display`, because Rust prints the debug form when `main` returns an error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for Error {
    /// Skips the inner error and returns *its* source, because this error's message already includes the message of the
    /// inner error.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self.kind() {
            ErrorKind::Io(error) => error.source(),
            ErrorKind::Other(error) => error.source(),
            ErrorKind::Field { cause, .. } => cause.source(),
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
    /// Allows `?` after conversions that cannot fail. This is never called, because an [`Infallible`] value cannot
    /// exist.
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

/// Formats a number of URLs with its unit.
pub(crate) fn counted_urls(urls: u64) -> String {
    if urls == 1 { "1 URL".to_owned() } else { format!("{urls} URLs") }
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
