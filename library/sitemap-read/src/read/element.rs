//! Access to the elements of an entry, for reading extensions.

use std::borrow::Cow;
use std::fmt::Display;

use sitemap_core::extension::ExtensionError;

use super::namespace::split;
use super::tree::Collected;
use super::value::{Flaws, decode, trim};
use crate::rule::Rule;

/// An element of an extension, together with the tree and text of its entry.
pub(super) struct Part<'c, 't> {
    pub(super) collected: &'c mut Collected,
    pub(super) text: &'t [u8],
    pub(super) node: usize,
}

impl<'t> Part<'_, 't> {
    /// Returns the element's name, as the document spells it.
    pub(super) fn name(&self) -> &'t [u8] {
        let (start, end) = self.collected.nodes[self.node].name;
        &self.text[start..end]
    }

    pub(super) fn local(&self) -> &'t [u8] {
        split(self.name()).1
    }

    /// Returns `true` if the document ends within the element.
    pub(super) fn is_cut(&self) -> bool {
        self.collected.nodes[self.node].cut
    }

    /// Calls `read` for each child element in the same namespace as this element.
    ///
    /// The number of children is limited, because adding a child's value compares it with the values of all earlier
    /// children.
    pub(super) fn for_each_child(&mut self, mut read: impl FnMut(&mut Part<'_, 't>)) {
        const MAX: usize = 500;
        let own = self.collected.nodes[self.node].kind;
        let mut count = 0;
        let mut next = self.collected.first_child(self.node);
        while let Some(node) = next {
            next = self.collected.next_child(self.node, node);
            if self.collected.nodes[node].kind != own {
                continue;
            }
            if count == MAX {
                let name = String::from_utf8_lossy(self.name()).into_owned();
                let message =
                    format!("`{name}` has more than {MAX} child elements; only the first {MAX} are kept");
                self.child(node).note_with(Rule::ExtensionInvalid, message);
                return;
            }
            count += 1;
            read(&mut self.child(node));
        }
    }

    pub(super) fn child(&mut self, node: usize) -> Part<'_, 't> {
        Part { collected: self.collected, text: self.text, node }
    }

    /// Returns the text directly inside the element.
    pub(super) fn text(&mut self) -> Cow<'t, str> {
        self.collected.text_of(self.text, self.node).text
    }

    /// Returns the text directly inside the element as a URL.
    pub(super) fn url_text(&mut self) -> Cow<'t, str> {
        self.collected.url_of(self.text, self.node).text
    }

    /// Returns the value of the attribute with this local name.
    pub(super) fn attribute(&mut self, name: &str) -> Option<Cow<'t, str>> {
        let [range] = self.attributes([name]);
        Some(self.attribute_value(range?))
    }

    /// Finds the attributes with these local names in one pass. Returns the ranges of their values.
    pub(super) fn attributes<const N: usize>(&self, names: [&str; N]) -> [Option<(usize, usize)>; N] {
        let mut ranges = [None; N];
        for attribute in self.collected.attributes(self.text, self.node) {
            let local = split(&self.text[attribute.name.0..attribute.name.1]).1;
            if let Some(at) = names.iter().position(|name| name.as_bytes() == local) {
                ranges[at].get_or_insert(attribute.value);
            }
        }
        ranges
    }

    /// Returns the attribute value at this range.
    pub(super) fn attribute_value(&mut self, (start, end): (usize, usize)) -> Cow<'t, str> {
        let mut flaws = Flaws::default();
        let value = decode(&self.text[start..end], true, &mut flaws);
        if flaws.any() {
            for (rule, (at, len)) in flaws.each() {
                self.collected.note(rule, start + at, start + at + len);
            }
        }
        match value {
            Cow::Borrowed(value) => Cow::Borrowed(trim(value)),
            Cow::Owned(value) => Cow::Owned(trim(&value).to_owned()),
        }
    }

    /// Returns the value inside `Ok`. For an error, adds a note that the element is ignored, and returns `None`.
    pub(super) fn check<T, E: Display>(&mut self, value: Result<T, E>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(error) => {
                let name = String::from_utf8_lossy(self.name()).into_owned();
                self.note_with(Rule::ExtensionInvalid, format!("`{name}` is ignored: {error}"));
                None
            }
        }
    }

    /// Adds a note about an invalid value that is kept as written.
    pub(super) fn note_kept(&mut self, error: &ExtensionError) {
        self.note_with(Rule::ExtensionInvalid, format!("an invalid value is kept as it is: {error}"));
    }

    /// Returns the value of a required attribute. If it is missing, adds a note that the element is ignored.
    pub(super) fn require<T>(&mut self, value: Option<T>, name: &str) -> Option<T> {
        if value.is_none() {
            self.note_incomplete(&format!("`{name}`"), "is ignored");
        }
        value
    }

    /// Adds a note that one of the element's required values is missing. `effect` describes what happens to the
    /// element.
    pub(super) fn note_incomplete(&mut self, missing: &str, effect: &str) {
        let own = String::from_utf8_lossy(self.name()).into_owned();
        self.note_with(Rule::ExtensionIncomplete, format!("`{own}` has no {missing} and {effect}"));
    }

    pub(super) fn note_with(&mut self, rule: Rule, message: String) {
        let node = self.collected.nodes[self.node];
        self.collected.note_with(rule, (node.start, node.end), message);
    }

    pub(super) fn note(&mut self, rule: Rule) {
        let node = self.collected.nodes[self.node];
        self.collected.note(rule, node.start, node.end);
    }
}
