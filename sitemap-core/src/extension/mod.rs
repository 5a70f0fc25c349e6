//! Extensions of the sitemap protocol: alternates, images, videos, news, and elements from other namespaces.
//!
//! An [`Entry`](crate::Entry) has a method for each extension, such as [`with_images`](crate::Entry::with_images).
//!
//! | what | where |
//! |---|---|
//! | the extensions | `alternate`, `image`, `video`, `news`; elements of other namespaces in `element` |
//! | the elements and attributes that an extension has, as tables | `table` |
//! | the values of an element, and their checks | `fields`, `group`, `text`, `words`, `error` |
//! | the extensions of one entry | `attached`, `list` |
//! | JSON | `serde` |
//!
//! # Elements of documents
//!
//! The constructors and setters in this module accept only valid values. Images, videos and news articles that
//! `sitemap-read` has read from a document may still contain invalid values, because the reader keeps what it finds.
//! Required values may be missing. For an invalid string, the getter returns the original spelling. For any other
//! invalid value, it returns `None`, and for a missing required string, it returns an empty string. JSON contains all
//! values as spelled in the document. Writers reject the entry with an error that names the value:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use sitemap_core::extension::Publication;
//!
//! assert_eq!(
//!     Publication::new("The Example Times", "en-US").unwrap_err().to_string(),
//!     "`news:language` is \"en-US\"; write two or three lower-case letters, `zh-cn` or `zh-tw`"
//! );
//! # Ok(())
//! # }
//! ```

mod alternate;
mod attached;
mod element;
mod error;
pub(crate) mod fields;
pub(crate) mod group;
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
pub(crate) use alternate::{is_locale, is_valid as is_hreflang};
pub(crate) use attached::{Attached, check_video};
pub use element::{Element, Namespace, Node};
pub use error::{ExtensionError, ExtensionErrorKind};
pub(crate) use fields::{Fields, Value};
pub use image::Image;
pub use news::{News, Publication};
pub use video::{Video, VideoSource};

/// A set of extensions, such as those that a document declares.
///
/// The root element of a document declares the namespaces of extensions, so they must be known before the first entry.
/// A document declares the extensions in its [`WriteOptions`](crate::WriteOptions) and those that the type of the first
/// record [may use](crate::SitemapEntry::EXTENSIONS). Writing an entry with any other extension is an error.
///
/// ```
/// use sitemap_core::Extensions;
///
/// let declared = Extensions::IMAGES | Extensions::NEWS;
/// assert!(declared.contains(Extensions::IMAGES));
/// assert!(!declared.contains(Extensions::IMAGES | Extensions::VIDEOS));
/// assert_eq!(Extensions::NONE.union(declared), declared);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Extensions(u8);

impl Extensions {
    /// No extension.
    pub const NONE: Self = Self(0);
    /// Alternates: links to versions of a page for other languages or countries (`xhtml:link`).
    pub const ALTERNATES: Self = Self(1);
    /// Images: `image:image`.
    pub const IMAGES: Self = Self(2);
    /// Videos: `video:video`.
    pub const VIDEOS: Self = Self(4);
    /// News: `news:news`.
    pub const NEWS: Self = Self(8);

    /// Returns `true` if this set contains all extensions of `other`.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the extensions in either of the two sets. See the [example](Self).
    #[must_use]
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the `xmlns` attributes for the root element, each with a space before it.
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

/// The extensions with their prefixes and namespace URIs.
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
