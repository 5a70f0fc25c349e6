//! Access to an element within an entry, for reading extensions.

use std::borrow::Cow;
use std::fmt::Display;

use sitemap_core::Loc;

use super::collect::Collected;
use super::namespace::split;
use super::value::{Flaws, decode, trim};
use crate::rule::Rule;

/// An element of an extension, with the tree and the text of its entry.
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

    /// Calls `read` for each child element in the element's own namespace.
    ///
    /// The number of children is limited, because adding a child's value searches the values of all earlier children.
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
                self.note(Rule::ExtensionInvalid);
                return;
            }
            count += 1;
            read(&mut self.child(node));
        }
    }

    pub(super) fn child(&mut self, node: usize) -> Part<'_, 't> {
        Part { collected: self.collected, text: self.text, node }
    }

    /// Returns the element's own text, or `None` if the element is empty or if the end of the document cuts it off.
    /// Adds a note about an empty element.
    pub(super) fn value(&mut self) -> Option<Cow<'t, str>> {
        if self.is_cut() {
            return None;
        }
        let found = self.collected.text_of(self.text, self.node).text;
        if found.is_empty() {
            self.note(Rule::ValueEmpty);
            return None;
        }
        Some(found)
    }

    /// Returns the element's own text, if it has any.
    pub(super) fn optional_value(&mut self) -> Option<Cow<'t, str>> {
        Some(self.collected.text_of(self.text, self.node).text).filter(|text| !text.is_empty())
    }

    /// Returns the element's own text as a URL. If the URL is invalid, adds a note and returns `None`.
    pub(super) fn url(&mut self) -> Option<Loc<'t>> {
        if self.is_cut() {
            return None;
        }
        let found = self.collected.url_of(self.text, self.node).text;
        self.check(Loc::parse(found))
    }

    /// Returns the value of an attribute, found by its local name.
    pub(super) fn attribute(&mut self, name: &str) -> Option<Cow<'t, str>> {
        let text = self.text;
        let found = self
            .collected
            .attributes(text, self.node)
            .find(|attribute| split(&text[attribute.name.0..attribute.name.1]).1 == name.as_bytes())?;
        let (start, end) = found.value;
        let mut flaws = Flaws::default();
        let value = decode(&text[start..end], true, &mut flaws);
        for (rule, (at, len)) in flaws.each() {
            self.collected.note(rule, start + at, start + at + len);
        }
        Some(match value {
            Cow::Borrowed(value) => Cow::Borrowed(trim(value)),
            Cow::Owned(value) => Cow::Owned(trim(&value).to_owned()),
        })
    }

    /// Returns the value of an `Ok`. For an `Err`, adds a note with the error's message and returns `None`.
    pub(super) fn check<T, E: Display>(&mut self, value: Result<T, E>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(error) => {
                let node = self.collected.nodes[self.node];
                let name = String::from_utf8_lossy(self.name()).into_owned();
                let message = format!("`{name}` is invalid: {error}");
                self.collected.note_with(Rule::ExtensionInvalid, (node.start, node.end), message);
                None
            }
        }
    }

    /// Returns the value of a required attribute. If the value is `None`, adds a note that the attribute is missing.
    pub(super) fn require<T>(&mut self, value: Option<T>, name: &str) -> Option<T> {
        if value.is_none() {
            self.lacks(&format!("`{name}`"));
        }
        value
    }

    /// Adds a note that the element is ignored because it lacks a required value.
    pub(super) fn lacks(&mut self, name: &str) {
        if !self.is_cut() {
            let node = self.collected.nodes[self.node];
            let own = String::from_utf8_lossy(self.name()).into_owned();
            let message = format!("`{own}` has no valid {name} and is ignored");
            self.collected.note_with(Rule::ExtensionIncomplete, (node.start, node.end), message);
        }
    }

    pub(super) fn note(&mut self, rule: Rule) {
        let node = self.collected.nodes[self.node];
        self.collected.note(rule, node.start, node.end);
    }
}
