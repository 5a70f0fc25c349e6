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
    let rest = rest.strip_prefix('"')?;
    // The texts are short, so a loop is faster than a search by words.
    let end = rest.bytes().position(|byte| byte == b'"')?;
    let (text, rest) = (rest.get(..end)?, rest.get(end + 1..)?);
    is_plain(text).then_some((text, rest))
}

/// Returns `true` if a text needs no escape sequence in JSON.
pub(crate) fn is_plain(text: &str) -> bool {
    // Almost all texts are ASCII.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    text.bytes().all(is_plain) || !text.contains(|ch: char| matches!(ch, '"' | '\\') || ch.is_control())
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

    pub(crate) fn text(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.key(key);
        self.out.push('"');
        // Writing to a `String` cannot fail.
        let _ = write!(self.out, "{value}");
        self.out.push('"');
        self
    }

    pub(crate) fn number(mut self, key: &str, value: u64) -> Self {
        self.key(key);
        push_number(self.out, value);
        self
    }

    pub(crate) fn end(self) {
        self.out.push_str("}\n");
    }

    fn key(&mut self, key: &str) {
        if std::mem::replace(&mut self.has_members, true) {
            self.out.push(',');
        }
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
    }
}

/// Writes a number. A manifest has several for each of up to 50,000 files, so this does not use `fmt`.
fn push_number(out: &mut String, mut number: u64) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.push_str(std::str::from_utf8(&digits[first..]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_written_and_read() {
        for number in [0, 7, 10, 1_234_567_890, u64::MAX] {
            let mut line = String::new();
            ObjectWriter::new(&mut line).text("a", "ü b").number("n", number).text("c", 5).end();
            assert_eq!(line, format!("{{\"a\":\"ü b\",\"n\":{number},\"c\":\"5\"}}\n"));
            let object = Object::parse(line.trim_end()).unwrap();
            assert_eq!((object.text("a"), object.number("n")), (Some("ü b"), Some(number)));
        }
    }

    #[test]
    fn texts_that_need_escape_sequences_are_not_plain() {
        for (text, expected) in [
            ("", true),
            ("a b~", true),
            ("ü", true),
            ("a\"", false),
            ("\\", false),
            ("ü\"", false),
            ("\n", false),
            ("\u{7f}", false),
            ("\u{85}", false),
        ] {
            assert_eq!(is_plain(text), expected, "{text:?}");
        }
    }
}
