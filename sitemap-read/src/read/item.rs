//! What a reader yields: pages and sitemaps, each with its place.

use std::ops::Range;

use super::position::{Near, Position, Span};
use sitemap_core::{ChangeFreq, Entry, LastMod, Loc, Priority};

/// One entry of a document; borrows from the reader until the next one is read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Item<'r> {
    /// A page: of a urlset, a text sitemap or a feed.
    Page(PageItem<'r>),
    /// A sitemap: of an index.
    Sitemap(SitemapItem<'r>),
}

impl<'r> Item<'r> {
    /// Where the entry stands: its whole element or line.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Page(page) => page.span(),
            Self::Sitemap(sitemap) => sitemap.span(),
        }
    }

    /// Where one of its values stands, if the document has it.
    #[must_use]
    pub fn value_span(&self, value: Value) -> Option<Span> {
        match self {
            Self::Page(page) => page.value_span(value),
            Self::Sitemap(sitemap) => sitemap.value_span(value),
        }
    }

    /// The address of the page or sitemap.
    #[must_use]
    pub fn loc(&self) -> &Loc<'r> {
        match self {
            Self::Page(page) => page.loc(),
            Self::Sitemap(sitemap) => sitemap.loc(),
        }
    }

    /// When the page or sitemap last changed.
    #[must_use]
    pub fn lastmod(&self) -> Option<LastMod> {
        match self {
            Self::Page(page) => page.lastmod(),
            Self::Sitemap(sitemap) => sitemap.lastmod(),
        }
    }
}

/// Which value of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// The address.
    Loc,
    /// When it last changed.
    LastMod,
    /// How often it is likely to change.
    ChangeFreq,
    /// Its weight within the site.
    Priority,
}

/// A page, and where it stands.
#[derive(Clone, Debug)]
pub struct PageItem<'r> {
    pub(super) entry: Entry<'r>,
    pub(super) place: Place<'r>,
}

impl<'r> PageItem<'r> {
    /// The page.
    pub const fn entry(&self) -> &Entry<'r> {
        &self.entry
    }

    /// Returns the page's URL.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'r> {
        self.entry.loc()
    }

    /// Returns the date of the page's last change.
    #[must_use]
    pub const fn lastmod(&self) -> Option<LastMod> {
        self.entry.lastmod()
    }

    /// Returns how often the page is likely to change.
    #[must_use]
    pub const fn changefreq(&self) -> Option<ChangeFreq> {
        self.entry.changefreq()
    }

    /// Returns the page's weight within its site.
    #[must_use]
    pub const fn priority(&self) -> Option<Priority> {
        self.entry.priority()
    }

    /// Whether its address is known to stand in the document as it is, but for each `&`, which is
    /// escaped once, and to have no fragment.
    pub(crate) const fn is_as_written(&self) -> bool {
        self.place.looks.is_as_written
    }

    /// The page by value; it still borrows from the reader, see [`Entry::into_owned`].
    pub fn into_entry(self) -> Entry<'r> {
        self.entry
    }
}

/// A sitemap that an index lists, and where.
#[derive(Clone, Debug)]
pub struct SitemapItem<'r> {
    pub(super) loc: Loc<'r>,
    pub(super) lastmod: Option<LastMod>,
    pub(super) place: Place<'r>,
}

impl<'r> SitemapItem<'r> {
    /// Its address.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'r> {
        &self.loc
    }

    /// When the file last changed.
    #[must_use]
    pub const fn lastmod(&self) -> Option<LastMod> {
        self.lastmod
    }
}

/// What pages and sitemaps say of their places, in the same words.
macro_rules! placed {
    ($($item:ident),+) => {$(
        impl<'r> $item<'r> {
            /// Where its element or line stands.
            #[must_use]
            pub fn span(&self) -> Span {
                self.place.span()
            }

            /// Where one of its values stands, without the white space around it, if the document
            /// has it.
            #[must_use]
            pub fn value_span(&self, value: Value) -> Option<Span> {
                self.place.value_span(value)
            }

            /// Its element or line as it stands in the document, in UTF-8 unless the document's
            /// bytes are not.
            #[must_use]
            pub const fn source(&self) -> &'r [u8] {
                self.place.source
            }

            /// Where it begins and ends, in bytes of the document.
            pub(crate) fn offsets(&self) -> Range<u64> {
                self.place.offsets()
            }

            /// A value as it stands in the document, without the white space around it.
            #[inline]
            pub(crate) fn raw(&self, value: Value) -> Option<&'r [u8]> {
                self.place.raw(value)
            }
        }
    )+};
}

placed!(PageItem, SitemapItem);

/// An element's text and where in it the values stand; places are worked out when asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'r> {
    pub(super) near: Near<'r>,
    pub(super) source: &'r [u8],
    pub(super) values: Values,
    pub(super) looks: Looks,
}

/// What reading an entry showed of how it is written; `false` where that takes another look.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Looks {
    /// Its markup has nothing against the schema.
    pub(super) is_usual: bool,
    /// Its address stands there as it is, but for each `&` being escaped once, is ASCII, and has no
    /// fragment.
    pub(super) is_as_written: bool,
}

/// Begin and end of each value, in [`Value`]'s order; both 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Values(pub(super) [(u32, u32); 4]);

impl<'r> Place<'r> {
    pub(super) fn start(&self) -> Position {
        self.near.position()
    }

    /// Where it begins and ends, in bytes of the document.
    fn offsets(&self) -> Range<u64> {
        let start = self.near.mark.offset + self.near.since.len() as u64;
        start..start + self.source.len() as u64
    }

    fn span(&self) -> Span {
        Span::new(self.start(), self.source.len() as u64)
    }

    /// A value as it stands in the document, without the white space around it.
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
        // An entry is far smaller than 4 GiB.
        #[allow(clippy::cast_possible_truncation)]
        let range = (start as u32, end as u32);
        self.0[value as usize] = range;
    }
}
