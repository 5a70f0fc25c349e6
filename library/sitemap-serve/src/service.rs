//! The service that turns a request into a response.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use http::{Method, Request, Response, StatusCode};

use super::body::Body;
use super::cache::Cache;
use super::file::File;
use super::offload::{Lane, Offload};
use super::response::{self, RequestParts};
use super::robots_file::RobotsFile;
use super::route::{Mount, Target};
use super::service_status::ServiceStatus;
use super::source::{Found, Source};
use sitemap_core::Site;
use sitemap_core::Storage;
use sitemap_core::Stylesheet;
use sitemap_core::html_page::HtmlPage;
use sitemap_core::threads::Task;

/// A service that answers requests for a published set. Use it as a `tower::Service`, or call its plain function from
/// other frameworks.
///
/// Clones are cheap and share the files. The [crate documentation](crate) lists all responses.
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_core::{Memory, Site, SitemapSet};
/// use sitemap_serve::SitemapService;
///
/// let site = Site::new("https://example.com/shop")?;
/// let memory = Memory::new();
/// let service = SitemapService::new(memory.clone())
///     .mount("/shop")
///     .cache_control("public, max-age=600")?
///     .retry_after(Duration::from_secs(5))
///     .cache_bytes(16 * 1024 * 1024)
///     .revalidate_after(Duration::from_secs(30))
///     .robots_txt(&site, "User-agent: *\nDisallow: /shop/cart\n");
/// let get = |path| service.respond_to("GET", path, [("", ""); 0]);
/// assert_eq!(get("/shop/sitemap.xml").status(), 503);
/// assert_eq!(get("/shop/sitemap.xml").headers()["retry-after"], "5");
///
/// let mut run = SitemapSet::builder(site).storage(memory).replace()?;
/// run.section("pages")?.add("/")?;
/// run.commit()?;
/// assert_eq!(get("/shop/sitemap.xml").status(), 200);
/// assert_eq!(get("/shop/sitemap.xml").headers()["cache-control"], "public, max-age=600");
/// assert_eq!(get("/sitemap.xml").status(), 404);
/// assert_eq!(
///     get("/robots.txt").body(),
///     "User-agent: *\nDisallow: /shop/cart\n\nSitemap: https://example.com/shop/sitemap.xml\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SitemapService {
    shared: Arc<Shared>,
}

#[derive(Clone, Debug)]
struct Shared {
    source: Arc<dyn Source>,
    /// The cache, if the files come from storage. `source` is the same cache as a trait object, without access to the
    /// cache settings.
    cache: Option<Arc<Cache>>,
    mount: Mount,
    cache_control: HeaderValue,
    retry_after: Duration,
    compress: bool,
    robots: Option<RobotsFile>,
    stylesheet: Arc<File>,
    html_page: Option<Arc<File>>,
    offload: Arc<Offload>,
}

impl SitemapService {
    /// The default of [`cache_bytes`](Self::cache_bytes): 64 MiB, enough for the largest file allowed by the protocol.
    pub const CACHE_BYTES: u64 = 64 * 1024 * 1024;

    /// The default of [`revalidate_after`](Self::revalidate_after): one second.
    pub const REVALIDATE_AFTER: Duration = Duration::from_secs(1);

    /// Creates a service for the set in this storage. This or another process may publish to the storage.
    ///
    /// A file is read into memory when it is first requested, and again when its size, date or entity tag has changed.
    /// Files in a [`Memory`](sitemap_core::Memory) are shared, not copied.
    pub fn new(storage: impl Storage + 'static) -> Self {
        let cache = Arc::new(Cache::new(Arc::new(storage), Self::CACHE_BYTES, Self::REVALIDATE_AFTER));
        Self::of(cache.clone(), Some(cache))
    }

    pub(super) fn of(source: Arc<dyn Source>, cache: Option<Arc<Cache>>) -> Self {
        let css = Bytes::from_static(Stylesheet::CSS.as_bytes());
        Self {
            shared: Arc::new(Shared {
                source,
                cache,
                mount: Mount::new("/"),
                cache_control: HeaderValue::from_static("no-cache"),
                retry_after: Duration::from_secs(60),
                compress: true,
                robots: None,
                stylesheet: Arc::new(File::new(Stylesheet::FILE_NAME, css, None)),
                html_page: None,
                offload: Arc::default(),
            }),
        }
    }

    fn set(mut self, set: impl FnOnce(&mut Shared)) -> Self {
        set(Arc::make_mut(&mut self.shared));
        self
    }

    /// Sets the path under which the set's files are served. Default: `/`. See the [example](Self).
    ///
    /// Use the path of the [`Site`]'s base URL, unless the router strips it.
    pub fn mount(self, path: &str) -> Self {
        self.set(|shared| shared.mount = Mount::new(path))
    }

    /// Sets the `Cache-Control` header of files. Default: `no-cache`, which lets caches store files but makes them
    /// revalidate before each use. See the [example](Self).
    ///
    /// With a `max-age`, caches may keep some files of an old set, so a client can get an index and child sitemaps from
    /// different sets. Files [named by their digest](sitemap_core::publish::Names::Digest) never change, so they always
    /// get `public, max-age=31536000, immutable`.
    ///
    /// # Errors
    ///
    /// [`InvalidHeaderValue`] if the value contains a character that is not allowed in headers.
    pub fn cache_control(self, value: &str) -> Result<Self, InvalidHeaderValue> {
        let value = HeaderValue::from_str(value)?;
        Ok(self.set(|shared| shared.cache_control = value))
    }

    /// Sets the `Retry-After` header of 503 responses, in whole seconds (at least one). Default: one minute. See the
    /// [example](Self).
    pub fn retry_after(self, time: Duration) -> Self {
        self.set(|shared| shared.retry_after = time)
    }

    /// Sets whether plain files of at least one kilobyte are compressed. Clients can get gzip, and with the features
    /// `brotli` and `zstd` also brotli and Zstandard. Default: `true`.
    ///
    /// Each file is compressed once per coding, when a client first asks for it. The compressed bytes stay in memory
    /// with the file.
    ///
    /// ```
    /// use sitemap_core::Memory;
    /// use sitemap_serve::SitemapService;
    ///
    /// let service = SitemapService::new(Memory::new());
    /// let gzip = [("accept-encoding", "gzip")];
    /// let response = service.respond_to("GET", "/sitemap.css", gzip);
    /// assert_eq!(response.headers()["content-encoding"], "gzip");
    ///
    /// let response = service.compress(false).respond_to("GET", "/sitemap.css", gzip);
    /// assert!(response.headers().get("content-encoding").is_none());
    /// ```
    #[cfg(any(feature = "brotli", feature = "gzip", feature = "zstd"))]
    pub fn compress(self, compress: bool) -> Self {
        self.set(|shared| shared.compress = compress)
    }

    /// Sets the maximum total size of the files from storage that are kept in memory, in bytes, including compressed
    /// copies. Default: [`CACHE_BYTES`](Self::CACHE_BYTES). See the [example](Self).
    ///
    /// The least recently used files are dropped first. A file larger than the maximum is read again for each request.
    /// This setting has no effect on a [`LiveSitemap`](super::LiveSitemap) in memory, which always keeps all its files
    /// in memory.
    pub fn cache_bytes(self, bytes: u64) -> Self {
        self.set(|shared| shared.set_cache(Some(bytes), None))
    }

    /// Sets how long to wait before checking a file in storage for changes again. Default:
    /// [`REVALIDATE_AFTER`](Self::REVALIDATE_AFTER). See the [example](Self).
    ///
    /// After that time, the next request calls [`Storage::metadata`], which is cheap for a directory but is a network
    /// request for an object store. Until that call returns, other requests get the copy in memory, which may be
    /// outdated. A file named by its [digest](sitemap_core::publish::Names::Digest) is never checked again. Missing
    /// files are looked up on each request. The exceptions are the indexes `sitemap-2.xml` to `sitemap-32.xml`, which
    /// every request for robots.txt looks up: if one is missing, this is remembered for the same time.
    ///
    /// A [`LiveSitemap`](super::LiveSitemap) serves the sets that it publishes itself at once. In
    /// [memory](super::LiveSitemap::new) there are no others, so this setting has no effect.
    pub fn revalidate_after(self, time: Duration) -> Self {
        self.set(|shared| shared.set_cache(None, Some(time)))
    }

    /// Serves `/robots.txt` with these rules and the set's `Sitemap:` lines. Default: 404. See the [example](Self).
    ///
    /// `/robots.txt` stays at the root even with a mount path, because crawlers read robots.txt only at the root of a
    /// host. It is served even before the first publication, because crawlers avoid a site whose robots.txt is
    /// unavailable. The lines are added with [`robots::merge`](sitemap_core::robots::merge).
    pub fn robots_txt(self, site: &Site, rules: &str) -> Self {
        self.set(|shared| shared.robots = Some(RobotsFile::new(site, rules)))
    }

    /// Serves `sitemap.html` next to the set's files: a page where people can browse the set. Default: 404.
    ///
    /// ```
    /// use sitemap_core::Memory;
    /// use sitemap_core::html_page::HtmlPage;
    /// use sitemap_serve::SitemapService;
    ///
    /// let service = SitemapService::new(Memory::new());
    /// assert_eq!(service.respond_to("GET", "/sitemap.html", [("", ""); 0]).status(), 404);
    ///
    /// let response = service.html_page(HtmlPage::new()).respond_to("GET", "/sitemap.html", [("", ""); 0]);
    /// assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
    /// assert_eq!(response.headers()["content-security-policy"], HtmlPage::SECURITY_POLICY);
    /// ```
    pub fn html_page(self, page: impl Into<Option<HtmlPage>>) -> Self {
        let file = |page: HtmlPage| Arc::new(File::new(HtmlPage::FILE_NAME, page.to_html().into(), None));
        self.set(|shared| shared.html_page = page.into().map(file))
    }

    /// Returns whether there is a set, and the storage's failures so far. Use it in a readiness probe, for example.
    ///
    /// Does not wait for the storage. While no set is known, each call starts a search on another thread, at most once
    /// a second. So a probe that asks repeatedly notices a new set even if there are no requests.
    ///
    /// ```
    /// use std::{thread, time::Duration};
    ///
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_serve::SitemapService;
    ///
    /// let memory = Memory::new();
    /// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(memory.clone()).replace()?;
    /// run.section("pages")?.add("/")?;
    /// run.commit()?;
    ///
    /// let service = SitemapService::new(memory);
    /// while !service.status().has_set {
    ///     thread::sleep(Duration::from_millis(10));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn status(&self) -> ServiceStatus {
        if let Some(cache) = &self.shared.cache {
            Arc::clone(cache).look_if_due(|look| self.shared.offload.start(Lane::Any, look));
        }
        self.shared.source.status()
    }

    /// Returns the response to one request, for frameworks without `tower`. `path` is the request path without the
    /// query.
    ///
    /// Blocks while it reads or compresses a file, so call it in `spawn_blocking` from async code.
    ///
    /// ```
    /// use sitemap_core::{Memory, Stylesheet};
    /// use sitemap_serve::SitemapService;
    ///
    /// let service = SitemapService::new(Memory::new());
    /// let response = service.respond(&http::Method::GET, "/sitemap.css", &http::HeaderMap::new());
    /// assert_eq!(response.body(), Stylesheet::CSS);
    /// ```
    #[must_use]
    pub fn respond(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<Bytes> {
        match self.answer(method, path, headers, true) {
            Answer::Response(response) => response,
            Answer::NotOurs | Answer::NotReady(_) => {
                response::not_found(&RequestParts { method, path, headers })
            }
        }
    }

    /// Like [`respond`](Self::respond), but for frameworks that have their own types for methods and headers, or that
    /// use another version of `http`.
    ///
    /// Malformed headers are ignored; a malformed method gets 405.
    ///
    /// ```
    /// use sitemap_core::Memory;
    /// use sitemap_serve::SitemapService;
    ///
    /// let service = SitemapService::new(Memory::new());
    /// let response = service.respond_to("GET", "/sitemap.xml", [("accept-encoding", "gzip")]);
    /// assert_eq!(response.status().as_u16(), 503);
    /// assert_eq!(response.body(), "the sitemap is not ready yet\n");
    /// ```
    #[must_use]
    pub fn respond_to<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        method: &str,
        path: &str,
        headers: impl IntoIterator<Item = (N, V)>,
    ) -> Response<Bytes> {
        let (method, headers) = (method_of(method), header_map(headers));
        self.respond(&method, path, &headers)
    }

    /// Returns the answer to a request. It is never [`NotReady`](Answer::NotReady) if `may_block` is true.
    pub(super) fn answer(&self, method: &Method, path: &str, headers: &HeaderMap, may_block: bool) -> Answer {
        self.find(&RequestParts { method, path, headers }, may_block).unwrap_or_else(Answer::NotReady)
    }

    /// Returns `false` if no set can have a file at this path.
    pub(super) fn is_path_of_set(&self, path: &str) -> bool {
        match self.shared.mount.target(path) {
            Some(Target::Robots) => self.shared.robots.is_some(),
            target => target.is_some(),
        }
    }

    /// Computes the answer on one of the lane's threads.
    pub(super) fn answer_elsewhere(
        &self,
        lane: Lane,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Task<Answer> {
        let (this, method, path, headers) = (self.clone(), method.clone(), path.to_owned(), headers.clone());
        self.shared.offload.run(lane, move || this.answer(&method, &path, &headers, true))
    }

    /// Returns the answer. If a file must first be read or compressed and `may_block` is false, returns the lane for
    /// that work instead.
    fn find(&self, request: &RequestParts<'_>, may_block: bool) -> Result<Answer, Lane> {
        let shared = &*self.shared;
        let found = match (shared.mount.target(request.path), &shared.robots) {
            (None, _) | (Some(Target::Robots), None) => return Ok(Answer::NotOurs),
            (Some(Target::File(name)), _) => shared.find_file(name, may_block)?,
            (Some(Target::HtmlPage), _) => match &shared.html_page {
                Some(page) => Found::File(Arc::clone(page)),
                None => return Ok(Answer::NotOurs),
            },
            (Some(Target::Stylesheet), _) => Found::File(Arc::clone(&shared.stylesheet)),
            (Some(Target::Robots), Some(robots)) => robots.make(|name| shared.find_file(name, may_block))?,
        };
        if matches!(found, Found::Missing) {
            return Ok(Answer::NotOurs);
        }
        if !matches!(*request.method, Method::GET | Method::HEAD) {
            return Ok(Answer::Response(response::method_not_allowed(request)));
        }
        let response = match found {
            Found::File(file) => {
                let before = file.size();
                // The file has been found, so the response can only be missing because the file must be compressed.
                let response =
                    response::file(request, &file, &shared.cache_control, shared.compress, may_block)
                        .ok_or(Lane::Any)?;
                if file.size() > before {
                    shared.source.note_growth();
                }
                response
            }
            Found::Missing | Found::NoSet | Found::Failed => {
                response::unavailable(request, shared.retry_after)
            }
        };
        Ok(Answer::Response(response))
    }
}

/// The service's answer to a request.
#[derive(Debug)]
pub(super) enum Answer {
    Response(Response<Bytes>),
    /// The set has no such file.
    NotOurs,
    /// A file must first be read or compressed in this lane.
    NotReady(Lane),
}

/// Collects the headers, and skips malformed ones.
pub(super) fn header_map<N: AsRef<[u8]>, V: AsRef<[u8]>>(
    headers: impl IntoIterator<Item = (N, V)>,
) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_ref());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_ref())) {
            map.append(name, value);
        }
    }
    map
}

/// Parses the method. All methods except GET and HEAD get the same response, so a malformed one is replaced with
/// `TRACE`.
pub(super) fn method_of(name: &str) -> Method {
    Method::from_bytes(name.as_bytes()).unwrap_or(Method::TRACE)
}

/// Returns the response for a request during which the storage panicked.
pub(super) fn failed() -> Response<Bytes> {
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}

impl Shared {
    /// Changes the cache settings. This empties the cache.
    fn set_cache(&mut self, capacity: Option<u64>, revalidate_after: Option<Duration>) {
        if let Some(cache) = &self.cache {
            let cache = Arc::new(cache.with(capacity, revalidate_after));
            self.source = cache.clone();
            self.cache = Some(cache);
        }
    }

    /// Finds a file. If the search could block and `may_block` is false, returns the lane for it instead.
    fn find_file(&self, name: &str, may_block: bool) -> Result<Found, Lane> {
        if may_block {
            return Ok(self.source.find(name));
        }
        let lane = || if self.source.has_index(name) { Lane::Check } else { Lane::Read };
        self.source.find_ready(name).ok_or_else(lane)
    }
}

impl<B> tower_service::Service<Request<B>> for SitemapService {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture {
        let (method, path, headers) = (request.method(), request.uri().path(), request.headers());
        let state = match self.answer(method, path, headers, false) {
            Answer::Response(response) => State::Ready(Some(response)),
            Answer::NotOurs => {
                State::Ready(Some(response::not_found(&RequestParts { method, path, headers })))
            }
            Answer::NotReady(lane) => {
                let (parts, _) = request.into_parts();
                let this = self.clone();
                let work = move || this.respond(&parts.method, parts.uri.path(), &parts.headers);
                State::Waiting(self.shared.offload.run(lane, work))
            }
        };
        ResponseFuture(state)
    }
}

/// The future of a response. Ready at once if the file is in memory, and otherwise as soon as one of the service's
/// threads has read or compressed the file. Runs on any async runtime.
///
/// ```
/// use sitemap_core::Memory;
/// use sitemap_serve::SitemapService;
/// use tower_service::Service;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let mut service = SitemapService::new(Memory::new());
/// let future = service.call(http::Request::get("/sitemap.xml").body(())?);
/// assert_eq!(future.await?.status(), 503);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct ResponseFuture(State);

#[derive(Debug)]
enum State {
    Ready(Option<Response<Bytes>>),
    Waiting(Task<Response<Bytes>>),
}

impl Future for ResponseFuture {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let response = match &mut self.0 {
            State::Ready(response) => response.take(),
            State::Waiting(work) => ready!(Pin::new(work).poll(context)),
        };
        // There is no response if the storage panicked.
        let response = response.unwrap_or_else(failed);
        Poll::Ready(Ok(response.map(Body::new)))
    }
}
