//! What an entry can carry beside the protocol's own four values, each in a namespace of its own.

mod alternate;
mod attached;
mod element;
mod error;
pub(crate) mod fields;
mod image;
mod list;
pub mod news;
#[cfg(feature = "serde")]
pub(crate) mod serde;
pub(crate) mod table;
mod text;
pub mod video;
mod words;

use std::fmt;
use std::ops::BitOr;

pub use alternate::{Alternate, AlternateError, Hreflang, HreflangError};
pub(crate) use attached::{Attached, check_video};
pub use element::{Element, Namespace, Node};
pub use error::{ExtensionError, ExtensionErrorKind};
pub(crate) use fields::{Fields, Value};
pub use image::Image;
pub use news::{News, Publication};
pub use video::{Video, VideoSource};

/// A set of extensions: which namespaces a document declares.
///
/// A document is written from its first byte on, so it must declare its namespaces before the first
/// entry that uses one. It declares those of its [`WriteOptions`](crate::WriteOptions) and those that
/// its first record's type says it [may use](crate::SitemapEntry::EXTENSIONS); an entry with another
/// is an error.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Extensions(u8);

impl Extensions {
    /// No extension.
    pub const NONE: Self = Self(0);
    /// Alternates: `xhtml:link`, the same page in other languages.
    pub const ALTERNATES: Self = Self(1);
    /// Images: `image:image`.
    pub const IMAGES: Self = Self(2);
    /// Videos: `video:video`.
    pub const VIDEOS: Self = Self(4);
    /// News: `news:news`.
    pub const NEWS: Self = Self(8);

    /// Whether all of `other` are in this set.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The extensions of both sets.
    #[must_use]
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The declarations for the root element, each with a blank before it.
    pub(crate) fn declarations(self) -> String {
        let mut declarations = String::new();
        for (extension, prefix, namespace) in NAMESPACES {
            if self.contains(extension) {
                declarations.extend([" xmlns:", prefix, "=\"", namespace, "\""]);
            }
        }
        declarations
    }
}

/// Each with its prefix and namespace.
pub(crate) const NAMESPACES: [(Extensions, &str, &str); 4] = [
    (Extensions::ALTERNATES, "xhtml", "http://www.w3.org/1999/xhtml"),
    (Extensions::IMAGES, "image", "http://www.google.com/schemas/sitemap-image/1.1"),
    (Extensions::VIDEOS, "video", "http://www.google.com/schemas/sitemap-video/1.1"),
    (Extensions::NEWS, "news", "http://www.google.com/schemas/sitemap-news/0.9"),
];

impl BitOr for Extensions {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefixes = NAMESPACES.iter().filter(|(extension, ..)| self.contains(*extension));
        f.debug_set().entries(prefixes.map(|(_, prefix, _)| prefix)).finish()
    }
}
