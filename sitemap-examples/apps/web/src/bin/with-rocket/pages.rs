//! The request handlers for the shop's pages.

use std::iter::zip;

use rocket::http::{Method, Status};
use rocket::response::content::RawHtml;
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request, State, get};
use sea_orm::{DatabaseConnection, DbErr};
use shop::{Page, html};
use sitemap_core::StaticPages as _;
use sitemap_core::record::HasRoutes as _;

type Response = Result<RawHtml<String>, Status>;

#[get("/products/<slug>")]
pub(crate) async fn product(database: &State<DatabaseConnection>, slug: &str) -> Response {
    found(orm::with_sea_orm::product(database, slug).await)
}

#[get("/categories/<slug>")]
pub(crate) async fn category(database: &State<DatabaseConnection>, slug: &str) -> Response {
    found(orm::with_sea_orm::category(database, slug).await)
}

#[get("/<locale>/journal/<slug>")]
pub(crate) async fn article(database: &State<DatabaseConnection>, locale: &str, slug: &str) -> Response {
    found(orm::with_sea_orm::article(database, locale, slug).await)
}

fn found(page: Result<Option<String>, DbErr>) -> Response {
    match page {
        Ok(Some(html)) => Ok(RawHtml(html)),
        Ok(None) => Err(Status::NotFound),
        Err(error) => {
            eprintln!("with-rocket: {error}");
            Err(Status::InternalServerError)
        }
    }
}

/// Returns a route for each page that is not in the database.
pub(crate) fn static_routes() -> Vec<Route> {
    let pages = zip(Page::ROUTES, Page::PAGES);
    pages.map(|(route, &page)| Route::new(Method::Get, route.rocket(), StaticPage(page))).collect()
}

#[derive(Clone)]
struct StaticPage(Page);

#[rocket::async_trait]
impl Handler for StaticPage {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        Outcome::from(request, RawHtml(html::of_page(self.0)))
    }
}

#[cfg(test)]
mod tests {
    use orm::with_sea_orm::entity;
    use sitemap_core::record::{self, HasRoute as _};

    use super::*;

    /// Rocket's attribute needs a literal, so the route repeats the record's URL template. This test checks that they
    /// agree.
    #[test]
    fn routes_are_the_sitemaps_templates() {
        let routes = rocket::routes![product, category, article];
        let routes: Vec<_> = routes.iter().map(|route| route.uri.as_str()).collect();
        let templates =
            [entity::product::Model::ROUTE, entity::category::Model::ROUTE, entity::article::Model::ROUTE];
        assert_eq!(routes, templates.map(record::Route::rocket));
    }
}
