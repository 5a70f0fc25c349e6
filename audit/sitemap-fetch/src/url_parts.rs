//! The parts of a URL that matter to politeness and robots.txt.

use url::Url;

/// Returns the scheme, host and port that a robots.txt applies to, such as `https://example.com`.
///
/// Source: RFC 9309, section 2.3.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Returns the host's name or address. All ports of a host share its limits.
pub(crate) fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

/// Returns the host, with its port unless it is the default port. For messages.
pub(crate) fn server(url: &Url) -> String {
    match url.port() {
        Some(port) => format!("{}:{port}", host(url)),
        None => host(url).to_owned(),
    }
}

/// Returns `true` if headers meant for one URL may also be sent to another. This is so if both have the same origin, or
/// if the other URL has the same host and uses `https`.
pub(crate) fn trusts(first: &Url, second: &Url) -> bool {
    let usual = |url: &Url| url.port().is_none();
    first.origin() == second.origin()
        || (host(first) == host(second) && second.scheme() == "https" && usual(first) && usual(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_host_is_trusted_and_never_with_less_protection() {
        for (first, second, expected) in [
            ("http://a.test/x", "http://a.test/y", true),
            ("http://a.test/x", "https://a.test/y", true),
            ("https://a.test/x", "http://a.test/y", false),
            ("http://a.test/x", "http://b.test/x", false),
            ("http://a.test/x", "http://a.test:81/x", false),
            ("http://a.test:8080/x", "https://a.test/x", false),
            ("http://a.test/x", "http://www.a.test/x", false),
        ] {
            let [first, second] = [first, second].map(|url| Url::parse(url).unwrap());
            assert_eq!(trusts(&first, &second), expected, "{first} {second}");
        }
    }
}
