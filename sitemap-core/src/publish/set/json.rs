//! Reads and writes the JSON of manifests: one flat object or array per line, with strings and unsigned integers.

/// The members of the JSON object on one line, in order.
#[derive(Debug)]
pub(crate) struct Object<'t>(Vec<(&'t str, Value<'t>)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value<'t> {
    Text(&'t str),
    Number(u64),
}

impl<'t> Object<'t> {
    /// Parses a line. Returns `None` if the line isn't a flat object, or if it contains an escape sequence, which
    /// manifests never do.
    pub(crate) fn parse(line: &'t str) -> Option<Self> {
        let mut members = Vec::new();
        visit(line, |key, value| {
            members.push((key, value));
            Some(())
        })?;
        Some(Self(members))
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

/// Calls `member` with each member of the object on a line, in order. Returns `None` if `member` does, or if
/// [`Object::parse`] would reject the line. Allocates nothing for the members, because a set may have 50,000 files.
pub(crate) fn visit<'t>(
    line: &'t str,
    mut member: impl FnMut(&'t str, Value<'t>) -> Option<()>,
) -> Option<()> {
    let mut rest = line.strip_prefix('{')?;
    loop {
        let (key, after) = text(rest)?;
        let (value, after) = value(after.strip_prefix(':')?)?;
        member(key, value)?;
        match after {
            "}" => return Some(()),
            _ => rest = after.strip_prefix(',')?,
        }
    }
}

/// Calls `item` with each item of the array on a line, in order. Returns `None` if `item` does, or if the line isn't a
/// flat array without escape sequences.
pub(crate) fn visit_items<'t>(line: &'t str, mut item: impl FnMut(Value<'t>) -> Option<()>) -> Option<()> {
    let mut rest = line.strip_prefix('[')?;
    loop {
        let (value, after) = value(rest)?;
        item(value)?;
        match after {
            "]" => return Some(()),
            _ => rest = after.strip_prefix(',')?,
        }
    }
}

fn value(rest: &str) -> Option<(Value<'_>, &str)> {
    if rest.starts_with('"') {
        let (text, rest) = text(rest)?;
        return Some((Value::Text(text), rest));
    }
    let (mut number, mut end) = (0_u64, 0);
    for byte in rest.bytes().take_while(u8::is_ascii_digit) {
        number = number.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
        end += 1;
    }
    (end > 0).then(|| (Value::Number(number), &rest[end..]))
}

fn text(rest: &str) -> Option<(&str, &str)> {
    let rest = rest.strip_prefix('"')?;
    // The strings are short, so a loop over the bytes is faster than a search that compares a machine word at a time.
    // Almost all strings are ASCII.
    let end = rest.bytes().position(|byte| !is_plain_byte(byte))?;
    if rest.as_bytes()[end] == b'"' {
        return Some((&rest[..end], &rest[end + 1..]));
    }
    let (text, rest) = rest.split_once('"')?;
    is_plain(text).then_some((text, rest))
}

/// Returns `true` for an ASCII character that needs no escape sequence in JSON.
fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')
}

/// Returns `true` if a string needs no escape sequence in JSON.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(is_plain_byte) || !text.contains(|ch: char| matches!(ch, '"' | '\\') || ch.is_control())
}

/// Writes one JSON object on its own line. Its strings must not need escape sequences.
///
/// A manifest has a dozen members for each of up to 50,000 files, so they are written without `fmt`.
#[derive(Debug)]
pub(crate) struct ObjectWriter<'o> {
    out: &'o mut Vec<u8>,
    has_members: bool,
}

impl<'o> ObjectWriter<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, has_members: false }
    }

    pub(crate) fn text(mut self, key: &str, value: impl AsRef<[u8]>) -> Self {
        self.key(key);
        self.out.push(b'"');
        self.out.extend_from_slice(value.as_ref());
        self.out.push(b'"');
        self
    }

    pub(crate) fn number(mut self, key: &str, value: u64) -> Self {
        self.key(key);
        push_number(self.out, value);
        self
    }

    pub(crate) fn end(self) {
        self.out.extend_from_slice(b"}\n");
    }

    fn key(&mut self, key: &str) {
        let start: &[u8] = if std::mem::replace(&mut self.has_members, true) { b",\"" } else { b"\"" };
        self.out.extend_from_slice(start);
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
    }
}

/// Writes one JSON array on its own line. Its strings must not need escape sequences.
#[derive(Debug)]
pub(crate) struct ArrayWriter<'o> {
    out: &'o mut Vec<u8>,
    has_items: bool,
}

impl<'o> ArrayWriter<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Self {
        out.push(b'[');
        Self { out, has_items: false }
    }

    pub(crate) fn text(self, value: impl AsRef<[u8]>) -> Self {
        self.tagged("", value)
    }

    /// Writes a string that starts with a tag.
    pub(crate) fn tagged(mut self, tag: &str, value: impl AsRef<[u8]>) -> Self {
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(tag.as_bytes());
        self.out.extend_from_slice(value.as_ref());
        self.out.push(b'"');
        self
    }

    pub(crate) fn number(mut self, value: u64) -> Self {
        self.separate();
        push_number(self.out, value);
        self
    }

    pub(crate) fn end(self) {
        self.out.extend_from_slice(b"]\n");
    }

    fn separate(&mut self) {
        if std::mem::replace(&mut self.has_items, true) {
            self.out.push(b',');
        }
    }
}

fn push_number(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_written_and_read() {
        for number in [0, 7, 10, 1_234_567_890, u64::MAX] {
            let mut line = Vec::new();
            ObjectWriter::new(&mut line).text("a", "ü b").number("n", number).text("c", "5").end();
            let line = String::from_utf8(line).unwrap();
            assert_eq!(line, format!("{{\"a\":\"ü b\",\"n\":{number},\"c\":\"5\"}}\n"));
            let object = Object::parse(line.trim_end()).unwrap();
            assert_eq!((object.text("a"), object.number("n")), (Some("ü b"), Some(number)));
        }
    }

    #[test]
    fn arrays_are_written_and_read() {
        let mut line = Vec::new();
        ArrayWriter::new(&mut line).text("a").number(u64::MAX).number(0).tagged("n", "ü b").end();
        let line = String::from_utf8(line).unwrap();
        assert_eq!(line, "[\"a\",18446744073709551615,0,\"nü b\"]\n");
        let mut items = Vec::new();
        visit_items(line.trim_end(), |item| {
            items.push(item);
            Some(())
        })
        .unwrap();
        assert_eq!(items, [Value::Text("a"), Value::Number(u64::MAX), Value::Number(0), Value::Text("nü b")]);
        for line in ["", "[", "[]", "[1", "[1,]", "[1] ", "[[1]]", "[\"a\\n\"]", "[1 ,2]", "{\"a\":1}"] {
            assert_eq!(visit_items(line, |_| Some(())), None, "{line}");
        }
        assert_eq!(visit_items("[1]", |_| None), None);
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
