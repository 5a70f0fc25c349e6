//! The tokenizer itself.

use memchr::memchr;

use super::attributes::Attributes;
use super::bytes::{find, is_attribute_name_end, is_space};
use super::raw_text;
use super::tag::Tag;

/// A piece of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A start tag. [`Tokenizer::attributes`] returns its attributes.
    Start {
        /// The element.
        tag: Tag,
        /// The name as written.
        name: &'a [u8],
    },
    /// An end tag.
    End {
        /// The element.
        tag: Tag,
        /// The name as written.
        name: &'a [u8],
    },
    /// Text between tags, never empty. A text can arrive in several pieces.
    Text(&'a [u8]),
    /// The complete contents of a raw text element.
    Raw {
        /// The element.
        of: Tag,
        /// The text.
        text: &'a [u8],
    },
    /// A comment, or anything that browsers treat as one, including declarations such as `<!DOCTYPE html>`.
    Comment,
}

/// Splits a document into tokens, in time linear in its length.
#[derive(Debug)]
pub(crate) struct Tokenizer<'a> {
    html: &'a [u8],
    at: usize,
    attributes: Attributes<'a>,
    raw: Option<Tag>,
    is_xml: bool,
}

impl<'a> Tokenizer<'a> {
    pub(crate) fn new(html: &'a [u8]) -> Self {
        Self { html, at: 0, attributes: Attributes::default(), raw: None, is_xml: false }
    }

    /// Treats `<script/>` as an empty element, as browsers do in documents of type `application/xhtml+xml`.
    pub(crate) fn xml(mut self) -> Self {
        self.is_xml = true;
        self
    }

    /// Returns the attributes of the last start tag.
    pub(crate) fn attributes(&self) -> &Attributes<'a> {
        &self.attributes
    }

    /// Returns the next token, or `None` at the end of the document.
    pub(crate) fn next(&mut self) -> Option<Token<'a>> {
        if let Some(of) = self.raw.take() {
            let rest = self.rest();
            let text = &rest[..raw_text::end(rest, of)];
            self.at += text.len();
            if !text.is_empty() {
                return Some(Token::Raw { of, text });
            }
        }
        loop {
            match *self.rest() {
                [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                    let (tag, name, closes_itself) = self.tag(1)?;
                    self.raw = (tag.is_raw() && !(closes_itself && self.is_xml)).then_some(tag);
                    return Some(Token::Start { tag, name });
                }
                [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                    let (tag, name, _) = self.tag(2)?;
                    return Some(Token::End { tag, name });
                }
                [b'<', b'/', b'>', ..] => self.at += 3,
                [b'<', b'!', b'-', b'-', ..] => return Some(self.comment()),
                [b'<', b'/', _, ..] | [b'<', b'!' | b'?', ..] => return Some(self.bogus_comment()),
                [] => return None,
                _ => return Some(self.text()),
            }
        }
    }

    fn rest(&self) -> &'a [u8] {
        &self.html[self.at..]
    }

    fn text(&mut self) -> Token<'a> {
        let rest = self.rest();
        let mut end = 0;
        loop {
            match find(b'<', &rest[end..]) {
                None => end = rest.len(),
                Some(found) if end + found > 0 && opens_markup(&rest[end + found + 1..]) => end += found,
                Some(found) => {
                    end += found + 1;
                    continue;
                }
            }
            self.at += end;
            return Token::Text(&rest[..end]);
        }
    }

    /// Reads a tag whose name starts `skip` bytes from here. Returns the element, its name, and whether the tag ends
    /// with `/>`. Returns `None` if the document ends inside the tag, which is then ignored.
    fn tag(&mut self, skip: usize) -> Option<(Tag, &'a [u8], bool)> {
        let html = self.html;
        self.attributes.clear();
        let start = self.at + skip;
        self.at = html.len();
        let (tag, mut at) = Tag::at(html, start);
        let name = &html[start..at];
        let mut closes_itself = false;
        loop {
            match *html.get(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some((tag, name, closes_itself));
                }
                b'/' => closes_itself = true,
                byte if is_space(byte) => closes_itself = false,
                _ => {
                    at = self.attribute(at)?;
                    closes_itself = false;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Reads the attribute that starts at `start`. Returns the position after it.
    fn attribute(&mut self, start: usize) -> Option<usize> {
        let html = self.html;
        // A leading equals sign is part of the name.
        let mut at = start + 1;
        while !is_attribute_name_end(*html.get(at)?) {
            at += 1;
        }
        let name = &html[start..at];
        let after_name = at;
        while is_space(*html.get(at)?) {
            at += 1;
        }
        if html[at] != b'=' {
            self.attributes.push(name, b"");
            return Some(after_name);
        }
        at += 1;
        while is_space(*html.get(at)?) {
            at += 1;
        }
        match html[at] {
            quote @ (b'"' | b'\'') => {
                let end = at + 1 + find(quote, &html[at + 1..])?;
                self.attributes.push(name, &html[at + 1..end]);
                Some(end + 1)
            }
            b'>' => {
                self.attributes.push(name, b"");
                Some(at)
            }
            _ => {
                let value = at;
                while !matches!(*html.get(at)?, b'>') && !is_space(html[at]) {
                    at += 1;
                }
                self.attributes.push(name, &html[value..at]);
                Some(at)
            }
        }
    }

    fn comment(&mut self) -> Token<'a> {
        let body = &self.rest()[4..];
        let mut from = 0;
        let end = loop {
            let Some(found) = memchr(b'>', &body[from..]) else { break body.len() };
            let before = &body[..from + found];
            from += found + 1;
            // `<!-->` and `<!--->` are complete comments.
            if before.is_empty() || before == b"-" || before.ends_with(b"--") || before.ends_with(b"--!") {
                break from;
            }
        };
        self.at += 4 + end;
        Token::Comment
    }

    fn bogus_comment(&mut self) -> Token<'a> {
        let rest = self.rest();
        let end = memchr(b'>', rest);
        self.at += end.map_or(rest.len(), |end| end + 1);
        Token::Comment
    }
}

/// Returns whether the bytes after a `<` make it the start of a tag or comment. Otherwise, the `<` is text.
fn opens_markup(rest: &[u8]) -> bool {
    match rest {
        [b'/', _, ..] | [b'!' | b'?', ..] => true,
        [byte, ..] => byte.is_ascii_alphabetic(),
        [] => false,
    }
}
