//! One entry's markup as a tree of places, whatever is wrong with it.
//!
//! The tree holds no text, only where it stands, so that it can be built while the text still grows
//! and be read when all of the entry is there.

use super::limits::ReadLimits;
use super::namespace::{Namespaces, Space, SpaceProblem, split};
use super::token::{Attributes, Token, TokenKind, is_blank, token};
use super::value::{Flaws, decode};
use crate::rule::Rule;

/// An element, or text between tags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// The whole start tag, or the text.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) name: (usize, usize),
    /// The index past its last descendant.
    pub(super) next: usize,
    /// The document ends within it.
    pub(super) cut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    Element(Space, Tag),
    Text,
    CData,
}

/// The element names that the reader acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Url,
    Sitemap,
    Loc,
    LastMod,
    ChangeFreq,
    Priority,
    FeedEntry,
    FeedLink,
    FeedGuid,
    FeedDate,
    Other,
}

/// Which vocabulary the root belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Sitemap,
    Feed,
}

impl Tag {
    /// The tag of a local name, and whether the name is spelled exactly so.
    pub(super) fn of(family: Family, local: &[u8]) -> (Self, bool) {
        const SITEMAP: [(&str, Tag); 6] = [
            ("url", Tag::Url),
            ("loc", Tag::Loc),
            ("lastmod", Tag::LastMod),
            ("changefreq", Tag::ChangeFreq),
            ("priority", Tag::Priority),
            ("sitemap", Tag::Sitemap),
        ];
        const FEED: [(&str, Tag); 7] = [
            ("item", Tag::FeedEntry),
            ("entry", Tag::FeedEntry),
            ("link", Tag::FeedLink),
            ("guid", Tag::FeedGuid),
            ("pubDate", Tag::FeedDate),
            ("updated", Tag::FeedDate),
            ("modified", Tag::FeedDate),
        ];
        let names: &[(&str, Self)] = if family == Family::Sitemap { &SITEMAP } else { &FEED };
        for (name, tag) in names {
            if name.as_bytes().eq_ignore_ascii_case(local) {
                return (*tag, name.as_bytes() == local);
            }
        }
        (Self::Other, true)
    }

    const fn is_record(self) -> bool {
        matches!(self, Self::Url | Self::Sitemap | Self::FeedEntry)
    }

    /// Whether it holds text and no elements.
    const fn is_field(self) -> bool {
        !self.is_record() && !matches!(self, Self::Other)
    }
}

/// Something wrong at a place of the text.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) rule: Rule,
    pub(super) at: usize,
    pub(super) len: usize,
    /// Said instead of what stands there.
    pub(super) message: Option<Box<str>>,
}

/// What was collected of one entry.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) nodes: Vec<Node>,
    pub(super) notes: Vec<Note>,
    open: Vec<usize>,
    /// Whether the entry has an address already.
    has_loc: bool,
    /// Room for a text that has to be decoded, used again and again.
    pub(super) scratch: String,
}

/// Where collecting came to.
pub(super) enum Progress {
    /// The entry ends here.
    Done(usize),
    /// More text is needed.
    More,
    /// A limit is exceeded: its name and value, and where.
    Limit(&'static str, u64, usize),
}

/// What collecting depends on.
pub(super) struct Context<'c> {
    pub(super) family: Family,
    pub(super) root: &'c [u8],
    pub(super) limits: &'c ReadLimits,
    pub(super) at_end: bool,
}

impl Collected {
    pub(super) fn note(&mut self, rule: Rule, at: usize, end: usize) {
        self.notes.push(Note { rule, at, len: end.saturating_sub(at), message: None });
    }

    pub(super) fn explain(&mut self, rule: Rule, range: (usize, usize), message: impl Into<Box<str>>) {
        let (at, len) = (range.0, range.1.saturating_sub(range.0));
        self.notes.push(Note { rule, at, len, message: Some(message.into()) });
    }

    /// Collects the element whose start tag begins the text at `at`.
    ///
    /// A `loc` there begins an entry of its own: its `url` is missing, or had a `loc` before.
    pub(super) fn collect(
        &mut self,
        text: &[u8],
        at: usize,
        names: &mut Namespaces,
        context: &Context<'_>,
    ) -> Progress {
        self.nodes.clear();
        self.notes.clear();
        self.open.clear();
        self.has_loc = false;
        let mut i = at;
        loop {
            if i - at > context.limits.entry_bytes {
                return Progress::Limit("entry_bytes", context.limits.entry_bytes as u64, i);
            }
            let next = if i < text.len() { token(text, i, context.at_end) } else { None };
            let Some(token) = next else {
                if !context.at_end {
                    return Progress::More;
                }
                self.close_rest(true, i);
                return Progress::Done(i);
            };
            match self.take(text, at, token, names, context) {
                Ok(Some(end)) => return Progress::Done(end),
                Ok(None) => i = token.end,
                Err((limit, most)) => return Progress::Limit(limit, most, token.start),
            }
        }
    }

    /// Takes one token; gives the end of the entry once it is reached.
    fn take(
        &mut self,
        text: &[u8],
        at: usize,
        token: Token,
        names: &mut Namespaces,
        context: &Context<'_>,
    ) -> Result<Option<usize>, (&'static str, u64)> {
        if token.malformed {
            self.note(Rule::TagMalformed, token.start, token.end);
        }
        match token.kind {
            TokenKind::Text | TokenKind::CData => {
                let limit = context.limits.text_bytes;
                if token.inner.1 - token.inner.0 > limit {
                    return Err(("text_bytes", limit as u64));
                }
                self.push_text(text, token);
            }
            TokenKind::Stray => {
                self.note(Rule::MarkupStray, token.start, token.end);
                self.push_text(text, token);
            }
            TokenKind::Comment | TokenKind::Instruction => {}
            TokenKind::Doctype => self.note(Rule::Doctype, token.start, token.end),
            TokenKind::Start | TokenKind::Empty => return self.start(text, at, token, names, context),
            TokenKind::End => return Ok(self.end(text, token, context)),
        }
        Ok(None)
    }

    fn push_text(&mut self, text: &[u8], token: Token) {
        let (start, end) = token.inner;
        let in_field = self.open.last().is_some_and(|&top| {
            matches!(self.nodes[top].kind, NodeKind::Element(space, tag) if tag.is_field() || space != Space::Core)
        });
        if !in_field && text[start..end].iter().all(|&byte| is_blank(byte)) {
            return;
        }
        let kind = if token.kind == TokenKind::CData { NodeKind::CData } else { NodeKind::Text };
        let next = self.nodes.len() + 1;
        self.nodes.push(Node { kind, start, end, name: token.inner, next, cut: token.cut });
    }

    fn start(
        &mut self,
        text: &[u8],
        at: usize,
        token: Token,
        names: &mut Namespaces,
        context: &Context<'_>,
    ) -> Result<Option<usize>, (&'static str, u64)> {
        let mark = names.mark();
        declare(text, token, names, context.limits.attributes)?;
        let name = &text[token.inner.0..token.inner.1];
        let resolved = names.resolve(name);
        let (tag, exact) = match resolved.space {
            Space::Core => Tag::of(context.family, split(name).1),
            _ => (Tag::Other, true),
        };
        let begins_next = tag.is_record() && !self.open.is_empty();
        let second_loc = tag == Tag::Loc && self.has_loc;
        if begins_next || second_loc {
            names.restore(mark);
            if second_loc {
                // The entry's own end tag is still to come.
                self.close_all();
                self.note(Rule::LocTwice, token.start, token.end);
            } else {
                self.close_rest(false, token.start);
            }
            return Ok(Some(token.start));
        }
        if !exact {
            self.note(Rule::TagCase, token.inner.0, token.inner.1);
        }
        if let Some(problem) = resolved.problem {
            self.note(problem.rule(), token.inner.0, token.inner.1);
        }
        if tag.is_field() || resolved.space != Space::Core {
            self.close_field(token.start);
        }
        if token.start == at && tag == Tag::Loc {
            self.push_element(
                NodeKind::Element(Space::Core, Tag::Url),
                Token { end: at, inner: (at, at), ..token },
            );
        }
        if self.open.len() >= context.limits.depth {
            return Err(("depth", context.limits.depth as u64));
        }
        self.has_loc |= tag == Tag::Loc && self.open.len() == 1;
        self.push_element(NodeKind::Element(resolved.space, tag), token);
        if token.kind == TokenKind::Empty {
            self.pop();
            names.restore(mark);
            return Ok(self.open.is_empty().then_some(token.end));
        }
        Ok(None)
    }

    fn push_element(&mut self, kind: NodeKind, token: Token) {
        let (start, end) = (token.start, token.end);
        self.open.push(self.nodes.len());
        self.nodes.push(Node { kind, start, end, name: token.inner, next: usize::MAX, cut: token.cut });
    }

    fn pop(&mut self) {
        if let Some(top) = self.open.pop() {
            self.nodes[top].next = self.nodes.len();
        }
    }

    /// Closes a field that another element begins in.
    fn close_field(&mut self, at: usize) {
        if let Some(&top) = self.open.last()
            && matches!(self.nodes[top].kind, NodeKind::Element(Space::Core, tag) if tag.is_field())
        {
            let (start, end) = (self.nodes[top].start, self.nodes[top].end.min(at));
            self.note(Rule::TagUnclosed, start, end);
            self.pop();
        }
    }

    /// Closes everything, at the end of the document or where another entry begins.
    fn close_rest(&mut self, cut: bool, at: usize) {
        if let (false, Some(&top)) = (cut, self.open.last()) {
            let (start, end) = (self.nodes[top].start, self.nodes[top].end.min(at));
            // A `url` that is not there cannot be closed.
            if end > start {
                self.note(Rule::TagUnclosed, start, end);
            }
        }
        for &open in &self.open {
            self.nodes[open].cut |= cut;
        }
        self.close_all();
    }

    fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.pop();
        }
    }

    /// Takes an end tag; gives the end of the entry if it is its.
    fn end(&mut self, text: &[u8], token: Token, context: &Context<'_>) -> Option<usize> {
        let name = &text[token.inner.0..token.inner.1];
        let matches = |node: &Node| {
            let (start, end) = node.name;
            let open = &text[start..end];
            let is_assumed = start == end;
            open.eq_ignore_ascii_case(name)
                || (is_assumed
                    && [&b"url"[..], b"sitemap"].iter().any(|tag| split(name).1.eq_ignore_ascii_case(tag)))
        };
        let Some(depth) = self.open.iter().rposition(|&node| matches(&self.nodes[node])) else {
            if name.eq_ignore_ascii_case(context.root) {
                self.close_rest(false, token.start);
                return Some(token.start);
            }
            self.note(Rule::TagUnmatched, token.start, token.end);
            return None;
        };
        if depth + 1 < self.open.len() {
            let unclosed = self.nodes[self.open[depth + 1]];
            self.note(Rule::TagUnclosed, unclosed.start, unclosed.end);
        }
        while self.open.len() > depth {
            self.pop();
        }
        self.open.is_empty().then_some(token.end)
    }

    /// The indices of an element's children.
    pub(super) fn children(&self, parent: usize) -> Children<'_> {
        let end = self.nodes[parent].next.min(self.nodes.len());
        Children { nodes: &self.nodes, at: parent + 1, end }
    }

    /// The first child of an element, by its index.
    pub(super) fn first_child(&self, parent: usize) -> Option<usize> {
        self.children(parent).next()
    }

    /// The child of an element that follows another.
    pub(super) fn next_child(&self, parent: usize, child: usize) -> Option<usize> {
        let end = self.nodes[parent].next.min(self.nodes.len());
        Some(self.nodes[child].next).filter(|&next| next < end)
    }

    /// An element's attributes.
    pub(super) fn attributes<'t>(&self, text: &'t [u8], element: usize) -> Attributes<'t> {
        let node = &self.nodes[element];
        Attributes::new(text, node.name.1, node.end)
    }
}

/// Takes the namespaces that a start tag declares.
pub(super) fn declare(
    text: &[u8],
    token: Token,
    names: &mut Namespaces,
    most: usize,
) -> Result<(), (&'static str, u64)> {
    for (n, attribute) in Attributes::new(text, token.inner.1, token.end).enumerate() {
        // Every name is looked up among all declarations, so their number counts, too.
        if n >= most || names.mark() > 2 * most {
            return Err(("attributes", most as u64));
        }
        let name = &text[attribute.name.0..attribute.name.1];
        if name.starts_with(b"xmlns") {
            let value = decode(&text[attribute.value.0..attribute.value.1], true, &mut Flaws::default());
            names.declare(name, &value);
        }
    }
    Ok(())
}

impl SpaceProblem {
    const fn rule(self) -> Rule {
        match self {
            Self::Undeclared => Rule::NamespaceUndeclared,
            Self::Extension => Rule::ExtensionNamespace,
            Self::Missing => Rule::NamespaceMissing,
            Self::Dialect => Rule::MixedDialects,
        }
    }
}

/// See [`Collected::children`].
pub(super) struct Children<'n> {
    nodes: &'n [Node],
    at: usize,
    end: usize,
}

impl Iterator for Children<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let at = self.at;
        if at >= self.end {
            return None;
        }
        // An element that is still open has no end yet, so it is the last.
        self.at = self.nodes[at].next;
        Some(at)
    }
}
