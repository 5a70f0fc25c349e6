//! Reads the extensions of an entry from its tree.
//!
//! The reader keeps invalid values of images, videos and news articles as written, and adds a note. It also keeps
//! images, videos and news articles without a required value. It ignores a language version without a valid language
//! tag or URL. The page itself is always kept.

use std::borrow::Cow;

use sitemap_core::extension::Hreflang;
use sitemap_core::{Alternate, Entry, Image, Loc};

use super::element::Part;
use super::fields::group;
use super::finding::message;
use super::foreign_elements::element;
use super::item::IgnoredVersion;
use super::namespace::Space;
use super::tree::NodeKind;
use super::xml::Xml;
use crate::rule::Rule;

impl Xml {
    /// Adds the extensions of the current entry to `entry`. Also returns the language versions that were ignored.
    pub(super) fn extend<'t>(
        &mut self,
        entry: Entry<'t>,
        text: &'t [u8],
        keep_elements: bool,
    ) -> (Entry<'t>, Vec<IgnoredVersion<'t>>) {
        let mut images = Vec::new();
        let mut videos = Vec::new();
        let mut article = None;
        let mut alternates = Vec::new();
        let mut ignored = Vec::new();
        let mut elements = Vec::new();
        let mark = self.names.mark();
        Part { collected: &mut self.collected, text, node: 0 }.declare(&mut self.names);
        let mut first_too_many = None;
        let mut next = self.collected.first_child(0);
        while let Some(child) = next {
            next = self.collected.next_child(0, child);
            let NodeKind::Element(space, _) = self.collected.nodes[child].kind else { continue };
            let mut part = Part { collected: &mut self.collected, text, node: child };
            match (space, part.local()) {
                (Space::Image, b"image") => {
                    images.extend(group(&mut part));
                    if images.len() > Image::MAX_PER_PAGE {
                        first_too_many.get_or_insert(child);
                    }
                }
                (Space::Video, b"video") => videos.extend(group(&mut part)),
                (Space::News, b"news") if article.is_some() => part.note(Rule::ElementDuplicate),
                (Space::News, b"news") => article = group(&mut part),
                (Space::Xhtml, b"link") => match link(&mut part) {
                    Link::Version(version) => alternates.push(version),
                    Link::Ignored(version) => ignored.push(version),
                    Link::Other => {}
                },
                (Space::Foreign, _) if keep_elements => {
                    elements.extend(element(&mut part, &mut self.names, 1));
                }
                (Space::Core | Space::Foreign, _) => {}
                _ => part.note(Rule::ElementUnknown),
            }
        }
        self.names.restore(mark);
        if let Some(first_too_many) = first_too_many {
            let message = format!("an entry has {} images; only the first 1,000 are kept", images.len());
            let node = self.collected.nodes[first_too_many];
            self.collected.note_with(Rule::TooManyImages, (node.start, node.end), message);
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
        if article.is_some() {
            entry = entry.with_news(article);
        }
        (entry, ignored)
    }
}

/// The URL schemes of links to apps.
const APPS: [&str; 2] = ["android-app:", "ios-app:"];

/// A `link` element of an entry.
enum Link<'t> {
    Version(Alternate<'t>),
    Ignored(IgnoredVersion<'t>),
    /// A link with another purpose, or one that is cut off by the end of the document.
    Other,
}

/// Reads a `link`, which usually names another language version of the page.
fn link<'t>(part: &mut Part<'_, 't>) -> Link<'t> {
    if part.is_cut() {
        return Link::Other;
    }
    let [rel, hreflang, href, media] = part.attributes(["rel", "hreflang", "href", "media"]);
    let mut value = |range: Option<(usize, usize)>| range.map(|range| part.attribute_value(range));
    let (rel, hreflang, href) = (value(rel), value(hreflang), value(href));
    let is_alternate =
        |rel: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("alternate"));
    // These links open the page in an app, or are meant for another kind of screen.
    let is_app = |href: &str| APPS.iter().any(|scheme| href.starts_with(scheme));
    let is_for_media = hreflang.is_none() && value(media).is_some();
    if rel.as_deref().is_some_and(|rel| !is_alternate(rel))
        || href.as_deref().is_some_and(is_app)
        || is_for_media
    {
        return Link::Other;
    }
    match version(part, rel, hreflang, href.clone()) {
        Some(version) => Link::Version(version),
        None => Link::Ignored(IgnoredVersion { href: href.and_then(|href| Loc::parse(href).ok()) }),
    }
}

/// Reads a language version from its link's attributes. If an attribute is missing or invalid, adds a note and returns
/// `None`.
fn version<'t>(
    part: &mut Part<'_, 't>,
    rel: Option<Cow<'t, str>>,
    hreflang: Option<Cow<'t, str>>,
    href: Option<Cow<'t, str>>,
) -> Option<Alternate<'t>> {
    part.require(rel, "rel")?;
    let hreflang = part.require(hreflang, "hreflang")?;
    let href = part.require(href, "href")?;
    if has_invalid_region(&hreflang) {
        let node = part.collected.nodes[part.node];
        let message = message(Rule::HreflangRegion, &hreflang);
        part.collected.note_with(Rule::HreflangRegion, (node.start, node.end), message);
        return None;
    }
    let hreflang = part.check(Hreflang::parse(hreflang))?;
    let href = part.check(Loc::parse(href))?;
    Some(Alternate::new(hreflang, href))
}

/// Returns `true` if only the region of a language tag is invalid, as in `es-419` and `en-UK`.
fn has_invalid_region(tag: &str) -> bool {
    tag.rsplit_once('-').is_some_and(|(language, region)| {
        let is_area = region.len() == 3 && region.bytes().all(|byte| byte.is_ascii_digit());
        let is_reserved = ["UK", "EU", "UN"].iter().any(|code| region.eq_ignore_ascii_case(code));
        (is_area || is_reserved) && Hreflang::parse(language).is_ok()
    })
}
