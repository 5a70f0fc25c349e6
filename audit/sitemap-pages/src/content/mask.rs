//! The shape of a text: its words, without anything that varies between builds of the same page.

mod date;
mod token;

use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

/// Stands for a date or a time, or several in a row.
const DATE: &[u8] = b"\x01";
/// Stands for a generated token.
const TOKEN: &[u8] = b"\x02";
/// Stands for a number that grows without an edit: views, comments, or days since a date.
const COUNT: &[u8] = b"\x03";

/// Computes the shapes of texts, reusing its buffers.
#[derive(Debug, Default)]
pub(super) struct Mask {
    out: Vec<u8>,
    marks: Vec<Mark>,
}

/// The ranges to omit, with their replacements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Date,
    Token,
    Count,
}

/// A range of the text that the shape omits.
#[derive(Clone, Copy, Debug)]
struct Mark {
    start: usize,
    end: usize,
    kind: Kind,
}

impl Mask {
    /// Returns the shape of a text whose words are separated by single spaces.
    ///
    /// Everything that varies contains a digit or is next to a word that does, so only these words are examined.
    pub(super) fn shape<'a>(&'a mut self, text: &'a [u8]) -> &'a [u8] {
        // There is no early exit, so that the compiler can vectorise this loop.
        if !text.iter().fold(false, |found, byte| found | byte.is_ascii_digit()) {
            return text;
        }
        self.marks.clear();
        let mut at = 0;
        while let Some(digit) = text[at..].iter().position(u8::is_ascii_digit) {
            let word = word_around(text, at, at + digit);
            self.look_at(text, &word);
            at = word.end;
        }
        if self.marks.is_empty() {
            return text;
        }
        self.out.clear();
        let (mut at, mut last) = (0, None);
        for mark in &self.marks {
            let between = &text[at.min(mark.start)..mark.start];
            // Dates in a row are treated as one, because some pages also show the time.
            if last != Some(Kind::Date) || mark.kind != Kind::Date || between != b" " {
                self.out.extend_from_slice(between);
                self.out.extend_from_slice(match mark.kind {
                    Kind::Date => DATE,
                    Kind::Token => TOKEN,
                    Kind::Count => COUNT,
                });
            }
            (at, last) = (mark.end, Some(mark.kind));
        }
        self.out.extend_from_slice(&text[at..]);
        &self.out
    }

    /// Marks a word with a digit if it varies, along with neighbouring words that are part of the same date.
    fn look_at(&mut self, text: &[u8], word: &Range<usize>) {
        let core = core(text, word);
        if date::is_date_or_time(core) {
            self.mark_date(text, word.clone());
        } else if date::is_day_or_year(core) {
            self.look_at_number(text, word);
        } else if token::is_token(core) {
            self.mark(word.clone(), Kind::Token);
        } else if date::is_years(core) {
            if is_after_copyright(&text[..word.start]) {
                self.mark(word.clone(), Kind::Date);
            }
        } else {
            self.look_at_count(text, word);
        }
    }

    /// Marks a number that could be a day or a year.
    fn look_at_number(&mut self, text: &[u8], word: &Range<usize>) {
        let (before, next) = (previous(text, word), following(text, word));
        let is_after_date = self.marks.last().is_some_and(|mark| {
            mark.kind == Kind::Date && mark.end == before.end && date::is_day_or_year(core(text, &before))
        });
        if date::is_month(core(text, &before)) {
            self.mark_date(text, before.start..word.end);
        } else if date::is_month(core(text, &next)) {
            self.mark_date(text, word.start..next.end);
        } else if core(text, &next) == b"de" && date::is_month(core(text, &following(text, &next))) {
            self.mark_date(text, word.start..following(text, &next).end);
        } else if is_after_date
            || (date::is_years(core(text, word)) && is_after_copyright(&text[..word.start]))
        {
            self.mark_date(text, word.clone());
        } else {
            self.look_at_count(text, word);
        }
    }

    /// Marks a number followed by a unit or a noun such as "views".
    fn look_at_count(&mut self, text: &[u8], word: &Range<usize>) {
        if !is_number(core(text, word)) {
            return;
        }
        let next = following(text, word);
        if token::is_counted(core(text, &next)) {
            self.mark(word.clone(), Kind::Count);
        } else if date::is_unit(core(text, &next))
            && core(text, &following(text, &next)).eq_ignore_ascii_case(b"ago")
        {
            // Marks the unit too, because "1 day" becomes "2 days".
            self.mark(word.start..next.end, Kind::Count);
        }
    }

    /// Marks a date, along with a neighbouring weekday or time zone.
    fn mark_date(&mut self, text: &[u8], date: Range<usize>) {
        let (before, next) = (previous(text, &date), following(text, &date));
        let start = if date::is_weekday(core(text, &before)) { before.start } else { date.start };
        let has_suffix = date::is_weekday(core(text, &next)) || date::is_zone(core(text, &next));
        self.mark(start..if has_suffix { next.end } else { date.end }, Kind::Date);
    }

    fn mark(&mut self, range: Range<usize>, kind: Kind) {
        // A month between a day and a year is marked together with both.
        if let Some(last) = self.marks.last_mut()
            && range.start < last.end
        {
            last.end = range.end.max(last.end);
            return;
        }
        self.marks.push(Mark { start: range.start, end: range.end, kind });
    }
}

/// Returns the word at a position, starting no earlier than `from`.
fn word_around(text: &[u8], from: usize, at: usize) -> Range<usize> {
    let start = memrchr(b' ', &text[from..at]).map_or(from, |space| from + space + 1);
    start..memchr(b' ', &text[at..]).map_or(text.len(), |space| at + space)
}

/// Returns the previous word, or an empty range.
fn previous(text: &[u8], word: &Range<usize>) -> Range<usize> {
    let end = word.start.saturating_sub(1);
    memrchr(b' ', &text[..end]).map_or(0, |space| space + 1)..end
}

/// Returns the next word, or an empty range.
fn following(text: &[u8], word: &Range<usize>) -> Range<usize> {
    let start = (word.end + 1).min(text.len());
    start..memchr(b' ', &text[start..]).map_or(text.len(), |space| start + space)
}

/// Returns a word without surrounding punctuation.
fn core<'a>(text: &'a [u8], word: &Range<usize>) -> &'a [u8] {
    let word = &text[word.clone()];
    let is_mark = |byte: &u8| {
        matches!(
            byte,
            b'(' | b')' | b'[' | b']' | b'"' | b'\'' | b',' | b';' | b':' | b'.' | b'!' | b'?' | b'<' | b'>'
        )
    };
    let start = word.iter().position(|byte| !is_mark(byte)).unwrap_or(word.len());
    let end = word.iter().rposition(|byte| !is_mark(byte)).map_or(start, |at| at + 1);
    &word[start..end]
}

/// Returns whether the words before a year are a copyright notice: the sign or the word, and little else.
fn is_after_copyright(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(60)..];
    ["©", "opyright", "OPYRIGHT", "(c)", "(C)"]
        .iter()
        .any(|sign| memmem::find(near, sign.as_bytes()).is_some())
}

fn is_number(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_digit)
        && word.iter().all(|&byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.' | b'k' | b'K' | b'M'))
}

#[cfg(test)]
mod tests {
    use super::Mask;

    fn shape(text: &str) -> String {
        let mut mask = Mask::default();
        let shape = String::from_utf8(mask.shape(text.as_bytes()).to_vec()).unwrap();
        shape
            .replace('\x01', "DATE")
            .replace('\x02', "TOKEN")
            .replace('\x03', "COUNT")
            .trim_start()
            .to_owned()
    }

    #[test]
    fn what_varies_is_masked() {
        for (text, masked) in [
            ("Built 2026-11-21 at 10:03", "Built DATE at DATE"),
            ("Built 2026-11-21T10:03:07Z.", "Built DATE"),
            ("Updated Saturday, 21 November 2026 10:03 UTC", "Updated DATE"),
            ("Updated on Nov 21, 2026 by Ann", "Updated on DATE by Ann"),
            ("Sat, 21-Nov-26", "DATE"),
            ("Stand: 21. März 2026", "Stand: DATE"),
            ("Última modificación: 3 de enero de 2026", "Última modificación: DATE de 2026"),
            ("公開 2026年11月21日", "公開 DATE"),
            ("© 2019–2026 Example", "© DATE Example"),
            ("©2026 Example", "DATE Example"),
            ("Copyright (c) 2001-2026, Example", "Copyright (c) DATE Example"),
            ("Last updated 3 days ago", "Last updated COUNT ago"),
            ("1,204 views", "COUNT views"),
            ("commit 3f2a9c4", "commit TOKEN"),
            ("id 6fa459ea-ee8a-3ca4-894e-db77e160355e", "id TOKEN"),
            ("token mF9k2Lq0xZ7Rt3bVw8Yd", "token TOKEN"),
            ("rendered 1763719383", "rendered TOKEN"),
            ("request 5411035856526965", "request TOKEN"),
            ("at 10:03 am", "at DATE"),
        ] {
            assert_eq!(shape(text), masked, "{text}");
        }
    }

    #[test]
    fn what_an_author_writes_is_not_masked() {
        for text in [
            "Price: 12.99 €",
            "in 1998 and 2001",
            "PostgreSQL 15.20",
            "may 3 of them",
            "41.7.2. Control Structures",
            "10 or 20 bytes",
            "sha256sum",
            "ISO 8601 and RFC 2119",
            "http://example.com/a1b2/c3d4",
            "127.0.0.1 and 192.168.0.0/16",
            "table 3-2",
            "ISBN 9783161484100",
            "0x7fffffff",
        ] {
            assert_eq!(shape(text), text);
        }
    }
}
