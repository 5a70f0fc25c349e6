//! The client's name, headers and credentials, and the hosts that receive them.

use sitemap_fetch::{Credentials, FetchOptions, Fetcher};
use url::Url;

use super::{credentials, header, name};
use crate::args::NetworkArgs;
use crate::error::{Outcome, Stop};

/// What requests contain in addition to their URL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identity {
    /// The `User-Agent` header, unless it is the default.
    user_agent: Option<String>,
    /// Additional headers. They may contain credentials.
    headers: Vec<(String, String)>,
    /// The credentials of the options.
    credentials: Option<Credentials>,
    /// The hosts that receive the headers and credentials, as URLs without user names and passwords. They come only
    /// from the command line, so that no document can decide who gets a secret.
    hosts: Vec<Url>,
    /// The credentials in the URLs of some hosts.
    in_urls: Vec<(Url, Credentials)>,
}

impl Identity {
    /// Returns what a command sends with its requests. Headers and credentials are sent to the hosts of those targets
    /// that are URLs.
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
            // Checks the values before the first request.
            let options = identity.add_headers(FetchOptions::new()).headers_only_for("https://localhost/");
            let client = Fetcher::new(options);
            client.map_err(|error| Stop::new(error.to_string()))?;
        }
        Ok(identity)
    }

    /// Returns `true` if there are credentials, but none for the host of this URL.
    pub(super) fn has_credentials_of_other_hosts(&self, url: &str) -> bool {
        let Ok(url) = Url::parse(url) else { return false };
        let has_credentials = self.credentials.is_some() || !self.in_urls.is_empty();
        has_credentials && !self.hosts.iter().any(|host| is_same_server(host, &url))
    }

    /// Returns an error if there are headers or credentials, but no host that may receive them.
    #[cfg(feature = "pages")]
    pub(crate) fn check_hosts(&self) -> Outcome<()> {
        let what = match (&self.credentials, &*self.headers) {
            (Some(_), _) => "credentials",
            (None, [_, ..]) => "headers",
            (None, []) => return Ok(()),
        };
        if !self.hosts.is_empty() {
            return Ok(());
        }
        Err(Stop::new(format!(
            "no URL on the command line says which host gets the {what}; give the URL of the sitemap or `--at`"
        )))
    }

    /// Returns a string that differs whenever servers may send different documents. It contains no secrets, so it can't
    /// distinguish two users; [`is_plain`](Self::is_plain) tells whether there are any headers or credentials.
    pub(super) fn variant(&self) -> String {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        format!(
            "{}\n{}\n{}",
            self.user_agent.as_deref().unwrap_or_default(),
            names.join(","),
            self.is_plain()
        )
    }

    /// Returns `true` if requests contain neither custom headers nor credentials, so that a URL always returns the same
    /// document.
    pub(super) fn is_plain(&self) -> bool {
        self.headers.is_empty() && self.credentials.is_none() && self.in_urls.is_empty()
    }

    /// Adds the user agent, headers and credentials to a client's options. If no target is a URL, adds only the user
    /// agent.
    pub(crate) fn add_to(&self, mut options: FetchOptions) -> FetchOptions {
        if self.hosts.is_empty() {
            return match &self.user_agent {
                Some(user_agent) => options.user_agent(user_agent),
                None => options,
            };
        }
        options = self.add_headers(options);
        for (url, credentials) in &self.in_urls {
            options = options.credentials(url.as_str(), credentials.clone());
        }
        for host in self.hosts.iter().map(Url::as_str) {
            options = options.headers_only_for(host);
            if let Some(credentials) = &self.credentials {
                options = options.credentials(host, credentials.clone());
            }
        }
        options
    }

    /// Adds the user agent and the headers.
    fn add_headers(&self, mut options: FetchOptions) -> FetchOptions {
        if let Some(user_agent) = &self.user_agent {
            options = options.user_agent(user_agent);
        }
        for (name, value) in &self.headers {
            options = options.header(name, value);
        }
        options
    }
}

/// Returns `true` if two URLs have the same host and port. The default ports of `http` and `https` are considered the
/// same.
fn is_same_server(one: &Url, other: &Url) -> bool {
    one.host() == other.host() && one.port() == other.port()
}
