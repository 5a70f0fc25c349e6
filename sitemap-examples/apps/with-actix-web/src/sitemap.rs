//! An adapter that passes requests from actix-web to `SitemapService`. It is also in `docs/serving.md`.

use actix_web::{HttpRequest, HttpResponse, Responder, http::StatusCode, web};
use sitemap_serve::SitemapService;

/// Serves the sitemap. Mount it with `App::new().app_data(web::Data::new(service)).default_service(web::to(answer))`.
pub async fn answer(request: HttpRequest, service: web::Data<SitemapService>) -> impl Responder {
    // HEAD is handled as GET: actix-web takes `Content-Length` from the body and then removes the body itself.
    let method = if request.method() == "HEAD" { "GET" } else { request.method().as_str() }.to_owned();
    let path = request.path().to_owned();
    let headers: Vec<_> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
        .collect();
    let Ok(answer) = web::block(move || service.respond_to(&method, &path, headers)).await else {
        return HttpResponse::InternalServerError().finish();
    };
    let (parts, body) = answer.into_parts();
    let status = StatusCode::from_u16(parts.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    for (name, value) in &parts.headers {
        response.insert_header((name.as_str(), value.as_bytes()));
    }
    response.body(body)
}
