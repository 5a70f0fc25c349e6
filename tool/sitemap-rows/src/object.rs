//! Rows of NDJSON: one object per line.

use memchr::memchr;
use sitemap_core::{ChangeFreq, Entry};

use crate::scanner::{Row, Scanner};
use crate::value::{self, Values};

/// The keys of an object that were read, one bit for each.
mod key {
    pub(super) const LOC: u8 = 1;
    pub(super) const LASTMOD: u8 = 2;
    pub(super) const CHANGEFREQ: u8 = 4;
    pub(super) const PRIORITY: u8 = 8;
}

impl Scanner {
    /// Returns the first line of a text, if it has the usual form: one object with a line break, which has the keys `loc`,
    /// `lastmod`, `changefreq` and `priority` at most once each, in any order, and strings without escapes.
    ///
    /// ```
    /// use sitemap_core::Site;
    /// use sitemap_rows::Scanner;
    ///
    /// let mut scanner = Scanner::new(&Site::new("https://example.com")?);
    /// let row = scanner.object(b"{\"priority\": null, \"loc\": \"/tea\"}\n").unwrap();
    /// assert_eq!((row.entry.loc().as_str(), row.entry.priority()), ("https://example.com/tea", None));
    /// assert_eq!(scanner.object(b"{\"loc\": \"/tea\", \"images\": []}\n"), None);
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn object<'t>(&'t mut self, text: &'t [u8]) -> Option<Row<'t>> {
        let mut rest = text.strip_prefix(b"{")?;
        let mut loc: &[u8] = b"";
        let mut values = Values::default();
        let mut seen = 0;
        loop {
            let (key, value) = key(blanks(rest))?;
            if seen & key != 0 {
                return None;
            }
            seen |= key;
            let value = blanks(blanks(value).strip_prefix(b":")?);
            rest = match (key, value.strip_prefix(b"null")) {
                (key::LOC, _) => {
                    let string = value.strip_prefix(b"\"")?;
                    let end = memchr(b'"', string)?;
                    loc = &string[..end];
                    &string[end + 1..]
                }
                (_, Some(rest)) => rest,
                (key::LASTMOD, None) => {
                    let (text, rest) = string(value)?;
                    values.lastmod = Some(value::lastmod(text)?);
                    rest
                }
                (key::CHANGEFREQ, None) => {
                    let (freq, rest) = changefreq(value)?;
                    values.changefreq = Some(freq);
                    rest
                }
                _ => {
                    let (number, rest) = number(value);
                    values.priority = Some(value::priority(number)?);
                    rest
                }
            };
            match blanks(rest) {
                [b',', after @ ..] => rest = after,
                [b'}', after @ ..] => {
                    rest = after;
                    break;
                }
                _ => return None,
            }
        }
        let ([b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..]) = rest else { return None };
        if seen & key::LOC == 0 {
            return None;
        }
        let entry = Entry::new(self.loc(loc)?)
            .with_lastmod(values.lastmod)
            .with_changefreq(values.changefreq)
            .with_priority(values.priority);
        Some(Row { entry, len: text.len() - rest.len() })
    }
}

/// Reads a key, and returns the text after it.
#[inline]
fn key(text: &[u8]) -> Option<(u8, &[u8])> {
    match text.get(2)? {
        b'o' => after(text, b"\"loc\"").map(|rest| (key::LOC, rest)),
        b'a' => after(text, b"\"lastmod\"").map(|rest| (key::LASTMOD, rest)),
        b'h' => after(text, b"\"changefreq\"").map(|rest| (key::CHANGEFREQ, rest)),
        b'r' => after(text, b"\"priority\"").map(|rest| (key::PRIORITY, rest)),
        _ => None,
    }
}

/// Returns the text after an expected one of constant length, without a call to `memcmp`.
#[inline]
fn after<'t, const N: usize>(text: &'t [u8], expected: &[u8; N]) -> Option<&'t [u8]> {
    text.split_first_chunk().filter(|(found, _)| *found == expected).map(|(_, rest)| rest)
}

/// Reads a word, and returns the text after it.
#[inline]
fn changefreq(text: &[u8]) -> Option<(ChangeFreq, &[u8])> {
    let (freq, rest) = match text.get(1)? {
        b'a' => (ChangeFreq::Always, after(text, b"\"always\"")),
        b'h' => (ChangeFreq::Hourly, after(text, b"\"hourly\"")),
        b'd' => (ChangeFreq::Daily, after(text, b"\"daily\"")),
        b'w' => (ChangeFreq::Weekly, after(text, b"\"weekly\"")),
        b'm' => (ChangeFreq::Monthly, after(text, b"\"monthly\"")),
        b'y' => (ChangeFreq::Yearly, after(text, b"\"yearly\"")),
        _ => (ChangeFreq::Never, after(text, b"\"never\"")),
    };
    Some((freq, rest?))
}

/// Reads the string of a date without escapes. Returns its text and the text after it.
#[inline]
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    /// More than the longest value of the usual form.
    const LONGEST: usize = 40;

    /// The length of a date without a time.
    const USUAL: usize = 10;

    let text = text.strip_prefix(b"\"")?;
    if let Some((start, [b'"', rest @ ..])) = text.split_at_checked(USUAL) {
        // If a quote came before, the text is not a date.
        return Some((start, rest));
    }
    let end = text.iter().take(LONGEST).position(|byte| *byte == b'"')?;
    Some((&text[..end], &text[end + 1..]))
}

/// Splits the digits and decimal points from the start of a text.
#[inline]
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'.'));
    text.split_at(end.unwrap_or(text.len()))
}

/// Returns a text without the blanks at its start. Line breaks end a row, so they are not skipped.
#[inline]
fn blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use sitemap_core::Site;

    use super::*;

    fn is_usual(text: &str) -> bool {
        let mut scanner = Scanner::new(&Site::new("https://example.com").unwrap());
        scanner.object(text.as_bytes()).is_some()
    }

    #[test]
    fn usual_rows() {
        for text in [
            "{\"loc\":\"/a\"}\n",
            "{ \"loc\" : \"/a\" , \"priority\" : 0.5 }\r\n",
            "{\"changefreq\":\"daily\",\"lastmod\":\"2026-01-31T10:00:00Z\",\"loc\":\"/ü\",\"priority\":1}\n",
        ] {
            assert!(is_usual(text), "{text}");
        }
    }

    #[test]
    fn other_rows() {
        for text in [
            "",
            "\n",
            "{}\n",
            "{\"loc\":\"/a\"}",
            "{\"loc\":\"/a\"} \n",
            "{\"loc\":\"/a\"}}\n",
            "{\"loc\":\"/a\",}\n",
            "{\"loc\":\"/a\" \"priority\":0.5}\n",
            "{\"loc\":null}\n",
            "{\"loc\":\"/a\",\"loc\":\"/b\"}\n",
            "{\"loc\":\"/a\\u0041\"}\n",
            "{\"loc\":\"/a\\\\b\"}\n",
            "{\"loc\":\"/a\nb\"}\n",
            "{\"lastmod\":\"2026-01-31\"}\n",
            "{\"loc\":\"/a\",\"lastmod\":\"\"}\n",
            "{\"loc\":\"/a\",\"priority\":\"0.5\"}\n",
            "{\"loc\":\"/a\",\"priority\":0.5e0}\n",
            "{\"loc\":\"/a\",\"priority\":0.}\n",
            "{\"loc\":\"/a\",\"priority\":00}\n",
            "{\"loc\":\"/a\",\"priority\":nullx}\n",
            "{\"loc\":\"/a\",\"title\":\"A\"}\n",
            "[{\"loc\":\"/a\"}]\n",
        ] {
            assert!(!is_usual(text), "{text}");
        }
    }
}
