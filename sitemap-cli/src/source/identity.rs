//! How requests name the command, and what else they send to which hosts.

use url::Url;

/// What requests send besides their URL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identity {
    /// The header `User-Agent`, if it is not the default.
    pub(crate) user_agent: Option<String>,
    /// More headers. They may hold credentials.
    pub(crate) headers: Vec<(String, String)>,
    /// URLs of the hosts that get the headers.
    pub(crate) hosts: Vec<Url>,
}

impl Identity {
    /// Returns the headers for a URL.
    pub(super) fn headers_for(&self, url: &Url) -> &[(String, String)] {
        if self.hosts.iter().any(|host| trusts(host, url)) { &self.headers } else { &[] }
    }
}

/// Returns `true` if what is meant for one URL may also be sent to the other: they have the same origin, or the second
/// is the same host with `https`.
fn trusts(meant: &Url, url: &Url) -> bool {
    let usual = |url: &Url| url.port().is_none();
    meant.origin() == url.origin()
        || (meant.host() == url.host() && url.scheme() == "https" && usual(meant) && usual(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_stay_with_their_hosts() {
        let headers = vec![("x-stage".to_owned(), "secret".to_owned())];
        let hosts = vec![Url::parse("http://a.test/sitemap.xml").unwrap()];
        let identity = Identity { user_agent: None, headers, hosts };
        for (url, sent) in [
            ("http://a.test/robots.txt", 1),
            ("https://a.test/child.xml", 1),
            ("http://a.test:81/", 0),
            ("http://www.a.test/", 0),
            ("http://b.test/", 0),
        ] {
            assert_eq!(identity.headers_for(&Url::parse(url).unwrap()).len(), sent, "{url}");
        }
        let nobody = Identity { hosts: Vec::new(), ..identity };
        assert!(nobody.headers_for(&Url::parse("http://a.test/").unwrap()).is_empty());
    }
}
