//! The HTTP client, and the settings that all its requests share.

use std::collections::HashSet;
use std::sync::Arc;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client};
use sitemap_pages::robots::is_product_token;
use sitemap_pages::visit::{Failure, FailureKind};
use url::Url;

use crate::error::FetchError;
use crate::explain::{explain, tunnel_error};
use crate::options::FetchOptions;
use crate::proxy::{self, Proxies};
use crate::resolver::{Resolver, proxy_hosts};
use crate::url_parts::{server, trusts};

/// The HTTP client and its options.
#[derive(Clone, Debug)]
pub(crate) struct HttpClient {
    pub(crate) client: Client,
    pub(crate) options: Arc<FetchOptions>,
    headers: HeaderMap,
    /// URLs of the hosts that get the extra headers. If empty, the hosts of all URLs passed by the caller get them.
    header_hosts: Vec<Url>,
    /// URLs of hosts, each with the credentials that only this host gets.
    credentials: Vec<(Url, HeaderValue)>,
    proxies: Option<Arc<Proxies>>,
}

impl HttpClient {
    pub(crate) fn new(options: FetchOptions) -> Result<Self, FetchError> {
        let user_agent = value_of("user-agent", &options.user_agent)?;
        if product_token(&options.user_agent).is_empty() {
            return Err(FetchError::new(format!(
                "the user agent `{}` does not start with a product token; start it with a name of letters, `-` and \
                 `_`, such as `mybot/1.0`",
                options.user_agent
            )));
        }
        let headers = extra_headers(&options.headers)?;
        let header_hosts = options.header_hosts.iter().map(|url| parsed(url)).collect::<Result<_, _>>()?;
        let credentials = options.credentials.iter().map(|(url, value)| Ok((parsed(url)?, value.header()?)));
        let credentials = credentials.collect::<Result<_, FetchError>>()?;
        let accept = HeaderValue::from_static("text/html,application/xhtml+xml,*/*;q=0.8");
        // An error means that the process already has a provider, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        if options.proxies {
            proxy::check(|name| std::env::var_os(name))?;
        }
        let proxies =
            if options.proxies { proxy_hosts(|name| std::env::var(name).ok()) } else { HashSet::new() };
        let finder = options.proxies.then(|| Arc::new(Proxies::from_env()));
        let resolver = Resolver {
            guard: options.guard,
            addresses: Arc::new(options.addresses.clone()),
            proxies: Arc::new(proxies),
        };
        let mut client = Client::builder()
            .user_agent(user_agent)
            .default_headers(HeaderMap::from_iter([(ACCEPT, accept)]))
            // Redirects are followed one at a time, so that each is checked, queued and recorded.
            .redirect(Policy::none())
            .referer(false)
            .connect_timeout(options.connect_timeout)
            .pool_max_idle_per_host(options.per_host)
            .dns_resolver(resolver);
        if !options.proxies {
            client = client.no_proxy();
        }
        for pem in &options.authorities {
            client = client.tls_certs_merge(certificates(pem)?);
        }
        let client = client.build().map_err(|error| {
            let cause =
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            FetchError::new(format!(
                "cannot create an HTTP client: {cause}; check that the system's certificates are installed"
            ))
        })?;
        Ok(Self { client, options: Arc::new(options), headers, header_hosts, credentials, proxies: finder })
    }

    /// Returns the crawler's name, as used in the groups of robots.txt.
    pub(crate) fn product_token(&self) -> &str {
        product_token(&self.options.user_agent)
    }

    /// Returns the failure that describes why a request failed.
    pub(crate) fn explain(&self, error: &reqwest::Error, url: &Url) -> Failure {
        let failure = explain(error, url, &self.options);
        let proxy = self.proxies.as_ref().filter(|_| error.is_connect()).and_then(|proxies| proxies.of(url));
        let Some(proxy) = proxy else { return failure };
        let (kind, tunnel) = match tunnel_error(error) {
            // The connection was closed by the proxy, not by the host.
            Some(tunnel) if failure.kind == FailureKind::Tls => (FailureKind::Connect, Some(tunnel)),
            tunnel => (failure.kind, tunnel),
        };
        match kind {
            // The host itself was never reached, so the failure belongs to the proxy.
            FailureKind::Connect | FailureKind::Timeout | FailureKind::Dns => {
                Failure::new(kind, proxy.failed(&server(url), tunnel))
            }
            _ => failure,
        }
    }

    /// Returns the extra headers and credentials to send to `url`, which is the URL `first` or a target of its
    /// redirects.
    pub(crate) fn headers(&self, first: &Url, url: &Url) -> HeaderMap {
        let is_meant = match &*self.header_hosts {
            [] => trusts(first, url),
            hosts => hosts.iter().any(|host| trusts(host, url)),
        };
        let mut headers = if is_meant { self.headers.clone() } else { HeaderMap::new() };
        if let Some((_, value)) = self.credentials.iter().find(|(host, _)| trusts(host, url)) {
            headers.insert(AUTHORIZATION, value.clone());
        }
        headers
    }
}

/// Returns the product token at the start of a user agent, or an empty string.
fn product_token(user_agent: &str) -> &str {
    let token = user_agent.split(['/', ' ']).next().unwrap_or_default();
    if is_product_token(token) { token } else { "" }
}

fn parsed(url: &str) -> Result<Url, FetchError> {
    let parsed = Url::parse(url).ok().filter(Url::has_host);
    parsed.ok_or_else(|| FetchError::new(format!("`{url}` is not a URL; write it with `https://`")))
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate>, FetchError> {
    let found = Certificate::from_pem_bundle(pem).unwrap_or_default();
    if found.is_empty() {
        return Err(FetchError::new(
            "the trusted authority contains no certificate; pass a file in PEM format, with `BEGIN CERTIFICATE`"
                .to_owned(),
        ));
    }
    Ok(found)
}

fn extra_headers(headers: &[(String, String)]) -> Result<HeaderMap, FetchError> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
            FetchError::new(format!("`{name}` is not the name of a header; use letters, digits and `-`"))
        })?;
        let value = value_of(name.as_str(), value)?;
        map.append(name, value);
    }
    Ok(map)
}

fn value_of(name: &str, value: &str) -> Result<HeaderValue, FetchError> {
    HeaderValue::from_str(value).map_err(|_| {
        // The value may be a secret, so it is not printed.
        FetchError::new(format!("the value of the header `{name}` has control characters; remove them"))
    })
}
