//! Elements and attributes as text.

use std::fmt::{Display, Write as _};

use super::buffer::Buffer;
use super::escape::{push_attribute, push_text};
use crate::value::Loc;

/// A start tag that attributes follow.
pub(super) fn open(out: &mut Buffer, name: &str) {
    out.append(b"<");
    out.append(name.as_bytes());
}

pub(super) fn push_named_attribute(out: &mut Buffer, name: &str, value: &str) {
    out.append(b" ");
    push_attribute_value(out, name, value);
}

pub(super) fn push_attribute_value(out: &mut Buffer, name: &str, value: &str) {
    out.append(name.as_bytes());
    out.append(b"=\"");
    push_attribute(out, value);
    out.append(b"\"");
}

/// The end of a start tag, then a text and the end tag.
pub(super) fn close(out: &mut Buffer, name: &str, text: &str) {
    out.append(b">");
    push_text(out, text);
    out.append(b"</");
    out.append(name.as_bytes());
    out.append(b">");
}

pub(super) fn push_element_of_text(out: &mut Buffer, name: &str, text: &str) {
    open(out, name);
    close(out, name, text);
}

pub(super) fn push_optional(out: &mut Buffer, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        push_element_of_text(out, name, text);
    }
}

pub(super) fn push_loc(out: &mut Buffer, name: &str, loc: &Loc<'_>) {
    push_element_of_text(out, name, loc.as_str());
}

/// A number, date or word.
pub(super) fn push_shown(out: &mut Buffer, name: &str, value: Option<impl Display>) {
    if let Some(value) = value {
        open(out, name);
        out.append(b">");
        let _ = write!(out, "{value}");
        out.append(b"</");
        out.append(name.as_bytes());
        out.append(b">");
    }
}
