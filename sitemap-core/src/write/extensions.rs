//! What an entry carries beside the four values, each extension's elements in its schema's order.

use super::buffer::Buffer;
use super::declared::Declared;
use super::escape::{push_text, put_loc, room_for};
use super::markup::{
    push_attribute_value, push_element_of_text, push_loc, push_named_attribute, push_optional, push_shown,
};
use super::video::push_video;
use crate::extension::{Alternate, Attached, Element, Image, News, Node};

pub(super) fn push_attached(out: &mut Buffer, attached: &Attached<'_>, declared: &Declared) {
    for alternate in &*attached.alternates {
        push_alternate(out, alternate);
    }
    for image in &*attached.images {
        push_image(out, image, declared.deprecated);
    }
    for video in &*attached.videos {
        push_video(out, video, declared.deprecated);
    }
    if let Some(news) = declared.fresh(attached.news.as_ref()) {
        push_news(out, news);
    }
    for element in &*attached.elements {
        push_element(out, element);
    }
}

fn push_alternate(buffer: &mut Buffer, alternate: &Alternate<'_>) {
    let hreflang = alternate.hreflang().as_str();
    let mut out = buffer.window(room_for(alternate.href()) + hreflang.len());
    out.put(b"<xhtml:link rel=\"alternate\" hreflang=\"");
    out.put_slice(hreflang.as_bytes());
    out.put(b"\" href=\"");
    let mut out = put_loc(out, alternate.href());
    out.put(b"\"/>");
    out.close();
}

fn push_image(buffer: &mut Buffer, image: &Image<'_>, deprecated: bool) {
    let mut out = buffer.window(room_for(image.loc()));
    out.put(b"<image:image><image:loc>");
    let mut out = put_loc(out, image.loc());
    out.put(b"</image:loc>");
    out.close();
    if deprecated {
        push_optional(buffer, "image:caption", image.caption());
        push_optional(buffer, "image:geo_location", image.geo_location());
        push_optional(buffer, "image:title", image.title());
        if let Some(license) = image.license() {
            push_loc(buffer, "image:license", license);
        }
    }
    buffer.append(b"</image:image>");
}

fn push_news(out: &mut Buffer, news: &News<'_>) {
    out.append(b"<news:news><news:publication>");
    push_element_of_text(out, "news:name", news.publication().name());
    push_element_of_text(out, "news:language", news.publication().language());
    out.append(b"</news:publication>");
    push_shown(out, "news:access", news.access());
    if let [first, rest @ ..] = news.genres() {
        out.append(b"<news:genres>");
        out.append(first.as_str().as_bytes());
        for genre in rest {
            out.append(b", ");
            out.append(genre.as_str().as_bytes());
        }
        out.append(b"</news:genres>");
    }
    push_shown(out, "news:publication_date", Some(news.publication_date()));
    push_element_of_text(out, "news:title", news.title());
    push_optional(out, "news:keywords", news.keywords());
    if news.stock_tickers().len() > 0 {
        out.append(b"<news:stock_tickers>");
        for (n, ticker) in news.stock_tickers().enumerate() {
            out.append(if n == 0 { b"" } else { b", " });
            out.append(ticker.as_bytes());
        }
        out.append(b"</news:stock_tickers>");
    }
    out.append(b"</news:news>");
}

fn push_element(out: &mut Buffer, element: &Element<'_>) {
    out.append(b"<");
    push_name(out, element);
    for (name, value) in element.attributes() {
        push_named_attribute(out, name, value);
    }
    for (namespace, name, value) in element.qualified_attributes() {
        out.append(b" ");
        out.append(namespace.prefix().as_bytes());
        out.append(b":");
        push_attribute_value(out, name, value);
    }
    if element.content().is_empty() {
        out.append(b"/>");
        return;
    }
    out.append(b">");
    for content in element.content() {
        match content {
            Node::Text(text) => push_text(out, text),
            Node::Element(child) => push_element(out, child),
        }
    }
    out.append(b"</");
    push_name(out, element);
    out.append(b">");
}

fn push_name(out: &mut Buffer, element: &Element<'_>) {
    out.append(element.namespace().prefix().as_bytes());
    out.append(b":");
    out.append(element.name().as_bytes());
}
