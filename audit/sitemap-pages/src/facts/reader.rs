//! Reads a page's facts in one pass over its tokens.

use std::cell::LazyCell;

use super::charset;
use super::empty_page::Shell;
use super::json_ld;
use super::link_header;
use super::links::{LinkKind, Links, PageLink};
use super::named_pages::{Canonical, Translation};
use super::page_date::{PageDate, PageDateKind};
use super::place::{HeadEnd, Place};
use super::refresh::{self, Refresh};
use super::resolve::Base;
use super::response::Response;
use super::robots::{self, RobotsDirective};
use crate::content::html::{Attributes, Tag, Token, Tokenizer, unescape_text};
use crate::content::{Blocks, Collector};

/// The maximum number of statements of one kind. A page with more is broken, or designed to exhaust memory.
const MOST: usize = 1000;

/// The facts read so far. Targets are resolved at the end, because the `<base>` can come last.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    head: HeadEnd,
    content: Collector,
    shell: Shell,
    links: Links<'a>,
    base: Option<String>,
    is_json_ld: bool,
    /// Whether there is a doctype, `<html>`, `<head>`, `<body>` or an element that belongs in the head.
    pub(super) is_document: bool,
    pub(super) robots: Vec<RobotsDirective>,
    pub(super) canonicals: Vec<Canonical>,
    pub(super) translations: Vec<Translation>,
    pub(super) refresh: Option<Refresh>,
    pub(super) title: Option<String>,
    pub(super) language: Option<String>,
    pub(super) dates: Vec<PageDate>,
    pub(super) has_password: bool,
    pub(super) omitted: usize,
    pub(super) invalid_json_ld: usize,
}

/// Facts that are known only at the end of a page.
#[derive(Debug)]
pub(super) struct Ending {
    pub(super) links: Vec<PageLink>,
    pub(super) omitted_links: usize,
    pub(super) invalid_links: usize,
    pub(super) blocks: Blocks,
    pub(super) is_shell: bool,
}

impl<'a> Reader<'a> {
    /// Creates a reader that keeps at most this many links.
    pub(super) fn new(most_links: usize) -> Self {
        Self {
            head: HeadEnd::new(),
            content: Collector::new(),
            shell: Shell::default(),
            links: Links::new(most_links),
            base: None,
            is_json_ld: false,
            is_document: false,
            robots: Vec::new(),
            canonicals: Vec::new(),
            translations: Vec::new(),
            refresh: None,
            title: None,
            language: None,
            dates: Vec::new(),
            has_password: false,
            omitted: 0,
            invalid_json_ld: 0,
        }
    }

    /// Reads the headers.
    pub(super) fn headers(&mut self, response: &Response<'_>) {
        for value in response.all("x-robots-tag") {
            robots::read_header(value, &mut self.robots);
        }
        // Most responses have no header that contains a target.
        let base = LazyCell::new(|| Base::new(response.url, None));
        for link in response.all("link").flat_map(link_header::read) {
            // A link with an `anchor` parameter is from another resource.
            if !link.has_anchor {
                let rel = link.rel.unwrap_or_default();
                self.relation(&rel, &link.target, link.hreflang, Place::Header, Some(&base));
            }
        }
        if let Some(value) = response.first("refresh")
            && let Some((seconds, target)) = refresh::read(value)
        {
            let url = if target.is_empty() { None } else { base.resolve(target) };
            self.refresh = Some(Refresh { seconds, target: target.to_owned(), url, place: Place::Header });
        }
        if let Some(value) = response.first("last-modified") {
            self.dates.push(PageDate::new(PageDateKind::LastModified, value));
        }
        self.language = response.first("content-language").map(|value| value.trim().to_owned());
    }

    /// Reads the body.
    pub(super) fn body(&mut self, html: &'a [u8], is_xml: bool) {
        self.is_document = starts_with_doctype(html);
        let mut tokens = Tokenizer::new(html);
        if is_xml {
            tokens = tokens.xml();
        }
        while let Some(token) = tokens.next() {
            let attributes = tokens.attributes();
            if !self.content.is_inert() {
                match token {
                    Token::Start { tag, .. } => {
                        self.head.start(tag);
                        self.start(tag, attributes);
                    }
                    Token::End { tag, .. } => self.head.end(tag),
                    Token::Text(text) => self.head.text(text),
                    Token::Raw { of, text } => self.raw(of, text),
                    Token::Comment => {}
                }
                self.shell.token(token, attributes, self.head.place() == Place::Body);
            }
            self.content.token(token, attributes);
        }
    }

    /// Resolves the targets and finishes the page.
    pub(super) fn finish(&mut self, page: &str) -> Ending {
        let base = Base::new(page, self.base.as_deref());
        let resolve = |place: Place, target: &str, url: &mut Option<String>| {
            if place != Place::Header && !target.is_empty() {
                *url = base.resolve(target);
            }
        };
        self.canonicals.iter_mut().for_each(|one| resolve(one.place, &one.target, &mut one.url));
        self.translations.iter_mut().for_each(|one| resolve(one.place, &one.target, &mut one.url));
        self.refresh.iter_mut().for_each(|one| resolve(one.place, &one.target, &mut one.url));
        let (links, omitted_links, invalid_links) = std::mem::take(&mut self.links).finish(&base);
        let content = std::mem::replace(&mut self.content, Collector::new());
        let blocks = content.finish(self.title.as_deref().unwrap_or_default().as_bytes());
        self.shorten();
        Ending { links, omitted_links, invalid_links, blocks, is_shell: self.shell.is_empty() }
    }

    /// Removes the statements above the limit, and counts them.
    pub(super) fn shorten(&mut self) {
        self.omitted += self.robots.len().saturating_sub(MOST);
        self.robots.truncate(MOST);
        self.omitted += self.dates.len().saturating_sub(MOST);
        self.dates.truncate(MOST);
    }

    fn start(&mut self, tag: Tag, attributes: &Attributes<'a>) {
        self.is_document |= match tag {
            Tag::Html | Tag::Head | Tag::Body => true,
            // An SVG image in a part of a page can contain a `<title>`.
            Tag::Title | Tag::Meta | Tag::Link | Tag::Base => self.head.place() == Place::Head,
            _ => false,
        };
        match tag {
            Tag::A | Tag::Area => {
                if let Some(target) = attributes.raw("href") {
                    let is_nofollow = attributes.raw("rel").is_some_and(|rel| has_word(rel, b"nofollow"));
                    self.links.push(target, LinkKind::Anchor, is_nofollow);
                }
            }
            Tag::Iframe | Tag::Frame => {
                if let Some(target) = attributes.raw("src") {
                    self.links.push(target, LinkKind::Frame, false);
                }
            }
            Tag::Link => self.link(attributes),
            Tag::Meta => self.meta(attributes),
            Tag::Base if self.base.is_none() => self.base = attributes.text("href"),
            Tag::Html => {
                if let Some(language) = attributes.text("lang").filter(|language| !language.is_empty()) {
                    self.language = Some(language);
                }
            }
            Tag::Input => {
                self.has_password |=
                    attributes.raw("type").is_some_and(|kind| kind.eq_ignore_ascii_case(b"password"));
            }
            Tag::Time => {
                if let Some(date) = attributes.text("datetime") {
                    let kind = attributes.text("itemprop").and_then(|name| kind_of(&name));
                    self.date(kind.unwrap_or(PageDateKind::Time), &date);
                }
            }
            Tag::Script => {
                let kind = attributes.raw("type").unwrap_or_default().trim_ascii();
                self.is_json_ld = kind.eq_ignore_ascii_case(b"application/ld+json");
            }
            _ => {}
        }
    }

    fn raw(&mut self, of: Tag, text: &[u8]) {
        if of == Tag::Title && self.title.is_none() {
            let title = unescape_text(text);
            let title = String::from_utf8_lossy(&title).split_whitespace().collect::<Vec<_>>().join(" ");
            self.title = Some(title);
        } else if of == Tag::Script && self.is_json_ld && self.dates.len() < MOST {
            self.invalid_json_ld += usize::from(!json_ld::read(text, &mut self.dates));
        }
    }

    fn link(&mut self, attributes: &Attributes<'a>) {
        let (Some(rel), Some(target)) = (attributes.raw("rel"), attributes.raw("href")) else { return };
        if [&b"next"[..], b"prev", b"previous"].iter().any(|name| has_word(rel, name)) {
            self.links.push(target, LinkKind::Sequence, has_word(rel, b"nofollow"));
        }
        if has_word(rel, b"canonical") || has_word(rel, b"alternate") {
            let rel = String::from_utf8_lossy(rel);
            let target = attributes.text("href").unwrap_or_default();
            self.relation(&rel, &target, attributes.text("hreflang"), self.head.place(), None);
        }
    }

    fn relation(
        &mut self,
        rel: &str,
        target: &str,
        language: Option<String>,
        place: Place,
        base: Option<&Base>,
    ) {
        let (rel, target) = (rel.as_bytes(), target.to_owned());
        let url = base.and_then(|base| base.resolve(&target));
        if has_word(rel, b"canonical") {
            if self.canonicals.len() < MOST {
                self.canonicals.push(Canonical { target: target.clone(), url: url.clone(), place });
            } else {
                self.omitted += 1;
            }
        }
        if let Some(language) = language
            && has_word(rel, b"alternate")
        {
            if self.translations.len() < MOST {
                self.translations.push(Translation { language, target, url, place });
            } else {
                self.omitted += 1;
            }
        }
    }

    fn meta(&mut self, attributes: &Attributes<'a>) {
        let Some(content) = attributes.text("content") else { return };
        let name = attributes.text("name").unwrap_or_default().to_ascii_lowercase();
        if robots::is_robots_name(&name) {
            if self.robots.len() < MOST {
                robots::read_meta(&name, &content, self.head.place(), &mut self.robots);
            } else {
                self.omitted += 1;
            }
            return;
        }
        if self.refresh.is_none()
            && attributes
                .raw("http-equiv")
                .is_some_and(|name| name.trim_ascii().eq_ignore_ascii_case(b"refresh"))
            && let Some((seconds, target)) = refresh::read(&content)
        {
            let place = self.head.place();
            self.refresh = Some(Refresh { seconds, target: target.to_owned(), url: None, place });
        }
        let names = [Some(name), attributes.text("property"), attributes.text("itemprop")];
        if let Some(kind) = names.into_iter().flatten().find_map(|name| kind_of(&name)) {
            self.date(kind, &content);
        }
    }

    fn date(&mut self, kind: PageDateKind, text: &str) {
        if self.dates.len() < MOST { self.dates.push(PageDate::new(kind, text)) } else { self.omitted += 1 }
    }
}

fn kind_of(name: &str) -> Option<PageDateKind> {
    PageDateKind::of_name(&name.to_ascii_lowercase())
}

/// Returns whether a space-separated list contains a word, ignoring case.
fn has_word(list: &[u8], word: &[u8]) -> bool {
    list.split(u8::is_ascii_whitespace).any(|found| found.eq_ignore_ascii_case(word))
}

/// The kind of a response body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Html,
    Xhtml,
    Other,
}

/// Determines the kind of body from its media type, or else from its first bytes.
pub(super) fn kind(media_type: Option<&str>, body: &[u8]) -> Kind {
    match media_type {
        Some("text/html") => Kind::Html,
        Some("application/xhtml+xml") => Kind::Xhtml,
        Some(_) => Kind::Other,
        None => {
            if starts_as_html(body) {
                Kind::Html
            } else {
                Kind::Other
            }
        }
    }
}

/// Returns whether a body starts with one of the tags that the MIME Sniffing Standard recognises as HTML.
fn starts_as_html(body: &[u8]) -> bool {
    const STARTS: [&[u8]; 17] = [
        b"<!doctype html",
        b"<html",
        b"<head",
        b"<script",
        b"<iframe",
        b"<h1",
        b"<div",
        b"<font",
        b"<table",
        b"<a",
        b"<style",
        b"<title",
        b"<b",
        b"<body",
        b"<br",
        b"<p",
        b"<!--",
    ];
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    STARTS.iter().any(|start| {
        body.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
            && (*start == b"<!--" || matches!(body.get(start.len()), Some(b' ' | b'>')))
    })
}

fn starts_with_doctype(html: &[u8]) -> bool {
    let html = html.strip_prefix(b"\xef\xbb\xbf").unwrap_or(html).trim_ascii_start();
    html.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"<!doctype"))
}

/// Returns the media type in a `Content-Type`, in lower case, and its charset.
pub(super) fn media_type(content_type: &str) -> (String, Option<String>) {
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    (media_type, charset::parameter(content_type, "charset"))
}
