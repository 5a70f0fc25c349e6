//! The XML declaration.

use super::chars::{blank_end, is_blank};

/// The values of an XML declaration.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Declaration<'t> {
    pub(super) encoding: Option<&'t [u8]>,
    pub(super) is_standalone: bool,
}

/// Parses the text between `<?xml` and `?>`. On failure, returns the offset and what is wrong there.
pub(super) fn read(text: &[u8]) -> Result<Declaration<'_>, (usize, &'static str)> {
    let mut at = 0;
    let Some(version) = attribute(text, &mut at, b"version")? else {
        return Err((at, "the XML declaration has no version"));
    };
    let is_version = version
        .strip_prefix(b"1.")
        .is_some_and(|minor| !minor.is_empty() && minor.iter().all(u8::is_ascii_digit));
    if !is_version {
        return Err((0, "the version of XML is not 1.0"));
    }
    let encoding = attribute(text, &mut at, b"encoding")?;
    if encoding.is_some_and(|name| !is_encoding(name)) {
        return Err((0, "the XML declaration has an invalid encoding name"));
    }
    let standalone = attribute(text, &mut at, b"standalone")?;
    let is_standalone = match standalone {
        None | Some(b"no") => false,
        Some(b"yes") => true,
        Some(_) => return Err((0, "`standalone` in the XML declaration is neither `yes` nor `no`")),
    };
    at = blank_end(text, at);
    if at < text.len() {
        return Err((at, "the XML declaration is not well-formed"));
    }
    Ok(Declaration { encoding, is_standalone })
}

/// Reads an attribute and the white space before it. Returns `None` if something else follows.
fn attribute<'t>(
    text: &'t [u8],
    at: &mut usize,
    name: &[u8],
) -> Result<Option<&'t [u8]>, (usize, &'static str)> {
    let start = blank_end(text, *at);
    if !text[start..].starts_with(name) {
        return Ok(None);
    }
    if start == *at {
        return Err((start, "no white space separates the attributes of the XML declaration"));
    }
    let equals = blank_end(text, start + name.len());
    if text.get(equals) != Some(&b'=') {
        return Err((start, "an attribute of the XML declaration has no value"));
    }
    let quote = blank_end(text, equals + 1);
    let Some(&mark @ (b'"' | b'\'')) = text.get(quote) else {
        return Err((start, "the value of an attribute of the XML declaration is not in quotes"));
    };
    let value = &text[quote + 1..];
    let Some(len) = memchr::memchr(mark, value) else {
        return Err((start, "the value of an attribute of the XML declaration is not in quotes"));
    };
    *at = quote + len + 2;
    Ok(Some(&value[..len]))
}

/// The production `EncName`.
fn is_encoding(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// Returns `true` if the processing instruction at the start of `text` is an XML declaration.
pub(super) fn is_declaration(text: &[u8]) -> bool {
    text.starts_with(b"<?xml") && text.get(5).is_some_and(|&byte| is_blank(byte) || byte == b'?')
}
