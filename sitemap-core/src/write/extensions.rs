//! Writes the extensions of an entry. The elements of each extension are in schema order.

use super::buffer::Buffer;
use super::declared::Declared;
use super::escape::{push_text, put_loc, room_for};
use super::markup::{close, open, push_attribute_value, push_named_attribute};
use crate::extension::table::{Field, Place};
use crate::extension::{Alternate, Attached, Element, Fields, Image, Node, Value};
use crate::value::Loc;

pub(super) fn push_attached(out: &mut Buffer, attached: &Attached<'_>, declared: &Declared) {
    for alternate in &*attached.alternates {
        push_alternate(out, alternate);
    }
    for image in &*attached.images {
        push_image(out, image, declared.deprecated);
    }
    for video in &*attached.videos {
        push_group(out, video.fields(), declared.deprecated);
    }
    if let Some(news) = declared.fresh(attached.news.as_ref()) {
        push_group(out, news.fields(), declared.deprecated);
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
    // `Attached::check` rejects images without a URL, so none gets here.
    let loc = image.loc().unwrap_or(Loc::NONE);
    let mut out = buffer.window(room_for(loc));
    out.put(b"<image:image><image:loc>");
    let mut out = put_loc(out, loc);
    let Some(others) = image.others() else {
        out.put(b"</image:loc></image:image>");
        return out.close();
    };
    out.put(b"</image:loc>");
    out.close();
    push_children(buffer, others, deprecated);
    buffer.append(b"</image:image>");
}

/// Writes an element with its attributes, text and children.
fn push_group(out: &mut Buffer, fields: &Fields<'_>, deprecated: bool) {
    let element = fields.table().element;
    open(out, element);
    let is_written = |field: &Field| deprecated || !field.is_deprecated;
    let mut text = None;
    for (field, value) in fields.iter().filter(|(field, _)| is_written(field)) {
        match field.place {
            Place::Attribute => push_named_attribute(out, field.local(), &value.text(field)),
            Place::Text => text = Some((field, value)),
            Place::Child | Place::AttributeOf(_) => {}
        }
    }
    out.append(b">");
    if let Some((field, value)) = text {
        push_value(out, field, value);
    }
    push_children(out, fields, deprecated);
    close(out, element);
}

fn push_children(out: &mut Buffer, fields: &Fields<'_>, deprecated: bool) {
    let is_written = |field: &Field| deprecated || !field.is_deprecated;
    for (field, value) in fields.iter().filter(|(field, _)| is_written(field)) {
        if let Value::Group(group) = value {
            push_group(out, group, deprecated);
        } else if field.place == Place::Child {
            open(out, field.name);
            for (attribute, value) in fields.attributes_of(field).filter(|(field, _)| is_written(field)) {
                push_named_attribute(out, attribute.local(), &value.text(attribute));
            }
            out.append(b">");
            push_value(out, field, value);
            close(out, field.name);
        }
    }
}

fn push_value(out: &mut Buffer, field: &Field, value: &Value<'_>) {
    match value {
        Value::Text(text) | Value::Invalid(text) => push_text(out, text),
        Value::Loc(loc) => push_text(out, loc.as_str()),
        // Values of all other kinds contain no characters that need escapes. Writing to a buffer never fails.
        _ => drop(value.show(field, out)),
    }
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
