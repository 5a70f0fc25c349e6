//! The spans of tags within an entry, for findings about extensions.

use super::draft::place_loc;
use super::item::{PageItem, Place};
use super::namespace::split;
use super::position::{Position, Span};
use super::token::{Attributes, Token, TokenKind, token};
use super::value::{Flaws, decode, trim};
use sitemap_core::Alternate;

/// The state of computing spans within an entry. Each position is computed from the previous one, so computing spans in
/// ascending order takes linear time.
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
    /// Returns the span of the start tag with index `number` among the start tags with this name. If there is no such
    /// tag, compares the names without their prefixes. If this also finds no tag, returns the span of the whole entry.
    pub(crate) fn tag_span(&self, name: &str, number: usize) -> Span {
        self.tag(name, number, 0).map_or_else(|| self.span(), |tag| self.span_of(tag))
    }

    /// Returns the span of the first start tag `inner` after a start tag `outer`, or of the whole entry if there is no
    /// such tag. `number` is the index of the `outer` tag among all start tags with the name `outer`.
    pub(crate) fn tag_span_within(&self, outer: &str, number: usize, inner: &str) -> Span {
        let within = self.tag(outer, number, 0).and_then(|tag| self.tag(inner, 0, tag.end));
        within.map_or_else(|| self.span(), |tag| self.span_of(tag))
    }

    /// Returns the span of the first start tag whose name has a prefix. If there is none, returns the span of the whole
    /// entry.
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
        let source = self.place.source;
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

    fn span_of(&self, tag: Token) -> Span {
        let start = self.place.start().after(&self.place.source[..tag.start]);
        Span::new(start, (tag.end - tag.start) as u64)
    }
}
