//! Checks everything outside of tags: text, references, comments, processing instructions and CDATA sections.

use memchr::{memchr, memmem};

use super::super::token::{Token, TokenKind, is_blank};
use super::chars::{Bad, blank_end, char_at, name_end, plain_end, starts_name};
use super::declaration::{self, is_declaration};
use super::reference::{Reference, reference};
use super::{Part, Step, WellFormed, excerpt};
use crate::rule::Rule;

impl WellFormed {
    /// Notes that the document ends inside a token. Inside the root, the unclosed elements are noted instead.
    pub(super) fn cut(&mut self, text: &[u8], token: Token) -> Step {
        if self.part == Part::Root {
            return Ok(());
        }
        let what = match token.kind {
            TokenKind::Comment => "the document ends inside a comment",
            TokenKind::CData => "the document ends inside a CDATA section",
            TokenKind::Instruction => "the document ends inside a processing instruction",
            _ => "the document ends inside a tag",
        };
        self.stop(Rule::Truncated, what, (token.start, excerpt(text, token.start)))
    }

    /// Checks text between tags.
    pub(super) fn text(&mut self, text: &[u8], token: Token) -> Step {
        let text = &text[..token.end];
        // Between elements, there is usually only a line end and some indentation.
        let at = blank_end(text, token.start);
        if at == text.len() {
            return Ok(());
        }
        match self.part {
            Part::BeforeRoot => self.add(Rule::ContentBeforeRoot, "", (at, at)),
            Part::AfterRoot => return self.stop(Rule::ContentAfterRoot, "", (at, at)),
            Part::Root => {
                self.characters(text, at, |check, at| {
                    if text[at..].starts_with(b"]]>") {
                        check.add(Rule::CDataEnd, "", (at, at + 3));
                    }
                });
                self.references(text, at, None);
            }
        }
        Ok(())
    }

    /// Checks that XML allows all characters from `at` to the end. Only the first defect is noted, because damaged text
    /// often contains many. Calls `bracket` for each `]`.
    pub(super) fn characters(
        &mut self,
        text: &[u8],
        mut at: usize,
        mut bracket: impl FnMut(&mut Self, usize),
    ) {
        let mut is_noted = false;
        loop {
            at = plain_end(text, at);
            let (rule, len) = match text.get(at) {
                None => return,
                Some(byte @ (b'<' | b'&' | b']')) => {
                    if *byte == b']' {
                        bracket(self, at);
                    }
                    at += 1;
                    continue;
                }
                Some(_) => match char_at(text, at) {
                    Ok(ch) if !self.is_ascii => {
                        at += ch.len_utf8();
                        continue;
                    }
                    Ok(ch) => (Rule::EncodingMismatch, ch.len_utf8()),
                    Err(Bad::Cut) => (Rule::Utf8Invalid, text.len() - at),
                    Err(Bad::Utf8(len)) => (Rule::Utf8Invalid, len),
                    Err(Bad::Forbidden(len)) => (Rule::CharacterForbidden, len),
                },
            };
            if !is_noted {
                is_noted = true;
                self.add(rule, "", (at, at + len));
            }
            at += len;
        }
    }

    /// Checks the references from `at` to the end of the text. `tag` is the offset of the tag that they are in.
    pub(super) fn references(&mut self, text: &[u8], mut at: usize, tag: Option<usize>) {
        while let Some(len) = memchr(b'&', &text[at..]) {
            at += len;
            let (rule, end) = match reference(text, at) {
                Reference::Fine(end) => {
                    at = end;
                    continue;
                }
                Reference::Unknown(end) => (Rule::EntityUnknown, end),
                Reference::Forbidden(end) => (Rule::CharacterForbidden, end),
                Reference::Raw => (Rule::AmpersandRaw, at + 1),
            };
            self.add_in(tag.unwrap_or(at), rule, "", (at, end));
            at = end;
        }
    }

    /// Notes a `<` that doesn't start any markup. Inside the root, it is treated as text.
    pub(super) fn stray(&mut self, token: Token) -> Step {
        let step = self.stop(Rule::MarkupStray, "", (token.start, token.end));
        if self.part == Part::Root { Ok(()) } else { step }
    }

    /// Checks a DOCTYPE. Its content is skipped.
    pub(super) fn doctype(&mut self, text: &[u8], token: Token) -> Step {
        let is_misplaced = self.has_doctype || self.part != Part::BeforeRoot;
        self.has_doctype = true;
        let what = if is_misplaced {
            "a DOCTYPE is inside or after the root element, or is the second one"
        } else if token.malformed {
            "the DOCTYPE does not end"
        } else if !text[token.start..].starts_with(b"<!DOCTYPE") {
            "`DOCTYPE` is not in upper case"
        } else {
            return Ok(());
        };
        self.stop(Rule::DoctypeMalformed, what, (token.start, excerpt(text, token.start)))
    }

    pub(super) fn comment(&mut self, text: &[u8], token: Token) {
        let (start, end) = token.inner;
        // A comment must not end with `--->` either.
        if let Some(len) = memmem::find(&text[start..=end], b"--") {
            let dashes = start + len;
            self.add_in(token.start, Rule::CommentDashes, "", (dashes, dashes + 2));
        }
        self.characters(&text[..end], start, |_, _| {});
    }

    pub(super) fn cdata(&mut self, text: &[u8], token: Token) -> Step {
        match self.part {
            Part::Root => self.characters(&text[..token.inner.1], token.inner.0, |_, _| {}),
            Part::BeforeRoot => self.add(Rule::ContentBeforeRoot, "", (token.start, token.end)),
            Part::AfterRoot => {
                return self.stop(Rule::ContentAfterRoot, "", (token.start, token.end));
            }
        }
        Ok(())
    }

    /// Checks a processing instruction, an XML declaration, or a `<!` that starts no known markup.
    pub(super) fn instruction(&mut self, text: &[u8], token: Token) -> Step {
        let whole = (token.start, token.end);
        if text[token.start + 1] == b'!' {
            let what = "`<!` starts neither a comment nor a CDATA section nor a DOCTYPE";
            return self.stop(Rule::TagMalformed, what, (token.start, token.start + 2));
        }
        if !self.is_started && is_declaration(&text[token.start..]) {
            self.declaration(text, token);
            return Ok(());
        }
        let (start, end) = token.inner;
        let target_end = name_end(&text[..end], start);
        let target = &text[start..target_end];
        if target == b"xml" {
            self.add(Rule::DeclarationNotFirst, "", whole);
        } else if target.eq_ignore_ascii_case(b"xml") {
            let what = "the target of a processing instruction is `xml`";
            self.add(Rule::InstructionMalformed, what, whole);
        } else if !starts_name(text, start) {
            let what = "the target of a processing instruction is not a name";
            self.add(Rule::InstructionMalformed, what, whole);
        } else if target_end < end && !is_blank(text[target_end]) {
            let what = "no white space follows the target of a processing instruction";
            self.add(Rule::InstructionMalformed, what, whole);
        } else if target.contains(&b':') {
            let what = "the target of a processing instruction contains a colon";
            self.add(Rule::NamespaceInvalid, what, whole);
        }
        self.characters(&text[..end], target_end, |_, _| {});
        Ok(())
    }

    /// Checks the XML declaration, and compares its encoding with the byte order mark. The text is always UTF-8,
    /// because the reader converts and reports other encodings.
    fn declaration(&mut self, text: &[u8], token: Token) {
        let whole = (token.start, token.end);
        let name = match declaration::read(&text[token.start + 5..token.inner.1]) {
            Ok(None) => return,
            Ok(Some(name)) => name,
            Err(what) => return self.add(Rule::DeclarationMalformed, what, whole),
        };
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        if is(b"us-ascii") || is(b"ascii") {
            self.is_ascii = true;
        } else if self.has_mark && !is(b"utf-8") && !is(b"utf8") {
            let what = "the declared encoding does not match the byte order mark";
            self.add(Rule::EncodingMismatch, what, whole);
        }
    }
}
