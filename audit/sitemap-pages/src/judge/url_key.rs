//! Decides whether two URLs are the same page.

use std::fmt::Write as _;

use url::Url;

use crate::content::hash64;
use crate::urls::{is_normal, without_fragment, written_origin};

/// A number that represents a URL, a content or a link.
pub(super) type Key = u64;

/// Returns the key of a URL. Two URLs have the same key if they are equal according to RFC 3986: the case of scheme and
/// host, the default port, dot segments, unnecessary escapes and the fragment are ignored. A trailing slash, `www.` and
/// the scheme make a difference.
pub(super) fn key(url: &str) -> Key {
    let url = without_fragment(url);
    if is_normal(url.as_bytes()) {
        return hash64(url.as_bytes());
    }
    match Url::parse(url) {
        Ok(parsed) => hash64(unescaped(parsed.as_str()).as_bytes()),
        Err(_) => hash64(url.as_bytes()),
    }
}

/// Returns the key of a link from one page to another.
pub(super) fn pair(from: Key, to: Key) -> Key {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&from.to_le_bytes());
    bytes[8..].copy_from_slice(&to.to_le_bytes());
    hash64(&bytes)
}

/// Returns a URL's path without its query.
pub(super) fn path(url: &str) -> &str {
    let rest = &url[written_origin(url).len()..];
    &rest[..rest.find(['?', '#']).unwrap_or(rest.len())]
}

/// Returns the URL up to the end of the first folder of its path: `https://example.com/blog/` for
/// `https://example.com/blog/2026/oak`.
pub(super) fn section(url: &str) -> &str {
    let (start, path) = (written_origin(url).len(), path(url));
    match path.match_indices('/').nth(1) {
        Some((slash, _)) => &url[..=start + slash],
        None => &url[..start + path.len().min(1)],
    }
}

/// Decodes the escapes of unreserved characters, and writes all other escapes in upper case.
fn unescaped(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    let mut rest = url;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let digits = after.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') => {
                out.push(char::from(byte));
            }
            Some(byte) => {
                // Writing to a string can't fail.
                let _ = write!(out, "%{byte:02X}");
            }
            None => out.push('%'),
        }
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{key, path, section};

    #[test]
    fn equal_urls() {
        for (one, other) in [
            ("https://e.com/", "HTTPS://E.com:443"),
            ("https://e.com/a-b~c", "https://e.com/x/../%61-b%7Ec#top"),
            ("https://e.com/%C3%A9", "https://e.com/é"),
            ("https://e.com/%2Fa", "https://e.com/%2fa"),
            ("http://127.0.0.1/", "http://0x7f.1/"),
            ("https://xn--bcher-kva.example/", "https://bücher.example/"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
    }

    #[test]
    fn different_urls() {
        let urls = [
            "https://e.com/a",
            "https://e.com/a/",
            "http://e.com/a",
            "https://www.e.com/a",
            "https://e.com/A",
            "https://e.com/a?",
            "https://e.com/a?b",
            "https://e.com/%2Fa",
            "https://e.com//a",
            "https://e.com:444/a",
            "no URL",
            "",
        ];
        for (number, one) in urls.iter().enumerate() {
            for other in &urls[number + 1..] {
                assert_ne!(key(one), key(other), "{one} {other}");
            }
        }
    }

    #[test]
    fn parts() {
        for (url, expected) in [
            ("https://e.com/blog/2026/oak?a=/b/c", "https://e.com/blog/"),
            ("https://e.com/blog/", "https://e.com/blog/"),
            ("https://e.com/blog", "https://e.com/"),
            ("https://e.com/?a=/b/c", "https://e.com/"),
            ("https://e.com", "https://e.com"),
            ("", ""),
        ] {
            assert_eq!(section(url), expected, "{url}");
        }
        assert_eq!(path("https://e.com:8/a/b?c#d"), "/a/b");
        assert_eq!(path("https://e.com"), "");
    }
}
