//! Reads start tags and end tags.

use memchr::{memchr, memchr2};

use super::chars::{blank_end, name_end, starts_name};
use super::content::{Attribute, Content, excerpt};
use super::names::qualified;
use super::reference::{Reference, Step, Stop, reference};
use crate::rule::Rule;

type Range = (usize, usize);

impl Content {
    /// Reads the end tag at offset `at`.
    pub(super) fn end_tag(&mut self, text: &[u8], at: usize) -> Step {
        if let Some((name, _)) = self.open.last() {
            let rest = &text[at + 2..];
            if rest.len() > name.len() && rest.starts_with(name) && rest[name.len()] == b'>' {
                let end = at + 3 + name.len();
                self.pop();
                return Ok(end);
            }
        }
        self.unusual_end_tag(text, at)
    }

    /// Reads an end tag that contains white space or isn't well-formed.
    #[cold]
    fn unusual_end_tag(&mut self, text: &[u8], at: usize) -> Step {
        // XML allows neither `<` nor `>` inside an end tag, so the tag ends at the first of them.
        let end = at + 2 + memchr2(b'<', b'>', &text[at + 2..]).ok_or(Stop::Cut)?;
        let stop = name_end(&text[..end], at + 2);
        let name = &text[at + 2..stop];
        let range = (at, end + usize::from(text[end] == b'>'));
        let own = self.violations.offset(at);
        let (from, rule, what) = match self.open.last() {
            _ if name.is_empty() => (own, Rule::TagMalformed, String::new()),
            None => (own, Rule::TagUnmatched, String::new()),
            Some((open, offset)) if open != name => {
                let open = String::from_utf8_lossy(open);
                (offset, Rule::TagUnclosed, format!("the element `{open}` is not closed before this end tag"))
            }
            Some(_) if blank_end(text, stop) != end || text[end] == b'<' => {
                (own, Rule::TagMalformed, "an end tag contains more than its name".to_owned())
            }
            Some(_) => {
                self.pop();
                return Ok(end + 1);
            }
        };
        self.violations.add_from(from, rule, &what, text, range);
        Err(Stop::Done)
    }

    /// Reads the start tag at offset `at`, which has a name.
    pub(super) fn start_tag(&mut self, text: &[u8], at: usize) -> Step {
        let start = at + 1;
        let stop = name_end(text, start);
        let name = &text[start..stop];
        let is_bare = text.get(stop) == Some(&b'>');
        if is_bare && self.entities.defaults.is_empty() && !name.contains(&b':') {
            self.push(text, (at, stop + 1), name)?;
            return Ok(stop + 1);
        }
        let end = tag_end(text, stop).ok_or(Stop::Cut)?;
        self.push(text, (at, end), name)?;
        let mut attributes = std::mem::take(&mut self.attributes);
        attributes.clear();
        let is_empty = self.attributes(text, (at, stop, end), &mut attributes);
        if let Ok(is_empty) = is_empty {
            self.namespaces(text, (at, start, stop), &mut attributes);
            if is_empty {
                self.pop();
            }
        }
        self.attributes = attributes;
        is_empty.map(|_| end)
    }

    /// Reads a tag's attributes up to the end of the tag. Returns `true` if the tag is an empty element.
    fn attributes(
        &mut self,
        text: &[u8],
        (tag, mut at, end): (usize, usize, usize),
        found: &mut Vec<Attribute>,
    ) -> Result<bool, Stop> {
        let text = &text[..end];
        let from = self.violations.offset(tag);
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
                return self.broken(from, what, text, (start, excerpt(text, start)));
            }
            let stop = name_end(text, start);
            if start == at {
                let what = "no white space separates two attributes";
                self.violations.add_from(from, Rule::TagMalformed, what, text, (start, stop));
            }
            let equals = blank_end(text, stop);
            if text.get(equals) != Some(&b'=') {
                return self.broken(from, "an attribute has no value", text, (start, stop));
            }
            let quote = blank_end(text, equals + 1);
            let Some(&mark @ (b'"' | b'\'')) = text.get(quote) else {
                let what = "the value of an attribute is not in quotes";
                return self.broken(from, what, text, (start, excerpt(text, start)));
            };
            let Some(len) = memchr(mark, &text[quote + 1..]) else {
                let what = "the value of an attribute contains `<` or does not end";
                return self.broken(from, what, text, (start, excerpt(text, start)));
            };
            let value = (quote + 1, quote + 1 + len);
            self.value(text, from, value);
            found.push(Attribute { name: (start, stop), value });
            at = value.1 + 1;
        }
    }

    fn broken(&mut self, from: u64, what: &str, text: &[u8], range: Range) -> Result<bool, Stop> {
        self.violations.add_from(from, Rule::TagMalformed, what, text, range);
        Err(Stop::Done)
    }

    /// Checks the characters and references in an attribute value. The value contains no `<`.
    fn value(&mut self, text: &[u8], from: u64, (start, end): Range) {
        self.characters(text, start, end);
        let mut at = start;
        while let Some(len) = memchr(b'&', &text[at..end]) {
            at += len;
            let (rule, what, stop) = match reference(text, at, end) {
                Ok(Reference::Character(_, stop)) => {
                    at = stop;
                    continue;
                }
                Ok(Reference::Forbidden(stop)) => (Rule::CharacterForbidden, "", stop),
                Ok(Reference::Raw(_)) | Err(_) => (Rule::AmpersandRaw, "", at + 1),
                Ok(Reference::Entity((name, name_end), stop)) => {
                    match self.entities.in_attribute(&text[name..name_end]) {
                        Ok(()) => {
                            at = stop;
                            continue;
                        }
                        Err((rule, what)) => (rule, what, stop),
                    }
                }
            };
            self.violations.add_from(from, rule, what, text, (at, stop));
            at = stop;
        }
    }

    /// Checks the names of a tag and its attributes, and that no attribute occurs twice.
    fn namespaces(
        &mut self,
        text: &[u8],
        (tag, start, stop): (usize, usize, usize),
        attributes: &mut Vec<Attribute>,
    ) {
        let from = self.violations.offset(tag);
        let name_of = |attribute: &Attribute| &text[attribute.name.0..attribute.name.1];
        if let Some(twice) = repeated(attributes, |attribute| Some((&b""[..], name_of(attribute)))) {
            self.violations.add_from(from, Rule::AttributeTwice, "", text, twice.name);
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
            let uri = self.entities.value(&text[attribute.value.0..attribute.value.1]);
            let is_token = self.entities.is_token(&text[start..stop], name);
            let uri = if is_token { uri.trim_ascii() } else { &*uri };
            let problem = match qualified(name) {
                None => Err("a name is not a qualified name"),
                Some(_) => self.prefixes.bind(prefix, uri),
            };
            if let Err(what) = problem {
                let range = (attribute.name.0, attribute.value.1 + 1);
                self.violations.add_from(from, Rule::NamespaceInvalid, what, text, range);
            }
        }
        if let Some(defaults) = self.entities.defaults.get(&text[start..stop]) {
            for (prefix, uri) in defaults {
                let full: &[u8] = if prefix.is_empty() { b"xmlns" } else { prefix };
                let is_given = attributes.iter().any(|attribute| {
                    let name = name_of(attribute);
                    name == full || name.strip_prefix(b"xmlns:").is_some_and(|rest| rest == full)
                });
                if !is_given {
                    // An invalid default binds nothing, so its prefix is reported where it is used.
                    let _ = self.prefixes.bind(prefix, uri);
                }
            }
        }
        self.qualified(text, from, (start, stop));
        if !has_prefix {
            return;
        }
        attributes.retain(|attribute| !name_of(attribute).starts_with(b"xmlns:"));
        for attribute in &*attributes {
            self.qualified(text, from, attribute.name);
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
            self.violations.add_from(from, Rule::AttributeTwice, "", text, twice.name);
        }
    }

    /// Checks that a name is a qualified name with a declared prefix.
    fn qualified(&mut self, text: &[u8], from: u64, (start, stop): Range) {
        let name = &text[start..stop];
        match qualified(name) {
            None => {
                let what = "a name is not a qualified name";
                self.violations.add_from(from, Rule::NamespaceInvalid, what, text, (start, stop));
            }
            Some((b"", _)) => {}
            Some((b"xmlns", _)) => {
                let what = "the prefix of an element is `xmlns`";
                self.violations.add_from(from, Rule::NamespaceInvalid, what, text, (start, stop));
            }
            Some((prefix, _)) => {
                if self.prefixes.uri(prefix).is_none() && self.prefixes.report(prefix) {
                    self.violations.add_from(from, Rule::NamespaceUndeclared, "", text, (start, stop));
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

/// Returns the offset after the `>` that ends the tag, or the offset of a `<` inside the tag. Returns `None` if the
/// text contains neither.
fn tag_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *text.get(at)? {
            b'>' => return Some(at + 1),
            b'<' => return Some(at),
            quote @ (b'"' | b'\'') => {
                let len = memchr2(quote, b'<', &text[at + 1..])?;
                at += len + 1;
                if text[at] == b'<' {
                    return Some(at);
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
}
