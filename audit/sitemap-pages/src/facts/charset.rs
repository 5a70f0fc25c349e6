//! Detects a page's encoding.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::content::html::{Tag, Token, Tokenizer};

/// How a page's encoding was determined.
///
/// ```
/// use sitemap_pages::facts::{CharsetSource, PageFacts, Response};
///
/// let url = "https://example.com/";
/// let body = b"<!doctype html><meta charset=iso-8859-15><title>\xa4</title>";
/// let facts = PageFacts::of(&Response::new(url, 200, &[], body));
/// assert_eq!((facts.charset, facts.charset_source), (Some("ISO-8859-15"), Some(CharsetSource::Meta)));
/// assert_eq!(facts.title.as_deref(), Some("€"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CharsetSource {
    /// A byte order mark.
    ByteOrderMark,
    /// The header `Content-Type`.
    Header,
    /// A `<meta>` within the first 1024 bytes of the body.
    Meta,
    /// Nothing declares the encoding. It is UTF-8 if all bytes are valid, otherwise windows-1252.
    Guess,
}

/// Determines a page's encoding as browsers do.
pub(super) fn find(charset: Option<&str>, body: &[u8]) -> (&'static Encoding, CharsetSource) {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return (encoding, CharsetSource::ByteOrderMark);
    }
    if let Some(encoding) = charset.and_then(|label| Encoding::for_label(label.as_bytes())) {
        return (encoding, CharsetSource::Header);
    }
    if let Some(encoding) = prescan(&body[..body.len().min(1024)]) {
        return (encoding, CharsetSource::Meta);
    }
    // A truncated body can end inside a character.
    let is_utf8 = match std::str::from_utf8(body) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    (if is_utf8 { UTF_8 } else { WINDOWS_1252 }, CharsetSource::Guess)
}

/// Returns the body in UTF-8, without a byte order mark. Invalid bytes in a UTF-8 body are kept.
pub(super) fn decode<'a>(encoding: &'static Encoding, body: &'a [u8]) -> Cow<'a, [u8]> {
    let body = match Encoding::for_bom(body) {
        Some((_, length)) => &body[length..],
        None => body,
    };
    if encoding == UTF_8 {
        return Cow::Borrowed(body);
    }
    match encoding.decode_without_bom_handling(body).0 {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Returns the encoding that a `<meta>` declares.
fn prescan(start: &[u8]) -> Option<&'static Encoding> {
    let mut tokens = Tokenizer::new(start);
    while let Some(token) = tokens.next() {
        let Token::Start { tag: Tag::Meta, .. } = token else { continue };
        let attributes = tokens.attributes();
        let label = attributes.text("charset").or_else(|| {
            let equivalent = attributes.text("http-equiv")?;
            let content = attributes.text("content")?;
            equivalent.eq_ignore_ascii_case("content-type").then(|| parameter(&content, "charset"))?
        });
        let Some(encoding) = label.and_then(|label| Encoding::for_label(label.as_bytes())) else { continue };
        // If the page were in UTF-16, we couldn't have read the `<meta>`.
        return Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding });
    }
    None
}

/// Returns a parameter of a media type, such as `charset`.
pub(super) fn parameter(media_type: &str, name: &str) -> Option<String> {
    media_type.split(';').skip(1).find_map(|parameter| {
        let (found, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        found.trim().eq_ignore_ascii_case(name).then(|| value.to_owned())
    })
}
