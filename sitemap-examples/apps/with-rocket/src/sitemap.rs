//! An adapter that passes requests from Rocket to `SitemapService`.

use std::io::Cursor;

use rocket::http::Method;
use rocket::http::Status;
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request, Response};
use sitemap_serve::SitemapService;

/// Returns routes for all paths, which respond with a file of the set or robots.txt. Rocket uses them only if no other
/// route matches. They leave all other requests to Rocket, whose catchers then answer.
pub fn routes(service: &SitemapService) -> Vec<Route> {
    // HEAD needs no route, because Rocket answers HEAD requests with the GET route. PUT and the methods after it have
    // routes so that the service can reject them with 405.
    let methods = [Method::Get, Method::Put, Method::Post, Method::Delete, Method::Patch, Method::Options];
    methods.map(|method| Route::ranked(20, method, "/<path..>", Sitemap(service.clone()))).into()
}

#[derive(Clone)]
struct Sitemap(SitemapService);

#[rocket::async_trait]
impl Handler for Sitemap {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        let headers = request.headers().iter();
        let headers = headers.map(|header| (header.name().as_str().to_owned(), header.value().to_owned()));
        let path = request.uri().path();
        let Some(found) = self.0.respond_or_pass(request.method().as_str(), path.as_str(), headers) else {
            return Outcome::Forward((data, Status::NotFound));
        };
        let (head, body) = found.into_parts();

        let mut answer = Response::build();
        answer.status(Status::new(head.status.as_u16()));
        for (name, value) in &head.headers {
            if let Ok(value) = value.to_str() {
                answer.raw_header_adjoin(name.as_str().to_owned(), value.to_owned());
            }
        }
        Outcome::Success(answer.sized_body(body.len(), Cursor::new(body)).finalize())
    }
}
