//! Reads RSS and Atom feeds: the URL and date of each `item` or `entry`.

use super::date;
use super::draft::{Draft, LocAt, read_loc, trim_range};
use super::item::{Value, Values};
use super::namespace::Space;
use super::tree::{Collected, NodeKind, Tag};
use super::value::{Flaws, decode, trim};
use super::xml::Xml;
use crate::rule::Rule;

/// Reads an `item` or `entry`.
///
/// In RSS, the page's URL is the text of `link`. In Atom, it is the `href` of a `link` whose `rel` is missing or
/// `alternate`. Without such a `link`, the text of `guid` is used if it is a URL and the `guid` doesn't have
/// `isPermaLink="false"`.
pub(super) fn draft(xml: &mut Xml, text: &[u8], draft: &mut Draft, buffer: &mut String) -> Option<LocAt> {
    *draft = Draft::default();
    let collected = &mut xml.collected;
    let record = collected.nodes[0];
    let mut link = None;
    let mut guid = None;
    let mut next = collected.first_child(0);
    while let Some(child) = next {
        next = collected.next_child(0, child);
        match collected.nodes[child].kind {
            NodeKind::Element(Space::Core, Tag::FeedLink) if link.is_none() => {
                link = link_of(collected, text, child);
            }
            NodeKind::Element(Space::Core, Tag::FeedGuid) if guid.is_none() => {
                guid = guid_of(collected, text, child);
            }
            NodeKind::Element(Space::Core, Tag::FeedDate) if draft.lastmod.is_none() => {
                draft.lastmod = date_of(collected, text, child, &mut draft.values);
            }
            _ => {}
        }
    }
    let Some(link) = link.or(guid) else {
        if !record.cut {
            collected.note(Rule::LocMissing, record.start, record.end);
        }
        return None;
    };
    draft.values.set(Value::Loc, link.range.0, link.range.1);
    if link.is_cut {
        collected.note(Rule::LocTruncated, link.range.0, link.range.1);
        return None;
    }
    place(collected, xml.feed_base.as_deref(), text, &link, buffer)
}

/// Returns the URL of the feed's own `link`, usually the site's home page.
pub(super) fn base(collected: &mut Collected, text: &[u8]) -> Option<String> {
    let link = link_of(collected, text, 0)?;
    url::Url::parse(&link.url).ok().map(Into::into)
}

struct Link {
    url: String,
    range: (usize, usize),
    is_cut: bool,
}

fn link_of(collected: &mut Collected, text: &[u8], element: usize) -> Option<Link> {
    let is_cut = collected.nodes[element].cut;
    let mut href = None;
    let mut is_page = true;
    for attribute in collected.attributes(text, element) {
        let (start, end) = attribute.value;
        let raw = &text[start..end];
        match &text[attribute.name.0..attribute.name.1] {
            b"href" => href = Some((trim_range(text, start, end), raw)),
            b"rel" => is_page = raw == b"alternate",
            _ => {}
        }
    }
    if !is_page {
        return None;
    }
    if let Some((range, raw)) = href {
        let mut flaws = Flaws::default();
        let url = trim(&decode(raw, true, &mut flaws)).to_owned();
        for (rule, (at, len)) in flaws.each() {
            let start = range.0 + at;
            collected.note(rule, start, (start + len).min(text.len()));
        }
        return Some(Link { url, range, is_cut });
    }
    let found = collected.url_of(text, element);
    (!found.text.is_empty()).then(|| Link { url: found.text.into_owned(), range: found.range, is_cut })
}

fn guid_of(collected: &mut Collected, text: &[u8], element: usize) -> Option<Link> {
    let is_cut = collected.nodes[element].cut;
    let is_other = collected.attributes(text, element).any(|attribute| {
        text[attribute.name.0..attribute.name.1].eq_ignore_ascii_case(b"isPermaLink")
            && text[attribute.value.0..attribute.value.1].eq_ignore_ascii_case(b"false")
    });
    let found = collected.url_of(text, element);
    let is_url = found.text.starts_with("http://") || found.text.starts_with("https://");
    (is_url && !is_other).then(|| Link { url: found.text.into_owned(), range: found.range, is_cut })
}

fn date_of(
    collected: &mut Collected,
    text: &[u8],
    element: usize,
    values: &mut Values,
) -> Option<sitemap_core::LastMod> {
    if collected.nodes[element].cut {
        return None;
    }
    let found = collected.text_of(text, element);
    let range = found.range;
    if found.text.is_empty() {
        return None;
    }
    values.set(Value::LastMod, range.0, range.1);
    let Some((lastmod, rule)) = date::parse_feed(&found.text) else {
        collected.note(Rule::LastModInvalid, range.0, range.1);
        return None;
    };
    if rule.is_some() {
        collected.note(Rule::FeedDate, range.0, range.1);
    }
    Some(lastmod)
}

fn place(
    collected: &mut Collected,
    base: Option<&str>,
    text: &[u8],
    link: &Link,
    buffer: &mut String,
) -> Option<LocAt> {
    let has_scheme = link.url.split_once(':').is_some_and(|(scheme, _)| !scheme.contains('/'));
    if !has_scheme
        && let Some(base) = base.and_then(|base| url::Url::parse(base).ok())
        && let Ok(resolved) = base.join(&link.url)
    {
        collected.note(Rule::FeedLinkRelative, link.range.0, link.range.1);
        return read_loc(collected, resolved.as_str(), link.range, false, buffer);
    }
    let in_text = text.get(link.range.0..link.range.1) == Some(link.url.as_bytes());
    read_loc(collected, &link.url, link.range, in_text, buffer)
}
