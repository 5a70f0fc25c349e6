//! The proxies that the environment names, for messages.

use std::fmt;

use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

/// Tells which requests go through a proxy, as the HTTP client decides it.
pub(super) struct Proxies(Matcher);

impl Proxies {
    pub(super) fn from_env() -> Self {
        Self(Matcher::from_env())
    }

    /// Returns the host and port of the proxy for a URL, without a user name and password.
    pub(super) fn of(&self, url: &Url) -> Option<String> {
        let found = self.0.intercept(&url.as_str().parse::<Uri>().ok()?)?;
        let authority = found.uri().authority()?;
        let host = authority.host();
        Some(authority.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
    }
}

impl fmt::Debug for Proxies {
    /// Leaves out the proxies, because their URLs may have passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proxies")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_named_without_its_password() {
        let matcher = Matcher::builder().https("http://user:secret@proxy.test:3128").no("b.test").build();
        let proxies = Proxies(matcher);
        let of = |url: &str| proxies.of(&Url::parse(url).unwrap());
        assert_eq!(of("https://a.test/x").unwrap(), "proxy.test:3128");
        assert_eq!(of("https://b.test/x"), None);
        assert_eq!(of("http://a.test/x"), None);
        assert!(!format!("{proxies:?}").contains("secret"));
    }
}
