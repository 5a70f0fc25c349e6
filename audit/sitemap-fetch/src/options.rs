//! The options of a fetcher.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use crate::credentials::Credentials;
use crate::guard::Guard;

/// The options of a [`Fetcher`](crate::Fetcher): how it names itself, what it may reach, and how long it waits.
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

    /// Sets the header `User-Agent`. See the [example](Self).
    ///
    /// It starts with the product token, the name that the groups of robots.txt name: `acmebot` in `acmebot/2.0`. It
    /// should also have the URL of a page that explains the crawler.
    ///
    /// Source: RFC 9309, section 2.2.1.
    #[must_use]
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// Adds a header to every request, also to those for robots.txt.
    ///
    /// A header may hold credentials, so it is not sent to the target of a redirect to another host, another port or
    /// from `https` to `http`. It is sent to the host of every URL that is requested, so request only URLs of hosts
    /// that you trust with it, or name these with [`headers_only_for`](Self::headers_only_for).
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

    /// Sends the extra headers only to the host of this URL, and to those of further calls. Without a call, they are
    /// sent to the host of every URL that is requested.
    ///
    /// Scheme and port count: what is meant for `https` is not sent over `http`. What is meant for `http` is also sent
    /// over `https`, if both have their usual ports.
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

    /// Sends credentials in the requests to the host of this URL, and to no other one, also not after a redirect. Can be
    /// called for several hosts; for the same host, the first call counts.
    ///
    /// Scheme and port count, as for [`headers_only_for`](Self::headers_only_for). Replaces a header `Authorization`.
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

    /// Limits the time for one connection: name, TCP and TLS. See the [example](Self).
    #[must_use]
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Limits the time for one request, from the connection to the last byte of the body. See the [example](Self).
    ///
    /// Each redirect and each retry is a request.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    /// Limits the size of a body, decompressed. A longer body is cut, and
    /// [`PageFacts::is_cut`](sitemap_pages::facts::PageFacts::is_cut) reports it. See the [example](Self).
    ///
    /// A run holds at most [`in_all`](Self::in_all) bodies in memory.
    #[must_use]
    pub fn max_body_bytes(mut self, limit: usize) -> Self {
        self.max_body_bytes = limit;
        self
    }

    /// Limits the requests to one host at the same time; at least 1. See the [example](Self).
    #[must_use]
    pub fn per_host(mut self, limit: usize) -> Self {
        self.per_host = limit.max(1);
        self
    }

    /// Limits the requests at the same time; at least 1. See the [example](Self).
    #[must_use]
    pub fn in_all(mut self, limit: usize) -> Self {
        self.in_all = limit.max(1);
        self
    }

    /// Sets the time from the start of one request to a host to the start of the next. See the [example](Self).
    ///
    /// A longer `Crawl-delay` of the host's robots.txt is obeyed, up to
    /// [`CrawlDelay::MAX`](sitemap_pages::robots::CrawlDelay::MAX).
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sets how often a visit is retried, after a [transient](sitemap_pages::visit::FailureKind::is_transient) failure or one
    /// of the statuses 408, 429, 500, 502, 503, 504, 522 and 524. See the [example](Self).
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the pause before the first retry. Each further pause is twice as long, up to 30 seconds. See the
    /// [example](Self).
    ///
    /// A pause is shortened by up to a half, so that many retries do not come at once.
    #[must_use]
    pub fn backoff(mut self, pause: Duration) -> Self {
        self.backoff = pause;
        self
    }

    /// Sets the seed for the lengths of pauses. With the same seed, the same URL has the same pauses. See the
    /// [example](Self).
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Limits the time that a host may ask for with `Retry-After`. See the [example](Self).
    ///
    /// A host that asks for more is given up for the rest of the run: its pages fail with
    /// [`FailureKind::GivenUp`](sitemap_pages::visit::FailureKind::GivenUp), and [`RunSummary`](crate::RunSummary) names it.
    #[must_use]
    pub fn max_retry_after(mut self, limit: Duration) -> Self {
        self.max_retry_after = limit;
        self
    }

    /// Sets the number of requests in a row without an answer after which a host is not asked any more in the run.
    /// Default: 20. The visits that are then not made have [`FailureKind::GivenUp`](sitemap_pages::visit::FailureKind::GivenUp).
    /// See the [example](Self).
    ///
    /// A request has no answer if the name has no address, the connection fails, or the response does not come in time or
    /// in full. Retries count too. Any answer, such as a status 500, starts the count again. Zero counts as one.
    #[must_use]
    pub fn give_up_after(mut self, requests: u32) -> Self {
        self.give_up_after = requests;
        self
    }

    /// Limits the redirects that are followed. Google follows 10. See the [example](Self).
    ///
    /// Source: Google Search Central, "How HTTP status codes affect Google's crawlers".
    #[must_use]
    pub fn max_redirects(mut self, limit: usize) -> Self {
        self.max_redirects = limit;
        self
    }

    /// Allows requests to this machine and to private networks. See the [example](Self).
    ///
    /// Without permission, every URL, every target of a redirect and every address that a name resolves to is checked.
    /// Requests through a proxy are checked only if their host is an IP address, because the proxy resolves the name.
    #[must_use]
    pub fn allow_private(mut self, allow: bool) -> Self {
        self.guard.private = allow;
        self
    }

    /// Allows requests to link-local addresses, where clouds keep the credentials of their machines. See the
    /// [example](Self).
    #[must_use]
    pub fn allow_link_local(mut self, allow: bool) -> Self {
        self.guard.link_local = allow;
        self
    }

    /// Sets whether the proxies of the environment are used: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`. See
    /// the [example](Self).
    ///
    /// A proxy speaks HTTP or SOCKS (`http`, `https`, `socks4`, `socks4a`, `socks5`, `socks5h`). A variable with anything
    /// else is an error of [`Fetcher::new`](crate::Fetcher::new), so that no request goes past the proxy.
    #[must_use]
    pub fn proxies(mut self, use_proxies: bool) -> Self {
        self.proxies = use_proxies;
        self
    }

    /// Trusts certificate authorities besides those of the system, such as that of a company. `pem` holds one or more
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

    /// Sets an address of a host name, in place of those that the name resolves to. See the [example](Self).
    ///
    /// The address may be private. Its port counts for URLs without a port. Use it to check a site before its name
    /// leads to it.
    #[must_use]
    pub fn resolve(mut self, host: impl Into<String>, address: SocketAddr) -> Self {
        self.addresses.entry(host.into()).or_default().push(address);
        self
    }

    /// Limits the requests that a run takes from its [`Work`](crate::Work) before earlier ones are done; at least 1.
    /// See the [example](Self).
    ///
    /// A run holds these in memory. While all of them wait for one slow host, no other host is asked.
    #[must_use]
    pub fn look_ahead(mut self, limit: usize) -> Self {
        self.look_ahead = limit.max(1);
        self
    }

    /// Gives all visits of a run the time that is passed to the run, so that the same answers always give the same
    /// visits. See the [example](Self).
    ///
    /// Otherwise, each visit has its own time. Use this only for runs that can be repeated, because a run may take days,
    /// and the changes of pages are dated by their visits.
    #[must_use]
    pub fn fixed_time(mut self, is_fixed: bool) -> Self {
        self.fixed_time = is_fixed;
        self
    }

    /// Lets pauses between requests pass at once, as soon as no request is under way. For tests: a run plans the same
    /// times as with pauses.
    #[must_use]
    pub fn without_pauses(mut self) -> Self {
        self.jumps = true;
        self
    }
}
