//! Writes tags and attributes.

use super::buffer::Buffer;
use super::escape::push_attribute;

/// Writes `<` and the name of an element. The caller adds the attributes and `>`.
pub(super) fn open(out: &mut Buffer, name: &str) {
    out.append(b"<");
    out.append(name.as_bytes());
}

/// Writes an end tag.
pub(super) fn close(out: &mut Buffer, name: &str) {
    out.append(b"</");
    out.append(name.as_bytes());
    out.append(b">");
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
