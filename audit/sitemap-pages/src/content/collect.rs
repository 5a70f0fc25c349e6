//! Collects a page's blocks from its tokens.

use super::block::{Block, Blocks};
use super::hash::hash32;
use super::html::{Attributes, Region, Tag, Token, Tokenizer, Tree, unescape, unescape_text};
use super::link_target::{push_asset, push_link};
use super::mask::Mask;
use super::words::Words;

/// Separates a block's text from its targets. Neither can contain this byte.
const SEPARATOR: u8 = 0xff;

impl Blocks {
    /// Returns the blocks of a page's main content. The page must be in UTF-8 or another ASCII-compatible encoding.
    pub fn of_html(html: &[u8]) -> Self {
        let mut tokens = Tokenizer::new(html);
        let mut collector = Collector::new();
        let mut title = None;
        while let Some(token) = tokens.next() {
            if let Token::Raw { of: Tag::Title, text } = token
                && !collector.is_inert()
            {
                title.get_or_insert_with(|| unescape_text(text));
            }
            collector.token(token, tokens.attributes());
        }
        collector.finish(title.as_deref().unwrap_or_default())
    }
}

/// Collects blocks.
#[derive(Debug)]
pub(crate) struct Collector {
    tree: Tree,
    found: Vec<(Block, Region)>,
    /// The current block's words.
    words: Words,
    /// The current block's links and images.
    targets: Vec<u8>,
    links: u32,
    is_in_link: bool,
    /// Whether the current block contains words outside links.
    has_plain_text: bool,
    mask: Mask,
}

impl Collector {
    pub(crate) fn new() -> Self {
        Self {
            tree: Tree::new(),
            found: Vec::new(),
            words: Words::new(),
            targets: Vec::with_capacity(256),
            links: 0,
            is_in_link: false,
            has_plain_text: false,
            mask: Mask::default(),
        }
    }

    /// Returns whether the current position is inside a `<template>` or a drawing.
    pub(crate) fn is_inert(&self) -> bool {
        self.tree.region().is_in(Region::INERT)
    }

    /// Processes the next token of the page.
    #[inline]
    pub(crate) fn token(&mut self, token: Token<'_>, attributes: &Attributes<'_>) {
        match token {
            Token::Start { tag, .. } => self.start(tag, attributes),
            Token::End { tag, .. } => self.end(tag),
            Token::Text(text) | Token::Raw { of: Tag::Textarea | Tag::Xmp | Tag::Plaintext, text } => {
                if !self.is_skipped() {
                    self.words(text);
                }
            }
            Token::Raw { .. } | Token::Comment => {}
        }
    }

    fn start(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        if tag.is_block() {
            self.flush();
            self.tree.start(tag, attributes);
            return;
        }
        match tag {
            Tag::A => self.link(attributes),
            Tag::Br => self.words.space(),
            Tag::Svg | Tag::Template | Tag::Object => {
                if tag == Tag::Object {
                    self.asset(attributes.raw("data"));
                }
                self.tree.start(tag, attributes);
            }
            Tag::Img => {
                self.asset(attributes.raw("src"));
                if let Some(alternative) = attributes.raw("alt")
                    && !self.is_skipped()
                {
                    self.words.space();
                    self.words(alternative);
                    self.words.space();
                }
            }
            Tag::Iframe | Tag::Embed | Tag::Source | Tag::Video | Tag::Audio => {
                self.asset(attributes.raw("src"));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: Tag) {
        if tag.is_block() {
            self.flush();
            self.tree.end(tag);
        } else if tag == Tag::A {
            self.is_in_link = false;
        } else if matches!(tag, Tag::Svg | Tag::Template | Tag::Object) {
            self.tree.end(tag);
        }
    }

    fn link(&mut self, attributes: &Attributes<'_>) {
        // A link that is only a fragment stays on this page.
        let target = attributes.raw("href").filter(|target| !target.trim_ascii().starts_with(b"#"));
        self.is_in_link = target.is_some();
        if let Some(target) = target
            && !self.is_skipped()
        {
            self.links += 1;
            push_link(&unescape(target), &mut self.targets);
        }
    }

    fn asset(&mut self, target: Option<&[u8]>) {
        if let Some(target) = target
            && !self.is_skipped()
        {
            push_asset(&unescape(target), &mut self.targets);
        }
    }

    /// Returns `true` if the current position can't be main content.
    fn is_skipped(&self) -> bool {
        let region = self.tree.region();
        region.is_in(Region::INERT)
            || region.is_in(Region::NAVIGATION)
            || (region.is_in(Region::FRAME) && !region.is_in(Region::MAIN) && !region.is_in(Region::ARTICLE))
    }

    /// Adds text, with each run of white space replaced by one space.
    fn words(&mut self, text: &[u8]) {
        if self.words.push(text) {
            self.has_plain_text |= !self.is_in_link;
        }
    }

    /// Ends the current block.
    #[inline]
    fn flush(&mut self) {
        if !self.words.is_empty() || !self.targets.is_empty() {
            self.add();
        }
    }

    fn add(&mut self) {
        self.words.end();
        if !self.words.is_empty() || !self.targets.is_empty() {
            let block = self.block();
            let is_full = self.found.len() >= Blocks::MAX;
            match self.found.last_mut() {
                Some((last, _)) if is_full => {
                    last.text = hash32(&[last.text.to_le_bytes(), block.text.to_le_bytes()].concat());
                    last.shape = hash32(&[last.shape.to_le_bytes(), block.shape.to_le_bytes()].concat());
                }
                _ => self.found.push((block, self.tree.region())),
            }
        }
        self.words.clear();
        self.targets.clear();
        self.has_plain_text = false;
        self.links = 0;
    }

    fn block(&mut self) -> Block {
        let has_digits = self.words.may_have_digits();
        let words = self.words.text();
        let shape = if words.is_empty() {
            hash32(&self.targets)
        } else if has_digits {
            hash32(self.mask.shape(words))
        } else {
            hash32(words)
        };
        let text = if self.targets.is_empty() {
            // Words without digits contain nothing that varies between builds.
            if has_digits { hash32(words) } else { shape }
        } else if self.links > 0 && !self.has_plain_text {
            // The words of a link are another page's title.
            hash32(&self.targets)
        } else {
            words.push(SEPARATOR);
            words.extend_from_slice(&self.targets);
            hash32(words)
        };
        Block { text, shape }
    }

    /// Ends the page and returns its blocks.
    pub(crate) fn finish(mut self, title: &[u8]) -> Blocks {
        self.flush();
        let main = (self.tree.mains() == 1).then_some(Region::MAIN);
        let article = (self.tree.articles() == 1).then_some(Region::ARTICLE);
        let has = |part: Region| self.found.iter().any(|(_, region)| region.is_in(part));
        let part = main.filter(|&part| has(part)).or(article.filter(|&part| has(part)));
        let mut blocks = Vec::new();
        for part in title_parts(title) {
            blocks.push(Block { text: hash32(&part), shape: hash32(self.mask.shape(&part)) });
        }
        let content = self.found.iter().filter(|(_, region)| match part {
            Some(part) => region.is_in(part),
            None => !region.is_in(Region::FRAME),
        });
        blocks.extend(content.map(|&(block, _)| block));
        blocks.into()
    }
}

/// Splits a title into its parts. This way, the site's name is a part of its own and can be recognised as shared.
fn title_parts(title: &[u8]) -> Vec<Vec<u8>> {
    let words = title.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut parts = vec![Vec::new()];
    for word in words {
        if matches!(word, b"|" | b"-" | b"::" | b"/" | b">") || is_mark(word) {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            if !part.is_empty() {
                part.push(b' ');
            }
            part.extend_from_slice(word);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_mark(word: &[u8]) -> bool {
    ["–", "—", "·", "•", "»", "›", "«"].iter().any(|mark| mark.as_bytes() == word)
}
