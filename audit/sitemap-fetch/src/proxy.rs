//! The proxies named by the environment, for use in messages.

use std::ffi::OsString;
use std::fmt;

use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

use crate::error::FetchError;
use crate::explain::TunnelError;

/// The environment variables that name proxies. In each pair, the first variable that is set wins.
const VARIABLES: [[&str; 2]; 3] =
    [["HTTP_PROXY", "http_proxy"], ["HTTPS_PROXY", "https_proxy"], ["ALL_PROXY", "all_proxy"]];

/// Decides which requests go through a proxy, in the same way as the HTTP client.
pub(crate) struct Proxies(Matcher);

impl Proxies {
    pub(crate) fn from_env() -> Self {
        Self(Matcher::from_env())
    }

    /// Returns the proxy for a URL.
    pub(crate) fn of(&self, url: &Url) -> Option<Proxy> {
        let found = self.0.intercept(&url.as_str().parse::<Uri>().ok()?)?;
        let authority = found.uri().authority()?;
        let host = authority.host();
        let name = authority.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Some(Proxy { name, has_credentials: found.basic_auth().is_some() })
    }
}

/// Returns an error if the environment names an unusable proxy. The HTTP client would bypass it and so reveal who sends
/// the requests.
pub(crate) fn check(variable: impl Fn(&str) -> Option<OsString>) -> Result<(), FetchError> {
    for names in VARIABLES {
        let set = names.into_iter().find_map(|name| Some((name, variable(name)?)));
        let Some((name, value)) = set.filter(|(_, value)| !value.is_empty()) else { continue };
        let matcher = value.to_str().map(|value| Matcher::builder().http(value.to_owned()).build());
        let is_usable =
            matcher.is_some_and(|matcher| matcher.intercept(&Uri::from_static("http://a.test")).is_some());
        if !is_usable {
            // The value may contain a password, so it is not printed.
            return Err(FetchError::new(format!(
                "`{name}` is not the URL of a proxy that can be used; write `http://HOST:PORT` or `socks5://HOST:PORT`"
            )));
        }
    }
    Ok(())
}

/// The proxy for a URL.
#[derive(Debug)]
pub(crate) struct Proxy {
    /// The host and port, without user name and password.
    name: String,
    has_credentials: bool,
}

impl Proxy {
    /// Returns a message that says why the proxy didn't connect to a host, with a remedy.
    pub(crate) fn failed(&self, host: &str, tunnel: Option<TunnelError>) -> String {
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
    /// Omits the proxies, because their URLs may contain passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proxies")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn a_proxy_that_cannot_be_used_is_an_error() {
        let error = |name: &str| {
            format!(
                "`{name}` is not the URL of a proxy that can be used; write `http://HOST:PORT` or `socks5://HOST:PORT`"
            )
        };
        for (variables, expected) in [
            (&[][..], None),
            (&[("HTTP_PROXY", "proxy.test:3128"), ("https_proxy", "http://user:secret@proxy.test")], None),
            (&[("ALL_PROXY", "socks5://proxy.test:1080")], None),
            (&[("ALL_PROXY", "socks5h://user:secret@proxy.test")], None),
            (&[("ALL_PROXY", ""), ("all_proxy", "quic://proxy.test")], None),
            (&[("ALL_PROXY", "quic://user:secret@proxy.test")], Some(error("ALL_PROXY"))),
            (&[("all_proxy", "socks://proxy.test")], Some(error("all_proxy"))),
            (&[("http_proxy", "http://"), ("ALL_PROXY", "proxy.test:80")], Some(error("http_proxy"))),
            (&[("HTTPS_PROXY", "the proxy")], Some(error("HTTPS_PROXY"))),
        ] {
            let variables: HashMap<_, _> = variables.iter().copied().collect();
            let found =
                check(|name| variables.get(name).map(OsString::from)).map_err(|error| error.to_string());
            assert_eq!(found.err(), expected, "{variables:?}");
        }
    }

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
