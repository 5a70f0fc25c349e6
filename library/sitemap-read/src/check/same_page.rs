//! Whether two URLs name the same page.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

/// Returns the form that all URLs of one page have in common: a path that is not empty, no needless escapes, and
/// upper-case digits in the other escapes. The URL must be the text of a [`Loc`](sitemap_core::Loc), whose host is
/// already in lower case and whose default port is already removed.
///
/// Source: [RFC 3986, section 6.2](https://www.rfc-editor.org/rfc/rfc3986#section-6.2).
#[inline]
pub(super) fn same_page(url: &str) -> Cow<'_, str> {
    let bytes = url.as_bytes();
    let host = if bytes.get(4) == Some(&b's') { "https://".len() } else { "http://".len() };
    let path =
        bytes.get(host..).and_then(|rest| memchr3(b'/', b'?', b'#', rest)).map_or(url.len(), |at| host + at);
    if bytes.get(path) == Some(&b'/') && memchr(b'%', bytes).is_none() {
        return Cow::Borrowed(url);
    }
    Cow::Owned(normalised(url, path))
}

#[cold]
fn normalised(url: &str, path: usize) -> String {
    let (origin, mut rest) = url.split_at(path);
    let mut normal = origin.to_owned();
    if !rest.starts_with('/') {
        normal.push('/');
    }
    while let Some(at) = rest.find('%') {
        normal.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.map(char::from) {
            Some(ch) if ch.is_ascii_alphanumeric() || matches!(ch, '-' | '.' | '_' | '~') => {
                normal.push(ch);
                rest = &rest[2..];
            }
            Some(_) => {
                normal.push('%');
                normal.push_str(&rest[..2].to_ascii_uppercase());
                rest = &rest[2..];
            }
            None => normal.push('%'),
        }
    }
    normal + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_page() {
        for (url, same) in [
            ("https://example.com", "https://example.com/"),
            ("https://example.com?a", "https://example.com/?a"),
            ("https://example.com/%7ea%2fb", "https://example.com/~a%2Fb"),
            ("http://example.com/%", "http://example.com/%"),
            ("http://example.com/%é", "http://example.com/%é"),
            ("http://example.com/a/", "http://example.com/a/"),
        ] {
            assert_eq!(same_page(url), same);
        }
    }
}
