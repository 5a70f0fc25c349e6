//! Extensions of an entry, from the tree of its markup.
//!
//! A value that its extension does not take is left out and noted; so is an image, video or article
//! that lacks what it must have. The page itself always stays.

use std::borrow::Cow;
use std::fmt::Display;

use super::collect::{Collected, NodeKind};
use super::elements::element;
use super::namespace::{Space, split};
use super::news::news;
use super::value::{Flaws, decode, trim};
use super::video::video;
use super::xml::Xml;
use crate::rule::Rule;
use sitemap_core::Entry;
use sitemap_core::Loc;
use sitemap_core::extension::Hreflang;
use sitemap_core::{Alternate, Image};

impl Xml {
    /// Adds to an entry what its element has in other namespaces.
    pub(super) fn extend<'t>(&mut self, entry: Entry<'t>, text: &'t [u8], keep_elements: bool) -> Entry<'t> {
        let mut images = Vec::new();
        let mut videos = Vec::new();
        let mut article = None;
        let mut alternates = Vec::new();
        let mut elements = Vec::new();
        let mark = self.names.mark();
        Part { collected: &mut self.collected, text, node: 0 }.declare(&mut self.names);
        let children: Vec<usize> = self.collected.children(0).collect();
        for &child in &children {
            let NodeKind::Element(space, _) = self.collected.nodes[child].kind else { continue };
            let mut part = Part { collected: &mut self.collected, text, node: child };
            match (space, part.local()) {
                (Space::Image, b"image") => images.extend(image(&mut part)),
                (Space::Video, b"video") => videos.extend(video(&mut part)),
                (Space::News, b"news") if article.is_some() => part.note(Rule::ElementDuplicate),
                (Space::News, b"news") => article = news(&mut part),
                (Space::Xhtml, b"link") => alternates.extend(alternate(&mut part)),
                (Space::Foreign, _) if keep_elements => {
                    elements.extend(element(&mut part, &mut self.names, 1));
                }
                (Space::Core | Space::Foreign, _) => {}
                _ => part.note(Rule::ElementUnknown),
            }
        }
        self.names.restore(mark);
        if images.len() > Image::MAX_PER_PAGE {
            let message = format!("an entry has {} images, of which the first 1,000 are kept", images.len());
            let nodes = &self.collected.nodes;
            let is_image = |&&child: &&usize| matches!(nodes[child].kind, NodeKind::Element(Space::Image, _));
            let first_too_many = children.iter().filter(is_image).nth(Image::MAX_PER_PAGE);
            let node = nodes[first_too_many.copied().unwrap_or_default()];
            self.collected.explain(Rule::TooManyImages, (node.start, node.end), message);
            images.truncate(Image::MAX_PER_PAGE);
        }
        let mut entry = entry;
        if !images.is_empty() {
            entry = entry.with_images(images);
        }
        if !videos.is_empty() {
            entry = entry.with_videos(videos);
        }
        if !alternates.is_empty() {
            entry = entry.with_alternates(alternates);
        }
        if !elements.is_empty() {
            entry = entry.with_elements(elements);
        }
        if article.is_some() { entry.with_news(article) } else { entry }
    }
}

/// An element that is being read.
pub(super) struct Part<'c, 't> {
    pub(super) collected: &'c mut Collected,
    pub(super) text: &'t [u8],
    pub(super) node: usize,
}

impl<'t> Part<'_, 't> {
    /// Its name as it stands in the document.
    pub(super) fn name(&self) -> &'t [u8] {
        let (start, end) = self.collected.nodes[self.node].name;
        &self.text[start..end]
    }

    pub(super) fn local(&self) -> &'t [u8] {
        split(self.name()).1
    }

    /// The elements in it that are of its own namespace.
    ///
    /// Setting a value may copy all others, so that their number has to be bounded.
    pub(super) fn children(&mut self) -> Vec<usize> {
        const MOST: usize = 500;
        let own = self.collected.nodes[self.node].kind;
        let nodes = &self.collected.nodes;
        let own = self.collected.children(self.node).filter(|&child| nodes[child].kind == own);
        let mut children: Vec<usize> = own.take(MOST + 1).collect();
        if children.len() > MOST {
            children.truncate(MOST);
            self.note(Rule::ExtensionInvalid);
        }
        children
    }

    pub(super) fn child(&mut self, node: usize) -> Part<'_, 't> {
        Part { collected: self.collected, text: self.text, node }
    }

    /// Its own text; `None`, and a note, when it is empty or cut off.
    pub(super) fn value(&mut self) -> Option<Cow<'t, str>> {
        if self.collected.nodes[self.node].cut {
            return None;
        }
        let found = self.collected.text_of(self.text, self.node).text;
        if found.is_empty() {
            self.note(Rule::ValueEmpty);
            return None;
        }
        Some(found)
    }

    /// Its own text as an address.
    pub(super) fn address(&mut self) -> Option<Loc<'t>> {
        if self.collected.nodes[self.node].cut {
            return None;
        }
        let found = self.collected.address_of(self.text, self.node).text;
        self.check(Loc::parse(found))
    }

    /// The value of an attribute by its name without a prefix.
    pub(super) fn attribute(&mut self, name: &str) -> Option<Cow<'t, str>> {
        let text = self.text;
        let found = self
            .collected
            .attributes(text, self.node)
            .find(|attribute| split(&text[attribute.name.0..attribute.name.1]).1 == name.as_bytes())?;
        let (start, end) = found.value;
        let mut flaws = Flaws::default();
        let value = decode(&text[start..end], true, &mut flaws);
        for (rule, (at, len)) in flaws.each() {
            self.collected.note(rule, start + at, start + at + len);
        }
        Some(match value {
            Cow::Borrowed(value) => Cow::Borrowed(trim(value)),
            Cow::Owned(value) => Cow::Owned(trim(&value).to_owned()),
        })
    }

    /// The value, or a note why it is left out.
    pub(super) fn check<T, E: Display>(&mut self, value: Result<T, E>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(error) => {
                let node = self.collected.nodes[self.node];
                let name = String::from_utf8_lossy(self.name()).into_owned();
                let message = format!("invalid `{name}`: {error}");
                self.collected.explain(Rule::ExtensionInvalid, (node.start, node.end), message);
                None
            }
        }
    }

    /// Sets a value, or leaves things as they were and notes why.
    pub(super) fn set<T: Clone, E: Display>(&mut self, target: &mut T, with: impl FnOnce(T) -> Result<T, E>) {
        if let Some(changed) = self.check(with(target.clone())) {
            *target = changed;
        }
    }

    /// The value of an element that must be there; a note if it is not.
    pub(super) fn require<T>(&mut self, value: Option<T>, name: &str) -> Option<T> {
        if value.is_none() && !self.collected.nodes[self.node].cut {
            let node = self.collected.nodes[self.node];
            let own = String::from_utf8_lossy(self.name()).into_owned();
            let message = format!("`{own}` has no valid `{name}` and is left out");
            self.collected.explain(Rule::ExtensionIncomplete, (node.start, node.end), message);
        }
        value
    }

    pub(super) fn note(&mut self, rule: Rule) {
        let node = self.collected.nodes[self.node];
        self.collected.note(rule, node.start, node.end);
    }
}

fn image<'t>(part: &mut Part<'_, 't>) -> Option<Image<'t>> {
    let children = part.children();
    let mut loc = None;
    for &child in &children {
        let mut child = part.child(child);
        if child.local() == b"loc" {
            if loc.is_some() {
                child.note(Rule::ElementDuplicate);
            } else {
                loc = child.address();
            }
        }
    }
    let mut image = Image::new(part.require(loc, "image:loc")?);
    for child in children {
        let mut child = part.child(child);
        match child.local() {
            b"loc" => {}
            b"caption" => {
                if let Some(value) = child.value() {
                    child.set(&mut image, |image| image.with_caption(value));
                }
            }
            b"geo_location" => {
                if let Some(value) = child.value() {
                    child.set(&mut image, |image| image.with_geo_location(value));
                }
            }
            b"title" => {
                if let Some(value) = child.value() {
                    child.set(&mut image, |image| image.with_title(value));
                }
            }
            b"license" => {
                if let Some(license) = child.address() {
                    image = image.with_license(license);
                }
            }
            _ => child.note(Rule::ElementUnknown),
        }
    }
    Some(image)
}

/// A link to another language; links of other kinds are not this crate's.
fn alternate<'t>(part: &mut Part<'_, 't>) -> Option<Alternate<'t>> {
    if part.collected.nodes[part.node].cut {
        return None;
    }
    let is_alternate = part.attribute("rel").is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"));
    let hreflang = part.attribute("hreflang");
    if !is_alternate || (hreflang.is_none() && part.attribute("media").is_some()) {
        return None;
    }
    let hreflang = part.require(hreflang, "hreflang")?;
    let href = part.attribute("href");
    let href = part.require(href, "href")?;
    if is_no_country(&hreflang) {
        let node = part.collected.nodes[part.node];
        let message = format!("{}, found {hreflang:?}", Rule::HreflangRegion.summary());
        part.collected.explain(Rule::HreflangRegion, (node.start, node.end), message);
        return None;
    }
    let hreflang = part.check(Hreflang::parse(hreflang))?;
    let href = part.check(Loc::parse(href))?;
    Some(Alternate::new(hreflang, href))
}

/// Whether a language tag is in order but for its region: `es-419`, `en-UK`.
fn is_no_country(tag: &str) -> bool {
    tag.rsplit_once('-').is_some_and(|(language, region)| {
        let is_area = region.len() == 3 && region.bytes().all(|byte| byte.is_ascii_digit());
        let is_reserved = ["UK", "EU", "UN"].iter().any(|code| region.eq_ignore_ascii_case(code));
        (is_area || is_reserved) && Hreflang::parse(language).is_ok()
    })
}
