//! The attributes of a start tag.

use std::borrow::Cow;

use super::unescape::unescape;

/// The attributes of the last start tag, as written.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'a> {
    list: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Attributes<'a> {
    /// Removes all attributes.
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// Adds an attribute.
    pub(super) fn push(&mut self, name: &'a [u8], value: &'a [u8]) {
        self.list.push((name, value));
    }

    /// Returns the value as written. If several attributes have the same name, the first one wins.
    #[inline]
    pub(crate) fn raw(&self, name: &str) -> Option<&'a [u8]> {
        let name = name.as_bytes();
        self.list
            .iter()
            .find(|(found, _)| found.len() == name.len() && found.eq_ignore_ascii_case(name))
            .map(|&(_, value)| value)
    }

    /// Returns the value with its character references resolved.
    pub(crate) fn bytes(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        self.raw(name).map(unescape)
    }

    /// Returns the value as a string, without leading and trailing white space.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.bytes(name).map(|value| String::from_utf8_lossy(value.trim_ascii()).into_owned())
    }

    /// Returns the attributes as written, in order.
    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.list.iter().copied()
    }
}
