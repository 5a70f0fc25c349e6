//! The request handlers for the shop's pages.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Html;

use crate::App;

type Page = Result<Html<String>, StatusCode>;

pub(crate) async fn product(State(app): State<App>, Path(slug): Path<String>) -> Page {
    found(app.database.product(&slug).await)
}

pub(crate) async fn category(State(app): State<App>, Path(slug): Path<String>) -> Page {
    found(app.database.category(&slug).await)
}

pub(crate) async fn article(State(app): State<App>, Path((locale, slug)): Path<(String, String)>) -> Page {
    found(app.database.article(&locale, &slug).await)
}

fn found<E: std::fmt::Display>(page: Result<Option<String>, E>) -> Page {
    match page {
        Ok(Some(html)) => Ok(Html(html)),
        Ok(None) => Err(StatusCode::NOT_FOUND),
        Err(error) => {
            eprintln!("with-axum: {error}");
            Err(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}
