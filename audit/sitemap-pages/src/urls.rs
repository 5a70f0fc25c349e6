//! Parts of URLs.

use std::borrow::Cow;

use url::Url;

/// Returns a URL without its fragment, as a client requests it.
pub fn without_fragment(url: &str) -> &str {
    &url[..memchr::memchr(b'#', url.as_bytes()).unwrap_or(url.len())]
}

/// Returns the scheme, host and port of an http or https URL in normal form, such as `https://example.com`.
pub fn origin(url: &str) -> Option<Cow<'_, str>> {
    let written = written_origin(url);
    // A parser may reject names with empty or encoded labels.
    let is_plain = !written.contains("..") && !written.contains("/.") && !written.contains("xn--");
    if is_plain && is_normal(url.as_bytes()) {
        return Some(Cow::Borrowed(written));
    }
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(Cow::Owned(url.origin().ascii_serialization()))
}

/// Returns the scheme, host and port of a URL as written.
pub(crate) fn written_origin(url: &str) -> &str {
    let host = after_scheme(url);
    let end = memchr::memchr3(b'/', b'?', b'#', &url.as_bytes()[host..]).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// Returns the position after `://`, or 0.
fn after_scheme(url: &str) -> usize {
    if url.starts_with("https://") {
        return 8;
    }
    url.find("://").map_or(0, |at| at + 3)
}

/// Returns whether a URL is certainly in normal form. Most URLs are, so they don't need a parser.
pub(crate) fn is_normal(url: &[u8]) -> bool {
    let (url, default) = match url {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..] => (rest, 443),
        [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] => (rest, 80),
        _ => return false,
    };
    let end = url.iter().position(|&byte| PLAIN[byte as usize] & HOST == 0).unwrap_or(url.len());
    let (host, rest) = url.split_at(end);
    // Any other host that ends in a digit could be an unusual notation of an IP address.
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

/// Parses a number of up to five decimal digits without leading zeros.
fn normal_number(digits: &[u8]) -> Option<u32> {
    if !matches!(digits, [b'0'] | [b'1'..=b'9', ..]) || digits.len() > 5 {
        return None;
    }
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
    digits.iter().try_fold(0, |number, &byte| Some(number * 10 + digit(byte)?))
}

const HOST: u8 = 1;
const PATH: u8 = 2;

/// For each byte, whether it is plain in a host, and in a path with a query.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
            let parsed = Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            prop_assert_eq!(origin(&url).map(Cow::into_owned), parsed.map(|url| url.origin().ascii_serialization()));
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
    fn origins_as_they_are_written() {
        assert_eq!(written_origin("https://e.com:8/a?b"), "https://e.com:8");
        assert_eq!(written_origin("https://e.com?b"), "https://e.com");
    }
}
