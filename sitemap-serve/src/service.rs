//! The service: from a request to an answer.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use http::{Method, Request, Response, StatusCode};

use super::answer::{self, Asked};
use super::body::Body;
use super::cache::Cache;
use super::file::File;
use super::offload::{Offload, Offloaded};
use super::route::{Mount, Target};
use super::source::{Found, Source};
use sitemap_core::Site;
use sitemap_core::Storage;
use sitemap_core::Stylesheet;
use sitemap_core::publish::{ENTRY_POINT, index_file_name};
use sitemap_core::robots;

/// Answers requests for a published set: a `tower::Service`, and a plain function for everything
/// else.
///
/// A clone is cheap and answers from the same files. See the [module](super) for what it answers.
///
/// ```
/// use sitemap_serve::{http, SitemapService};
/// use sitemap_core::{Memory, Publisher, Site};
///
/// let memory = Memory::new();
/// let service = SitemapService::new(memory.clone());
/// let get = || service.respond(&http::Method::GET, "/sitemap.xml", &http::HeaderMap::new());
/// assert_eq!(get().status(), 503);
///
/// let mut publisher = Publisher::builder(Site::new("https://example.com")?).to_storage(memory)?;
/// publisher.section("pages")?.add("/")?;
/// publisher.finish()?;
/// assert_eq!(get().status(), 200);
/// assert_eq!(get().headers()["content-type"], "application/xml");
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
    /// The source once more, if it is a storage whose keeping can be set.
    cache: Option<Arc<Cache>>,
    mount: Mount,
    cache_control: HeaderValue,
    retry_after: Duration,
    compress: bool,
    robots: Option<Robots>,
    stylesheet: Arc<File>,
    offload: Arc<Offload>,
}

#[derive(Clone, Debug)]
struct Robots {
    site: Site,
    rules: String,
}

impl SitemapService {
    /// How many bytes of a storage's files are kept in memory by default: 64 MiB, room for the largest
    /// file that the protocol allows.
    pub const CACHE_BYTES: u64 = 64 * 1024 * 1024;

    /// For how long a storage's file is taken for unchanged by default: a second.
    pub const TRUST: Duration = Duration::from_secs(1);

    /// Serves what is published to a storage, by this program or by another.
    ///
    /// Files are read into memory when they are first asked for, and again when their size or date has
    /// changed. [`Memory`](sitemap_core::Memory)'s files are shared, not copied.
    pub fn new(storage: impl Storage + 'static) -> Self {
        let cache = Arc::new(Cache::new(Arc::new(storage), Self::CACHE_BYTES, Self::TRUST));
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
                compress: cfg!(feature = "gzip"),
                robots: None,
                stylesheet: Arc::new(File::new(Stylesheet::FILE_NAME, css, None)),
                offload: Arc::default(),
            }),
        }
    }

    fn set(mut self, set: impl FnOnce(&mut Shared)) -> Self {
        set(Arc::make_mut(&mut self.shared));
        self
    }

    /// Sets the path under which the set's files are found. Default: `/`.
    ///
    /// It must be the path of the [`Site`]'s base, unless a router takes it off before.
    pub fn mount(self, path: &str) -> Self {
        self.set(|shared| shared.mount = Mount::new(path))
    }

    /// Sets the `Cache-Control` of files. Default: `no-cache`, which lets caches keep them, but ask each
    /// time whether they are still right.
    ///
    /// With an age instead, caches may give out an index of another time than the files it lists.
    /// Files [named by their digest](sitemap_core::publish::Names::Digest) never change, so theirs is always `public,
    /// max-age=31536000, immutable`.
    ///
    /// # Errors
    ///
    /// If the text cannot stand in a header.
    pub fn cache_control(self, value: &str) -> Result<Self, InvalidHeaderValue> {
        let value = HeaderValue::from_str(value)?;
        Ok(self.set(|shared| shared.cache_control = value))
    }

    /// Sets after how long a client should ask again while there is no set, in whole seconds, at least
    /// one. Default: a minute.
    pub fn retry_after(self, time: Duration) -> Self {
        self.set(|shared| shared.retry_after = time)
    }

    /// Whether plain files of a kilobyte or more are compressed for clients that accept it. Default:
    /// `true`.
    ///
    /// Each is compressed once, and kept with the file.
    #[cfg(feature = "gzip")]
    pub fn compress(self, compress: bool) -> Self {
        self.set(|shared| shared.compress = compress)
    }

    /// Sets how many bytes of a storage's files are kept in memory, the compressed ones included. Default:
    /// [`CACHE_BYTES`](Self::CACHE_BYTES).
    ///
    /// Those that were not asked for longest make room. A file that is larger than this is read for each
    /// request. A [`LiveSitemap`](super::LiveSitemap) is in memory as a whole, whatever is set here.
    pub fn cache_bytes(self, bytes: u64) -> Self {
        self.set(|shared| shared.keep(Some(bytes), None))
    }

    /// Sets for how long a storage's file is taken for unchanged without another look. Default:
    /// [`TRUST`](Self::TRUST).
    ///
    /// So long may an answer be behind the storage. A look is a call of [`Storage::metadata`], cheap for a
    /// directory, a request of its own for an object store. What is missing is looked for each time. A
    /// [`LiveSitemap`](super::LiveSitemap) is never behind.
    pub fn trust(self, time: Duration) -> Self {
        self.set(|shared| shared.keep(None, Some(time)))
    }

    /// Answers `/robots.txt`, too: with these rules and the `Sitemap:` lines of the set. Default: it is
    /// not found.
    ///
    /// Its path is that one wherever the set is mounted, as robots.txt counts only at a host's root. It
    /// is there also before the first publication, since crawlers would stay away from a whole site
    /// whose robots.txt is not available. See [`robots::merge`].
    pub fn robots_txt(self, site: &Site, rules: &str) -> Self {
        let robots = Robots { site: site.clone(), rules: rules.to_owned() };
        self.set(|shared| shared.robots = Some(robots))
    }

    /// Answers one request; the path is without query.
    ///
    /// For frameworks that are not made of `tower` services. A file that is not in memory is read before
    /// this returns, and compressed, if that is wished for: async programs call it where that may take
    /// its time, as in `spawn_blocking`.
    #[must_use]
    pub fn respond(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<Bytes> {
        let asked = Asked { method, path, headers };
        // With time to wait there always is an answer.
        self.answer(&asked, true).unwrap_or_else(|| answer::not_yet(&asked, self.shared.retry_after))
    }

    /// As [`respond`](Self::respond), for frameworks that have other types for methods and headers:
    /// another version of `http`, or their own.
    ///
    /// Headers that are none are left out; a method that is none is refused.
    ///
    /// ```
    /// # use sitemap_core::Memory;
    /// # use sitemap_serve::SitemapService;
    /// # let service = SitemapService::new(Memory::new());
    /// let answer = service.respond_to("GET", "/sitemap.xml", [("accept-encoding", "gzip")]);
    /// assert_eq!(answer.status().as_u16(), 503);
    /// ```
    #[must_use]
    pub fn respond_to<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        method: &str,
        path: &str,
        headers: impl IntoIterator<Item = (N, V)>,
    ) -> Response<Bytes> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_ref());
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_ref())) {
                map.append(name, value);
            }
        }
        // Any method that is not known here is answered alike.
        let method = Method::from_bytes(method.as_bytes()).unwrap_or(Method::TRACE);
        self.respond(&method, path, &map)
    }

    /// The answer, or `None` if it takes a wait that is not wanted.
    fn answer(&self, asked: &Asked<'_>, may_wait: bool) -> Option<Response<Bytes>> {
        let shared = &*self.shared;
        let Some(target) = shared.mount.target(asked.path) else {
            return Some(answer::not_found(asked));
        };
        if target == Target::Robots && shared.robots.is_none() {
            return Some(answer::not_found(asked));
        }
        if !matches!(*asked.method, Method::GET | Method::HEAD) {
            return Some(answer::wrong_method(asked));
        }
        let found = match target {
            Target::File(name) if may_wait => shared.source.find(name),
            Target::File(name) => shared.source.at_hand(name)?,
            Target::Stylesheet => Found::File(Arc::clone(&shared.stylesheet)),
            Target::Robots => shared.find_robots(may_wait)?,
        };
        match found {
            Found::File(file) => answer::file(asked, &file, &shared.cache_control, shared.compress, may_wait),
            Found::Missing => Some(answer::not_found(asked)),
            Found::NoSet | Found::Failed => Some(answer::not_yet(asked, shared.retry_after)),
        }
    }
}

impl Shared {
    /// Changes how a storage's files are kept, and forgets those that are.
    fn keep(&mut self, room: Option<u64>, trust: Option<Duration>) {
        if let Some(cache) = &self.cache {
            let cache = Arc::new(cache.with(room, trust));
            self.source = cache.clone();
            self.cache = Some(cache);
        }
    }

    fn find_robots(&self, may_wait: bool) -> Option<Found> {
        let Some(Robots { site, rules }) = &self.robots else { return Some(Found::Missing) };
        let mut sitemaps = vec![site.resolve(format!("/{ENTRY_POINT}"))];
        // An index that does not hold all files has a next one.
        loop {
            let name = index_file_name(sitemaps.len() + 1);
            let next = if may_wait { self.source.find(&name) } else { self.source.at_hand(&name)? };
            let Found::File(_) = next else { break };
            sitemaps.push(site.resolve(format!("/{name}")));
        }
        let text = robots::merge(rules, site, sitemaps.iter().flatten());
        Some(Found::File(Arc::new(File::new("robots.txt", text.into(), None))))
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
        let (parts, _) = request.into_parts();
        let asked = Asked { method: &parts.method, path: parts.uri.path(), headers: &parts.headers };
        if let Some(answer) = self.answer(&asked, false) {
            return ResponseFuture(State::Ready(Some(answer)));
        }
        let this = self.clone();
        let work = move || this.respond(&parts.method, parts.uri.path(), &parts.headers);
        ResponseFuture(State::Waiting(self.shared.offload.run(work)))
    }
}

/// The answer to come: at once when the file is in memory, else when a thread of the service has read or
/// compressed it. It needs no particular runtime.
#[derive(Debug)]
#[must_use = "a future does nothing unless it is polled"]
pub struct ResponseFuture(State);

#[derive(Debug)]
enum State {
    Ready(Option<Response<Bytes>>),
    Waiting(Offloaded<Response<Bytes>>),
}

impl Future for ResponseFuture {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = match &mut self.0 {
            State::Ready(answer) => answer.take(),
            State::Waiting(work) => ready!(Pin::new(work).poll(context)).ok(),
        };
        let answer = answer.unwrap_or_else(|| {
            // A storage panicked.
            let mut answer = Response::new(Bytes::new());
            *answer.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            answer
        });
        Poll::Ready(Ok(answer.map(Body::new)))
    }
}
