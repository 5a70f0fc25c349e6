//! An entry's extensions, as offsets.

use super::super::namespace::Space;

/// An entry's extensions. The memory is reused for the next entry.
#[derive(Debug, Default)]
pub(in super::super) struct Outline {
    /// The extensions in document order.
    pub(super) found: Vec<Found>,
    /// The elements and attributes of extensions that don't have one of the most common forms.
    pub(super) parts: Vec<Part>,
    /// The number of `link` elements. Most of them are translations.
    pub(super) links: usize,
    pub(super) images: usize,
    /// True if the last image had other values in addition to its URL. The next image then probably has them, too.
    pub(super) images_have_more: bool,
    pub(super) has_foreign: bool,
}

/// An extension of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// A translation with a valid language tag.
    Link { hreflang: (usize, usize), href: Url },
    /// An image that has only a URL.
    Image(Url),
    /// Any other element. The value is its index in [`Outline::parts`].
    Element(usize),
}

/// A URL's place in the text, and how it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Url {
    pub(super) range: (usize, usize),
    pub(super) spelling: UrlSpelling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlSpelling {
    /// The URL is in normal form and has no references, so the text can be used as it is.
    Normal,
    /// Text that must be decoded and checked.
    Text,
    /// A CDATA section that must be checked.
    CData,
}

/// An element or attribute. An element is followed by its attributes and children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// The element's local name or the attribute's name.
    pub(super) name: (usize, usize),
    /// The element's text without surrounding white space, or the attribute's value.
    pub(super) text: (usize, usize),
    /// The index of the next part outside the element.
    pub(super) next: usize,
    /// The number of the element's attributes.
    pub(super) attributes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Element(Space),
    /// An element whose text is a CDATA section.
    CData(Space),
    Attribute,
}

impl Outline {
    /// Returns `true` if the outline contains elements of unknown vocabularies.
    pub(in super::super) const fn has_foreign(&self) -> bool {
        self.has_foreign
    }

    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.parts.clear();
        (self.links, self.images, self.has_foreign) = (0, 0, false);
    }
}
