//! Detects markup that breaks the schema without affecting any value: elements in the wrong order, unknown attributes,
//! and white space around values.

use std::borrow::Cow;

use sitemap_core::reading::{Group as _, Kind, Table};
use sitemap_core::{Image, News, Video};

use super::item::{PageItem, Place, SitemapItem};
use super::namespace::{Space, classify, split};
use super::position::Span;
use super::tag_spans::Places;
use super::token::{Attributes, Token, TokenKind, is_blank, token};
use super::value::{Flaws, decode};
use crate::rule::Rule;

/// A defect of the markup, with its span.
pub(crate) struct Note<'n> {
    pub(crate) rule: Rule,
    pub(crate) span: Span,
    /// The tag, attribute or value with the defect.
    pub(crate) found: Cow<'n, str>,
}

impl PageItem<'_> {
    /// Calls `note` for each violation of the schema in the page's markup.
    pub(crate) fn inspect(&self, root_prefix: &[u8], note: &mut impl FnMut(Note<'_>)) {
        if !self.place.spelling.is_usual {
            walk(&self.place, root_prefix, false, note);
        }
    }
}

impl SitemapItem<'_> {
    /// Calls `note` for each violation of the schema in the child sitemap's entry.
    pub(crate) fn inspect(&self, root_prefix: &[u8], note: &mut impl FnMut(Note<'_>)) {
        walk(&self.place, root_prefix, true, note);
    }
}

/// Decodes the references in a raw URL. Returns `None` if the bytes contain markup, such as a CDATA section, or aren't
/// UTF-8.
pub(crate) fn decoded(raw: &[u8], is_xml: bool) -> Option<Cow<'_, str>> {
    if !is_xml {
        return std::str::from_utf8(raw).ok().map(Cow::Borrowed);
    }
    let mut flaws = Flaws::default();
    let text = decode(raw, false, &mut flaws);
    // If the bytes contain markup or use another encoding, decoding them doesn't give the URL that the author meant.
    (!raw.contains(&b'<') && flaws.utf8.is_none()).then_some(text)
}

pub(super) fn value_of(tag: &[u8], (start, end): (usize, usize)) -> String {
    decode(&tag[start..end], true, &mut Flaws::default()).into_owned()
}

/// Returns `true` unless an attribute declares a namespace or belongs to XML Schema.
pub(super) fn is_foreign(name: &[u8]) -> bool {
    !(name.starts_with(b"xmlns") || name.starts_with(b"xsi:"))
}

/// Calls `note` for each defect in an entry's tags, in document order.
#[cold]
fn walk(place: &Place<'_>, root_prefix: &[u8], is_sitemap: bool, note: &mut impl FnMut(Note<'_>)) {
    let source = place.source;
    let mut places = Places::new(place);
    let (mut depth, mut at, mut last_rank, mut is_ordered) = (0_usize, 0, 0, true);
    let mut within: Option<Sequence> = None;
    while at < source.len() {
        let Some(token) = token(source, at, true) else {
            return;
        };
        at = token.end.max(at + 1);
        if token.kind == TokenKind::End {
            depth = depth.saturating_sub(1);
        }
        if !matches!(token.kind, TokenKind::Start | TokenKind::Empty) {
            continue;
        }
        let name = &source[token.inner.0..token.inner.1];
        let mut say = |rule, places: &mut Places<'_>| {
            let found = String::from_utf8_lossy(name);
            note(Note { rule, span: places.span(token.start, token.end), found });
        };
        let rank = if depth <= 1 { rank(source, token, root_prefix) } else { None };
        // Tags inside a `url` have depth 1. At depth 0, a `loc` is an entry without a `url`.
        if let Some(rank) = rank.filter(|rank| depth == 1 || *rank == 0) {
            if is_ordered && rank < last_rank {
                is_ordered = false;
                say(Rule::XsdOrder, &mut places);
            }
            last_rank = last_rank.max(rank);
            if is_sitemap && matches!(rank, 2 | 3) {
                say(Rule::ElementMisplaced, &mut places);
            }
        }
        if depth == 1 {
            within = Sequence::of(name);
        } else if depth == 2 && within.as_mut().is_some_and(|sequence| !sequence.takes(split(name).1)) {
            within = None;
            say(Rule::XsdOrder, &mut places);
        }
        if depth == 0 || rank.is_some_and(|rank| rank < EXTENSION) {
            attributes(source, token, &mut places, note);
        }
        if depth == 1 && rank == Some(2) && token.kind == TokenKind::Start {
            blanks(source, token.end, &mut places, note);
        }
        depth += usize::from(token.kind == TokenKind::Start);
    }
}

/// Checks the order of an extension's elements.
struct Sequence {
    table: &'static Table,
    last: u8,
}

impl Sequence {
    fn of(name: &[u8]) -> Option<Self> {
        let mut tables = [Image::TABLE, News::TABLE, Video::TABLE].into_iter();
        let table = tables.find(|table| table.element.as_bytes() == name)?;
        Some(Self { table, last: 0 })
    }

    /// Returns `true` if the schema allows the element after the previous ones, or doesn't define it.
    fn takes(&mut self, local: &[u8]) -> bool {
        let Some((at, field)) = self.table.child(local) else { return true };
        if matches!(field.kind, Kind::Ignored) {
            return true;
        }
        let is_in_order = at >= self.last;
        self.last = self.last.max(at);
        is_in_order
    }
}

/// The rank of all extensions. It is the highest one, because extensions come after the protocol's own elements.
const EXTENSION: usize = 4;

/// Returns an element's rank in the order of the schema, or `None` if the schema doesn't define the element.
fn rank(source: &[u8], token: Token, root_prefix: &[u8]) -> Option<usize> {
    let (prefix, local) = split(&source[token.inner.0..token.inner.1]);
    let declared = Attributes::new(source, token.inner.1, token.end)
        .find(|attribute| &source[attribute.name.0..attribute.name.1] == b"xmlns")
        .map(|attribute| value_of(source, attribute.value));
    let is_own = match declared {
        Some(uri) if prefix.is_empty() => classify(&uri).space == Space::Core,
        _ => prefix == root_prefix,
    };
    if !is_own {
        return Some(EXTENSION);
    }
    let names: [&[u8]; 4] = [b"loc", b"lastmod", b"changefreq", b"priority"];
    names.iter().position(|name| name.eq_ignore_ascii_case(local))
}

fn attributes(source: &[u8], token: Token, places: &mut Places<'_>, note: &mut impl FnMut(Note<'_>)) {
    for attribute in Attributes::new(source, token.inner.1, token.end) {
        let (start, end) = attribute.name;
        let name = &source[start..end];
        if is_foreign(name) {
            let found = String::from_utf8_lossy(name);
            note(Note { rule: Rule::AttributeUnknown, span: places.span(start, end), found });
        }
    }
}

/// Calls `note` if there is white space around a change frequency, which the schema doesn't allow.
fn blanks(source: &[u8], at: usize, places: &mut Places<'_>, note: &mut impl FnMut(Note<'_>)) {
    let Some(text) = (at < source.len()).then(|| token(source, at, true)).flatten() else {
        return;
    };
    let word = &source[text.start..text.end];
    let is_padded = word.first().is_some_and(|&b| is_blank(b)) || word.last().is_some_and(|&b| is_blank(b));
    if text.kind == TokenKind::Text && is_padded && !word.trim_ascii().is_empty() {
        let found = String::from_utf8_lossy(word);
        note(Note { rule: Rule::ChangeFreqBlank, span: places.span(text.start, text.end), found });
    }
}
