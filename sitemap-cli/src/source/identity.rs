//! How requests name the command, and what else they send to which hosts.

use sitemap_pages::fetch::{FetchOptions, Fetcher};
use url::Url;

use super::{header, name};
use crate::args::NetworkArgs;
use crate::error::{Outcome, Stop};

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
    /// Returns what the requests of a command send. Headers are for the hosts of the targets that are URLs.
    pub(crate) fn new<'t>(args: &NetworkArgs, targets: impl IntoIterator<Item = &'t str>) -> Outcome<Self> {
        let headers = args.header.iter().map(|text| header::parse(text)).collect::<Outcome<_>>()?;
        let hosts = targets.into_iter().filter_map(name::url_of).collect();
        let identity = Self { user_agent: args.user_agent.clone(), headers, hosts };
        if identity.user_agent.is_some() || !identity.headers.is_empty() {
            // Reports invalid values before the first request.
            let client = Fetcher::new(identity.add_to(FetchOptions::new()));
            client.map_err(|error| Stop::new(error.to_string()))?;
        }
        Ok(identity)
    }

    /// Adds the user agent and the headers to the options of a client.
    pub(crate) fn add_to(&self, mut options: FetchOptions) -> FetchOptions {
        if let Some(user_agent) = &self.user_agent {
            options = options.user_agent(user_agent);
        }
        for (name, value) in &self.headers {
            options = options.header(name, value);
        }
        options
    }
}
