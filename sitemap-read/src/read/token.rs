//! The markup of XML, token by token, from text that need not be well-formed.

use memchr::{memchr, memchr2, memchr3, memmem};

/// A piece of a document. All places are counted from the start of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Of a tag: its name. Of character data: the characters.
    pub(super) inner: (usize, usize),
    /// Not as XML wants it, but clear enough.
    pub(super) malformed: bool,
    /// The document ends within it.
    pub(super) cut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Text,
    CData,
    Start,
    /// A start tag that is its own end tag.
    Empty,
    End,
    Comment,
    /// `<?…?>`, the declaration among them.
    Instruction,
    Doctype,
    /// A `<` that begins nothing.
    Stray,
}

/// The token at a place before the end of the text.
///
/// `None` when the text may go on and more of it is needed to tell.
pub(super) fn token(text: &[u8], at: usize, at_end: bool) -> Option<Token> {
    let rest = &text[at..];
    if rest.first() != Some(&b'<') {
        return match memchr(b'<', rest) {
            Some(len) => Some(plain(TokenKind::Text, at, at + len)),
            None if at_end => Some(plain(TokenKind::Text, at, text.len())),
            None => None,
        };
    }
    // What the longest opening, `<![CDATA[`, needs.
    if rest.len() < 9 && !at_end && !rest.contains(&b'>') {
        return None;
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
    if rest.get(1) == Some(&b'/') { end_tag(text, at, at_end) } else { start_tag(text, at, at_end) }
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
    match memmem::find(&text[inner..], close) {
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

/// `<!DOCTYPE …>` with an internal subset in brackets; nothing in it is looked at.
fn doctype(text: &[u8], at: usize, at_end: bool) -> Option<Token> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (i, &byte) in text.iter().enumerate().skip(at + 9) {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => depth += 1,
            (None, b']') => depth = depth.saturating_sub(1),
            (None, b'>') if depth == 0 => return Some(plain(TokenKind::Doctype, at, i + 1)),
            // There is one only: something in the first is not closed.
            (_, b'<') if is_doctype(&text[i..]) => return Some(unclosed(text, at, i)),
            _ => {}
        }
    }
    // Without its end, the rest of the document must not vanish in it.
    at_end.then(|| unclosed(text, at, text.len()))
}

/// Up to the next `>` or markup.
fn unclosed(text: &[u8], at: usize, most: usize) -> Token {
    let end = match memchr2(b'<', b'>', &text[at + 1..most]) {
        Some(len) if text[at + 1 + len] == b'>' => at + len + 2,
        Some(len) => at + len + 1,
        None => most,
    };
    Token { malformed: true, ..plain(TokenKind::Doctype, at, end) }
}

fn is_doctype(text: &[u8]) -> bool {
    text.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"<!DOCTYPE"))
}

/// `<!` and anything else.
fn declaration(text: &[u8], at: usize, at_end: bool) -> Option<Token> {
    if !at_end && memchr2(b'<', b'>', &text[at + 1..]).is_none() {
        return None;
    }
    Some(Token { kind: TokenKind::Instruction, ..unclosed(text, at, text.len()) })
}

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
            // Attributes or a missing `>`: up to the next markup.
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
        // `< url>` is meant as a tag, `a < b` is not.
        let after = name_end + count(&text[name_end..], is_blank);
        return match text.get(after) {
            Some(b'>') => Some(Token { inner, malformed: true, ..plain(TokenKind::Start, at, after + 1) }),
            None if !at_end => None,
            Some(_) if !at_end && text.len() - after < 5 => None,
            // The root has attributes.
            Some(_) if text[name_end..].trim_ascii_start().starts_with(b"xmlns") => {
                tag_end(text, at, inner, at_end).map(|tag| Token { malformed: true, ..tag })
            }
            _ => Some(stray(at)),
        };
    }
    tag_end(text, at, inner, at_end)
}

/// Goes past the attributes to the end of a start tag.
fn tag_end(text: &[u8], at: usize, inner: (usize, usize), at_end: bool) -> Option<Token> {
    let mut i = inner.1;
    while let Some(&byte) = text.get(i) {
        match byte {
            b'>' => {
                let empty = i > inner.1 && text[i - 1] == b'/';
                let kind = if empty { TokenKind::Empty } else { TokenKind::Start };
                return Some(Token { inner, ..plain(kind, at, i + 1) });
            }
            // No `<` is allowed here, so this one begins the next tag.
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

/// XML's white space.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

const fn is_name(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

/// The attributes of a start tag: names and raw values, by their places.
pub(super) struct Attributes<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

/// Where an attribute's name and value stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub(super) name: (usize, usize),
    pub(super) value: (usize, usize),
}

impl<'t> Attributes<'t> {
    /// Those of the tag that ends at `end` and whose name ends at `at`.
    pub(super) const fn new(text: &'t [u8], at: usize, end: usize) -> Self {
        Self { text, at, end }
    }
}

impl Iterator for Attributes<'_> {
    type Item = Attribute;

    fn next(&mut self) -> Option<Attribute> {
        let tag = &self.text[..self.end];
        // Blanks, and what is no name: the slash of an empty element, stray quotes.
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
