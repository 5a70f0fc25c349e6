//! A fetcher's options.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use crate::credentials::Credentials;
use crate::guard::Guard;

/// The options of a [`Fetcher`](crate::Fetcher): how it identifies itself, what it may reach, and how long it waits.
///
/// | option | default |
/// |---|---|
/// | [`user_agent`](Self::user_agent) | `sitemap/VERSION (+URL of the repository)` |
/// | [`connect_timeout`](Self::connect_timeout) | 15 seconds |
/// | [`timeout`](Self::timeout) | 30 seconds |
/// | [`max_body_bytes`](Self::max_body_bytes) | 10 MiB |
/// | [`per_host`](Self::per_host) | 4 requests |
/// | [`in_all`](Self::in_all) | 64 requests |
/// | [`delay`](Self::delay) | none |
/// | [`retries`](Self::retries) | 2 |
/// | [`backoff`](Self::backoff) | 1 second |
/// | [`max_retry_after`](Self::max_retry_after) | 2 minutes |
/// | [`give_up_after`](Self::give_up_after) | 20 requests without an answer |
/// | [`max_redirects`](Self::max_redirects) | 10 |
/// | [`allow_private`](Self::allow_private), [`allow_link_local`](Self::allow_link_local) | no |
/// | [`proxies`](Self::proxies) | yes |
/// | [`authority`](Self::authority) | those of the system |
/// | [`look_ahead`](Self::look_ahead) | 10,000 requests |
/// | [`fixed_time`](Self::fixed_time) | no |
///
/// There is no option to ignore robots.txt.
///
/// ```
/// use std::time::Duration;
/// use sitemap_fetch::{FetchOptions, Fetcher};
///
/// let options = FetchOptions::new()
///     .user_agent("acmebot/2.0 (+https://acme.example/bot)")
///     .connect_timeout(Duration::from_secs(5))
///     .timeout(Duration::from_secs(60))
///     .max_body_bytes(2 << 20)
///     .per_host(2)
///     .in_all(100)
///     .delay(Duration::from_millis(250))
///     .retries(4)
///     .backoff(Duration::from_secs(2))
///     .seed(42)
///     .max_retry_after(Duration::from_secs(600))
///     .give_up_after(10)
///     .max_redirects(5)
///     .allow_private(true)
///     .allow_link_local(false)
///     .proxies(false)
///     .resolve("www.acme.example", "192.168.1.5:8080".parse().unwrap())
///     .look_ahead(1_000)
///     .fixed_time(true);
/// assert_eq!(Fetcher::new(options)?.product_token(), "acmebot");
/// # Ok::<(), sitemap_fetch::FetchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FetchOptions {
    pub(crate) user_agent: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) header_hosts: Vec<String>,
    pub(crate) credentials: Vec<(String, Credentials)>,
    pub(crate) connect_timeout: Duration,
    pub(crate) timeout: Duration,
    pub(crate) max_body_bytes: usize,
    pub(crate) per_host: usize,
    pub(crate) in_all: usize,
    pub(crate) delay: Duration,
    pub(crate) retries: u32,
    pub(crate) backoff: Duration,
    pub(crate) seed: u64,
    pub(crate) max_retry_after: Duration,
    pub(crate) give_up_after: u32,
    pub(crate) max_redirects: usize,
    pub(crate) guard: Guard,
    pub(crate) proxies: bool,
    pub(crate) authorities: Vec<Vec<u8>>,
    pub(crate) addresses: HashMap<String, Vec<SocketAddr>>,
    pub(crate) look_ahead: usize,
    pub(crate) fixed_time: bool,
    pub(crate) jumps: bool,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            user_agent: concat!(
                "sitemap/",
                env!("CARGO_PKG_VERSION"),
                " (+",
                env!("CARGO_PKG_REPOSITORY"),
                ")"
            )
            .to_owned(),
            headers: Vec::new(),
            header_hosts: Vec::new(),
            credentials: Vec::new(),
            connect_timeout: Duration::from_secs(15),
            timeout: Duration::from_secs(30),
            max_body_bytes: 10 << 20,
            per_host: 4,
            in_all: 64,
            delay: Duration::ZERO,
            retries: 2,
            backoff: Duration::from_secs(1),
            seed: 0,
            max_retry_after: Duration::from_secs(120),
            give_up_after: 20,
            max_redirects: 10,
            guard: Guard::default(),
            proxies: true,
            authorities: Vec::new(),
            addresses: HashMap::new(),
            look_ahead: 10_000,
            fixed_time: false,
            jumps: false,
        }
    }
}

impl FetchOptions {
    /// Returns the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the `User-Agent` header. See the [example](Self).
    ///
    /// It starts with the product token, which is the name used in the groups of robots.txt: `acmebot` in
    /// `acmebot/2.0`. It should also include the URL of a page that explains the crawler.
    ///
    /// Source: RFC 9309, section 2.2.1.
    #[must_use]
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// Adds a header to every request, including those for robots.txt.
    ///
    /// A header may contain credentials, so it is dropped when a redirect goes to another host or port, or from `https`
    /// to `http`. It is sent to the host of every URL that you request. So request only URLs of hosts that you trust
    /// with it, or name these hosts with [`headers_only_for`](Self::headers_only_for).
    ///
    /// ```
    /// use sitemap_fetch::{FetchOptions, Fetcher};
    ///
    /// let options = FetchOptions::new().header("X-Stage", "secret");
    /// assert!(Fetcher::new(options).is_ok());
    /// let error = Fetcher::new(FetchOptions::new().header("X Stage", "secret")).unwrap_err();
    /// assert_eq!(error.to_string(), "`X Stage` is not the name of a header; use letters, digits and `-`");
    /// ```
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sends the extra headers only to this URL's host. Call it again to add more hosts. If it's never called, every
    /// host of a requested URL gets the headers.
    ///
    /// Scheme and port have to match: headers for an `https` URL are not sent over `http`. Headers for an `http` URL
    /// are also sent over `https` if both use their default ports.
    ///
    /// ```
    /// use sitemap_fetch::{FetchOptions, Fetcher};
    ///
    /// let options = FetchOptions::new().header("X-Stage", "secret").headers_only_for("https://stage.example.com/");
    /// assert!(Fetcher::new(options).is_ok());
    /// let error = Fetcher::new(FetchOptions::new().headers_only_for("stage.example.com")).unwrap_err();
    /// assert_eq!(error.to_string(), "`stage.example.com` is not a URL; write it with `https://`");
    /// ```
    #[must_use]
    pub fn headers_only_for(mut self, url: impl Into<String>) -> Self {
        self.header_hosts.push(url.into());
        self
    }

    /// Sends credentials with requests to this URL's host and to no other, even after a redirect. Can be called for
    /// several hosts. For the same host, the first call wins.
    ///
    /// Scheme and port have to match, as for [`headers_only_for`](Self::headers_only_for). Replaces an `Authorization`
    /// header.
    ///
    /// ```
    /// use sitemap_fetch::{Credentials, FetchOptions, Fetcher};
    ///
    /// let token = Credentials::bearer("mF_9.B5f-4.1JqM")?;
    /// assert!(Fetcher::new(FetchOptions::new().credentials("https://stage.example.com/", token)).is_ok());
    /// # Ok::<(), sitemap_fetch::FetchError>(())
    /// ```
    #[must_use]
    pub fn credentials(mut self, url: impl Into<String>, credentials: Credentials) -> Self {
        self.credentials.push((url.into(), credentials));
        self
    }

    /// Limits the time to connect: name resolution, TCP and TLS. See the [example](Self).
    #[must_use]
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Limits the time for one request, from the connection to the last byte of the body. See the [example](Self).
    ///
    /// Each redirect and each retry is a separate request.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    /// Limits the size of a decompressed body. A longer body is truncated, and
    /// [`PageFacts::is_cut`](sitemap_pages::facts::PageFacts::is_cut) reports it. See the [example](Self).
    ///
    /// A run keeps at most [`in_all`](Self::in_all) bodies in memory.
    #[must_use]
    pub fn max_body_bytes(mut self, limit: usize) -> Self {
        self.max_body_bytes = limit;
        self
    }

    /// Limits the number of simultaneous requests to one host; at least 1. See the [example](Self).
    #[must_use]
    pub fn per_host(mut self, limit: usize) -> Self {
        self.per_host = limit.max(1);
        self
    }

    /// Limits the number of simultaneous requests; at least 1. See the [example](Self).
    #[must_use]
    pub fn in_all(mut self, limit: usize) -> Self {
        self.in_all = limit.max(1);
        self
    }

    /// Sets the minimum time between the starts of requests to a host. See the [example](Self).
    ///
    /// If the host's robots.txt sets a longer `Crawl-delay`, that one applies, up to
    /// [`CrawlDelay::MAX`](sitemap_pages::robots::CrawlDelay::MAX).
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sets how often a visit is retried after a [transient](sitemap_pages::visit::FailureKind::is_transient) failure
    /// or one of the statuses 408, 429, 500, 502, 503, 504, 522 and 524. See the [example](Self).
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the pause before the first retry. Each further pause is twice as long, up to 30 seconds. See the
    /// [example](Self).
    ///
    /// Each pause is shortened by up to half, so that many retries don't arrive at once.
    #[must_use]
    pub fn backoff(mut self, pause: Duration) -> Self {
        self.backoff = pause;
        self
    }

    /// Sets the seed for the lengths of pauses. With the same seed, a URL always gets the same pauses. See the
    /// [example](Self).
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Limits how long a host may ask to wait with `Retry-After`. See the [example](Self).
    ///
    /// If a host asks for more, the run gives up on it: its pages fail with
    /// [`FailureKind::GivenUp`](sitemap_pages::visit::FailureKind::GivenUp), and [`RunSummary`](crate::RunSummary)
    /// names it.
    #[must_use]
    pub fn max_retry_after(mut self, limit: Duration) -> Self {
        self.max_retry_after = limit;
        self
    }

    /// Sets after how many unanswered requests in a row the run gives up on a host. Default: 20. The remaining visits
    /// fail with [`FailureKind::GivenUp`](sitemap_pages::visit::FailureKind::GivenUp). See the [example](Self).
    ///
    /// A request is unanswered if the name doesn't resolve, the connection fails, or the response isn't received
    /// completely and in time. Retries count too. Any response, even a status 500, resets the count. Zero is treated as
    /// one.
    #[must_use]
    pub fn give_up_after(mut self, requests: u32) -> Self {
        self.give_up_after = requests;
        self
    }

    /// Limits how many redirects are followed. Google follows 10. See the [example](Self).
    ///
    /// Source: Google Search Central, "How HTTP status codes affect Google's crawlers".
    #[must_use]
    pub fn max_redirects(mut self, limit: usize) -> Self {
        self.max_redirects = limit;
        self
    }

    /// Allows requests to this machine and to private networks. See the [example](Self).
    ///
    /// Without this, every URL, every redirect target and every address that a name resolves to is checked. Requests
    /// through a proxy are checked only if their host is an IP address, because the proxy resolves names.
    #[must_use]
    pub fn allow_private(mut self, allow: bool) -> Self {
        self.guard.private = allow;
        self
    }

    /// Allows requests to link-local addresses, where clouds serve credentials to their virtual machines. See the
    /// [example](Self).
    #[must_use]
    pub fn allow_link_local(mut self, allow: bool) -> Self {
        self.guard.link_local = allow;
        self
    }

    /// Sets whether to use the proxies that the environment names: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`,
    /// `NO_PROXY`. See the [example](Self).
    ///
    /// HTTP and SOCKS proxies are supported (`http`, `https`, `socks4`, `socks4a`, `socks5`, `socks5h`). For any other
    /// value, [`Fetcher::new`](crate::Fetcher::new) returns an error, so that no request bypasses the proxy.
    #[must_use]
    pub fn proxies(mut self, use_proxies: bool) -> Self {
        self.proxies = use_proxies;
        self
    }

    /// Trusts certificate authorities in addition to the system's, such as a company's own. `pem` contains one or more
    /// certificates in PEM format.
    ///
    /// ```
    /// use sitemap_fetch::{FetchOptions, Fetcher};
    ///
    /// let error = Fetcher::new(FetchOptions::new().authority("secret")).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the trusted authority contains no certificate; pass a file in PEM format, with `BEGIN CERTIFICATE`"
    /// );
    /// ```
    #[must_use]
    pub fn authority(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.authorities.push(pem.into());
        self
    }

    /// Overrides the address of a host name. See the [example](Self).
    ///
    /// The address may be private. Its port applies to URLs without a port. Use this to check a site before its DNS
    /// points there.
    #[must_use]
    pub fn resolve(mut self, host: impl Into<String>, address: SocketAddr) -> Self {
        self.addresses.entry(host.into()).or_default().push(address);
        self
    }

    /// Limits how many requests a run reads ahead from its [`Work`](crate::Work); at least 1. See the [example](Self).
    ///
    /// A run keeps these requests in memory. While all of them wait for one slow host, no other host is requested.
    #[must_use]
    pub fn look_ahead(mut self, limit: usize) -> Self {
        self.look_ahead = limit.max(1);
        self
    }

    /// Stamps all visits of a run with the time passed to the run, so that the same responses always produce the same
    /// visits. See the [example](Self).
    ///
    /// Without this, each visit has its own time. Use it only where runs have to be reproducible: a run can take days,
    /// and a page's change is dated by the visit that finds it.
    #[must_use]
    pub fn fixed_time(mut self, is_fixed: bool) -> Self {
        self.fixed_time = is_fixed;
        self
    }

    /// Skips the pauses between requests whenever no request is under way. This is for tests: requests are scheduled at
    /// the same times as with real pauses.
    #[must_use]
    pub fn without_pauses(mut self) -> Self {
        self.jumps = true;
        self
    }
}
