//! Reads and writes the JSON of manifests: one flat object per line, with strings and unsigned integers.

use std::fmt::{self, Write};

/// The members of the JSON object on one line, in order.
#[derive(Debug)]
pub(crate) struct Object<'t>(Vec<(&'t str, Value<'t>)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value<'t> {
    Text(&'t str),
    Number(u64),
}

impl<'t> Object<'t> {
    /// Parses a line. Returns `None` if the line is not a flat object, or if it contains an escape sequence. Manifests
    /// never contain escape sequences.
    pub(crate) fn parse(line: &'t str) -> Option<Self> {
        let mut rest = line.strip_prefix('{')?;
        let mut members = Vec::new();
        loop {
            let (key, after) = text(rest)?;
            let (value, after) = value(after.strip_prefix(':')?)?;
            members.push((key, value));
            match after {
                "}" => return Some(Self(members)),
                _ => rest = after.strip_prefix(',')?,
            }
        }
    }

    pub(crate) fn text(&self, key: &str) -> Option<&'t str> {
        match self.get(key)? {
            Value::Text(text) => Some(text),
            Value::Number(_) => None,
        }
    }

    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        match self.get(key)? {
            Value::Number(number) => Some(number),
            Value::Text(_) => None,
        }
    }

    fn get(&self, key: &str) -> Option<Value<'t>> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }
}

fn value(rest: &str) -> Option<(Value<'_>, &str)> {
    if rest.starts_with('"') {
        let (text, rest) = text(rest)?;
        return Some((Value::Text(text), rest));
    }
    let end = rest.find(|ch: char| !ch.is_ascii_digit())?;
    let (digits, rest) = rest.split_at(end);
    Some((Value::Number(digits.parse().ok()?), rest))
}

fn text(rest: &str) -> Option<(&str, &str)> {
    let (text, rest) = rest.strip_prefix('"')?.split_once('"')?;
    is_plain(text).then_some((text, rest))
}

/// Returns `true` if a text needs no escape sequence in JSON.
pub(crate) fn is_plain(text: &str) -> bool {
    !text.contains(|ch: char| matches!(ch, '"' | '\\') || ch.is_control())
}

/// A writer of one JSON object, on a line of its own. The strings in the object must not need escape sequences.
#[derive(Debug)]
pub(crate) struct ObjectWriter<'o> {
    out: &'o mut String,
    has_members: bool,
}

impl<'o> ObjectWriter<'o> {
    pub(crate) fn new(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, has_members: false }
    }

    pub(crate) fn text(self, key: &str, value: impl fmt::Display) -> Self {
        self.member(format_args!("\"{key}\":\"{value}\""))
    }

    pub(crate) fn number(self, key: &str, value: u64) -> Self {
        self.member(format_args!("\"{key}\":{value}"))
    }

    pub(crate) fn end(self) {
        self.out.push_str("}\n");
    }

    fn member(mut self, member: fmt::Arguments<'_>) -> Self {
        if std::mem::replace(&mut self.has_members, true) {
            self.out.push(',');
        }
        // Writing to a `String` cannot fail.
        let _ = self.out.write_fmt(member);
        self
    }
}
