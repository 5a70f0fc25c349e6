//! Checks start tags and end tags.

use memchr::memchr;

use super::super::token::{Attribute, Token};
use super::super::value::{Flaws, decode};
use super::chars::{blank_end, name_end, starts_name};
use super::names::qualified;
use super::{Done, Step, Violation, WellFormed, excerpt};
use crate::rule::Rule;

type Range = (usize, usize);

impl WellFormed {
    pub(super) fn end_tag(&mut self, text: &[u8], token: Token) -> Step {
        let name = &text[token.inner.0..token.inner.1];
        let range = (token.start, token.end);
        match self.open.last() {
            None => self.stop(Rule::TagUnmatched, "", range),
            Some((open, from)) if open != name => {
                let open = String::from_utf8_lossy(open);
                let what = format!("the element `{open}` is not closed before this end tag").into();
                let (at, len) = (token.start, token.end - token.start);
                self.violations.push(Violation { rule: Rule::TagUnclosed, what, at, len, from });
                Err(Done)
            }
            Some(_) if token.malformed => {
                self.stop(Rule::TagMalformed, "an end tag contains more than its name", range)
            }
            Some(_) => {
                self.pop();
                Ok(())
            }
        }
    }

    pub(super) fn start_tag(&mut self, text: &[u8], token: Token) -> Step {
        let (start, stop) = token.inner;
        let is_bare = stop + 1 == token.end && text[stop] == b'>';
        let name = &text[start..name_end(&text[..stop], start)];
        if !starts_name(text, start) || (token.malformed && start > token.start + 1) {
            return self.stop(Rule::TagMalformed, "no name follows the `<` of a tag", (token.start, start));
        }
        self.push(text, token, name)?;
        if is_bare && name.len() == stop - start && !name.contains(&b':') {
            return Ok(());
        }
        let mut attributes = std::mem::take(&mut self.attributes);
        attributes.clear();
        let is_empty = self.attributes(&text[..token.end], token.start, start + name.len(), &mut attributes);
        if let Ok(is_empty) = is_empty {
            self.namespaces(text, (token.start, start, stop), &mut attributes);
            if is_empty {
                self.pop();
            }
        }
        self.attributes = attributes;
        is_empty.map(|_| ())
    }

    /// Reads a tag's attributes up to the end of the tag, which is the end of the text. Returns `true` if the tag is an
    /// empty element.
    fn attributes(
        &mut self,
        text: &[u8],
        tag: usize,
        mut at: usize,
        found: &mut Vec<Attribute>,
    ) -> Result<bool, Done> {
        loop {
            let start = blank_end(text, at);
            let what = match &text[start..] {
                b">" => return Ok(false),
                b"/>" => return Ok(true),
                [] => "a tag has no `>`",
                _ if !starts_name(text, start) => "a tag contains a character that starts no attribute",
                _ => "",
            };
            if !what.is_empty() {
                return self.broken(tag, what, (start, excerpt(text, start)));
            }
            let stop = name_end(text, start);
            if start == at {
                let what = "no white space separates two attributes";
                self.add_in(tag, Rule::TagMalformed, what, (start, stop));
            }
            let equals = blank_end(text, stop);
            if text.get(equals) != Some(&b'=') {
                return self.broken(tag, "an attribute has no value", (start, stop));
            }
            let quote = blank_end(text, equals + 1);
            let Some(&mark @ (b'"' | b'\'')) = text.get(quote) else {
                let what = "the value of an attribute is not in quotes";
                return self.broken(tag, what, (start, excerpt(text, start)));
            };
            let Some(len) = memchr(mark, &text[quote + 1..]) else {
                let what = "the value of an attribute contains `<` or does not end";
                return self.broken(tag, what, (start, excerpt(text, start)));
            };
            let value = (quote + 1, quote + 1 + len);
            self.characters(&text[..value.1], value.0, |_, _| {});
            self.references(&text[..value.1], value.0, Some(tag));
            found.push(Attribute { name: (start, stop), value });
            at = value.1 + 1;
        }
    }

    fn broken(&mut self, tag: usize, what: &'static str, range: Range) -> Result<bool, Done> {
        self.add_in(tag, Rule::TagMalformed, what, range);
        Err(Done)
    }

    /// Checks the names of a tag and its attributes, and that no attribute occurs twice.
    fn namespaces(
        &mut self,
        text: &[u8],
        (tag, start, stop): (usize, usize, usize),
        attributes: &mut Vec<Attribute>,
    ) {
        let name_of = |attribute: &Attribute| &text[attribute.name.0..attribute.name.1];
        if let Some(twice) = repeated(attributes, |attribute| Some((&b""[..], name_of(attribute)))) {
            self.add_in(tag, Rule::AttributeTwice, "", twice.name);
        }
        let mut has_prefix = false;
        for attribute in &*attributes {
            let name = name_of(attribute);
            let prefix = match name {
                b"xmlns" => &b""[..],
                [b'x', b'm', b'l', b'n', b's', b':', prefix @ ..] => prefix,
                _ => {
                    has_prefix |= name.contains(&b':');
                    continue;
                }
            };
            let uri = decode(&text[attribute.value.0..attribute.value.1], true, &mut Flaws::default());
            let problem = match qualified(name) {
                None => Err("a name is not a qualified name"),
                Some(_) => self.prefixes.bind(prefix, uri.as_bytes()),
            };
            if let Err(what) = problem {
                let range = (attribute.name.0, attribute.value.1 + 1);
                self.add_in(tag, Rule::NamespaceInvalid, what, range);
            }
        }
        self.qualified(text, tag, (start, stop));
        if !has_prefix {
            return;
        }
        attributes.retain(|attribute| !name_of(attribute).starts_with(b"xmlns:"));
        for attribute in &*attributes {
            self.qualified(text, tag, attribute.name);
        }
        attributes.retain(|attribute| name_of(attribute).contains(&b':'));
        let prefixes = &self.prefixes;
        let expanded = |attribute: &Attribute| {
            let (prefix, local) = qualified(name_of(attribute))?;
            Some((prefixes.uri(prefix)?, local))
        };
        let same_name = repeated(attributes, |attribute| Some((&b""[..], name_of(attribute))));
        if same_name.is_none()
            && let Some(twice) = repeated(attributes, expanded)
        {
            self.add_in(tag, Rule::AttributeTwice, "", twice.name);
        }
    }

    /// Checks that a name is a qualified name with a declared prefix.
    fn qualified(&mut self, text: &[u8], tag: usize, (start, stop): Range) {
        let name = &text[start..stop];
        match qualified(name) {
            None => {
                let what = "a name is not a qualified name";
                self.add_in(tag, Rule::NamespaceInvalid, what, (start, stop));
            }
            Some((b"", _)) => {}
            Some((b"xmlns", _)) => {
                let what = "the prefix of an element is `xmlns`";
                self.add_in(tag, Rule::NamespaceInvalid, what, (start, stop));
            }
            Some((prefix, _)) => {
                if self.prefixes.uri(prefix).is_none() && self.prefixes.report(prefix) {
                    self.add_in(tag, Rule::NamespaceUndeclared, "", (start, stop));
                }
            }
        }
    }
}

/// Returns the first attribute with the same key as an earlier attribute.
fn repeated<'t>(
    attributes: &[Attribute],
    key: impl Fn(&Attribute) -> Option<(&'t [u8], &'t [u8])>,
) -> Option<Attribute> {
    /// Up to this many attributes, comparing all pairs is faster than sorting.
    const FEW: usize = 8;
    if attributes.len() <= FEW {
        let is_twice = |(i, attribute): (usize, &Attribute)| {
            let own = key(attribute);
            own.is_some() && attributes[..i].iter().any(|other| key(other) == own)
        };
        return attributes.iter().enumerate().find(|&pair| is_twice(pair)).map(|(_, attribute)| *attribute);
    }
    let mut keys: Vec<_> = attributes
        .iter()
        .filter_map(|attribute| Some((key(attribute)?, attribute.name.0, *attribute)))
        .collect();
    keys.sort_unstable_by_key(|(key, at, _)| (*key, *at));
    let twice = keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].2);
    twice.min_by_key(|attribute| attribute.name.0)
}
