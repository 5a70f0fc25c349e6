//! The proxies that the environment names, for messages.

use std::fmt;

use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

use super::explain::TunnelError;

/// Tells which requests go through a proxy, as the HTTP client decides it.
pub(super) struct Proxies(Matcher);

impl Proxies {
    pub(super) fn from_env() -> Self {
        Self(Matcher::from_env())
    }

    /// Returns the proxy for a URL.
    pub(super) fn of(&self, url: &Url) -> Option<Proxy> {
        let found = self.0.intercept(&url.as_str().parse::<Uri>().ok()?)?;
        let authority = found.uri().authority()?;
        let host = authority.host();
        let name = authority.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Some(Proxy { name, has_credentials: found.basic_auth().is_some() })
    }
}

/// The proxy for a URL.
#[derive(Debug)]
pub(super) struct Proxy {
    /// The host and port, without a user name and password.
    name: String,
    has_credentials: bool,
}

impl Proxy {
    /// Returns the reason why there is no connection to a host through the proxy, with the remedy.
    pub(super) fn failed(&self, host: &str, tunnel: Option<TunnelError>) -> String {
        let Self { name, has_credentials } = self;
        match (tunnel, has_credentials) {
            (Some(TunnelError::NeedsCredentials), false) => {
                format!("the proxy `{name}` asks for credentials; give them in the URL of the proxy")
            }
            (Some(TunnelError::NeedsCredentials), true) => {
                format!("the proxy `{name}` does not accept the credentials in its URL; check them")
            }
            _ => format!(
                "no connection to `{host}` through the proxy `{name}`; check the proxy, or list the host in `NO_PROXY`"
            ),
        }
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
        let of = |url: &str| proxies.of(&Url::parse(url).unwrap()).map(|proxy| proxy.name);
        assert_eq!(of("https://a.test/x").unwrap(), "proxy.test:3128");
        assert_eq!(of("https://b.test/x"), None);
        assert_eq!(of("http://a.test/x"), None);
        assert!(!format!("{proxies:?}").contains("secret"));
    }
}
