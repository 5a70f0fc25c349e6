//! The shape that nearly all entries have, read in one go.
//!
//! Whatever is not exactly as expected is left to the general parser, so the two need only agree on
//! what is right.

use std::str;

use memchr::memchr;

use super::draft::{Draft, LocAt, trim_range};
use super::item::{Value, Values};
use super::limits::ReadLimits;
use super::token::is_blank;
use crate::value::{ChangeFreq, KnownOrigin, LastMod, Loc, Priority};

/// What came of it.
pub(super) enum Scan {
    /// An entry without anything to be said of it.
    Entry(Draft),
    /// The text ends too early to tell.
    More,
    /// Another shape.
    Other,
}

/// Reads the entry that begins the text: `<url>`, `loc` and the other three in any order, each at
/// most once, with nothing but blanks between them.
pub(super) fn scan(text: &[u8], limits: &ReadLimits, buffer: &mut String, known: &mut KnownOrigin) -> Scan {
    scan_tags(text, limits, buffer, known).unwrap_or_else(|stop| match stop {
        Stop::More => Scan::More,
        Stop::Other => Scan::Other,
    })
}

/// Why an entry is not read here.
enum Stop {
    More,
    Other,
}

fn scan_tags(
    text: &[u8],
    limits: &ReadLimits,
    buffer: &mut String,
    known: &mut KnownOrigin,
) -> Result<Scan, Stop> {
    let mut at = expect(text, 0, b"<url>")?;
    at = skip_blanks(text, at);
    at = expect(text, at, b"<loc>")?;
    let (start, end) = value(text, at, limits)?;
    at = expect(text, end, b"</loc>")?;
    let mut draft = Draft {
        is_sitemap: false,
        is_plain: true,
        loc: LocAt::Buffer,
        lastmod: None,
        changefreq: None,
        priority: None,
        values: Values::default(),
        len: 0,
    };
    let range = trim_range(text, start, end);
    draft.loc = loc(text, range, buffer, known)?;
    draft.values.set(Value::Loc, range.0, range.1);
    loop {
        at = skip_blanks(text, at);
        match text.get(at + 1) {
            Some(b'l') if draft.lastmod.is_none() => {
                let (from, to) = value(text, expect(text, at, b"<lastmod>")?, limits)?;
                at = expect(text, to, b"</lastmod>")?;
                let range = trim_range(text, from, to);
                let lastmod = LastMod::parse(plain(&text[range.0..range.1])?).map_err(|_| Stop::Other)?;
                draft.lastmod = Some(lastmod);
                draft.values.set(Value::LastMod, range.0, range.1);
            }
            Some(b'c') if draft.changefreq.is_none() => {
                let (from, to) = value(text, expect(text, at, b"<changefreq>")?, limits)?;
                at = expect(text, to, b"</changefreq>")?;
                let range = trim_range(text, from, to);
                draft.changefreq = Some(changefreq(&text[range.0..range.1])?);
                draft.values.set(Value::ChangeFreq, range.0, range.1);
            }
            Some(b'p') if draft.priority.is_none() => {
                let (from, to) = value(text, expect(text, at, b"<priority>")?, limits)?;
                at = expect(text, to, b"</priority>")?;
                let range = trim_range(text, from, to);
                draft.priority = Some(priority(&text[range.0..range.1])?);
                draft.values.set(Value::Priority, range.0, range.1);
            }
            Some(b'/') => {
                at = expect(text, at, b"</url>")?;
                break;
            }
            Some(_) => return Err(Stop::Other),
            None => return Err(Stop::More),
        }
    }
    if at > limits.entry_bytes {
        return Err(Stop::Other);
    }
    draft.len = at;
    Ok(Scan::Entry(draft))
}

/// Goes past a tag.
#[inline]
fn expect<const N: usize>(text: &[u8], at: usize, tag: &[u8; N]) -> Result<usize, Stop> {
    match text.get(at..at + N) {
        Some(found) if found == tag => Ok(at + N),
        None if tag.starts_with(&text[at..]) => Err(Stop::More),
        _ => Err(Stop::Other),
    }
}

#[inline]
fn skip_blanks(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    at + rest.iter().position(|&byte| !is_blank(byte)).unwrap_or(rest.len())
}

/// The text up to the next tag.
#[inline]
fn value(text: &[u8], at: usize, limits: &ReadLimits) -> Result<(usize, usize), Stop> {
    match memchr(b'<', &text[at..]) {
        Some(len) if len > limits.text_bytes => Err(Stop::Other),
        Some(len) => Ok((at, at + len)),
        None => Err(Stop::More),
    }
}

/// Text without references or characters that need a second look.
#[inline]
fn plain(text: &[u8]) -> Result<&str, Stop> {
    str::from_utf8(text).map_err(|_| Stop::Other)
}

fn loc(
    text: &[u8],
    range: (usize, usize),
    buffer: &mut String,
    known: &mut KnownOrigin,
) -> Result<LocAt, Stop> {
    let raw = &text[range.0..range.1];
    // White space beyond ASCII is trimmed, too.
    match (raw.first(), raw.last()) {
        (Some(first), Some(last)) if first.is_ascii() && last.is_ascii() => {}
        _ => return Err(Stop::Other),
    }
    let address = plain(raw)?;
    let Some(ampersand) = memchr(b'&', raw) else {
        return match Loc::normalised_like(address, known) {
            Ok(None) => Ok(LocAt::Text(range.0, range.1)),
            Ok(Some(normal)) => {
                *buffer = normal;
                Ok(LocAt::Buffer)
            }
            Err(_) => Err(Stop::Other),
        };
    };
    unescape(address, ampersand, buffer)?;
    match Loc::normalised_like(buffer, known) {
        Ok(None) => {}
        Ok(Some(normal)) => *buffer = normal,
        Err(_) => return Err(Stop::Other),
    }
    Ok(LocAt::Buffer)
}

/// Decodes XML's own five entities.
fn unescape(text: &str, first: usize, buffer: &mut String) -> Result<(), Stop> {
    buffer.clear();
    let (plain, mut rest) = text.split_at(first);
    buffer.push_str(plain);
    loop {
        let (ch, len) = match rest.as_bytes() {
            [b'&', b'a', b'm', b'p', b';', ..] => ('&', 5),
            [b'&', b'l', b't', b';', ..] => ('<', 4),
            [b'&', b'g', b't', b';', ..] => ('>', 4),
            [b'&', b'a', b'p', b'o', b's', b';', ..] => ('\'', 6),
            [b'&', b'q', b'u', b'o', b't', b';', ..] => ('"', 6),
            _ => return Err(Stop::Other),
        };
        buffer.push(ch);
        rest = &rest[len..];
        let Some(next) = memchr(b'&', rest.as_bytes()) else {
            buffer.push_str(rest);
            return Ok(());
        };
        buffer.push_str(&rest[..next]);
        rest = &rest[next..];
    }
}

#[inline]
fn priority(text: &[u8]) -> Result<Priority, Stop> {
    let parsed = match text {
        // Nearly all are of this form, and a tenth is the same number however it is made.
        [b'0', b'.', digit @ b'0'..=b'9'] => Priority::new(f64::from(digit - b'0') / 10.0),
        _ => plain(text)?.parse(),
    };
    parsed.map_err(|_| Stop::Other)
}

#[inline]
fn changefreq(word: &[u8]) -> Result<ChangeFreq, Stop> {
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
