//! Normalises a URL's origin, and percent-encodes its path and query.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

/// Returns the scheme, host and port in normalised form. An error is a message without its subject, such as "has no
/// host name; …".
pub(crate) fn normal_origin(scheme: &str, authority: &str) -> Result<String, String> {
    if authority.contains('@') {
        return Err(
            "contains a user name or password; remove everything between `//` and the host".to_owned()
        );
    }
    if authority.starts_with('[') {
        return Err("contains an IPv6 address; use the scheme and host of `Site` instead".to_owned());
    }
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, normal_port(scheme, port)?),
        None => (authority, String::new()),
    };
    Ok(format!("{scheme}://{}{port}", normal_host(host)?))
}

/// Returns the port with its colon, or an empty string for the scheme's default port.
fn normal_port(scheme: &str, port: &str) -> Result<String, String> {
    if port.is_empty() {
        return Ok(String::new());
    }
    // `parse` also accepts a sign.
    let number = port.bytes().all(|byte| byte.is_ascii_digit()).then(|| port.parse::<u16>().ok()).flatten();
    match number {
        Some(80) if scheme == "http" => Ok(String::new()),
        Some(443) if scheme == "https" => Ok(String::new()),
        Some(number) => Ok(format!(":{number}")),
        None => Err(format!("has the invalid port `{port}`; write a port from 0 to 65535")),
    }
}

fn normal_host(host: &str) -> Result<String, String> {
    if host.is_empty() {
        return Err("has no host name; add one after the scheme, as in `https://example.com`".to_owned());
    }
    if !host.is_ascii() {
        return Err(format!("has the host name `{host}`, which is not ASCII; write its `xn--` form"));
    }
    let host = host.to_ascii_lowercase();
    let bad = || format!("has the invalid host name `{host}`; write one like `example.com`");
    let label_is_valid = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    // A dot at the end is part of the name.
    let name = host.strip_suffix('.').unwrap_or(&host);
    if !name.split('.').all(label_is_valid) {
        return Err(bad());
    }
    // If the last label of a host is a number, URL parsers read the host as an IPv4 address.
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_hex =
        last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || is_hex;
    if is_number {
        return if name.parse::<Ipv4Addr>().is_ok() { Ok(name.to_owned()) } else { Err(bad()) };
    }
    Ok(host)
}

/// Returns the labels of an absolute URL's host that are written in Punycode, without `xn--`. The compiler checks them.
pub(crate) fn punycode_labels(url: &str) -> impl Iterator<Item = &str> {
    let host = url.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.split([':', '/', '?']).next().unwrap_or_default();
    host.split('.').filter_map(|label| label.strip_prefix("xn--"))
}

/// Appends text of a path or query, percent-encoded. Existing escapes stay as they are.
pub(crate) fn push_encoded(out: &mut String, text: &str) {
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let keep = match byte {
            b'%' => matches!(bytes[at + 1..], [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()),
            _ => is_plain(byte),
        };
        if keep {
            out.push(byte.into());
        } else {
            // Writing to a `String` never fails.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// Returns true for the characters of `pchar`, `/` and `?` in RFC 3986.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte)
}

/// Returns a canonical form of a percent-encoded URL, which is the same for all spellings of the URL.
pub(crate) fn comparable(url: &str) -> String {
    let (start, rest) = url.split_at(url.find("://").map_or(0, |at| at + 3));
    // An absolute URL without a path has the path `/`.
    let has_path = start.is_empty() || rest.find(['/', '?']).is_some_and(|at| rest[at..].starts_with('/'));
    let at = rest.find('?').unwrap_or(rest.len());
    let slash = if has_path { "" } else { "/" };
    let url = format!("{start}{}{slash}{}", &rest[..at], &rest[at..]);
    let mut out = String::new();
    let mut rest = url.as_str();
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let code = after.get(..2).unwrap_or_default();
        match u8::from_str_radix(code, 16) {
            Ok(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => out.push(byte.into()),
            _ => {
                out.push('%');
                out.push_str(&code.to_ascii_uppercase());
            }
        }
        rest = after.get(2..).unwrap_or_default();
    }
    out + rest
}

/// Returns true for characters that nobody can see, so they were probably pasted by accident: zero-width characters,
/// directional marks and soft hyphens.
pub(crate) const fn is_invisible(ch: char) -> bool {
    matches!(ch,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
    )
}

/// Returns true for `.` and `..`, also spelled with `%2e`, which URL parsers resolve in the same way.
pub(crate) fn is_dot_segment(segment: &str) -> bool {
    matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_have_one_normal_form() {
        for (scheme, authority, origin) in [
            ("https", "Example.COM", "https://example.com"),
            ("https", "example.com:443", "https://example.com"),
            ("http", "example.com:80", "http://example.com"),
            ("http", "example.com:443", "http://example.com:443"),
            ("http", "localhost:08080", "http://localhost:8080"),
            ("http", "127.0.0.1:", "http://127.0.0.1"),
            ("https", "xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("https", "example.com.", "https://example.com."),
            ("https", "127.0.0.1.", "https://127.0.0.1"),
        ] {
            assert_eq!(normal_origin(scheme, authority).as_deref(), Ok(origin));
        }
    }

    #[test]
    fn invalid_origins_are_errors() {
        for authority in [
            "",
            ":80",
            "a..b",
            ".a",
            "a b",
            "me@a",
            "a:b",
            "a:65536",
            "a:+1",
            "1.2.3",
            "1.2.3.256",
            "a.0x1f",
            "[::1]",
            "bücher.example",
            "a%2e",
            "a..",
            "a:+443",
        ] {
            assert!(normal_origin("https", authority).is_err(), "{authority}");
        }
    }

    #[test]
    fn existing_escapes_stay() {
        let mut out = String::new();
        push_encoded(&mut out, "/ü%FC%c3 100%/\"[x]?a=b&c='%2");
        assert_eq!(out, "/%C3%BC%FC%c3%20100%25/%22%5Bx%5D?a=b&c='%252");
    }

    #[test]
    fn spellings_of_one_url_are_equal() {
        for (one, other) in [
            ("/%c3%BC", "/%C3%bc"),
            ("/%61%7e", "/a~"),
            ("https://example.com", "https://example.com/"),
            ("https://example.com?a", "https://example.com/?a"),
        ] {
            assert_eq!(comparable(one), comparable(other));
        }
        for (one, other) in
            [("/a", "/a/"), ("/a", "/A"), ("/a%2Fb", "/a/b"), ("/a?b=%26", "/a?b=&"), ("/?a", "/")]
        {
            assert_ne!(comparable(one), comparable(other));
        }
    }

    #[test]
    fn dot_segments_in_both_spellings() {
        for segment in [".", "..", "%2e", "%2E.", ".%2e", "%2e%2E"] {
            assert!(is_dot_segment(segment), "{segment}");
        }
        for segment in ["", "...", "a.", ".a", "%2f", "%2e%2e%2e"] {
            assert!(!is_dot_segment(segment), "{segment}");
        }
    }
}
