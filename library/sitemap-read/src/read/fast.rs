//! The fast path, which reads entries of the most common form in one pass.
//!
//! The general parser reads all other entries. For entries of the common form, both parsers must return the same
//! values.

use std::str;

use memchr::memchr;

use super::draft::{Draft, LocAt, trim_range};
use super::item::Value;
use super::limits::ReadLimits;
use super::position::Lines;
use super::token::is_blank;
use sitemap_core::reading::KnownOrigin;
use sitemap_core::{ChangeFreq, LastMod, Priority};

/// The reason why the fast path stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The available text ends too early to tell whether the entry has the common form.
    More,
    /// The entry doesn't have the common form.
    Other,
    /// The entry has the common form up to the offset in [`Draft::len`], where another tag starts. The draft contains
    /// the values before that tag.
    OtherTag,
}

/// Reads the entry at the start of the text if it has the common form: a `url` with a `loc` that is followed by at most
/// one `lastmod`, `changefreq` and `priority` each, in any order, with only white space between the elements.
///
/// Such an entry never has findings. After any error except [`Stop::OtherTag`], the content of `draft` is unspecified.
#[inline]
pub(super) fn scan(
    text: &[u8],
    limits: &ReadLimits,
    buffer: &mut String,
    known: &mut KnownOrigin,
    draft: &mut Draft,
) -> Result<(), Stop> {
    let mut at = expect(text, 0, b"<url>")?;
    *draft = Draft::default();
    let mut lines = Lines::default();
    at = skip_blanks(text, at, &mut lines);
    at = expect(text, at, b"<loc>")?;
    let (start, end) = value(text, at, limits)?;
    at = expect(text, end, b"</loc>")?;
    let range = trim_range(text, start, end);
    (draft.loc, draft.spelling.is_as_written) = loc(text, range, buffer, known)?;
    draft.spelling.is_usual = true;
    draft.values.set(Value::Loc, range.0, range.1);
    // Line ends between a value and its tags aren't counted. The counts are therefore only used if no value is
    // surrounded by white space. The entry must also be ASCII, because columns are computed from bytes.
    let mut are_counted = draft.spelling.is_as_written && range == (start, end);
    loop {
        at = skip_blanks(text, at, &mut lines);
        match text.get(at + 1) {
            Some(b'l') if draft.lastmod.is_none() => {
                draft.spelling.is_usual &= draft.changefreq.is_none() && draft.priority.is_none();
                let (from, to) = value(text, expect(text, at, b"<lastmod>")?, limits)?;
                at = expect(text, to, b"</lastmod>")?;
                let range = trim_range(text, from, to);
                are_counted &= range == (from, to);
                draft.lastmod = Some(lastmod(&text[range.0..range.1])?);
                draft.values.set(Value::LastMod, range.0, range.1);
            }
            Some(b'c') if draft.changefreq.is_none() => {
                let (from, to) = value(text, expect(text, at, b"<changefreq>")?, limits)?;
                at = expect(text, to, b"</changefreq>")?;
                let range = trim_range(text, from, to);
                // The schema doesn't allow white space around a change frequency.
                draft.spelling.is_usual &= draft.priority.is_none() && range == (from, to);
                are_counted &= range == (from, to);
                draft.changefreq = Some(changefreq(&text[range.0..range.1])?);
                draft.values.set(Value::ChangeFreq, range.0, range.1);
            }
            Some(b'p') if draft.priority.is_none() => {
                let (from, to) = value(text, expect(text, at, b"<priority>")?, limits)?;
                at = expect(text, to, b"</priority>")?;
                let range = trim_range(text, from, to);
                are_counted &= range == (from, to);
                draft.priority = Some(priority(&text[range.0..range.1])?);
                draft.values.set(Value::Priority, range.0, range.1);
            }
            Some(b'/') => {
                at = expect(text, at, b"</url>")?;
                break;
            }
            Some(_) => {
                draft.len = at;
                return Err(Stop::OtherTag);
            }
            None => return Err(Stop::More),
        }
    }
    if at > limits.entry_bytes {
        return Err(Stop::Other);
    }
    draft.len = at;
    draft.spelling.is_well_formed = draft.spelling.is_as_written;
    draft.lines = are_counted.then_some(lines);
    Ok(())
}

/// Checks that `tag` is at offset `at`, and returns the offset after it.
#[inline]
fn expect<const N: usize>(text: &[u8], at: usize, tag: &[u8; N]) -> Result<usize, Stop> {
    match text.get(at..at + N) {
        Some(found) if found == tag => Ok(at + N),
        None if tag.starts_with(&text[at..]) => Err(Stop::More),
        _ => Err(Stop::Other),
    }
}

/// Skips white space and records its line ends. Returns the offset after it.
#[inline]
pub(super) fn skip_blanks(text: &[u8], mut at: usize, lines: &mut Lines) -> usize {
    while let Some(&byte) = text.get(at).filter(|&&byte| is_blank(byte)) {
        if byte == b'\n' {
            *lines = Lines { count: lines.count + 1, last: at };
        }
        at += 1;
    }
    at
}

/// Returns the range from `at` to the next tag.
#[inline]
pub(super) fn value(text: &[u8], at: usize, limits: &ReadLimits) -> Result<(usize, usize), Stop> {
    let rest = &text[at..];
    // Most words and numbers are so short that this loop is faster than `memchr`.
    let short = rest.first_chunk().and_then(|start| find_tag(u64::from_le_bytes(*start)));
    match short.or_else(|| memchr(b'<', rest)) {
        Some(len) if len > limits.text_bytes => Err(Stop::Other),
        Some(len) => Ok((at, at + len)),
        None => Err(Stop::More),
    }
}

/// Returns the index of the first `<` among eight bytes. The first byte is the lowest byte of `word`.
#[inline]
const fn find_tag(word: u64) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // The XOR turns each `<` into zero, and the subtraction sets the high bit of each zero byte. A borrow can also set
    // the high bit of a later byte, but only the first one is used.
    let zeros = word ^ (ONES * b'<' as u64);
    let found = zeros.wrapping_sub(ONES) & !zeros & (ONES << 7);
    if found == 0 { None } else { Some(found.trailing_zeros() as usize / 8) }
}

/// Returns the text as a `str` if it is UTF-8.
#[inline]
pub(super) fn plain(text: &[u8]) -> Result<&str, Stop> {
    str::from_utf8(text).map_err(|_| Stop::Other)
}

/// Returns where the URL is. The flag is `true` if the text is known to contain the URL unchanged, except that each `&`
/// is escaped.
// Every plain entry calls this function, and compilers ignore a plain `inline` hint on a function with several callers.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn loc(
    text: &[u8],
    range: (usize, usize),
    buffer: &mut String,
    known: &mut KnownOrigin,
) -> Result<(LocAt, bool), Stop> {
    let raw = &text[range.0..range.1];
    // A URL may be surrounded by white space outside ASCII. Only the general parser trims it.
    match (raw.first(), raw.last()) {
        (Some(first), Some(last)) if first.is_ascii() && last.is_ascii() => {}
        _ => return Err(Stop::Other),
    }
    let Some(ampersand) = memchr(b'&', raw) else {
        if sitemap_core::reading::is_normal_like(raw, known) {
            return Ok((LocAt::Text(range.0, range.1), true));
        }
        let normal = sitemap_core::reading::normalised_like(plain(raw)?, known).map_err(|_| Stop::Other)?;
        return Ok(match normal {
            None => (LocAt::Text(range.0, range.1), false),
            Some(normal) => {
                *buffer = normal;
                (LocAt::Buffer, false)
            }
        });
    };
    let is_as_written = unescape(plain(raw)?, ampersand, buffer)?;
    if sitemap_core::reading::is_normal_like(buffer.as_bytes(), known) {
        return Ok((LocAt::Buffer, is_as_written));
    }
    if let Some(normal) = sitemap_core::reading::normalised_like(buffer, known).map_err(|_| Stop::Other)? {
        *buffer = normal;
    }
    Ok((LocAt::Buffer, false))
}

/// Decodes the five predefined entities of XML. Returns `true` if all of them are `&amp;` and none is escaped twice.
#[inline]
pub(super) fn unescape(text: &str, first: usize, buffer: &mut String) -> Result<bool, Stop> {
    buffer.clear();
    let (plain, mut rest) = text.split_at(first);
    buffer.push_str(plain);
    let mut is_once = true;
    loop {
        let (ch, len) = match rest.as_bytes() {
            [b'&', b'a', b'm', b'p', b';', after @ ..] => {
                is_once &= ![&b"amp;"[..], b"lt;", b"gt;", b"apos;", b"quot;"]
                    .iter()
                    .any(|name| after.starts_with(name));
                ('&', 5)
            }
            [b'&', b'l', b't', b';', ..] => ('<', 4),
            [b'&', b'g', b't', b';', ..] => ('>', 4),
            [b'&', b'a', b'p', b'o', b's', b';', ..] => ('\'', 6),
            [b'&', b'q', b'u', b'o', b't', b';', ..] => ('"', 6),
            _ => return Err(Stop::Other),
        };
        is_once &= ch == '&';
        buffer.push(ch);
        rest = &rest[len..];
        let Some(next) = memchr(b'&', rest.as_bytes()) else {
            buffer.push_str(rest);
            return Ok(is_once);
        };
        buffer.push_str(&rest[..next]);
        rest = &rest[next..];
    }
}

#[inline]
pub(super) fn lastmod(text: &[u8]) -> Result<LastMod, Stop> {
    match sitemap_core::reading::usual_lastmod(text) {
        Some(lastmod) => Ok(lastmod),
        None => LastMod::parse(plain(text)?).map_err(|_| Stop::Other),
    }
}

#[inline]
pub(super) fn priority(text: &[u8]) -> Result<Priority, Stop> {
    let usual = match text {
        // Nearly all priorities have one of these two forms. Reading them here is faster than `parse`.
        [b'0', b'.', digit @ b'0'..=b'9'] => sitemap_core::reading::priority_of_tenths(digit - b'0'),
        b"1.0" => Some(Priority::MAX),
        _ => None,
    };
    match usual {
        Some(priority) => Ok(priority),
        None => plain(text)?.parse().map_err(|_| Stop::Other),
    }
}

#[inline]
pub(super) fn changefreq(word: &[u8]) -> Result<ChangeFreq, Stop> {
    Ok(match word {
        b"daily" => ChangeFreq::Daily,
        b"weekly" => ChangeFreq::Weekly,
        b"monthly" => ChangeFreq::Monthly,
        b"yearly" => ChangeFreq::Yearly,
        b"hourly" => ChangeFreq::Hourly,
        b"always" => ChangeFreq::Always,
        b"never" => ChangeFreq::Never,
        _ => return Err(Stop::Other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_eight_bytes_that_starts_a_tag_is_found() {
        for (text, found) in [
            (b"weekly<x", Some(6)),
            (b"<<<<<<<<", Some(0)),
            (b"=;\x00\xBC<<ab", Some(4)),
            (b"abcdefg<", Some(7)),
            (b"abcdefgh", None),
            (b"\xFF\xBC\xBD=;=;\x80", None),
        ] {
            assert_eq!(find_tag(u64::from_le_bytes(*text)), found, "{text:?}");
        }
    }
}
