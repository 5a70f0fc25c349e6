//! The request handlers for the shop's pages.

use std::sync::{Mutex, PoisonError};

use actix_web::{HttpResponse, web};
use orm::with_diesel::Database;

type Shared = web::Data<Mutex<Database>>;

pub(crate) async fn product(database: Shared, slug: web::Path<String>) -> HttpResponse {
    found(database, move |database| database.product(&slug)).await
}

pub(crate) async fn category(database: Shared, slug: web::Path<String>) -> HttpResponse {
    found(database, move |database| database.category(&slug)).await
}

pub(crate) async fn article(database: Shared, path: web::Path<(String, String)>) -> HttpResponse {
    found(database, move |database| database.article(&path.0, &path.1)).await
}

/// Responds with the page that a query returns. Diesel blocks, so the query runs on a blocking thread.
async fn found<E: std::fmt::Display + Send + 'static>(
    database: Shared,
    find: impl FnOnce(&mut Database) -> Result<Option<String>, E> + Send + 'static,
) -> HttpResponse {
    let page = web::block(move || find(&mut database.lock().unwrap_or_else(PoisonError::into_inner)));
    match page.await {
        Ok(Ok(Some(html))) => HttpResponse::Ok().content_type("text/html; charset=utf-8").body(html),
        Ok(Ok(None)) => HttpResponse::NotFound().finish(),
        Ok(Err(error)) => failed(&error),
        Err(error) => failed(&error),
    }
}

fn failed(error: &dyn std::fmt::Display) -> HttpResponse {
    eprintln!("with-actix-web: {error}");
    HttpResponse::InternalServerError().finish()
}
