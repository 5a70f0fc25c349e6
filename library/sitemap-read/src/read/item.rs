//! The items that a reader yields: pages and child sitemaps, with their positions in the document.

use std::ops::Range;

use super::position::{LazyPosition, Position, Span};
use sitemap_core::{ChangeFreq, Entry, LastMod, Loc, Priority};

/// One entry of a document. It borrows from the reader, so it must be dropped before the next entry is read.
///
/// ```
/// use sitemap_read::{Item, SitemapReader, Value};
///
/// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <sitemap><loc>https://example.com/a.xml</loc><lastmod>2024-03-09</lastmod></sitemap>
/// </sitemapindex>"#;
/// let mut reader = SitemapReader::from_slice(index);
/// let item = reader.next()?.unwrap();
///
/// assert!(matches!(item, Item::Sitemap(_)));
/// assert_eq!(item.loc(), "https://example.com/a.xml");
/// assert_eq!(item.lastmod().unwrap().to_string(), "2024-03-09");
/// assert_eq!(item.span().start.to_string(), "2:1");
/// assert_eq!(item.value_span(Value::LastMod).unwrap().start.to_string(), "2:55");
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Item<'r> {
    /// A page from a urlset, text sitemap or feed.
    Page(PageItem<'r>),
    /// A child sitemap from an index.
    Sitemap(SitemapItem<'r>),
}

impl<'r> Item<'r> {
    /// Returns the span of the entry, which is its whole element or line.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Page(page) => page.span(),
            Self::Sitemap(sitemap) => sitemap.span(),
        }
    }

    /// Returns the span of a value without surrounding white space, or `None` if the entry doesn't have this value.
    #[must_use]
    pub fn value_span(&self, value: Value) -> Option<Span> {
        match self {
            Self::Page(page) => page.value_span(value),
            Self::Sitemap(sitemap) => sitemap.value_span(value),
        }
    }

    /// Returns the URL of the page or child sitemap.
    #[must_use]
    pub fn loc(&self) -> &Loc<'r> {
        match self {
            Self::Page(page) => page.loc(),
            Self::Sitemap(sitemap) => sitemap.loc(),
        }
    }

    /// Returns the date when the page or child sitemap last changed.
    #[must_use]
    pub fn lastmod(&self) -> Option<LastMod> {
        match self {
            Self::Page(page) => page.lastmod(),
            Self::Sitemap(sitemap) => sitemap.lastmod(),
        }
    }
}

/// Names one of an entry's values.
///
/// ```
/// use sitemap_read::{SitemapReader, Value};
///
/// let mut reader = SitemapReader::from_slice(b"  https://example.com/\n");
/// let item = reader.next()?.unwrap();
/// assert_eq!(item.value_span(Value::Loc).unwrap().start.column, 3);
/// assert_eq!(item.value_span(Value::Priority), None);
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// The URL.
    Loc,
    /// The date when the page or child sitemap last changed.
    LastMod,
    /// How often the page is expected to change.
    ChangeFreq,
    /// The page's weight compared with other pages on its site.
    Priority,
}

/// A page, with its position in the document.
///
/// ```
/// use sitemap_core::{ChangeFreq, Entry, Priority};
/// use sitemap_read::{Item, SitemapReader};
///
/// let xml = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <url><loc>https://example.com/</loc><changefreq>daily</changefreq><priority>1.0</priority></url>
/// </urlset>"#;
/// let mut reader = SitemapReader::from_slice(xml);
/// let Some(Item::Page(page)) = reader.next()? else { unreachable!() };
///
/// assert_eq!((page.loc().as_str(), page.lastmod()), ("https://example.com/", None));
/// assert_eq!((page.changefreq(), page.priority()), (Some(ChangeFreq::Daily), Some(Priority::MAX)));
/// assert_eq!(page.span().start.line, 2);
/// assert!(page.source().starts_with(b"<url><loc>"));
///
/// let entry: Entry<'static> = page.into_entry().into_owned();
/// assert_eq!(entry.loc(), "https://example.com/");
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PageItem<'r> {
    pub(super) entry: Entry<'r>,
    pub(super) place: Place<'r>,
    pub(super) ignored_versions: Vec<IgnoredVersion<'r>>,
}

impl<'r> PageItem<'r> {
    /// Returns the page's entry, including its extensions.
    pub const fn entry(&self) -> &Entry<'r> {
        &self.entry
    }

    /// Returns the page's URL.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'r> {
        self.entry.loc()
    }

    /// Returns the date when the page last changed.
    #[must_use]
    pub const fn lastmod(&self) -> Option<LastMod> {
        self.entry.lastmod()
    }

    /// Returns how often the page is expected to change.
    #[must_use]
    pub const fn changefreq(&self) -> Option<ChangeFreq> {
        self.entry.changefreq()
    }

    /// Returns the page's weight compared with other pages on its site.
    #[must_use]
    pub const fn priority(&self) -> Option<Priority> {
        self.entry.priority()
    }

    /// Returns the language versions that the reader ignored. Each one already has a finding.
    pub(crate) fn ignored_versions(&self) -> &[IgnoredVersion<'r>] {
        &self.ignored_versions
    }

    /// Returns `true` if the URL has no fragment and the document is known to contain it unchanged, except that each
    /// `&` is escaped once.
    pub(crate) const fn is_as_written(&self) -> bool {
        self.place.spelling.is_as_written
    }

    /// Converts the item into its entry, which still borrows from the reader. To copy the borrowed values, call
    /// [`Entry::into_owned`].
    pub fn into_entry(self) -> Entry<'r> {
        self.entry
    }
}

/// A language version that is ignored because its link doesn't have a valid language tag or URL.
#[derive(Clone, Debug)]
pub(crate) struct IgnoredVersion<'t> {
    /// The URL, if it is valid.
    pub(crate) href: Option<Loc<'t>>,
}

/// A child sitemap in an index, with its position in the document.
///
/// ```
/// use sitemap_read::{Item, SitemapReader};
///
/// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <sitemap><loc>https://example.com/a.xml</loc></sitemap>
/// </sitemapindex>"#;
/// let mut reader = SitemapReader::from_slice(index);
/// let Some(Item::Sitemap(sitemap)) = reader.next()? else { unreachable!() };
///
/// assert_eq!((sitemap.loc().as_str(), sitemap.lastmod()), ("https://example.com/a.xml", None));
/// assert_eq!(sitemap.source(), b"<sitemap><loc>https://example.com/a.xml</loc></sitemap>");
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SitemapItem<'r> {
    pub(super) loc: Loc<'r>,
    pub(super) lastmod: Option<LastMod>,
    pub(super) place: Place<'r>,
}

impl<'r> SitemapItem<'r> {
    /// Returns the child sitemap's URL.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'r> {
        &self.loc
    }

    /// Returns the date when the child sitemap last changed.
    #[must_use]
    pub const fn lastmod(&self) -> Option<LastMod> {
        self.lastmod
    }
}

/// Implements the methods for an item's position in the document.
macro_rules! placed {
    ($($item:ident),+) => {$(
        impl<'r> $item<'r> {
            /// Returns the span of the item's element or line.
            #[must_use]
            pub fn span(&self) -> Span {
                self.place.span()
            }

            /// Returns the span of a value without surrounding white space, or `None` if the item doesn't have this
            /// value.
            #[must_use]
            pub fn value_span(&self, value: Value) -> Option<Span> {
                self.place.value_span(value)
            }

            /// Returns the item's element or line as written in the document. It is UTF-8, unless the document contains
            /// invalid bytes.
            #[must_use]
            pub const fn source(&self) -> &'r [u8] {
                self.place.source
            }

            /// Returns the item's byte range in the document.
            pub(crate) fn offsets(&self) -> Range<u64> {
                self.place.offsets()
            }

            /// Returns a value as written in the document, without surrounding white space.
            #[inline]
            pub(crate) fn raw(&self, value: Value) -> Option<&'r [u8]> {
                self.place.raw(value)
            }
        }
    )+};
}

placed!(PageItem, SitemapItem);

/// An item's text and the ranges of its values. Positions are only computed when needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'r> {
    pub(super) position: LazyPosition<'r>,
    pub(super) source: &'r [u8],
    pub(super) values: Values,
    pub(super) spelling: Spelling,
}

/// Facts about how an entry is written. A field is `false` if the fact is untrue or wasn't checked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spelling {
    /// The entry's markup is valid according to the schema.
    pub(super) is_usual: bool,
    /// The URL is ASCII and has no fragment. The document contains it unchanged, except that each `&` is escaped once.
    pub(super) is_as_written: bool,
    /// The entry is well-formed XML, so it doesn't need to be checked.
    pub(super) is_well_formed: bool,
}

/// The start and end offset of each value, in the order of [`Value`]. Both offsets are 0 for a missing value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Values(pub(super) [(u32, u32); 4]);

impl<'r> Place<'r> {
    pub(super) fn start(&self) -> Position {
        self.position.position()
    }

    /// Returns the item's byte range in the document.
    fn offsets(&self) -> Range<u64> {
        let start = self.position.offset();
        start..start + self.source.len() as u64
    }

    fn span(&self) -> Span {
        Span::new(self.start(), self.source.len() as u64)
    }

    /// Returns a value as written in the document, without surrounding white space.
    #[inline]
    fn raw(&self, value: Value) -> Option<&'r [u8]> {
        let (start, end) = self.values.0[value as usize];
        (end > 0).then(|| self.source.get(start as usize..end as usize)).flatten()
    }

    fn value_span(&self, value: Value) -> Option<Span> {
        let (start, end) = self.values.0[value as usize];
        let before = self.source.get(..start as usize)?;
        (end > 0).then(|| Span::new(self.start().after(before), u64::from(end - start)))
    }
}

impl Values {
    pub(super) const fn set(&mut self, value: Value, start: usize, end: usize) {
        self.0[value as usize] = (offset(start), offset(end));
    }
}

/// Converts an offset within an entry to 32 bits. Larger offsets only occur in entries of more than 4 GiB, which
/// `ReadLimits::entry_bytes` forbids by default.
#[allow(clippy::cast_possible_truncation)] // the larger offsets become `u32::MAX`
const fn offset(offset: usize) -> u32 {
    if offset < u32::MAX as usize { offset as u32 } else { u32::MAX }
}
