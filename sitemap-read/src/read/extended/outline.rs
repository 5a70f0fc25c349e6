//! The markup of an entry's extensions, as offsets.

use super::super::namespace::Space;

/// The elements and attributes of an entry's extensions, in the order of the document. Its memory is reused for the
/// next entry.
#[derive(Debug, Default)]
pub(in super::super) struct Outline {
    pub(super) parts: Vec<Part>,
    /// The number of `link` elements, of which most are translations.
    pub(super) links: usize,
    pub(super) images: usize,
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
    pub(in super::super) fn has_foreign(&self) -> bool {
        let is_foreign = |part: &Part| part.kind == PartKind::Element(Space::Foreign);
        self.parts.iter().any(is_foreign)
            || self.parts.iter().any(|part| part.kind == PartKind::CData(Space::Foreign))
    }

    pub(super) fn clear(&mut self) {
        self.parts.clear();
        (self.links, self.images) = (0, 0);
    }
}
