//! A `tower` layer that answers requests for a set's files and passes all other requests on.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;
use sitemap_core::threads::Task;
use tower_layer::Layer;
use tower_service::Service;

use super::body::Body;
use super::service::{Answer, SitemapService, failed};

/// A `tower` layer that answers requests for a set's files, and passes all other requests on to the inner service; made
/// by [`SitemapService::layer`].
///
/// The layer does not touch the bodies of requests that it passes on, nor the application's responses, including its
/// 404s.
///
/// ```
/// use axum::Router;
/// use axum::routing::get;
/// use sitemap_core::Site;
/// use sitemap_serve::LiveSitemap;
/// use tower_service::Service;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// live.refresh(|run| Ok(run.section("pages")?.add("/")?))?;
///
/// let mut app = Router::new()
///     .route("/", get(|| async { "Hello" }))
///     .fallback(|| async { (axum::http::StatusCode::NOT_FOUND, "no such page") })
///     .layer(live.service().layer());
///
/// let mut get = async |path: &str| {
///     let response = app.call(http::Request::get(path).body(axum::body::Body::empty())?).await?;
///     let status = response.status().as_u16();
///     let text = axum::body::to_bytes(response.into_body(), 1000).await?;
///     Ok::<_, Box<dyn std::error::Error>>((status, String::from_utf8_lossy(&text).into_owned()))
/// };
/// assert_eq!(get("/").await?, (200, "Hello".to_owned()));
/// assert!(get("/sitemap.xml").await?.1.contains("<loc>https://example.com/</loc>"));
/// assert_eq!(get("/sitemap-other.xml").await?, (404, "no such page".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a layer does nothing before it is added to a service"]
pub struct SitemapLayer {
    sitemap: SitemapService,
}

impl SitemapService {
    /// Returns a `tower` layer that answers requests for the set's files and passes all other requests on. See the
    /// [example](SitemapLayer).
    pub fn layer(self) -> SitemapLayer {
        SitemapLayer { sitemap: self }
    }
}

impl<S> Layer<S> for SitemapLayer {
    type Service = Layered<S>;

    fn layer(&self, inner: S) -> Layered<S> {
        Layered { sitemap: self.sitemap.clone(), inner }
    }
}

/// A service wrapped in a [`SitemapLayer`].
///
/// ```
/// use axum::Router;
/// use axum::body::Body;
/// use sitemap_core::Memory;
/// use http::Request;
/// use sitemap_serve::SitemapService;
/// use tower_layer::Layer as _;
/// use tower_service::Service as _;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let mut app = SitemapService::new(Memory::new()).layer().layer(Router::new());
/// assert_eq!(app.call(Request::get("/sitemap.css").body(Body::empty())?).await?.status(), 200);
/// assert_eq!(app.call(Request::get("/about").body(Body::empty())?).await?.status(), 404);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layered<S> {
    sitemap: SitemapService,
    inner: S,
}

impl<S, B, R> Service<Request<B>> for Layered<S>
where
    S: Service<Request<B>, Response = Response<R>> + Clone,
{
    type Response = Response<LayeredBody<R>>;
    type Error = S::Error;
    type Future = LayeredFuture<S, B>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> LayeredFuture<S, B> {
        let (method, path) = (request.method(), request.uri().path());
        let state = match self.sitemap.answer(method, path, request.headers(), false) {
            Answer::Response(response) => State::Ours { response: Some(response) },
            Answer::NotOurs => State::Passed { response: self.inner.call(request) },
            Answer::NotReady(lane) => {
                // `poll_ready` was called on this service, so the request must use it. A clone replaces it.
                let next = self.inner.clone();
                let inner = std::mem::replace(&mut self.inner, next);
                let answer = self.sitemap.answer_elsewhere(lane, method, path, request.headers());
                State::Waiting { answer, request: Some(request), inner }
            }
        };
        LayeredFuture { state }
    }
}

pin_project! {
    /// The future of a [`Layered`] service's response.
    ///
    /// ```
    /// use axum::Router;
    /// use axum::body::Body;
    /// use sitemap_core::Memory;
    /// use http::Request;
    /// use sitemap_serve::SitemapService;
    /// use tower_layer::Layer as _;
    /// use tower_service::Service as _;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let mut app = SitemapService::new(Memory::new()).layer().layer(Router::new());
    /// let response = app.call(Request::get("/sitemap.css").body(Body::empty())?);
    /// assert_eq!(response.await?.headers()["content-type"], "text/css; charset=utf-8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct LayeredFuture<S, B>
    where
        S: Service<Request<B>>,
    {
        #[pin]
        state: State<S, B, S::Future>,
    }
}

pin_project! {
    #[project = Projected]
    enum State<S, B, F> {
        /// The set answers the request.
        Ours { response: Option<Response<Bytes>> },
        /// A thread is looking for the file.
        Waiting { answer: Task<Answer>, request: Option<Request<B>>, inner: S },
        /// The request was passed on.
        Passed { #[pin] response: F },
    }
}

impl<S, B, R> Future for LayeredFuture<S, B>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    type Output = Result<Response<LayeredBody<R>>, S::Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.project().state;
        loop {
            let passed = match state.as_mut().project() {
                Projected::Ours { response } => return Poll::Ready(Ok(ours(response.take()))),
                Projected::Passed { response } => {
                    let response = ready!(response.poll(context));
                    return Poll::Ready(response.map(|response| response.map(LayeredBody::passed)));
                }
                Projected::Waiting { answer, request, inner } => {
                    match (ready!(Pin::new(answer).poll(context)), request.take()) {
                        (Some(Answer::NotOurs), Some(request)) => inner.call(request),
                        (Some(Answer::Response(response)), _) => {
                            return Poll::Ready(Ok(ours(Some(response))));
                        }
                        // The storage panicked.
                        _ => return Poll::Ready(Ok(ours(None))),
                    }
                }
            };
            state.set(State::Passed { response: passed });
        }
    }
}

fn ours<R>(response: Option<Response<Bytes>>) -> Response<LayeredBody<R>> {
    response.unwrap_or_else(failed).map(|bytes| LayeredBody { kind: Kind::Ours { body: Body::new(bytes) } })
}

pin_project! {
    /// The body of a [`Layered`] service's response: either a file of the set, or the application's body.
    ///
    /// ```
    /// use axum::Router;
    /// use axum::body::Body;
    /// use sitemap_core::Memory;
    /// use http::Request;
    /// use sitemap_serve::SitemapService;
    /// use tower_layer::Layer as _;
    /// use tower_service::Service as _;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let mut app = SitemapService::new(Memory::new()).layer().layer(Router::new());
    /// let response = app.call(Request::get("/sitemap.css").body(Body::empty())?).await?;
    /// let bytes = axum::body::to_bytes(Body::new(response.into_body()), 100_000).await?;
    /// assert_eq!(bytes, sitemap_core::Stylesheet::CSS);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Debug)]
    pub struct LayeredBody<R> {
        #[pin]
        kind: Kind<R>,
    }
}

pin_project! {
    #[derive(Debug)]
    #[project = ProjectedKind]
    enum Kind<R> {
        Ours { #[pin] body: Body },
        Passed { #[pin] body: R },
    }
}

impl<R> LayeredBody<R> {
    fn passed(body: R) -> Self {
        Self { kind: Kind::Passed { body } }
    }
}

impl<R: http_body::Body<Data = Bytes>> http_body::Body for LayeredBody<R> {
    type Data = Bytes;
    type Error = R::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, R::Error>>> {
        match self.project().kind.project() {
            ProjectedKind::Ours { body } => {
                let frame = ready!(body.poll_frame(context));
                Poll::Ready(frame.map(|frame| frame.map_err(|error| match error {})))
            }
            ProjectedKind::Passed { body } => body.poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::Ours { body } => body.is_end_stream(),
            Kind::Passed { body } => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            Kind::Ours { body } => body.size_hint(),
            Kind::Passed { body } => body.size_hint(),
        }
    }
}
