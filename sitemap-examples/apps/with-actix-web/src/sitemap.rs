//! An adapter that passes requests from actix-web to `SitemapService`.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use sitemap_serve::SitemapService;

/// Responds with a file of the set, robots.txt, or 404.
pub async fn answer(request: HttpRequest, sitemap: web::Data<SitemapService>) -> HttpResponse {
    // HEAD is handled as GET: actix-web takes `Content-Length` from the body and then removes the body itself.
    let method = if request.method() == Method::HEAD { "GET" } else { request.method().as_str() };
    let (head, body) = sitemap.respond_to(method, request.path(), request.headers()).into_parts();

    let status = StatusCode::from_u16(head.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = HttpResponse::build(status);
    for (name, value) in &head.headers {
        answer.append_header((name.as_str(), value.as_bytes()));
    }
    answer.body(body)
}
