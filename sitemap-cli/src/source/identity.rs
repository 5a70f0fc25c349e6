//! How requests name the command, and what else they send to which hosts.

use sitemap_pages::fetch::{Credentials, FetchOptions, Fetcher};
use url::Url;

use super::{credentials, header, name};
use crate::args::NetworkArgs;
use crate::error::{Outcome, Stop};

/// What requests send besides their URL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identity {
    /// The header `User-Agent`, if it is not the default.
    user_agent: Option<String>,
    /// More headers. They may hold credentials.
    headers: Vec<(String, String)>,
    /// The credentials of the options.
    credentials: Option<Credentials>,
    /// URLs of the hosts that get the headers and the credentials, without user names and passwords. They come from the
    /// command line only, so that no document can choose who gets a secret.
    hosts: Vec<Url>,
    /// The credentials in the URLs of some hosts.
    in_urls: Vec<(Url, Credentials)>,
}

impl Identity {
    /// Returns what the requests of a command send. Headers and credentials are for the hosts of the targets that are
    /// URLs.
    pub(crate) fn new<'t>(args: &NetworkArgs, targets: impl IntoIterator<Item = &'t str>) -> Outcome<Self> {
        let headers = args.header.iter().map(|text| header::parse(text)).collect::<Outcome<Vec<_>>>()?;
        let credentials = credentials::of(args)?;
        let is_authorization = |(name, _): &(String, String)| name.eq_ignore_ascii_case("authorization");
        if credentials.is_some() && headers.iter().any(is_authorization) {
            return Err(Stop::new("credentials and a `--header` set `Authorization`; remove one of them"));
        }
        let user_agent = args.user_agent.clone();
        let mut identity = Self { user_agent, headers, credentials, ..Self::default() };
        for mut url in targets.into_iter().filter_map(name::url_of) {
            let in_url = credentials::take(&mut url)?;
            if let Some(credentials) = in_url {
                let is_other = |(known, other): &(Url, Credentials)| {
                    is_same_server(known, &url) && *other != credentials
                };
                if identity.in_urls.iter().any(is_other) {
                    let host = url.host_str().unwrap_or_default();
                    return Err(Stop::new(format!(
                        "two URLs have different user names or passwords for `{host}`; give both URLs the same ones"
                    )));
                }
                identity.in_urls.push((url.clone(), credentials));
            }
            identity.hosts.push(url);
        }
        if identity.user_agent.is_some() || !identity.headers.is_empty() {
            // Reports invalid values before the first request.
            let client = Fetcher::new(identity.add_to(FetchOptions::new(), Some("https://localhost/")));
            client.map_err(|error| Stop::new(error.to_string()))?;
        }
        Ok(identity)
    }

    /// Returns `true` if there are credentials, and they are not for the host of a URL.
    pub(super) fn has_credentials_of_other_hosts(&self, url: &str) -> bool {
        let Ok(url) = Url::parse(url) else { return false };
        let has_credentials = self.credentials.is_some() || !self.in_urls.is_empty();
        has_credentials && !self.hosts.iter().any(|host| is_same_server(host, &url))
    }

    /// Returns an error if there is a secret, and no host that may get it.
    #[cfg(feature = "pages")]
    pub(crate) fn check_secrets(&self) -> Outcome<()> {
        let is_secret = |(name, _): &(String, String)| {
            ["authorization", "cookie"].contains(&name.to_ascii_lowercase().as_str())
        };
        if self.hosts.is_empty() && (self.credentials.is_some() || self.headers.iter().any(is_secret)) {
            return Err(Stop::new(
                "no URL on the command line says which host gets the credentials; give the URL of the sitemap or `--at`",
            ));
        }
        Ok(())
    }

    /// Returns a text that is different if servers may send other documents. It has no secrets: the documents of two
    /// users have the same text, and are told apart by [`is_plain`](Self::is_plain).
    pub(super) fn variant(&self) -> String {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        format!(
            "{}\n{}\n{}",
            self.user_agent.as_deref().unwrap_or_default(),
            names.join(","),
            self.is_plain()
        )
    }

    /// Returns `true` if requests have neither headers of the user nor credentials, so that each URL has one document.
    pub(super) fn is_plain(&self) -> bool {
        self.headers.is_empty() && self.credentials.is_none() && self.in_urls.is_empty()
    }

    /// Adds the user agent, the headers and the credentials to the options of a client. If no target is a URL, headers
    /// are for the host of `otherwise` or, without it, are not sent at all.
    pub(crate) fn add_to(&self, mut options: FetchOptions, otherwise: Option<&str>) -> FetchOptions {
        if let Some(user_agent) = &self.user_agent {
            options = options.user_agent(user_agent);
        }
        let named: Vec<&str> = self.hosts.iter().map(Url::as_str).collect();
        let of_headers: Vec<&str> = if named.is_empty() { Vec::from_iter(otherwise) } else { named.clone() };
        if of_headers.is_empty() {
            return options;
        }
        for (name, value) in &self.headers {
            options = options.header(name, value);
        }
        for (url, credentials) in &self.in_urls {
            options = options.credentials(url.as_str(), credentials.clone());
        }
        for host in of_headers {
            options = options.headers_only_for(host);
        }
        if let Some(credentials) = &self.credentials {
            for host in named {
                options = options.credentials(host, credentials.clone());
            }
        }
        options
    }
}

/// Returns `true` if two URLs have the same host and port, or one has the usual port of `http` and the other that of
/// `https`.
fn is_same_server(one: &Url, other: &Url) -> bool {
    one.host() == other.host() && one.port() == other.port()
}
