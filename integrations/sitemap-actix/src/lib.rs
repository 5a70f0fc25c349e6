//! Serves a sitemap in an actix-web application.
//!
//! actix-web is not built on `tower`, so it cannot mount [`SitemapService`] itself. [`Sitemap`] is an actix-web
//! middleware that answers requests for the files of the set, and passes all others on to the application. The
//! application's routes and its `default_service`, also for 404, stay as they are.
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
//! live.refresh(|publisher| Ok(publisher.section("pages")?.add("/about")?))?;
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
//! The guide `docs/guides/actix-web.md` and the example `actix` are a whole server: it refreshes the set on a schedule
//! (`LiveSitemap::every_async` and `actix_web::rt::spawn`), wakes the schedule from a handler (`web::Data<Refresher>`), and
//! stops it after the server has stopped.
//!
//! # Why a middleware
//!
//! `App::configure` and `App::service` mount routes, and a route of actix-web cannot pass a request on. With them, a
//! request for `/sitemap-other.xml` that the set does not have would never reach the application's own 404. The
//! middleware runs before the routes, so a route such as `/{page}` does not hide the sitemap. A request that is not for
//! a set costs a comparison of its path.
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

/// A middleware that answers requests for the files of a set, and passes all others on. See the [front page](crate).
///
/// Clones share the files, so create one before `HttpServer::new`, and clone it for each worker:
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
    /// Creates a middleware for a set: [`LiveSitemap::service`](sitemap_serve::LiveSitemap::service), or
    /// [`SitemapService::new`] for a directory or a bucket. The service has the settings, such as robots.txt.
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

/// An application under the middleware [`Sitemap`]. actix-web creates it.
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
        // actix-web takes `Content-Length` from the body and removes the body from responses to HEAD itself.
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

/// Converts a response to the types of actix-web, which has another version of the crate `http`.
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
