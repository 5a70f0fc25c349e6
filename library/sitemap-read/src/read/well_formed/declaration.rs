//! The XML declaration.

use super::super::token::is_blank;
use super::chars::blank_end;

/// Parses the text between `<?xml` and `?>`, and returns the name of the encoding. On failure, returns what is wrong.
pub(super) fn read(text: &[u8]) -> Result<Option<&[u8]>, &'static str> {
    let mut at = 0;
    let Some(version) = attribute(text, &mut at, b"version")? else {
        return Err("the XML declaration has no version");
    };
    let is_version = version
        .strip_prefix(b"1.")
        .is_some_and(|minor| !minor.is_empty() && minor.iter().all(u8::is_ascii_digit));
    if !is_version {
        return Err("the version of XML is not 1.0");
    }
    let encoding = attribute(text, &mut at, b"encoding")?;
    if encoding.is_some_and(|name| !is_encoding(name)) {
        return Err("the XML declaration has an invalid encoding name");
    }
    let standalone = attribute(text, &mut at, b"standalone")?;
    if !matches!(standalone, None | Some(b"yes" | b"no")) {
        return Err("`standalone` in the XML declaration is neither `yes` nor `no`");
    }
    at = blank_end(text, at);
    if at < text.len() {
        return Err("the XML declaration is not well-formed");
    }
    Ok(encoding)
}

/// Reads an attribute and the white space before it. Returns `None` if something else follows.
fn attribute<'t>(text: &'t [u8], at: &mut usize, name: &[u8]) -> Result<Option<&'t [u8]>, &'static str> {
    let start = blank_end(text, *at);
    if !text[start..].starts_with(name) {
        return Ok(None);
    }
    if start == *at {
        return Err("no white space separates the attributes of the XML declaration");
    }
    let equals = blank_end(text, start + name.len());
    if text.get(equals) != Some(&b'=') {
        return Err("an attribute of the XML declaration has no value");
    }
    let quote = blank_end(text, equals + 1);
    let Some(&mark @ (b'"' | b'\'')) = text.get(quote) else {
        return Err("the value of an attribute of the XML declaration is not in quotes");
    };
    let value = &text[quote + 1..];
    let Some(len) = memchr::memchr(mark, value) else {
        return Err("the value of an attribute of the XML declaration is not in quotes");
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
