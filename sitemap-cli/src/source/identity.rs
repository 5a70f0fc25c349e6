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
    /// URLs of the hosts that get the headers and the credentials, without user names and passwords.
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
            identity.in_urls.extend(in_url.map(|credentials| (url.clone(), credentials)));
            identity.hosts.push(url);
        }
        if identity.user_agent.is_some() || !identity.headers.is_empty() {
            // Reports invalid values before the first request.
            let client = Fetcher::new(identity.add_to(FetchOptions::new(), Some("https://localhost/")));
            client.map_err(|error| Stop::new(error.to_string()))?;
        }
        Ok(identity)
    }

    /// Returns `true` if there are credentials for some hosts.
    pub(super) fn has_credentials(&self) -> bool {
        self.credentials.is_some() || !self.in_urls.is_empty()
    }

    /// Returns a text that is different if servers may send other documents. It has no secrets.
    pub(super) fn variant(&self) -> String {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        format!(
            "{}\n{}\n{}",
            self.user_agent.as_deref().unwrap_or_default(),
            names.join(","),
            self.has_credentials()
        )
    }

    /// Adds the user agent, the headers and the credentials to the options of a client. If no target is a URL, headers
    /// and credentials are for the host of `otherwise` or, without it, are not sent at all.
    pub(crate) fn add_to(&self, mut options: FetchOptions, otherwise: Option<&str>) -> FetchOptions {
        if let Some(user_agent) = &self.user_agent {
            options = options.user_agent(user_agent);
        }
        let mut hosts: Vec<&str> = self.hosts.iter().map(Url::as_str).collect();
        if hosts.is_empty() {
            hosts.extend(otherwise);
        }
        if hosts.is_empty() {
            return options;
        }
        for (name, value) in &self.headers {
            options = options.header(name, value);
        }
        for (url, credentials) in &self.in_urls {
            options = options.credentials(url.as_str(), credentials.clone());
        }
        for host in hosts {
            options = options.headers_only_for(host);
            if let Some(credentials) = &self.credentials {
                options = options.credentials(host, credentials.clone());
            }
        }
        options
    }
}
