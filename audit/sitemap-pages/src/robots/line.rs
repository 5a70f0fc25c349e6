//! The lines of a robots.txt, each split into a key and a value.

/// The maximum number of bytes that are read from a line: more than any percent-encoded URL needs.
const MAX_LINE_LEN: usize = 2_083 * 8 - 1;

/// One line of a robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// The number of the line, counted from 1.
    pub(super) number: u32,
    /// The line without its comment and the white space around it.
    pub(super) text: &'t [u8],
    pub(super) has_comment: bool,
    /// `true` if the line is longer than the limit, so that its end was not read.
    pub(super) is_cut: bool,
    /// The key and the value, if the line has both.
    pub(super) field: Option<Field<'t>>,
}

/// The key and the value of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field<'t> {
    pub(super) key: Key,
    pub(super) written_key: &'t [u8],
    pub(super) value: &'t [u8],
    /// `true` if the key is a frequent misspelling.
    pub(super) is_misspelled: bool,
    /// `true` if white space stands in place of the colon.
    pub(super) is_without_colon: bool,
}

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    CrawlDelay,
    Other,
}

impl Key {
    /// The spelling to recommend.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::UserAgent => "User-agent",
            Self::Allow => "Allow",
            Self::Disallow => "Disallow",
            Self::Sitemap => "Sitemap",
            Self::CrawlDelay => "Crawl-delay",
            Self::Other => "",
        }
    }
}

/// The accepted starts of keys, with the misspellings last.
const CORRECT: [(&str, Key); 5] = [
    ("user-agent", Key::UserAgent),
    ("allow", Key::Allow),
    ("disallow", Key::Disallow),
    ("sitemap", Key::Sitemap),
    ("crawl-delay", Key::CrawlDelay),
];
const MISSPELLED: [(&str, Key); 8] = [
    ("useragent", Key::UserAgent),
    ("user agent", Key::UserAgent),
    ("dissallow", Key::Disallow),
    ("dissalow", Key::Disallow),
    ("disalow", Key::Disallow),
    ("diasllow", Key::Disallow),
    ("disallaw", Key::Disallow),
    ("site-map", Key::Sitemap),
];

/// Returns the lines of a robots.txt. After the last line end comes one more line, which may be empty.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(skip_byte_order_mark(text));
    let raw = std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.iter().position(|byte| is_line_end(*byte)) else {
            rest = None;
            return Some(text);
        };
        let next = if text[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
        rest = Some(&text[next..]);
        Some(&text[..end])
    });
    (1..).zip(raw).map(|(number, line)| read(number, line))
}

/// Returns `true` for the bytes that end a line.
pub(super) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn read(number: u32, line: &[u8]) -> Line<'_> {
    let is_cut = line.len() > MAX_LINE_LEN;
    let line = &line[..line.len().min(MAX_LINE_LEN)];
    let comment = line.iter().position(|byte| *byte == b'#');
    let text = trim(&line[..comment.unwrap_or(line.len())]);
    Line { number, text, has_comment: comment.is_some(), is_cut, field: split(text) }
}

/// Splits a line at its first colon. Without a colon, a line of exactly two words is split between them.
fn split(text: &[u8]) -> Option<Field<'_>> {
    let colon = text.iter().position(|byte| *byte == b':');
    let (written_key, value) = if let Some(colon) = colon {
        (trim(&text[..colon]), trim(&text[colon + 1..]))
    } else {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let blank = text.iter().position(is_blank)?;
        let value = trim(&text[blank..]);
        if value.iter().any(is_blank) {
            return None;
        }
        (&text[..blank], value)
    };
    if written_key.is_empty() {
        return None;
    }
    let find = |keys: &[(&str, Key)]| {
        let starts = |name: &str| {
            written_key.get(..name.len()).is_some_and(|key| key.eq_ignore_ascii_case(name.as_bytes()))
        };
        keys.iter().find(|(name, _)| starts(name)).map(|(_, key)| *key)
    };
    let (key, is_misspelled) = match (find(&CORRECT), find(&MISSPELLED)) {
        (Some(key), _) => (key, false),
        (None, Some(key)) => (key, true),
        (None, None) => (Key::Other, false),
    };
    Some(Field { key, written_key, value, is_misspelled, is_without_colon: colon.is_none() })
}

/// Removes white space from both ends of a text.
fn trim(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Removes a byte order mark, even an incomplete one.
fn skip_byte_order_mark(text: &[u8]) -> &[u8] {
    let len = text.iter().zip(b"\xEF\xBB\xBF").take_while(|(found, mark)| found == mark).count();
    &text[len..]
}
