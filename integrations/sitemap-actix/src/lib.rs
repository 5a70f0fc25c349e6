//! Serves a sitemap in an actix-web application.
//!
//! actix-web is not built on `tower`, so it cannot mount [`SitemapService`] itself. [`Sitemap`] is an actix-web
//! middleware that answers requests for the set's files and passes all other requests on to the application. The
//! application's routes and `default_service` keep working, including for 404s.
//!
//! ```
//! use actix_web::{App, HttpResponse, test, web};
//! use sitemap_actix::Sitemap;
//! use sitemap_core::Site;
//! use sitemap_serve::LiveSitemap;
//!
//! # actix_web::rt::System::new().block_on(async {
//! let site = Site::new("https://www.example.com")?;
//! let live = LiveSitemap::new(site.clone());
//! let sitemap = Sitemap::new(live.service().robots_txt(&site, "User-agent: *\nDisallow: /cart\n"));
//! let app = App::new()
//!     .route("/about", web::get().to(|| async { "About" }))
//!     .default_service(web::to(|| async { HttpResponse::NotFound().body("no such page") }))
//!     .wrap(sitemap);
//!
//! live.refresh(|run| Ok(run.section("pages")?.add("/about")?))?;
//! let app = test::init_service(app).await;
//! let get = async |path| test::call_and_read_body(&app, test::TestRequest::with_uri(path).to_request()).await;
//! assert!(get("/sitemap.xml").await.ends_with(b"<url><loc>https://www.example.com/about</loc></url>\n</urlset>\n"));
//! assert!(get("/robots.txt").await.ends_with(b"Sitemap: https://www.example.com/sitemap.xml\n"));
//! assert_eq!(get("/about").await, "About");
//! assert_eq!(get("/sitemap-other.xml").await, "no such page");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The guide `docs/guides/actix-web.md` and the example `actix` show a complete server. It refreshes the set on a
//! schedule (`LiveSitemap::every_async` and `actix_web::rt::spawn`), starts extra refreshes from a handler
//! (`web::Data<Refresher>`), and stops the schedule after the server has stopped.
//!
//! # Why a middleware
//!
//! `App::configure` and `App::service` mount routes, and an actix-web route cannot pass a request on. So if the set has
//! no `/sitemap-other.xml`, a request for it would never reach the application's own 404. A middleware runs before the
//! routes, so a route such as `/{page}` does not hide the sitemap. For all other requests, the middleware only compares
//! the path.
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `gzip` | yes | compressed responses and sets |

use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::rc::Rc;

use actix_web::body::EitherBody;
use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{Error, HttpResponse};
use sitemap_serve::bytes_1::Bytes;
use sitemap_serve::{SitemapService, http_1 as http};

/// A middleware that answers requests for a set's files and passes all other requests on. See the [crate
/// documentation](crate).
///
/// Clones share the files, so create one before `HttpServer::new` and clone it for each worker:
/// `HttpServer::new(move || App::new().wrap(sitemap.clone()))`.
///
/// ```
/// use actix_web::{App, test};
/// use sitemap_actix::Sitemap;
/// use sitemap_core::Directory;
/// use sitemap_serve::SitemapService;
///
/// # actix_web::rt::System::new().block_on(async {
/// # let folder = std::env::temp_dir();
/// let sitemap = Sitemap::new(SitemapService::new(Directory::open(folder)?).mount("/shop"));
/// let app = test::init_service(App::new().wrap(sitemap)).await;
/// let request = test::TestRequest::with_uri("/shop/sitemap.css").to_request();
/// assert_eq!(test::call_service(&app, request).await.status(), 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a middleware does nothing before it is added to an application with `wrap`"]
pub struct Sitemap {
    service: SitemapService,
}

impl Sitemap {
    /// Creates a middleware for a set. Pass [`LiveSitemap::service`](sitemap_serve::LiveSitemap::service), or
    /// [`SitemapService::new`] for a directory or bucket. Configure robots.txt and other settings on the service.
    pub fn new(service: SitemapService) -> Self {
        Self { service }
    }
}

impl<S, B> Transform<S, ServiceRequest> for Sitemap
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: 'static,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Transform = Wrapped<S>;
    type InitError = ();
    type Future = Ready<Result<Wrapped<S>, ()>>;

    fn new_transform(&self, inner: S) -> Self::Future {
        ready(Ok(Wrapped { sitemap: self.service.clone(), inner: Rc::new(inner) }))
    }
}

/// An application wrapped in the middleware [`Sitemap`]. actix-web creates it.
///
/// ```
/// use actix_web::HttpResponse;
/// use actix_web::dev::{Service, ServiceFactory, ServiceRequest, Transform, fn_service};
/// use actix_web::test;
/// use sitemap_actix::{Sitemap, Wrapped};
/// use sitemap_core::Memory;
/// use sitemap_serve::SitemapService;
///
/// # actix_web::rt::System::new().block_on(async {
/// let application = fn_service(|request: ServiceRequest| async {
///     Ok::<_, actix_web::Error>(request.into_response(HttpResponse::NotFound()))
/// });
/// let inner = application.new_service(()).await.unwrap();
/// let app: Wrapped<_> = Sitemap::new(SitemapService::new(Memory::new())).new_transform(inner).await.unwrap();
/// let request = test::TestRequest::with_uri("/sitemap.css").to_srv_request();
/// assert_eq!(app.call(request).await?.status(), 200);
/// # Ok::<(), actix_web::Error>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Wrapped<S> {
    sitemap: SitemapService,
    inner: Rc<S>,
}

impl<S, B> Service<ServiceRequest> for Wrapped<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: 'static,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>>>>;

    forward_ready!(inner);

    fn call(&self, request: ServiceRequest) -> Self::Future {
        // For HEAD requests, actix-web removes the body itself and takes `Content-Length` from it, so respond as to
        // GET.
        let method = if request.method() == "HEAD" { "GET" } else { request.method().as_str() };
        let headers = request.headers().iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let answer = self.sitemap.respond_or_pass_async(method, request.path(), headers);
        let inner = Rc::clone(&self.inner);
        Box::pin(async move {
            match answer.await {
                Some(found) => Ok(request.into_response(response(found)).map_into_right_body()),
                None => Ok(inner.call(request).await?.map_into_left_body()),
            }
        })
    }
}

/// Converts a response to actix-web's types. actix-web uses a different version of the crate `http`.
fn response(found: http::Response<Bytes>) -> HttpResponse {
    let (head, body) = found.into_parts();
    let status = StatusCode::from_u16(head.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    for (name, value) in &head.headers {
        let name = HeaderName::from_bytes(name.as_str().as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_bytes())) {
            response.append_header((name, value));
        }
    }
    response.body(body)
}
