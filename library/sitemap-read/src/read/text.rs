//! Reads text sitemaps, which contain one URL per line.

use std::borrow::Cow;
use std::str;

use memchr::memchr2;

use super::cursor::{Cursor, Parts, Step};
use super::draft::{Draft, LocAt, loc_rule, place_loc, push_escapes, trim_range};
use super::error::ReadError;
use super::finding::{Finding, message};
use super::item::{Value, Values};
use super::position::Span;
use super::value::trim;
use crate::rule::Rule;
use sitemap_core::value::LocErrorKind;

impl Cursor<'_> {
    /// Reads the next non-empty line. Lines may end with LF, CR or CRLF.
    pub(super) fn next_line(&mut self) -> Result<Step, ReadError> {
        loop {
            let text = self.input.text();
            let end = match memchr2(b'\n', b'\r', text) {
                Some(end) => end,
                None if self.input.at_end() => text.len(),
                None => {
                    let max = self.options.limits.text_bytes;
                    if text.len() > max {
                        return Err(self.limit("text_bytes", max as u64));
                    }
                    self.more()?;
                    continue;
                }
            };
            let (start, stop) = trim_range(text, 0, end);
            if start < stop {
                self.input.consume(start);
                return Ok(self.line(stop - start));
            }
            if end == text.len() {
                return Ok(Step::End);
            }
            self.input.consume(end + 1);
        }
    }

    /// Reads the line of `len` bytes at the start of the text.
    fn line(&mut self, len: usize) -> Step {
        let position = self.input.position();
        let Parts { text, buffer, findings, draft, .. } = self.parts();
        let raw = &text[..len];
        let span = Span::new(position, len as u64);
        let decoded = decode(raw);
        let line = trim(&decoded);
        if line.is_empty() {
            return Step::Blank(len);
        }
        if line.contains(char::is_whitespace) {
            findings.push(Finding::new(Rule::TextLineInvalid, span, message(Rule::TextLineInvalid, line)));
            return Step::Bad(len);
        }
        let is_valid = matches!(decoded, Cow::Borrowed(_));
        let is_borrowed = is_valid && line.len() == len;
        let loc: LocAt = match place_loc(line, is_borrowed.then_some((0, len)), buffer) {
            Ok(loc) => {
                if !is_valid {
                    findings.push(Finding::new(Rule::Utf8Invalid, span, message(Rule::Utf8Invalid, line)));
                }
                loc
            }
            Err(error) => {
                let rule = match error.kind() {
                    LocErrorKind::Relative | LocErrorKind::Scheme => Rule::TextLineInvalid,
                    kind => loc_rule(kind),
                };
                findings.push(Finding::new(rule, span, error.to_string()));
                return Step::Bad(len);
            }
        };
        let mut values = Values::default();
        values.set(Value::Loc, 0, len);
        *draft = Draft { loc, values, len, ..Draft::default() };
        Step::Entry
    }
}

/// Decodes a line. Bytes that aren't UTF-8 are percent-encoded, as in the URLs of XML sitemaps.
fn decode(raw: &[u8]) -> Cow<'_, str> {
    if let Ok(line) = str::from_utf8(raw) {
        return line.into();
    }
    let mut line = String::with_capacity(raw.len() + 8);
    for chunk in raw.utf8_chunks() {
        line.push_str(chunk.valid());
        push_escapes(&mut line, chunk.invalid());
    }
    line.into()
}
