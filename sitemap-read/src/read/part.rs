//! An element of an entry that is being read.

use std::borrow::Cow;
use std::fmt::Display;

use sitemap_core::Loc;

use super::collect::Collected;
use super::namespace::split;
use super::value::{Flaws, decode, trim};
use crate::rule::Rule;

/// An element that is being read.
pub(super) struct Part<'c, 't> {
    pub(super) collected: &'c mut Collected,
    pub(super) text: &'t [u8],
    pub(super) node: usize,
}

impl<'t> Part<'_, 't> {
    /// Its name as it stands in the document.
    pub(super) fn name(&self) -> &'t [u8] {
        let (start, end) = self.collected.nodes[self.node].name;
        &self.text[start..end]
    }

    pub(super) fn local(&self) -> &'t [u8] {
        split(self.name()).1
    }

    /// The elements in it that are of its own namespace.
    ///
    /// Setting a value may copy all others, so that their number has to be bounded.
    pub(super) fn children(&mut self) -> Vec<usize> {
        const MOST: usize = 500;
        let own = self.collected.nodes[self.node].kind;
        let nodes = &self.collected.nodes;
        let own = self.collected.children(self.node).filter(|&child| nodes[child].kind == own);
        let mut children: Vec<usize> = own.take(MOST + 1).collect();
        if children.len() > MOST {
            children.truncate(MOST);
            self.note(Rule::ExtensionInvalid);
        }
        children
    }

    pub(super) fn child(&mut self, node: usize) -> Part<'_, 't> {
        Part { collected: self.collected, text: self.text, node }
    }

    /// Its own text; `None`, and a note, when it is empty or cut off.
    pub(super) fn value(&mut self) -> Option<Cow<'t, str>> {
        if self.collected.nodes[self.node].cut {
            return None;
        }
        let found = self.collected.text_of(self.text, self.node).text;
        if found.is_empty() {
            self.note(Rule::ValueEmpty);
            return None;
        }
        Some(found)
    }

    /// Its own text, if it has any.
    pub(super) fn optional_value(&mut self) -> Option<Cow<'t, str>> {
        if self.collected.nodes[self.node].cut {
            return None;
        }
        Some(self.collected.text_of(self.text, self.node).text).filter(|text| !text.is_empty())
    }

    /// Its own text as an address.
    pub(super) fn address(&mut self) -> Option<Loc<'t>> {
        if self.collected.nodes[self.node].cut {
            return None;
        }
        let found = self.collected.address_of(self.text, self.node).text;
        self.check(Loc::parse(found))
    }

    /// The value of an attribute by its name without a prefix.
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

    /// The value, or a note why it is left out.
    pub(super) fn check<T, E: Display>(&mut self, value: Result<T, E>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(error) => {
                let node = self.collected.nodes[self.node];
                let name = String::from_utf8_lossy(self.name()).into_owned();
                let message = format!("invalid `{name}`: {error}");
                self.collected.explain(Rule::ExtensionInvalid, (node.start, node.end), message);
                None
            }
        }
    }

    /// The value of an attribute that must be there; a finding if it is not.
    pub(super) fn require<T>(&mut self, value: Option<T>, name: &str) -> Option<T> {
        if value.is_none() {
            self.lacks(&format!("`{name}`"));
        }
        value
    }

    /// Notes that a value is missing, and that the element is left out for it.
    pub(super) fn lacks(&mut self, name: &str) {
        if !self.collected.nodes[self.node].cut {
            let node = self.collected.nodes[self.node];
            let own = String::from_utf8_lossy(self.name()).into_owned();
            let message = format!("`{own}` has no valid {name} and is left out");
            self.collected.explain(Rule::ExtensionIncomplete, (node.start, node.end), message);
        }
    }

    pub(super) fn note(&mut self, rule: Rule) {
        let node = self.collected.nodes[self.node];
        self.collected.note(rule, node.start, node.end);
    }
}
