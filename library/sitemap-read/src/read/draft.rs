//! Reads `loc`, `lastmod`, `changefreq` and `priority` from the tree of an entry.

use std::borrow::Cow;
use std::str;

use super::date;
use super::item::{Spelling, Value, Values};
use super::namespace::Space;
use super::position::Lines;
use super::token::is_blank;
use super::tree::{Collected, NodeKind, Tag};
use super::value::{Flaws, decode_bytes, decode_in, trim};
use crate::rule::Rule;
use sitemap_core::reading::KnownOrigin;
use sitemap_core::value::{LocError, LocErrorKind};
use sitemap_core::{ChangeFreq, LastMod, Priority};

/// An entry without its extensions. It holds offsets instead of references, because the text moves within the buffer
/// when more text is read.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) is_sitemap: bool,
    /// True if the entry has no extensions to read. Always true for feeds and text sitemaps.
    pub(super) is_plain: bool,
    /// True if the extensions are in `Xml::outline`, not in `Xml::collected`.
    pub(super) is_outlined: bool,
    pub(super) spelling: Spelling,
    pub(super) loc: LocAt,
    pub(super) lastmod: Option<LastMod>,
    pub(super) changefreq: Option<ChangeFreq>,
    pub(super) priority: Option<Priority>,
    pub(super) values: Values,
    /// The length in bytes of the entry's element or, in a text sitemap, of its line.
    pub(super) len: usize,
    /// The line ends in the entry. `None` if some line ends weren't counted, or if the entry may not be ASCII.
    pub(super) lines: Option<Lines>,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            is_sitemap: false,
            is_plain: true,
            is_outlined: false,
            spelling: Spelling::default(),
            loc: LocAt::Buffer,
            lastmod: None,
            changefreq: None,
            priority: None,
            values: Values::default(),
            len: 0,
            lines: None,
        }
    }
}

/// The place where the checked URL is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum LocAt {
    /// In the text, between these two offsets.
    Text(usize, usize),
    Buffer,
}

/// Checks a URL and returns where its normal form is. `range` is the URL's range in the text. Writes the normal form to
/// `buffer` if `range` is `None` or if the URL isn't in normal form.
pub(super) fn place_loc(
    url: &str,
    range: Option<(usize, usize)>,
    buffer: &mut String,
) -> Result<LocAt, LocError> {
    place_loc_like(url, range, buffer, &mut KnownOrigin::default())
}

/// Does the same as [`place_loc`], but is faster when many URLs are on the same site.
fn place_loc_like(
    url: &str,
    range: Option<(usize, usize)>,
    buffer: &mut String,
    known: &mut KnownOrigin,
) -> Result<LocAt, LocError> {
    if let Some(normal) = sitemap_core::reading::normalised_like(url, known)? {
        *buffer = normal;
    } else if let Some((start, end)) = range {
        return Ok(LocAt::Text(start, end));
    } else {
        buffer.clear();
        buffer.push_str(url);
    }
    Ok(LocAt::Buffer)
}

/// Returns the rule that an invalid URL breaks.
pub(super) const fn loc_rule(kind: &LocErrorKind) -> Rule {
    match kind {
        LocErrorKind::Empty => Rule::LocEmpty,
        LocErrorKind::Scheme => Rule::LocScheme,
        LocErrorKind::Host => Rule::LocHost,
        LocErrorKind::Port => Rule::LocPort,
        LocErrorKind::Credentials => Rule::LocCredentials,
        LocErrorKind::DotSegment => Rule::LocDotSegment,
        LocErrorKind::TooLong(_) => Rule::LocTooLong,
        LocErrorKind::Character(_) | LocErrorKind::Whitespace => Rule::LocCharacter,
        _ => Rule::LocRelative,
    }
}

/// Checks an entry's URL and returns where its normal form is. If the URL is invalid, adds a note and returns `None`.
pub(super) fn read_loc(
    collected: &mut Collected,
    url: &str,
    range: (usize, usize),
    in_text: bool,
    buffer: &mut String,
) -> Option<LocAt> {
    let error = match place_loc_like(url, in_text.then_some(range), buffer, &mut collected.known_origin) {
        Ok(at) => return Some(at),
        Err(error) => error,
    };
    if *error.kind() == LocErrorKind::DotSegment
        && let Ok(resolved) = url::Url::parse(url)
        && let Ok(at) = place_loc(resolved.as_str(), None, buffer)
    {
        let message = format!("{}, read as {buffer:?}", Rule::LocDotSegment.summary());
        collected.note_with(Rule::LocDotSegment, range, message);
        return Some(at);
    }
    collected.note_with(loc_rule(error.kind()), range, error.to_string());
    None
}

/// The text directly inside an element, without the text of its children.
pub(super) struct TextOf<'t> {
    pub(super) text: Cow<'t, str>,
    /// The range of this text in the markup, without surrounding white space.
    pub(super) range: (usize, usize),
    pub(super) flaws: Flaws,
}

impl Collected {
    /// Returns an element's own text, decoded and trimmed. Adds notes about its defects.
    pub(super) fn text_of<'t>(&mut self, text: &'t [u8], element: usize) -> TextOf<'t> {
        self.read_text(text, element, false)
    }

    /// Returns an element's own text as a URL. Bytes that are not UTF-8 are percent-encoded as they are, without
    /// converting them to UTF-8 first.
    ///
    /// For example, a `ü` in ISO 8859-1 becomes `%FC`, which is what the site's server expects.
    pub(super) fn url_of<'t>(&mut self, text: &'t [u8], element: usize) -> TextOf<'t> {
        self.read_text(text, element, true)
    }

    fn read_text<'t>(&mut self, text: &'t [u8], element: usize, is_url: bool) -> TextOf<'t> {
        let mut whole: Option<Cow<'t, str>> = None;
        let mut all_flaws = Flaws::default();
        let end_of_tag = self.nodes[element].end;
        let mut range = (end_of_tag, end_of_tag);
        let mut notes = Vec::new();
        let mut scratch = std::mem::take(&mut self.scratch);
        for child in self.children(element) {
            let node = &self.nodes[child];
            let (start, end) = (node.start, node.end);
            let raw = &text[start..end];
            let mut flaws = Flaws::default();
            let part = match node.kind {
                NodeKind::Text if is_url && str::from_utf8(raw).is_err() => {
                    Cow::Owned(decode_bytes(raw, false, &mut flaws, push_escapes))
                }
                NodeKind::Text => decode_in(&mut scratch, raw, false, &mut flaws),
                NodeKind::CData => character_data(raw, &mut flaws),
                NodeKind::Element(..) => continue,
            };
            if flaws.any() {
                notes.extend(flaws.each().map(|(rule, (at, len))| (rule, start + at, len)));
                all_flaws.character = all_flaws.character.or(flaws.character);
            }
            let found = trim_range(text, start, end);
            match &mut whole {
                None => {
                    whole = Some(part);
                    range = found;
                }
                Some(whole) => {
                    whole.to_mut().push_str(&part);
                    let (start, end) = if range.0 == range.1 { found } else { (range.0, found.1) };
                    range = if found.0 == found.1 { range } else { (start, end) };
                }
            }
        }
        for (rule, at, len) in notes {
            self.note(rule, at, at + len);
        }
        self.scratch = scratch;
        let whole = match whole.unwrap_or_default() {
            Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
            Cow::Owned(text) if trim(&text).len() == text.len() => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
        };
        TextOf { text: whole, range, flaws: all_flaws }
    }

    /// Reads the values of an entry, except its extensions, into `draft`, and returns its URL. If the entry has no valid
    /// URL, adds a note and returns `None`.
    pub(super) fn draft(&mut self, text: &[u8], draft: &mut Draft, buffer: &mut String) -> Option<LocAt> {
        *draft = Draft::default();
        let NodeKind::Element(Space::Core, tag) = self.nodes.first()?.kind else {
            return None;
        };
        draft.is_sitemap = tag == Tag::Sitemap;
        let mut loc = None;
        let mut has_loc = false;
        let mut seen = [false; 4];
        let mut next = self.first_child(0);
        while let Some(child) = next {
            next = self.next_child(0, child);
            let node = self.nodes[child];
            let (value, index) = match node.kind {
                NodeKind::Element(Space::Core, Tag::Loc) => {
                    has_loc = true;
                    loc = self.loc(text, child, &mut draft.values, buffer);
                    continue;
                }
                NodeKind::Element(Space::Core, Tag::LastMod) => (Value::LastMod, 1),
                NodeKind::Element(Space::Core, Tag::ChangeFreq) => (Value::ChangeFreq, 2),
                NodeKind::Element(Space::Core, Tag::Priority) => (Value::Priority, 3),
                NodeKind::Element(Space::Core, _) if node.cut => continue,
                NodeKind::Element(Space::Core, _) => {
                    self.note(Rule::ElementUnknown, node.start, node.end);
                    continue;
                }
                NodeKind::Element(..) => {
                    draft.is_plain = false;
                    continue;
                }
                NodeKind::Text | NodeKind::CData => continue,
            };
            if std::mem::replace(&mut seen[index], true) {
                self.note(Rule::ElementDuplicate, node.start, node.end);
            } else if !node.cut {
                self.field(text, child, value, draft);
            }
        }
        if has_loc {
            self.note_text(text, 0);
        } else {
            loc = self.loc_as_text(text, &mut draft.values, buffer);
        }
        loc
    }

    fn loc(
        &mut self,
        text: &[u8],
        element: usize,
        values: &mut Values,
        buffer: &mut String,
    ) -> Option<LocAt> {
        let node = self.nodes[element];
        let found = self.url_of(text, element);
        if node.cut {
            self.note(Rule::LocTruncated, found.range.0, found.range.1);
            return None;
        }
        if found.text.is_empty() {
            self.note(Rule::LocEmpty, node.start, node.end);
            return None;
        }
        if found.flaws.character.is_some() {
            self.note(Rule::LocCharacter, found.range.0, found.range.1);
            return None;
        }
        values.set(Value::Loc, found.range.0, found.range.1);
        let in_text = text.get(found.range.0..found.range.1) == Some(found.text.as_bytes());
        let at = read_loc(self, &found.text, found.range, in_text, buffer);
        if let Cow::Owned(text) = found.text {
            self.scratch = text;
        }
        at
    }

    /// Reads the URL from the text of a `url` element without a `loc`.
    fn loc_as_text(&mut self, text: &[u8], values: &mut Values, buffer: &mut String) -> Option<LocAt> {
        let record = self.nodes[0];
        let found = self.url_of(text, 0);
        let is_url =
            |start: &str| found.text.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start));
        if !record.cut && (is_url("http://") || is_url("https://")) && found.flaws.character.is_none() {
            self.note(Rule::LocAsText, found.range.0, found.range.1);
            values.set(Value::Loc, found.range.0, found.range.1);
            return read_loc(self, &found.text, found.range, false, buffer);
        }
        // If the entry is cut off by the end of the document, the document is already reported as truncated. The entry
        // needs no finding of its own.
        if !record.cut {
            self.note(Rule::LocMissing, record.start, record.end);
        }
        None
    }

    /// Adds a note if there is text between an element's children, where the protocol doesn't allow it.
    pub(super) fn note_text(&mut self, text: &[u8], element: usize) {
        let stray = self.children(element).map(|child| self.nodes[child]).find(|node| {
            matches!(node.kind, NodeKind::Text | NodeKind::CData)
                && !trim(&String::from_utf8_lossy(&text[node.start..node.end])).is_empty()
        });
        if let Some(node) = stray {
            let (start, end) = trim_range(text, node.start, node.end);
            self.note(Rule::TextStray, start, end);
        }
    }

    fn field(&mut self, text: &[u8], element: usize, value: Value, draft: &mut Draft) {
        let node = self.nodes[element];
        let found = self.text_of(text, element);
        let range = found.range;
        if found.text.is_empty() {
            self.note(Rule::ValueEmpty, node.start, node.end);
            return;
        }
        draft.values.set(value, range.0, range.1);
        match value {
            Value::LastMod => match date::parse(&found.text) {
                Some((lastmod, rule)) => {
                    draft.lastmod = Some(lastmod);
                    if let Some(rule) = rule {
                        self.note(rule, range.0, range.1);
                    }
                }
                None => self.note(Rule::LastModInvalid, range.0, range.1),
            },
            Value::ChangeFreq => {
                draft.changefreq =
                    found.text.parse().or_else(|_| found.text.to_ascii_lowercase().parse()).ok();
                match draft.changefreq {
                    None => self.note(Rule::ChangeFreqUnknown, range.0, range.1),
                    Some(freq) if freq.as_str() != found.text => {
                        self.note(Rule::ChangeFreqCase, range.0, range.1);
                    }
                    Some(_) => {}
                }
            }
            Value::Priority => {
                draft.priority = found.text.parse().ok();
                if draft.priority.is_none() {
                    self.note(Rule::PriorityInvalid, range.0, range.1);
                }
            }
            Value::Loc => {}
        }
    }
}

/// Shrinks a range so that it doesn't start or end with XML white space.
#[inline]
pub(super) fn trim_range(text: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end && is_blank(text[start]) {
        start += 1;
    }
    while start < end && is_blank(text[end - 1]) {
        end -= 1;
    }
    (start, end)
}

/// Percent-encodes the bytes and appends them to `out`.
pub(super) fn push_escapes(out: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        sitemap_core::reading::push_percent(out, byte);
    }
}

/// Decodes the content of a CDATA section. CDATA contains no references, so only line ends are decoded.
fn character_data<'t>(raw: &'t [u8], flaws: &mut Flaws) -> Cow<'t, str> {
    if let Err(error) = str::from_utf8(raw) {
        flaws.utf8 = Some((error.valid_up_to(), error.error_len().unwrap_or(1)));
    }
    let text = String::from_utf8_lossy(raw);
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { text }
}
