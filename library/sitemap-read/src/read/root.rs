//! The prefix, namespace and attributes of a document's root tag.

use super::position::Span;
use super::reader::SitemapReader;
use super::schema::{Note, is_foreign, value_of};
use super::token::Attributes;
use super::xml::RootTag;
use crate::rule::Rule;

impl SitemapReader<'_> {
    /// Returns the root tag, or `None` if there is none or it hasn't been read yet.
    fn root_tag(&self) -> Option<&RootTag> {
        self.cursor.xml.root_tag.as_ref()
    }

    /// Returns the prefix of the root element.
    pub(crate) fn root_prefix(&self) -> &[u8] {
        self.cursor.xml.names.root_prefix()
    }

    /// Returns the span of the root tag.
    pub(crate) fn root_span(&self) -> Option<Span> {
        self.root_tag().map(|root| Span::new(root.start, root.bytes.len() as u64))
    }

    /// Returns the root's namespace, or an empty string if it has none.
    pub(crate) fn root_namespace(&self) -> &str {
        self.cursor.xml.names.root_uri()
    }

    /// Calls `note` for each unknown attribute of the root tag, and for each declared namespace of an outdated
    /// extension version.
    pub(crate) fn inspect_root(&self, note: &mut impl FnMut(Note<'_>)) {
        let Some(root) = self.root_tag() else {
            return;
        };
        let bytes = &root.bytes;
        for attribute in Attributes::new(bytes, root.name_end, bytes.len()) {
            let (start, end) = attribute.name;
            let name = &bytes[start..end];
            let span = |(start, end): (usize, usize)| {
                Span::new(root.start.after(&bytes[..start]), (end - start) as u64)
            };
            if is_foreign(name) {
                let found = String::from_utf8_lossy(name);
                note(Note { rule: Rule::AttributeUnknown, span: span(attribute.name), found });
            }
            let value = value_of(bytes, attribute.value);
            if name.starts_with(b"xmlns") && is_old(&value) {
                note(Note { rule: Rule::NamespaceOld, span: span(attribute.value), found: value.into() });
            }
        }
    }
}

fn is_old(uri: &str) -> bool {
    matches!(
        uri,
        "http://www.google.com/schemas/sitemap-video/1.0" | "http://www.google.com/schemas/sitemap-news/0.84"
    )
}
