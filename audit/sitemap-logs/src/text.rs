//! Unescapes log text, and splits request lines and targets into their parts.

use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};
use std::ops::Range;

use memchr::{memchr, memchr2};

/// The contents of a quoted value, still escaped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quoted<'l> {
    bytes: &'l [u8],
    has_escapes: bool,
}

impl<'l> Quoted<'l> {
    /// Reads a quoted value at the start of a string. Returns the value and the rest of the string.
    #[inline]
    pub(crate) fn read(text: &'l [u8]) -> Option<(Self, &'l [u8])> {
        let text = text.strip_prefix(b"\"")?;
        let mut at = 0;
        let mut has_escapes = false;
        loop {
            at += memchr2(b'"', b'\\', text.get(at..)?)?;
            if text[at] == b'"' {
                return Some((Self { bytes: &text[..at], has_escapes }, &text[at + 1..]));
            }
            has_escapes = true;
            at += 2;
        }
    }

    /// Returns the string with its escapes undone.
    #[inline]
    pub(crate) fn text(self) -> Cow<'l, str> {
        if self.has_escapes { unescaped(self.bytes) } else { lossy(self.bytes) }
    }

    /// Returns the string with its escapes undone, or `None` if the log contains no value.
    #[inline]
    pub(crate) fn value(self) -> Option<Cow<'l, str>> {
        value(self.text())
    }
}

/// Returns `None` for the strings that mean "no value" in logs.
pub(crate) fn value(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    (!text.is_empty() && text != "-").then_some(text)
}

pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// Undoes the escapes of nginx (`\x22`) and Apache (`\"`, `\\`, `\t`, `\x7f`). A backslash before anything else is
/// kept.
#[cold]
fn unescaped(bytes: &[u8]) -> Cow<'_, str> {
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr(b'\\', rest) {
        text.extend_from_slice(&rest[..at]);
        let (byte, len) = match rest[at + 1..] {
            [b'x', high, low, ..] => match (hex(high), hex(low)) {
                (Some(high), Some(low)) => (high * 16 + low, 4),
                _ => (b'\\', 1),
            },
            [byte @ (b'"' | b'\\'), ..] => (byte, 2),
            [b'n', ..] => (b'\n', 2),
            [b'r', ..] => (b'\r', 2),
            [b't', ..] => (b'\t', 2),
            [b'v', ..] => (0x0b, 2),
            [b'b', ..] => (0x08, 2),
            [b'f', ..] => (0x0c, 2),
            _ => (b'\\', 1),
        };
        text.push(byte);
        rest = &rest[at + len..];
    }
    text.extend_from_slice(rest);
    owned(text)
}

/// Undoes the URL encoding of a value.
pub(crate) fn url_decoded(bytes: &[u8]) -> Cow<'_, str> {
    decoded(bytes, |_| true)
}

/// Undoes the URL encoding that the log has added to a target, which restores the target that the client sent.
///
/// A client has to encode spaces, control characters and non-ASCII bytes in a target. Escapes of these characters are
/// therefore the client's own and are kept.
pub(crate) fn target_decoded(bytes: &[u8]) -> Cow<'_, str> {
    decoded(bytes, |byte| byte.is_ascii_graphic())
}

fn decoded(bytes: &[u8], is_escaped_by_log: impl Fn(u8) -> bool) -> Cow<'_, str> {
    if memchr(b'%', bytes).is_none() {
        return lossy(bytes);
    }
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr(b'%', rest) {
        text.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let byte = match rest {
            [high, low, ..] => hex(*high).zip(hex(*low)).map(|(high, low)| high * 16 + low),
            _ => None,
        };
        if let Some(byte) = byte.filter(|byte| is_escaped_by_log(*byte)) {
            text.push(byte);
            rest = &rest[2..];
        } else {
            text.push(b'%');
        }
    }
    text.extend_from_slice(rest);
    owned(text)
}

fn owned(text: Vec<u8>) -> Cow<'static, str> {
    Cow::Owned(match String::from_utf8(text) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Returns part of a string, borrowed if the string is borrowed.
fn part<'l>(text: &Cow<'l, str>, range: Range<usize>) -> Cow<'l, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
        Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
    }
}

/// Splits a request line, such as `GET /tea HTTP/1.1`, into method and target.
pub(crate) fn request_line<'l>(line: &Cow<'l, str>) -> Option<(Cow<'l, str>, Cow<'l, str>)> {
    let space = memchr(b' ', line.as_bytes())?;
    if !is_method(&line[..space]) {
        return None;
    }
    let start = space + 1;
    // Some clients send targets that contain spaces. HTTP/0.9 requests have no version.
    let end = match line[start..].rfind(' ') {
        Some(last) if line[start + last + 1..].starts_with("HTTP/") => start + last,
        _ => line.len(),
    };
    (end > start).then(|| (part(line, 0..space), part(line, start..end)))
}

/// A method is a token as defined in RFC 9110, section 5.6.2.
pub(crate) fn is_method(text: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_token) && text != "-"
}

/// The parts of a target.
#[derive(Debug)]
pub(crate) struct Target<'l> {
    pub(crate) scheme: Option<&'static str>,
    pub(crate) host: Option<Cow<'l, str>>,
    pub(crate) path: Cow<'l, str>,
}

/// Splits a target that is an absolute URL into its parts. Any other target is a path.
#[inline]
pub(crate) fn target(text: Cow<'_, str>) -> Target<'_> {
    if text.starts_with('/') {
        return Target { scheme: None, host: None, path: text };
    }
    absolute(text)
}

fn absolute(text: Cow<'_, str>) -> Target<'_> {
    let Some((name, rest)) = text.split_once("://") else {
        return Target { scheme: None, host: None, path: text };
    };
    let Some(scheme) = scheme(name) else { return Target { scheme: None, host: None, path: text } };
    let start = name.len() + 3;
    let end = start + rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let path = match &text[end..] {
        "" => Cow::Borrowed("/"),
        rest if rest.starts_with('/') => part(&text, end..text.len()),
        rest => Cow::Owned(format!("/{rest}")),
    };
    Target { scheme: Some(scheme), host: host(part(&text, start..end)), path }
}

/// Returns a scheme that requests can use, ignoring case.
pub(crate) fn scheme(name: &str) -> Option<&'static str> {
    ["http", "https", "ws", "wss"].into_iter().find(|known| known.eq_ignore_ascii_case(name))
}

/// Returns a host, without the port if it is a default port.
pub(crate) fn host(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let text = value(text)?;
    match text.strip_suffix(":443").or_else(|| text.strip_suffix(":80")) {
        // An IPv6 address without brackets can also end like a port, but it contains more colons.
        Some(name) if name.ends_with(']') || !name.contains(':') => value(part(&text, 0..name.len())),
        _ => Some(text),
    }
}

/// Parses a client's IP address, with or without a port.
pub(crate) fn ip(text: &str) -> Option<IpAddr> {
    let ip =
        text.parse::<IpAddr>().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|client| client.ip()))?;
    Some(ip.to_canonical())
}

/// Parses a status. Returns the outer `None` if the value is invalid.
#[expect(clippy::option_option, reason = "a log can lack the status, which is no error")]
pub(crate) fn status(text: &[u8]) -> Option<Option<u16>> {
    match *text {
        [b'-'] => Some(None),
        [a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
            let status = u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0');
            Some((status > 0).then_some(status))
        }
        _ => None,
    }
}

/// Parses a byte count. Returns the outer `None` if the value is invalid.
#[expect(clippy::option_option, reason = "a log can lack the number, which is no error")]
pub(crate) fn bytes(text: &[u8]) -> Option<Option<u64>> {
    if text == b"-" {
        return Some(None);
    }
    // A number of 19 digits always fits.
    if text.is_empty() || text.len() > 19 {
        return None;
    }
    let mut number = 0;
    for byte in text {
        number = number * 10 + u64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
    }
    Some(Some(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Option<String> {
        Quoted::read(text.as_bytes()).map(|(value, _)| value.text().into_owned())
    }

    #[test]
    fn escapes_of_nginx_and_apache_are_undone() {
        assert_eq!(quoted(r#""a\x22b\x5Cc" rest"#).as_deref(), Some("a\"b\\c"));
        assert_eq!(quoted(r#""a\"b\\c\td\x7fe""#).as_deref(), Some("a\"b\\c\td\u{7f}e"));
        assert_eq!(quoted(r#""\xC3\xA9 \xe9""#).as_deref(), Some("é \u{fffd}"));
        assert_eq!(quoted(r#""\q\x2""#).as_deref(), Some(r"\q\x2"));
        assert_eq!(quoted(r#""unfinished\""#), None);
        assert_eq!(quoted(r#""unfinished\"#), None);
    }

    #[test]
    fn url_encoding_of_a_log_is_undone_once() {
        assert_eq!(url_decoded(b"Mozilla/5.0%20(X11;%20%25)%"), "Mozilla/5.0 (X11; %)%");
        // The client sent `/a%20b~c`.
        assert_eq!(target_decoded(b"/a%2520b%7Ec"), "/a%20b~c");
        assert_eq!(target_decoded(b"/a%20b%C3%A9"), "/a%20b%C3%A9");
        assert_eq!(target_decoded(b"/%4"), "/%4");
    }

    #[test]
    fn whole_urls_are_split() {
        let parts = |text: &'static str| {
            let parts = target(Cow::Borrowed(text));
            (parts.scheme, parts.host.map(Cow::into_owned), parts.path.into_owned())
        };
        let host = |name: &str| Some(name.to_owned());
        assert_eq!(parts("/a://b"), (None, None, "/a://b".to_owned()));
        assert_eq!(parts("*"), (None, None, "*".to_owned()));
        assert_eq!(parts("HTTP://a.example"), (Some("http"), host("a.example"), "/".to_owned()));
        assert_eq!(parts("https://a.example:443?b"), (Some("https"), host("a.example"), "/?b".to_owned()));
        assert_eq!(
            parts("https://a.example:8443/b"),
            (Some("https"), host("a.example:8443"), "/b".to_owned())
        );
        assert_eq!(
            parts("https://[2001:db8::1]:443/"),
            (Some("https"), host("[2001:db8::1]"), "/".to_owned())
        );
        assert_eq!(parts("ftp://a.example/"), (None, None, "ftp://a.example/".to_owned()));
    }

    #[test]
    fn request_lines_may_have_spaces_and_no_version() {
        let parts = |line: &'static str| request_line(&Cow::Borrowed(line)).map(|(a, b)| format!("{a}|{b}"));
        assert_eq!(parts("GET /a b HTTP/1.1").as_deref(), Some("GET|/a b"));
        assert_eq!(parts("GET /a").as_deref(), Some("GET|/a"));
        assert_eq!(parts("GET "), None);
        assert_eq!(parts("GET  HTTP/1.1"), None);
        assert_eq!(parts("\u{16}\u{3} a"), None);
        assert_eq!(parts("-"), None);
        assert_eq!(parts("- http://a.example:80- "), None);
    }

    #[test]
    fn clients_may_have_ports() {
        let address = |text: &str| text.parse::<IpAddr>().ok();
        assert_eq!(ip("192.0.2.1"), address("192.0.2.1"));
        assert_eq!(ip("192.0.2.1:80"), address("192.0.2.1"));
        assert_eq!(ip("::ffff:192.0.2.1"), address("192.0.2.1"));
        assert_eq!(ip("[2001:db8::1]:80"), address("2001:db8::1"));
        assert_eq!(ip("crawl.example"), None);
        assert_eq!(ip("-"), None);
    }
}
