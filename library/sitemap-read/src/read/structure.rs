//! Reads the root element and the markup between entries, and chooses the parser for each entry.

use memchr::memmem;

use super::cursor::{Cursor, Parts, Step};
use super::document::DocumentKind;
use super::draft::{Draft, LocAt, trim_range};
use super::error::{ReadError, ReadErrorKind};
use super::fast::{Stop, scan, skip_blanks};
use super::fast_extensions::{self, Prefixes};
use super::feed;
use super::namespace::{Space, split};
use super::position::Lines;
use super::token::{Token, TokenKind, is_blank, token};
use super::tree::{Context, Family, Progress, Tag, declare};
use super::value::trim;
use super::xml::RootTag;
use crate::rule::Rule;

impl Cursor<'_> {
    /// Detects the kind of document and moves to its first entry.
    pub(super) fn recognise(&mut self) -> Result<DocumentKind, ReadError> {
        /// The number of bytes at the start of a document in which to look for its opening, such as `<?xml` or
        /// `<urlset`.
        const SEARCHED: usize = 64 * 1024;
        while self.input.text().len() < SEARCHED && !self.input.at_end() {
            let before = self.input.text().len();
            self.more()?;
            if self.input.text().len() == before && !self.input.at_end() {
                // The document exceeds `ReadLimits::bytes`, so no more text can be read.
                break;
            }
        }
        self.skip_mark();
        let text = self.input.text();
        let text = &text[..text.len().min(SEARCHED)];
        let Some(first) = text.iter().position(|&byte| !is_blank(byte)) else {
            return Err(self.refuse(ReadErrorKind::Empty));
        };
        if text[first] == b'<' {
            return self.recognise_xml();
        }
        if is_url(&text[first..]) {
            return Ok(DocumentKind::Text);
        }
        let openings: [&[u8]; 8] = [
            b"<?xml",
            b"<urlset",
            b"<sitemapindex",
            b"<rss",
            b"<feed",
            b"<rdf:RDF",
            b"< urlset",
            b"<!DOCTYPE",
        ];
        if let Some(at) = openings.iter().filter_map(|opening| memmem::find(text, opening)).min() {
            let shown = at.min(200);
            self.report(Rule::ContentBeforeRoot, first, shown.max(first + 1) - first);
            self.input.consume(at);
            return self.recognise_xml();
        }
        if text.split(|&byte| matches!(byte, b'\n' | b'\r')).any(|line| is_url(line.trim_ascii())) {
            return Ok(DocumentKind::Text);
        }
        let shown = String::from_utf8_lossy(&text[first..text.len().min(first + 60)]).into_owned();
        Err(self.refuse(ReadErrorKind::NotASitemap(shown.into())))
    }

    fn recognise_xml(&mut self) -> Result<DocumentKind, ReadError> {
        let mut is_first = true;
        loop {
            let Some(token) = self.token()? else {
                return Err(self.refuse(ReadErrorKind::NotASitemap("no element".into())));
            };
            let text = self.input.text();
            match token.kind {
                TokenKind::Start | TokenKind::Empty => return self.recognise_root(token),
                TokenKind::Instruction
                    if text.starts_with(b"<?xml") && text.get(5).is_some_and(|&b| is_blank(b)) =>
                {
                    if !is_first {
                        self.report(Rule::DeclarationNotFirst, 0, token.end);
                    }
                }
                TokenKind::Doctype => {
                    let name = text[2..].trim_ascii_start().get(7..).unwrap_or_default().trim_ascii_start();
                    if name.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"html")) {
                        return Err(self.refuse(ReadErrorKind::Html));
                    }
                    self.report(Rule::Doctype, 0, token.end.min(100));
                }
                TokenKind::Text | TokenKind::CData | TokenKind::Stray | TokenKind::End => {
                    if !is_empty(text, token) {
                        self.report(Rule::ContentBeforeRoot, 0, token.end.min(100));
                    }
                }
                TokenKind::Comment | TokenKind::Instruction => {}
            }
            is_first = false;
            self.consume(token.end);
        }
    }

    fn recognise_root(&mut self, token: Token) -> Result<DocumentKind, ReadError> {
        let limits = self.options.limits;
        let no_fast_path = self.options.no_fast_path;
        let position = self.input.position();
        let Parts { text, xml, .. } = self.parts();
        let name = &text[token.inner.0..token.inner.1];
        let local = split(name).1;
        let lower = local.to_ascii_lowercase();
        let (kind, is_missing) = match &*lower {
            b"urlset" => (DocumentKind::UrlSet, false),
            b"sitemapindex" => (DocumentKind::Index, false),
            b"rss" | b"rdf" | b"channel" => (DocumentKind::Rss, false),
            b"feed" => (DocumentKind::Atom, false),
            b"url" | b"loc" => (DocumentKind::UrlSet, true),
            b"sitemap" => (DocumentKind::Index, true),
            b"html" | b"head" | b"body" => return Err(self.refuse(ReadErrorKind::Html)),
            _ => {
                let name = String::from_utf8_lossy(name).into_owned();
                return Err(self.refuse(ReadErrorKind::UnknownRoot(name.into())));
            }
        };
        xml.kind = Some(kind);
        // The fast path reads only `url` elements, so it is off for an index.
        xml.is_fast = kind == DocumentKind::UrlSet && limits.depth >= 2 && !no_fast_path;
        if is_missing {
            self.report(Rule::RootMissing, 0, token.end);
            return Ok(kind);
        }
        if let Err((limit, max)) = declare(text, &token, &mut xml.names, limits.attributes) {
            return Err(self.limit(limit, max));
        }
        xml.root = name.to_vec();
        xml.root_tag =
            Some(RootTag { start: position, bytes: text[..token.end].to_vec(), name_end: token.inner.1 });
        let is_exact_namespace = xml.names.set_root(name);
        xml.is_closed = token.kind == TokenKind::Empty;
        let is_exact_name =
            matches!(local, b"urlset" | b"sitemapindex" | b"rss" | b"RDF" | b"channel" | b"feed");
        if xml.family() == Family::Sitemap {
            if xml.names.root_uri().is_empty() {
                xml.reported.push(Rule::NamespaceMissing);
                self.report(Rule::NamespaceMissing, 0, token.end);
            } else if !is_exact_namespace {
                self.report(Rule::NamespaceUnknown, 0, token.end);
            }
        }
        if self.xml.is_fast {
            self.xml.prefixes = Prefixes::new(&self.xml.names, &limits);
            self.xml.is_fast = self.xml.names.unprefixed_is_core();
        }
        if token.malformed || token.cut {
            self.report(Rule::TagMalformed, 0, token.end);
        }
        if !is_exact_name {
            self.report(Rule::TagCase, token.inner.0, token.inner.1 - token.inner.0);
        }
        self.consume(token.end);
        Ok(kind)
    }

    /// Returns the token at the start of the text.
    fn token(&mut self) -> Result<Option<Token>, ReadError> {
        loop {
            let text = self.input.text();
            let at_end = self.input.at_end();
            if !text.is_empty()
                && let Some(token) = token(text, 0, at_end)
            {
                return Ok(Some(token));
            }
            if at_end {
                return Ok(None);
            }
            self.need_more()?;
        }
    }

    /// Reads more text to complete an entry or token. Returns an error if the incomplete part is larger than
    /// `entry_bytes`.
    fn need_more(&mut self) -> Result<(), ReadError> {
        let max = self.options.limits.entry_bytes;
        if self.input.text().len() > max {
            return Err(self.limit("entry_bytes", max as u64));
        }
        self.more()
    }

    /// Reads the next entry of an XML document with the general parser.
    pub(super) fn next_element(&mut self) -> Result<Step, ReadError> {
        loop {
            let Some(token) = self.token()? else {
                return Ok(self.end_of_text());
            };
            let mut len = token.end;
            match token.kind {
                TokenKind::Start | TokenKind::Empty => match self.start(token)? {
                    Started::Entry(step) => return Ok(step),
                    Started::Element(all) => len = all,
                    Started::Tag => {}
                },
                TokenKind::End => self.end(token),
                TokenKind::Doctype => self.report(Rule::Doctype, 0, token.end.min(100)),
                TokenKind::Text | TokenKind::CData | TokenKind::Stray => self.text_around(token),
                TokenKind::Comment | TokenKind::Instruction => {}
            }
            self.consume(len);
            if self.next_fast()? {
                return Ok(Step::Entry);
            }
            if self.findings.should_be_taken() {
                return Ok(Step::Blank(0));
            }
        }
    }

    /// Reads the next entry with the fast path. Returns `false` if the general parser must read the entry.
    #[inline]
    pub(super) fn next_fast(&mut self) -> Result<bool, ReadError> {
        while self.xml.is_fast && !self.xml.is_closed {
            let limits = self.options.limits;
            let at_end = self.input.at_end();
            let Parts { text, xml, buffer, draft, .. } = self.parts();
            let mut lines = Lines::default();
            let blanks = skip_blanks(text, 0, &mut lines);
            let stop = match scan(&text[blanks..], &limits, buffer, &mut xml.known_origin, draft) {
                Ok(()) => {
                    xml.is_continued = false;
                    self.input.consume_lines(blanks, lines);
                    return Ok(true);
                }
                Err(stop) => stop,
            };
            match stop {
                Stop::More if at_end || text.len() > limits.entry_bytes => return Ok(false),
                Stop::More => self.more()?,
                Stop::Other => return self.next_extended(0),
                Stop::OtherTag => return self.next_extended(self.draft.len),
            }
        }
        if self.xml.prefixes.is_some() && !self.xml.is_closed { self.next_extended(0) } else { Ok(false) }
    }

    /// Reads the next entry with the fast path for extensions. Returns `false` if the general parser must read it.
    /// `start` is an offset in the entry: the part before it is already in the draft.
    #[inline(never)]
    fn next_extended(&mut self, mut start: usize) -> Result<bool, ReadError> {
        loop {
            let limits = self.options.limits;
            let at_end = self.input.at_end();
            let keep_elements = self.options.keep_elements;
            let Parts { text, xml, buffer, draft, .. } = self.parts();
            let Some(prefixes) = &xml.prefixes else { return Ok(false) };
            let blanks = skip_blanks(text, 0, &mut Lines::default());
            let url = (buffer, &mut xml.known_origin);
            let entry = &text[blanks..];
            let outline = (&mut xml.outline, &mut xml.origins);
            match fast_extensions::scan(entry, start, &limits, prefixes, url, draft, outline) {
                Ok(()) if keep_elements && xml.outline.has_foreign() => return Ok(false),
                Ok(()) => {
                    xml.is_continued = false;
                    self.input.consume(blanks);
                    return Ok(true);
                }
                Err(Stop::More) if !at_end && text.len() <= limits.entry_bytes => {
                    start = 0;
                    self.more()?;
                }
                Err(_) => return Ok(false),
            }
        }
    }

    /// Handles a start tag between entries.
    fn start(&mut self, token: Token) -> Result<Started, ReadError> {
        let limits = self.options.limits;
        if self.xml.is_closed {
            self.report_once(Rule::ContentAfterRoot, token);
        }
        let Parts { text, xml, .. } = self.parts();
        let family = xml.family();
        let mark = xml.names.mark();
        if let Err((limit, max)) = declare(text, &token, &mut xml.names, limits.attributes) {
            return Err(self.limit(limit, max));
        }
        let name = &text[token.inner.0..token.inner.1];
        let resolved = xml.names.resolve(name);
        let tag = match resolved.space {
            Space::Core => Tag::of(family, split(name).1).0,
            _ => Tag::Other,
        };
        let is_entry = matches!(tag, Tag::Url | Tag::Sitemap | Tag::Loc | Tag::FeedEntry);
        let is_base = tag == Tag::FeedLink && xml.feed_base.is_none();
        if is_entry || is_base || resolved.space != Space::Core {
            xml.names.restore(mark);
            return self.element(tag);
        }
        if family == Family::Sitemap && !self.xml.is_closed {
            self.report(Rule::ElementUnknown, 0, token.end);
        }
        if token.kind == TokenKind::Empty {
            self.xml.names.restore(mark);
        } else {
            if self.xml.around.len() >= limits.depth {
                return Err(self.limit("depth", limits.depth as u64));
            }
            // The fast path only knows the root's namespaces, so turn it off when an element declares another
            // namespace.
            if self.xml.names.mark() > mark {
                self.xml.is_fast = false;
                self.xml.prefixes = None;
            }
            let name = self.input.text()[token.inner.0..token.inner.1].to_vec();
            self.xml.around.push((name, mark));
        }
        Ok(Started::Tag)
    }

    /// Reads an element with its content. It is an entry, or any other element between entries.
    fn element(&mut self, tag: Tag) -> Result<Started, ReadError> {
        let limits = self.options.limits;
        let end = loop {
            let Parts { text, at_end, xml, .. } = self.parts();
            let context = Context { family: xml.family(), root: &xml.root, limits: &limits, at_end };
            let mark = xml.names.mark();
            let progress = xml.collected.collect(text, 0, &mut xml.names, &context);
            xml.names.restore(mark);
            match progress {
                Progress::Done(end) => break end,
                Progress::More => self.need_more()?,
                Progress::Limit(limit, max, at) => {
                    self.input.consume(at);
                    return Err(self.limit(limit, max));
                }
            }
        };
        let Parts { position, text, xml, buffer, findings, draft, .. } = self.parts();
        let started = match tag {
            Tag::FeedEntry => Started::Entry(entry(feed::draft(xml, text, draft, buffer), draft, end)),
            Tag::FeedLink => {
                xml.feed_base = feed::base(&mut xml.collected, text);
                Started::Element(end)
            }
            Tag::Url | Tag::Sitemap | Tag::Loc => {
                let is_index = xml.kind == Some(DocumentKind::Index);
                let is_misplaced =
                    if tag == Tag::Loc { !xml.is_continued } else { is_index == (tag == Tag::Url) };
                if is_misplaced {
                    let tag_end =
                        xml.collected.nodes.iter().find(|node| node.end > 0).map_or(0, |node| node.end);
                    xml.collected.note(Rule::ElementMisplaced, 0, tag_end);
                }
                xml.is_continued = xml.collected.notes.iter().any(|note| note.rule == Rule::LocTwice);
                let step = entry(xml.collected.draft(text, draft, buffer), draft, end);
                if tag == Tag::Loc {
                    draft.is_sitemap = is_index;
                }
                Started::Entry(step)
            }
            _ => Started::Element(end),
        };
        if !xml.collected.notes.is_empty() {
            let notes = xml.collected.notes.drain(..);
            findings.add_notes(notes, &mut xml.reported, text, position.position());
        }
        Ok(started)
    }

    /// Handles an end tag between entries.
    fn end(&mut self, token: Token) {
        let Parts { text, xml, .. } = self.parts();
        let name = &text[token.inner.0..token.inner.1];
        if name.eq_ignore_ascii_case(&xml.root) && !xml.is_closed {
            xml.is_closed = true;
            xml.around.clear();
        } else if let Some(at) = xml.around.iter().rposition(|(open, _)| open.eq_ignore_ascii_case(name)) {
            let (_, mark) = xml.around[at];
            xml.names.restore(mark);
            xml.around.truncate(at);
        } else if xml.is_continued && matches!(&*split(name).1.to_ascii_lowercase(), b"url" | b"sitemap") {
            xml.is_continued = false;
        } else {
            self.report(Rule::TagUnmatched, 0, token.end);
        }
    }

    /// Handles text between entries.
    fn text_around(&mut self, token: Token) {
        let is_closed = self.xml.is_closed;
        let in_feed = self.xml.family() == Family::Feed;
        if is_empty(self.input.text(), token) {
            return;
        }
        if is_closed {
            self.report_once(Rule::ContentAfterRoot, token);
        } else if token.kind == TokenKind::Stray {
            self.report(Rule::MarkupStray, 0, token.end);
        } else if !in_feed {
            let (start, end) = trim_range(self.input.text(), 0, token.end);
            self.report(Rule::TextStray, start, (end - start).min(SHOWN));
        }
    }

    fn report_once(&mut self, rule: Rule, token: Token) {
        if !self.xml.reported.contains(&rule) {
            self.xml.reported.push(rule);
            self.report(rule, 0, token.end.min(SHOWN));
        }
    }

    fn end_of_text(&mut self) -> Step {
        if !self.xml.is_closed && !self.xml.root.is_empty() {
            self.xml.is_closed = true;
            self.report(Rule::Truncated, 0, 0);
        }
        Step::End
    }
}

/// The maximum span, in bytes, of a finding about text between or after entries.
const SHOWN: usize = 200;

/// The result of handling a start tag between entries.
enum Started {
    /// An entry, valid or invalid.
    Entry(Step),
    /// An element that isn't an entry, with its length in bytes.
    Element(usize),
    /// The start tag of an element that may contain entries. Only the tag is consumed, and the element's content is
    /// read next.
    Tag,
}

/// Returns the step for an entry of `len` bytes, which is valid if there is a `loc`.
fn entry(loc: Option<LocAt>, draft: &mut Draft, len: usize) -> Step {
    let Some(loc) = loc else { return Step::Bad(len) };
    (draft.loc, draft.len) = (loc, len);
    Step::Entry
}

/// Returns `true` for text or CDATA that contains only white space.
fn is_empty(text: &[u8], token: Token) -> bool {
    let is_data = matches!(token.kind, TokenKind::Text | TokenKind::CData);
    let data = &text[token.inner.0..token.inner.1];
    is_data && (data.iter().all(|&byte| is_blank(byte)) || trim(&String::from_utf8_lossy(data)).is_empty())
}

fn is_url(text: &[u8]) -> bool {
    let is = |scheme: &[u8]| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    is(b"http://") || is(b"https://")
}
