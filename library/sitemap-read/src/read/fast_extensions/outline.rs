//! The extensions of an entry, as offsets.

use super::super::namespace::Space;

/// The extensions of an entry. Its memory is reused for the next entry.
#[derive(Debug, Default)]
pub(in super::super) struct Outline {
    /// The extensions, in the order of the document.
    pub(super) found: Vec<Found>,
    /// The elements and attributes of the extensions that are not of the most common form.
    pub(super) parts: Vec<Part>,
    /// The number of `link` elements, most of them translations.
    pub(super) links: usize,
    pub(super) images: usize,
    /// True if the last image had values other than its URL, so that the next one probably also has them.
    pub(super) images_have_more: bool,
    pub(super) has_foreign: bool,
}

/// An extension of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// A translation. The language tag is valid.
    Link { hreflang: (usize, usize), href: Url },
    /// An image that has only a URL.
    Image(Url),
    /// Any other element. The value is its index in [`Outline::parts`].
    Element(usize),
}

/// The place of a URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Url {
    pub(super) range: (usize, usize),
    pub(super) spelling: UrlSpelling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlSpelling {
    /// The URL is in its normal form and has no references, so its text is the URL.
    Normal,
    /// A text that must be decoded and checked.
    Text,
    /// A CDATA section that must be checked.
    CData,
}

/// An element or an attribute. The attributes and children of an element follow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// The local name of the element, or the name of the attribute.
    pub(super) name: (usize, usize),
    /// The element's text without the white space around it, or the value of the attribute.
    pub(super) text: (usize, usize),
    /// The index of the next part that does not belong to the element.
    pub(super) next: usize,
    /// The number of the element's attributes, which follow it.
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
    /// Returns `true` if the outline has elements of unknown vocabularies.
    pub(in super::super) const fn has_foreign(&self) -> bool {
        self.has_foreign
    }

    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.parts.clear();
        (self.links, self.images, self.has_foreign) = (0, 0, false);
    }
}
