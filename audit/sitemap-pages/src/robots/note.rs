//! Lines of a robots.txt that have no effect, or not the one they suggest.

use std::fmt;

use sitemap_core::robots::{Field, Line, lines};

use super::delay;
use super::key::{Key, key_of};
use super::robots_txt::RobotsTxt;
use super::token::product_token;

/// A note on a line that has no effect, or not the one it suggests.
///
/// `Display` writes what was found and how to fix it.
///
/// ```
/// use sitemap_pages::robots::{NoteKind, RobotsTxt};
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisalow: /drafts\nHost: example.com\nDisallow: cart\n");
/// let notes: Vec<_> = robots.notes().collect();
/// assert_eq!((notes[0].line(), notes[0].kind()), (2, NoteKind::Misspelled));
/// assert_eq!(notes[0].to_string(), "line 2: `Disalow` is read as `Disallow`; correct the spelling");
/// assert_eq!(notes[1].to_string(), "line 3: `Host` is not known; remove the line unless other crawlers use it");
/// assert_eq!(notes[2].to_string(), "line 4: the pattern `cart` matches no path; start it with `/` or `*`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note<'r> {
    kind: NoteKind,
    line: Line<'r>,
}

/// What a [`Note`] is about.
///
/// ```
/// use sitemap_pages::robots::{NoteKind, RobotsTxt};
///
/// let robots = RobotsTxt::parse(b"Disallow: /\nUser-agent: sitemap/1.0\nCrawl-delay: soon\n");
/// let kinds: Vec<_> = robots.notes().map(|note| note.kind()).collect();
/// assert_eq!(kinds, [NoteKind::NoGroup, NoteKind::CutName, NoteKind::BadDelay]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// The line is too long, so its end was not read.
    CutLine,
    /// The line does not consist of a key and a value.
    NoField,
    /// The key is unknown, so the line has no effect.
    UnknownKey,
    /// The key is a common misspelling and is read as the correct one.
    Misspelled,
    /// The colon is missing. The line is read as if it were there.
    NoColon,
    /// The line comes before any `User-agent` line, so it has no effect.
    NoGroup,
    /// The `User-agent` line contains no product token, so it names no crawler.
    NoName,
    /// The `User-agent` line contains text after the product token. Only the token is read.
    CutName,
    /// The pattern does not start with `/` or `*`, so it matches no path.
    NoSlash,
    /// The value of a `Crawl-delay` line is not a number of seconds, so the line has no effect.
    BadDelay,
}

impl RobotsTxt {
    /// Returns notes on lines that have no effect, or not the one they suggest, in file order. Reads the text again.
    pub fn notes(&self) -> impl Iterator<Item = Note<'_>> {
        let mut has_group = false;
        lines(self.text()).flat_map(move |line| {
            has_group |= line.field.is_some_and(|field| key_of(&field).0 == Key::UserAgent);
            kinds_of(&line, has_group).into_iter().flatten().map(move |kind| Note { kind, line })
        })
    }
}

fn kinds_of(line: &Line<'_>, has_group: bool) -> [Option<NoteKind>; 4] {
    let cut = line.is_cut.then_some(NoteKind::CutLine);
    let Some(field) = line.field else {
        return [cut, (!line.text.is_empty()).then_some(NoteKind::NoField), None, None];
    };
    let (key, is_misspelled) = key_of(&field);
    let spelling = is_misspelled.then_some(NoteKind::Misspelled);
    let colon = (field.is_without_colon && key != Key::Other).then_some(NoteKind::NoColon);
    [cut, spelling, colon, effect_of(key, &field, has_group)]
}

fn effect_of(key: Key, field: &Field<'_>, has_group: bool) -> Option<NoteKind> {
    let value = field.value;
    match key {
        Key::Other => Some(NoteKind::UnknownKey),
        Key::UserAgent => match product_token(value) {
            [] => Some(NoteKind::NoName),
            name => (name.len() < value.len()).then_some(NoteKind::CutName),
        },
        Key::Allow | Key::Disallow | Key::CrawlDelay if !has_group => Some(NoteKind::NoGroup),
        Key::Allow | Key::Disallow => {
            (!value.is_empty() && !value.starts_with(b"/") && !value.starts_with(b"*"))
                .then_some(NoteKind::NoSlash)
        }
        Key::CrawlDelay => delay::parse(value).is_none().then_some(NoteKind::BadDelay),
        Key::Sitemap => None,
    }
}

impl Note<'_> {
    /// Returns the line number, counted from 1.
    pub const fn line(&self) -> u64 {
        self.line.number
    }

    /// Returns what the note is about.
    pub const fn kind(&self) -> NoteKind {
        self.kind
    }
}

impl fmt::Display for Note<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: ", self.line.number)?;
        let field = self.line.field.as_ref();
        let written_key = excerpt(field.map_or(self.line.text, |field| field.key));
        let value = excerpt(field.map_or(b"", |field| field.value));
        let key = field.map_or("", |field| key_of(field).0.name());
        match self.kind {
            NoteKind::CutLine => write!(out, "the line is too long, and its end was not read; shorten it"),
            NoteKind::NoField => write!(out, "`{written_key}` is not a key and a value; write `KEY: VALUE`"),
            NoteKind::UnknownKey => {
                write!(out, "`{written_key}` is not known; remove the line unless other crawlers use it")
            }
            NoteKind::Misspelled => write!(out, "`{written_key}` is read as `{key}`; correct the spelling"),
            NoteKind::NoColon => write!(out, "the colon after `{written_key}` is missing; add it"),
            NoteKind::NoGroup => {
                write!(out, "`{key}` precedes all `User-agent` lines and has no effect; move it below one")
            }
            NoteKind::NoName => {
                write!(out, "`{value}` names no crawler; write `*` or a name of letters, `-` and `_`")
            }
            NoteKind::CutName => {
                let name = excerpt(product_token(field.map_or(b"", |field| field.value)));
                write!(out, "`{value}` is read as `{name}`; remove the rest")
            }
            NoteKind::NoSlash => {
                write!(out, "the pattern `{value}` matches no path; start it with `/` or `*`")
            }
            NoteKind::BadDelay => write!(out, "`{value}` is not a number of seconds; write one, such as `5`"),
        }
    }
}

/// Returns the start of a string for a message, without control characters.
fn excerpt(text: &[u8]) -> String {
    const MAX_CHARS: usize = 60;
    let text = String::from_utf8_lossy(text);
    let mut chars = text.chars();
    let mut excerpt: String = chars.by_ref().take(MAX_CHARS).collect();
    if chars.next().is_some() {
        excerpt.push('…');
    }
    excerpt.replace(char::is_control, "\u{FFFD}")
}
