//! Which URLs are the same page.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::{BuildHasherDefault, Hasher};

use url::Url;

use crate::content::hash64;

/// A number that stands for a URL, a content or a link.
pub(super) type Key = u64;

/// Returns the key of a URL. Two URLs have the same key if RFC 3986 says that they are equal: the letter case of scheme
/// and host, the default port, dot segments and needless escapes do not count, and neither does the fragment. A slash
/// at the end, `www.` and the scheme count.
pub(super) fn key(url: &str) -> Key {
    let url = &url[..memchr::memchr(b'#', url.as_bytes()).unwrap_or(url.len())];
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

/// Returns scheme, host and port of a URL, as it is written.
pub(super) fn origin(url: &str) -> &str {
    let host = after_scheme(url);
    let end = memchr::memchr3(b'/', b'?', b'#', &url.as_bytes()[host..]).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// Returns the place after `://`, or 0.
fn after_scheme(url: &str) -> usize {
    if url.starts_with("https://") {
        return 8;
    }
    url.find("://").map_or(0, |at| at + 3)
}

/// Returns the path of a URL without its query.
pub(super) fn path(url: &str) -> &str {
    let rest = &url[origin(url).len()..];
    &rest[..rest.find(['?', '#']).unwrap_or(rest.len())]
}

/// Returns the URL up to the end of the first folder of its path: `https://example.com/blog/` for
/// `https://example.com/blog/2026/oak`.
pub(super) fn section(url: &str) -> &str {
    let (start, path) = (origin(url).len(), path(url));
    match path.match_indices('/').nth(1) {
        Some((slash, _)) => &url[..=start + slash],
        None => &url[..start + path.len().min(1)],
    }
}

/// Returns scheme, host and port of a URL as a parser does, if they are certainly in normal form. Most are, and need no
/// parser.
#[cfg(all(feature = "fetch", feature = "state"))]
pub(crate) fn plain_origin(url: &str) -> Option<&str> {
    let origin = origin(url);
    // A parser may reject names with empty or encoded labels.
    let is_plain = !origin.contains("..") && !origin.contains("/.") && !origin.contains("xn--");
    (is_plain && is_normal(url.as_bytes())).then_some(origin)
}

/// Returns whether a URL is certainly in normal form. Most are, and need no parser.
fn is_normal(url: &[u8]) -> bool {
    let (url, default) = match url {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..] => (rest, 443),
        [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] => (rest, 80),
        _ => return false,
    };
    let end = url.iter().position(|&byte| PLAIN[byte as usize] & HOST == 0).unwrap_or(url.len());
    let (host, rest) = url.split_at(end);
    // Any other host that ends in a digit can be an IP address in one of its other forms.
    if !host.last().is_some_and(u8::is_ascii_lowercase) && !is_normal_ipv4(host) {
        return false;
    }
    let path = match rest {
        [b':', rest @ ..] => {
            let end = rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
            match normal_number(&rest[..end]) {
                Some(port) if port != default && u16::try_from(port).is_ok() => &rest[end..],
                _ => return false,
            }
        }
        rest => rest,
    };
    if path.first() != Some(&b'/') {
        return false;
    }
    let mut before = b'/';
    path.iter().all(|&byte| {
        let is_plain = PLAIN[byte as usize] & PATH != 0 && (byte != b'.' || before != b'/');
        before = byte;
        is_plain
    })
}

/// Returns whether a host is an IPv4 address of four decimal numbers.
fn is_normal_ipv4(host: &[u8]) -> bool {
    let mut numbers = 0;
    host.split(|&byte| byte == b'.').all(|number| {
        numbers += 1;
        normal_number(number).is_some_and(|number| u8::try_from(number).is_ok())
    }) && numbers == 4
}

/// Returns a number of up to five decimal digits, without zeros in front.
fn normal_number(digits: &[u8]) -> Option<u32> {
    if !matches!(digits, [b'0'] | [b'1'..=b'9', ..]) || digits.len() > 5 {
        return None;
    }
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
    digits.iter().try_fold(0, |number, &byte| Some(number * 10 + digit(byte)?))
}

const HOST: u8 = 1;
const PATH: u8 = 2;

/// Whether a byte is plain in a host, and in a path with a query.
const PLAIN: [u8; 256] = {
    let mut plain = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-') {
            plain[byte as usize] |= HOST;
        }
        if byte.is_ascii_alphanumeric()
            || matches!(byte, b'/' | b'-' | b'_' | b'~' | b'=' | b'&' | b',' | b'+' | b'?' | b'.')
        {
            plain[byte as usize] |= PATH;
        }
        byte += 1;
    }
    plain
};

/// Decodes escapes of unreserved characters, and writes the others in upper case.
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
                // Writing to a string does not fail.
                let _ = write!(out, "%{byte:02X}");
            }
            None => out.push('%'),
        }
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    out.push_str(rest);
    out
}

/// A map and a set of keys. A key is a hash already, so it is not hashed again.
pub(super) type ByKey<V> = HashMap<Key, V, BuildHasherDefault<Identity>>;
pub(super) type Keys = HashSet<Key, BuildHasherDefault<Identity>>;

/// Returns a key as its hash.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash64(bytes);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::{is_normal, key, origin, path, section};

    const PARTS: [&str; 26] = [
        "https://",
        "http://",
        "e.com",
        "e",
        ".",
        ":",
        ":80",
        ":443",
        ":8080",
        ":0",
        ":065",
        ":65536",
        ":99999999",
        "127.0.0.1",
        "127.0.0.256",
        "127.0.0.01",
        "127.1",
        "1",
        "a9",
        "/",
        "/a",
        "?b=c",
        "..",
        "@",
        "xn--a",
        "0x7f.1",
    ];

    proptest! {
        #[test]
        fn normal_urls_are_those_of_the_parser(parts in proptest::collection::vec(0..PARTS.len(), 1..7)) {
            let url = ["https://", "http://", ""][parts[0] % 3].to_owned()
                + &parts.iter().map(|&part| PARTS[part]).collect::<String>();
            if is_normal(url.as_bytes())
                && let Ok(parsed) = Url::parse(&url)
            {
                prop_assert_eq!(parsed.as_str(), &url);
            }
            #[cfg(all(feature = "fetch", feature = "state"))]
            if let Some(origin) = super::plain_origin(&url) {
                prop_assert_eq!(Url::parse(&url).unwrap().origin().ascii_serialization(), origin);
            }
        }
    }

    #[test]
    fn hosts_and_ports_in_normal_form() {
        for (url, expected) in [
            ("https://e.com/", true),
            ("https://e.com:8080/", true),
            ("http://127.0.0.1:8080/a", true),
            ("http://255.0.10.1/", true),
            ("https://e.com:443/", false),
            ("http://e.com:80/", false),
            ("https://e.com:080/", false),
            ("https://e.com:/", false),
            ("https://e.com:65536/", false),
            ("https://e.com:8080", false),
            ("http://127.0.0.01/", false),
            ("http://127.0.0.256/", false),
            ("http://127.0.1/", false),
            ("http://127.0.0.0.1/", false),
            ("ftp://e.com/", false),
        ] {
            assert_eq!(is_normal(url.as_bytes()), expected, "{url}");
        }
    }

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
        assert_eq!(origin("https://e.com:8/a?b"), "https://e.com:8");
        assert_eq!(origin("https://e.com?b"), "https://e.com");
        assert_eq!(path("https://e.com:8/a/b?c#d"), "/a/b");
        assert_eq!(path("https://e.com"), "");
    }
}
