//! Computes the spans of tags within an entry, for findings about extensions.

use super::draft::place_loc;
use super::item::{PageItem, Place};
use super::namespace::split;
use super::position::{Position, Span};
use super::token::{Attributes, Token, TokenKind, token};
use super::value::{Flaws, decode, trim};
use sitemap_core::Alternate;

/// Computes spans within an entry. Each position is computed from the previous one, so ascending spans take linear time
/// in total.
pub(super) struct Places<'p> {
    start: Position,
    source: &'p [u8],
    at: usize,
    position: Position,
}

impl<'p> Places<'p> {
    pub(super) fn new(place: &Place<'p>) -> Self {
        let start = place.start();
        Self { start, source: place.source, at: 0, position: start }
    }

    pub(super) fn span(&mut self, start: usize, end: usize) -> Span {
        if start < self.at {
            (self.at, self.position) = (0, self.start);
        }
        self.position = self.position.after(&self.source[self.at..start]);
        self.at = start;
        Span::new(self.position, (end - start) as u64)
    }
}

impl PageItem<'_> {
    /// Returns the span of a start tag. `number` is its index among the start tags with this name. If there is no such
    /// tag, compares names without their prefixes. If there is still no match, returns the span of the whole entry.
    pub(crate) fn tag_span(&self, name: &str, number: usize) -> Span {
        self.tag(name, number, 0).map_or_else(|| self.span(), |tag| self.span_of(tag))
    }

    /// Returns the span of the first start tag `inner` after a start tag `outer`, or of the whole entry if there is
    /// none. `number` is the index of the `outer` tag among the start tags with that name.
    pub(crate) fn tag_span_within(&self, outer: &str, number: usize, inner: &str) -> Span {
        let within = self.tag(outer, number, 0).and_then(|tag| self.tag(inner, 0, tag.end));
        within.map_or_else(|| self.span(), |tag| self.span_of(tag))
    }

    /// Finds all elements with this name in one pass. `count` is the number of these elements in the entry.
    pub(crate) fn groups(&self, name: &str, count: usize) -> Groups<'_> {
        let name = name.as_bytes();
        let mut tags: Vec<Token> = self.tags(0).filter(|tag| self.name(*tag) == name).collect();
        if tags.len() < count {
            let local = split(name).1;
            tags = self.tags(0).filter(|tag| split(self.name(*tag)).1 == local).collect();
        }
        let ranges = tags.into_iter().map(|tag| (tag.start, tag.end)).collect();
        Groups { source: self.place.source, ranges, places: Places::new(&self.place), entry: self.span() }
    }

    /// Returns the span of the first start tag with a prefix, or of the whole entry if there is none.
    pub(crate) fn extension_span(&self) -> Span {
        let is_extension = |tag: &Token| self.name(*tag).contains(&b':');
        self.tags(0).find(is_extension).map_or_else(|| self.span(), |tag| self.span_of(tag))
    }

    /// Returns the span of each language version's `link` tag, in the order of `alternates`.
    pub(crate) fn link_spans(&self, alternates: &[Alternate<'_>]) -> Vec<Option<Span>> {
        let source = self.place.source;
        let mut links = self.tags(0).filter(|tag| split(self.name(*tag)).1 == b"link");
        let mut places = Places::new(&self.place);
        let mut url = String::new();
        let mut span_of = |alternate: &Alternate<'_>| {
            let has_href = |tag: &Token| {
                let value_of = |wanted: &[u8]| {
                    Attributes::new(source, tag.inner.1, tag.end)
                        .find(|attribute| &source[attribute.name.0..attribute.name.1] == wanted)
                        .map(|attribute| &source[attribute.value.0..attribute.value.1])
                };
                let same_tag = value_of(b"hreflang")
                    .is_some_and(|tag| trim(&String::from_utf8_lossy(tag)) == alternate.hreflang().as_str());
                let Some(raw) = value_of(b"href").filter(|_| same_tag) else {
                    return false;
                };
                let text = decode(raw, true, &mut Flaws::default());
                let text = trim(&text);
                text == alternate.href().as_str()
                    || place_loc(text, None, &mut url).is_ok() && url == alternate.href().as_str()
            };
            links.find(has_href).map(|tag| places.span(tag.start, tag.end))
        };
        alternates.iter().map(&mut span_of).collect()
    }

    fn tag(&self, name: &str, number: usize, from: usize) -> Option<Token> {
        let name = name.as_bytes();
        let exact = self.tags(from).filter(|tag| self.name(*tag) == name).nth(number);
        exact.or_else(|| {
            let local = split(name).1;
            self.tags(from).filter(|tag| split(self.name(*tag)).1 == local).nth(number)
        })
    }

    fn name(&self, tag: Token) -> &[u8] {
        &self.place.source[tag.inner.0..tag.inner.1]
    }

    fn tags(&self, from: usize) -> impl Iterator<Item = Token> + '_ {
        tags(self.place.source, from)
    }

    fn span_of(&self, tag: Token) -> Span {
        let start = self.place.start().after(&self.place.source[..tag.start]);
        Span::new(start, (tag.end - tag.start) as u64)
    }
}

/// The positions of all elements with one name in an entry, such as its videos.
///
/// Looking them up in ascending order takes linear time in total.
pub(crate) struct Groups<'p> {
    source: &'p [u8],
    /// The ranges of the elements' start tags.
    ranges: Vec<(usize, usize)>,
    places: Places<'p>,
    /// The span of the whole entry, used for elements that have no tag.
    entry: Span,
}

impl Groups<'_> {
    /// Returns the span of the start tag with index `number`.
    pub(crate) fn span(&mut self, number: usize) -> Span {
        match self.ranges.get(number) {
            Some(&(start, end)) => self.places.span(start, end),
            None => self.entry,
        }
    }

    /// Returns the span of the first start tag `inner` between the start tag with index `number` and the next one.
    pub(crate) fn span_within(&mut self, number: usize, inner: &str) -> Span {
        let Some(&(_, from)) = self.ranges.get(number) else { return self.entry };
        let until = self.ranges.get(number + 1).map_or(self.source.len(), |next| next.0);
        let (source, local) = (&self.source[..until], split(inner.as_bytes()).1);
        let name = |tag: &Token| &source[tag.inner.0..tag.inner.1];
        let exact = tags(source, from).find(|tag| name(tag) == inner.as_bytes());
        match exact.or_else(|| tags(source, from).find(|tag| split(name(tag)).1 == local)) {
            Some(tag) => self.places.span(tag.start, tag.end),
            None => self.entry,
        }
    }
}

/// Returns the start tags after the offset `from`.
fn tags(source: &[u8], from: usize) -> impl Iterator<Item = Token> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        while at < source.len() {
            let token = token(source, at, true)?;
            at = token.end.max(at + 1);
            if matches!(token.kind, TokenKind::Start | TokenKind::Empty) {
                return Some(token);
            }
        }
        None
    })
}
