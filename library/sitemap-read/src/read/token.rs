//! Splits XML markup, which may be malformed, into tokens.

use memchr::{memchr, memchr2, memchr3};

/// A token. Its offsets are relative to the start of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// For a tag, the range of its name. For text and CDATA, the range of the characters.
    pub(super) inner: (usize, usize),
    /// True if the token is not well-formed but its meaning is clear.
    pub(super) malformed: bool,
    /// True if the document ends within the token.
    pub(super) cut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Text,
    CData,
    Start,
    /// The tag of an empty element, such as `<loc/>`.
    Empty,
    End,
    Comment,
    /// `<?…?>`, including the XML declaration.
    Instruction,
    Doctype,
    /// A `<` that doesn't start any markup.
    Stray,
}

/// Returns the token at offset `at`, which must be before the end of the text.
///
/// Returns `None` if the token is incomplete but more text may follow.
#[inline]
pub(super) fn token(text: &[u8], at: usize, at_end: bool) -> Option<Token> {
    let rest = &text[at..];
    if rest.first() != Some(&b'<') {
        return match memchr(b'<', rest) {
            Some(len) => Some(plain(TokenKind::Text, at, at + len)),
            None if at_end => Some(plain(TokenKind::Text, at, text.len())),
            None => None,
        };
    }
    // A token's opening has at most 9 bytes, as in `<![CDATA[`. With fewer bytes available, the opening may be
    // incomplete.
    if rest.len() < 9 && !at_end && !rest.contains(&b'>') {
        return None;
    }
    // Nearly all markup consists of tags, so check for these first.
    match rest.get(1) {
        Some(b'/') => return end_tag(text, at, at_end),
        Some(b'!' | b'?') | None => {}
        Some(_) => return start_tag(text, at, at_end),
    }
    if rest.starts_with(b"<!--") {
        return delimited(text, at, at_end, TokenKind::Comment, 4, b"-->");
    }
    if rest.starts_with(b"<![CDATA[") {
        return delimited(text, at, at_end, TokenKind::CData, 9, b"]]>");
    }
    if rest.starts_with(b"<?") {
        return delimited(text, at, at_end, TokenKind::Instruction, 2, b"?>");
    }
    if is_doctype(rest) {
        return doctype(text, at, at_end);
    }
    if rest.starts_with(b"<!") {
        return declaration(text, at, at_end);
    }
    start_tag(text, at, at_end)
}

const fn plain(kind: TokenKind, start: usize, end: usize) -> Token {
    Token { kind, start, end, inner: (start, end), malformed: false, cut: false }
}

fn delimited(
    text: &[u8],
    at: usize,
    at_end: bool,
    kind: TokenKind,
    open: usize,
    close: &[u8],
) -> Option<Token> {
    let inner = at + open;
    match find_end(&text[inner..], close) {
        Some(len) => {
            let end = inner + len;
            Some(Token { inner: (inner, end), ..plain(kind, at, end + close.len()) })
        }
        None if at_end => {
            Some(Token { inner: (inner, text.len()), cut: true, ..plain(kind, at, text.len()) })
        }
        None => None,
    }
}

/// Returns the offset of the first `close`. For the short texts in sitemaps, searching for its first byte is faster
/// than searching for all of it.
pub(super) fn find_end(text: &[u8], close: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(close[0], &text[at..])?;
        if text[at..].starts_with(close) {
            return Some(at);
        }
        at += 1;
    }
}

/// Reads `<!DOCTYPE …>`, skipping an internal subset in brackets.
fn doctype(text: &[u8], at: usize, at_end: bool) -> Option<Token> {
    let mut depth = 0_usize;
    // What ends the current quote, comment or processing instruction.
    let mut close: Option<&[u8]> = None;
    let mut i = at + 9;
    while let Some(&byte) = text.get(i) {
        let rest = &text[i..];
        match (close, byte) {
            (Some(end), _) if rest.starts_with(end) => {
                i += end.len() - 1;
                close = None;
            }
            // A document has only one DOCTYPE. If a second one follows, the first one has something unclosed.
            (_, b'<') if is_doctype(rest) => return Some(unclosed(text, at, i)),
            (None, b'"') => close = Some(b"\""),
            (None, b'\'') => close = Some(b"'"),
            (None, b'[') => depth += 1,
            (None, b']') => depth = depth.saturating_sub(1),
            (None, b'>') if depth == 0 => return Some(plain(TokenKind::Doctype, at, i + 1)),
            (None, b'<') if rest.starts_with(b"<!--") => {
                i += 3;
                close = Some(b"-->");
            }
            (None, b'<') if rest.starts_with(b"<?") => {
                i += 1;
                close = Some(b"?>");
            }
            _ => {}
        }
        i += 1;
    }
    // A DOCTYPE without an end becomes a short token, so that it doesn't hide the rest of the document.
    at_end.then(|| unclosed(text, at, text.len()))
}

/// Returns a malformed token that ends after the next `>` or before the next markup, whichever comes first.
fn unclosed(text: &[u8], at: usize, max: usize) -> Token {
    let end = match memchr2(b'<', b'>', &text[at + 1..max]) {
        Some(len) if text[at + 1 + len] == b'>' => at + len + 2,
        Some(len) => at + len + 1,
        None => max,
    };
    Token { malformed: true, ..plain(TokenKind::Doctype, at, end) }
}

fn is_doctype(text: &[u8]) -> bool {
    text.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"<!DOCTYPE"))
}

/// Reads a `<!` that doesn't start a DOCTYPE, comment or CDATA section.
fn declaration(text: &[u8], at: usize, at_end: bool) -> Option<Token> {
    if !at_end && memchr2(b'<', b'>', &text[at + 1..]).is_none() {
        return None;
    }
    Some(Token { kind: TokenKind::Instruction, ..unclosed(text, at, text.len()) })
}

#[inline]
fn end_tag(text: &[u8], at: usize, at_end: bool) -> Option<Token> {
    let blanks = count(&text[at + 2..], is_blank);
    let name = at + 2 + blanks;
    let name_end = name + count(&text[name..], is_name);
    let end = name_end + count(&text[name_end..], is_blank);
    let inner = (name, name_end);
    match text.get(end) {
        _ if name == name_end && (end < text.len() || at_end) => Some(stray(at)),
        Some(b'>') => Some(Token { inner, malformed: blanks > 0, ..plain(TokenKind::End, at, end + 1) }),
        Some(_) => {
            // This end tag has attributes or no `>`. It extends to the next `>`, `<` or line end.
            let junk = memchr3(b'<', b'>', b'\n', &text[end..]);
            let end = match junk {
                Some(len) if text[end + len] == b'>' => end + len + 1,
                Some(len) => end + len,
                None if at_end => text.len(),
                None => return None,
            };
            Some(Token { inner, malformed: true, ..plain(TokenKind::End, at, end) })
        }
        None if at_end => Some(Token { inner, cut: true, ..plain(TokenKind::End, at, end) }),
        None => None,
    }
}

#[inline]
fn start_tag(text: &[u8], at: usize, at_end: bool) -> Option<Token> {
    let blanks = count(&text[at + 1..], is_blank);
    let name = at + 1 + blanks;
    let name_end = name + count(&text[name..], is_name);
    let begins_name = text.get(name).is_some_and(|&byte| is_name_start(byte));
    let inner = (name, name_end);
    if !begins_name && (name < text.len() || at_end) {
        return Some(stray(at));
    }
    if blanks > 0 {
        // `< url>` is probably meant to be a tag, but `a < b` isn't.
        let after = name_end + count(&text[name_end..], is_blank);
        return match text.get(after) {
            Some(b'>') => Some(Token { inner, malformed: true, ..plain(TokenKind::Start, at, after + 1) }),
            None if !at_end => None,
            Some(_) if !at_end && text.len() - after < 5 => None,
            // Among the protocol's elements, only the root has attributes. If the name is followed by `xmlns`, this is
            // the root tag.
            Some(_) if text[name_end..].trim_ascii_start().starts_with(b"xmlns") => {
                tag_end(text, at, inner, at_end).map(|tag| Token { malformed: true, ..tag })
            }
            _ => Some(stray(at)),
        };
    }
    tag_end(text, at, inner, at_end)
}

/// Reads the attributes of a start tag up to its end.
#[inline]
fn tag_end(text: &[u8], at: usize, inner: (usize, usize), at_end: bool) -> Option<Token> {
    let mut i = inner.1;
    while let Some(&byte) = text.get(i) {
        match byte {
            b'>' => {
                let empty = i > inner.1 && text[i - 1] == b'/';
                let kind = if empty { TokenKind::Empty } else { TokenKind::Start };
                return Some(Token { inner, ..plain(kind, at, i + 1) });
            }
            // XML doesn't allow `<` inside a tag, so this one starts the next tag.
            b'<' => return Some(Token { inner, malformed: true, ..plain(TokenKind::Start, at, i) }),
            b'"' | b'\'' => match memchr3(byte, b'<', b'<', &text[i + 1..]) {
                Some(len) if text[i + 1 + len] == byte => i += len + 2,
                Some(len) => i += len + 1,
                None => break,
            },
            _ => i += 1,
        }
    }
    at_end.then(|| Token { inner, cut: true, ..plain(TokenKind::Start, at, text.len()) })
}

const fn stray(at: usize) -> Token {
    plain(TokenKind::Stray, at, at + 1)
}

fn count(text: &[u8], of: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|&&byte| of(byte)).count()
}

/// Returns `true` for white space according to XML.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

fn is_name(byte: u8) -> bool {
    IS_NAME[usize::from(byte)]
}

/// States for each byte whether it may occur in a name. Because names are short, a table is faster than comparisons.
const IS_NAME: [bool; 256] = {
    let mut is_name = [false; 256];
    let mut byte = 0;
    while byte <= 0xFF_usize {
        #[allow(clippy::cast_possible_truncation)] // below 256
        let ch = byte as u8;
        is_name[byte] = is_name_start(ch) || ch.is_ascii_digit() || matches!(ch, b'-' | b'.');
        byte += 1;
    }
    is_name
};

/// An iterator over the attributes of a start tag.
pub(super) struct Attributes<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

/// The ranges of an attribute's name and raw value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub(super) name: (usize, usize),
    pub(super) value: (usize, usize),
}

impl<'t> Attributes<'t> {
    /// Returns the attributes of a tag whose name ends at `at`. The tag itself ends at `end`.
    pub(super) const fn new(text: &'t [u8], at: usize, end: usize) -> Self {
        Self { text, at, end }
    }
}

impl Iterator for Attributes<'_> {
    type Item = Attribute;

    fn next(&mut self) -> Option<Attribute> {
        let tag = &self.text[..self.end];
        // Skip white space and stray bytes before the name, such as quotes or the slash of an empty element.
        self.at += count(&tag[self.at..], |byte| !is_name_start(byte));
        let name = (self.at, self.at + count(&tag[self.at..], is_name));
        if name.0 == name.1 {
            return None;
        }
        let after = name.1 + count(&tag[name.1..], is_blank);
        if tag.get(after) != Some(&b'=') {
            self.at = name.1;
            return Some(Attribute { name, value: (name.1, name.1) });
        }
        let start = after + 1 + count(&tag[after + 1..], is_blank);
        let value = if let Some(&quote @ (b'"' | b'\'')) = tag.get(start) {
            let len = memchr(quote, &tag[start + 1..]).unwrap_or(self.end - start - 1);
            self.at = (start + len + 2).min(self.end);
            (start + 1, start + 1 + len)
        } else {
            let len = count(&tag[start..], |byte| !is_blank(byte) && !matches!(byte, b'>' | b'/' | b'<'));
            self.at = start + len;
            (start, start + len)
        };
        Some(Attribute { name, value })
    }
}
