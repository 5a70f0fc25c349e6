//! The tree of an entry's markup. It is built even if the markup is malformed.
//!
//! Nodes hold offsets into the text instead of references. The tree therefore borrows nothing, and its memory is reused
//! for the next entry.

use super::limits::ReadLimits;
use super::namespace::{Namespaces, Space, SpaceProblem, split};
use super::token::{Attribute, Attributes, Token, TokenKind, is_blank, token};
use super::value::{Flaws, decode};
use crate::rule::Rule;
use sitemap_core::reading::KnownOrigin;

/// A node of the tree: an element, or text between tags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// The offset where the start tag or the text starts.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) name: (usize, usize),
    /// The index of the next node that isn't a descendant of this one.
    pub(super) next: usize,
    /// True if the document ends within the node.
    pub(super) cut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    Element(Space, Tag),
    Text,
    CData,
}

/// The element names that the reader distinguishes.
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

/// The two sets of element names, one for sitemaps and one for feeds. The document's root decides which one is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Sitemap,
    Feed,
}

impl Tag {
    /// Returns the [`Tag`] for a local name, and `true` if the letter case is correct.
    pub(super) fn of(family: Family, local: &[u8]) -> (Self, bool) {
        const SITEMAP: [(&str, Tag); 6] = [
            ("url", Tag::Url),
            ("loc", Tag::Loc),
            ("lastmod", Tag::LastMod),
            ("changefreq", Tag::ChangeFreq),
            ("priority", Tag::Priority),
            ("sitemap", Tag::Sitemap),
        ];
        const FEED: [(&str, Tag); 8] = [
            ("item", Tag::FeedEntry),
            ("entry", Tag::FeedEntry),
            ("link", Tag::FeedLink),
            ("guid", Tag::FeedGuid),
            ("pubDate", Tag::FeedDate),
            ("updated", Tag::FeedDate),
            ("modified", Tag::FeedDate),
            ("date", Tag::FeedDate),
        ];
        let names: &[(&str, Self)] = if family == Family::Sitemap { &SITEMAP } else { &FEED };
        for (name, tag) in names {
            if name.len() == local.len() && name.as_bytes().eq_ignore_ascii_case(local) {
                return (*tag, name.as_bytes() == local);
            }
        }
        (Self::Other, true)
    }

    const fn is_record(self) -> bool {
        matches!(self, Self::Url | Self::Sitemap | Self::FeedEntry)
    }

    /// Returns `true` if the element may only contain text.
    const fn is_field(self) -> bool {
        !self.is_record() && !matches!(self, Self::Other)
    }
}

/// A defect in the entry's text, which becomes a finding.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) rule: Rule,
    pub(super) at: usize,
    pub(super) len: usize,
    /// The finding's message. `None` means the default message, which is the rule's summary and the defective text.
    pub(super) message: Option<Box<str>>,
}

/// The tree of one entry, with notes about its defects.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) nodes: Vec<Node>,
    pub(super) notes: Vec<Note>,
    open: Vec<usize>,
    /// True if the entry has a `loc`.
    has_loc: bool,
    /// A buffer for decoded text, kept to reuse its allocation.
    pub(super) scratch: String,
    /// The origin of the last entry's URL.
    pub(super) known_origin: KnownOrigin,
}

/// The result of building an entry's tree.
pub(super) enum Progress {
    /// The tree is complete. The entry ends at this offset.
    Done(usize),
    /// The entry is incomplete and needs more text.
    More,
    /// The entry exceeds a limit: the limit's name, its value, and the offset where the entry exceeds it.
    Limit(&'static str, u64, usize),
}

/// The parameters for building a tree.
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

    pub(super) fn note_with(&mut self, rule: Rule, range: (usize, usize), message: impl Into<Box<str>>) {
        let (at, len) = (range.0, range.1.saturating_sub(range.0));
        self.notes.push(Note { rule, at, len, message: Some(message.into()) });
    }

    /// Builds the tree for the element whose start tag is at offset `at`.
    ///
    /// A `loc` may occur without a `url`, and a second `loc` in a `url` counts as a separate entry. In both cases, the
    /// tree contains an implied `url` node around the `loc`.
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
            // A copy would load what was just stored, which stalls.
            let Some(token) = &next else {
                if !context.at_end {
                    return Progress::More;
                }
                self.close_rest(true, i);
                return Progress::Done(i);
            };
            match self.take(text, at, token, names, context) {
                Ok(Some(end)) => return Progress::Done(end),
                Ok(None) => i = token.end,
                Err((limit, max)) => return Progress::Limit(limit, max, token.start),
            }
        }
    }

    /// Adds a token to the tree. If it ends the entry, returns the entry's end offset.
    fn take(
        &mut self,
        text: &[u8],
        at: usize,
        token: &Token,
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

    fn push_text(&mut self, text: &[u8], token: &Token) {
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
        token: &Token,
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
                // The second `loc` starts a new entry in the same `url`. Don't report the `url` as unclosed, because
                // its end tag comes after the new entry.
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
                &Token { end: at, inner: (at, at), ..*token },
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

    fn push_element(&mut self, kind: NodeKind, token: &Token) {
        let (start, end) = (token.start, token.end);
        self.open.push(self.nodes.len());
        self.nodes.push(Node { kind, start, end, name: token.inner, next: usize::MAX, cut: token.cut });
    }

    fn pop(&mut self) {
        if let Some(top) = self.open.pop() {
            self.nodes[top].next = self.nodes.len();
        }
    }

    /// Closes a value, such as a `lastmod`, when another element starts before its end tag.
    fn close_field(&mut self, at: usize) {
        if let Some(&top) = self.open.last()
            && matches!(self.nodes[top].kind, NodeKind::Element(Space::Core, tag) if tag.is_field())
        {
            let (start, end) = (self.nodes[top].start, self.nodes[top].end.min(at));
            self.note(Rule::TagUnclosed, start, end);
            self.pop();
        }
    }

    /// Closes all open elements when the document or root ends, or when another entry starts.
    fn close_rest(&mut self, cut: bool, at: usize) {
        if let (false, Some(&top)) = (cut, self.open.last()) {
            let (start, end) = (self.nodes[top].start, self.nodes[top].end.min(at));
            // An implied `url` has no start tag, so it isn't reported as unclosed.
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

    /// Closes the element that an end tag belongs to, and all open elements inside it. If that ends the entry, returns
    /// the entry's end offset.
    fn end(&mut self, text: &[u8], token: &Token, context: &Context<'_>) -> Option<usize> {
        let name = &text[token.inner.0..token.inner.1];
        let matches = |node: &Node| {
            let (start, end) = node.name;
            let open = &text[start..end];
            let is_assumed = start == end;
            open == name
                || open.eq_ignore_ascii_case(name)
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

    /// Returns the indices of an element's children.
    pub(super) fn children(&self, parent: usize) -> Children<'_> {
        let end = self.nodes[parent].next.min(self.nodes.len());
        Children { nodes: &self.nodes, at: parent + 1, end }
    }

    /// Returns the index of an element's first child.
    pub(super) fn first_child(&self, parent: usize) -> Option<usize> {
        self.children(parent).next()
    }

    /// Returns the index of the child after `child`.
    pub(super) fn next_child(&self, parent: usize, child: usize) -> Option<usize> {
        let end = self.nodes[parent].next.min(self.nodes.len());
        Some(self.nodes[child].next).filter(|&next| next < end)
    }

    /// Returns an element's attributes.
    pub(super) fn attributes<'t>(&self, text: &'t [u8], element: usize) -> Attributes<'t> {
        let node = &self.nodes[element];
        Attributes::new(text, node.name.1, node.end)
    }
}

/// Adds the namespaces that a start tag declares.
pub(super) fn declare(
    text: &[u8],
    token: &Token,
    names: &mut Namespaces,
    max: usize,
) -> Result<(), (&'static str, u64)> {
    if token.inner.1 + 1 == token.end {
        return Ok(());
    }
    for (n, attribute) in Attributes::new(text, token.inner.1, token.end).enumerate() {
        // Each namespace lookup searches all declarations. To keep lookups fast, the limit on attributes also applies
        // to the number of declarations.
        if n >= max || names.mark() > 2 * max {
            return Err(("attributes", max as u64));
        }
        declare_one(text, attribute, names);
    }
    Ok(())
}

/// Adds the namespace that an attribute declares, if it declares one.
pub(super) fn declare_one(text: &[u8], attribute: Attribute, names: &mut Namespaces) {
    let name = &text[attribute.name.0..attribute.name.1];
    if name.starts_with(b"xmlns") {
        let value = decode(&text[attribute.value.0..attribute.value.1], true, &mut Flaws::default());
        names.declare(name, &value);
    }
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

/// Iterates over the indices of an element's children. See [`Collected::children`].
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
        // While an element is still open, its `next` is `usize::MAX`, which ends the iteration.
        self.at = self.nodes[at].next;
        Some(at)
    }
}
