//! The request handlers for the shop's pages.

use rocket::http::{Method, Status};
use rocket::response::content::RawHtml;
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request, State, get};
use sea_orm::{DatabaseConnection, DbErr};
use shop::{Page, html};
use sitemap_core::StaticPages as _;

type Response = Result<RawHtml<String>, Status>;

#[get("/products/<slug>")]
pub async fn product(database: &State<DatabaseConnection>, slug: &str) -> Response {
    found(with_sea_orm::product(database, slug).await)
}

#[get("/categories/<slug>")]
pub async fn category(database: &State<DatabaseConnection>, slug: &str) -> Response {
    found(with_sea_orm::category(database, slug).await)
}

#[get("/<locale>/journal/<slug>")]
pub async fn article(database: &State<DatabaseConnection>, locale: &str, slug: &str) -> Response {
    found(with_sea_orm::article(database, locale, slug).await)
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
pub fn static_routes() -> Result<Vec<Route>, sitemap_core::Error> {
    Page::PAGES.iter().map(|&page| Ok(Route::new(Method::Get, &page.path()?, StaticPage(page)))).collect()
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
    use with_sea_orm::entity;

    use super::*;

    /// Rocket writes `<slug>` instead of `{slug}`, and its attribute needs a literal. So the route and the URL template
    /// of a record are two strings, and this test checks that they agree.
    #[test]
    fn routes_are_the_sitemaps_templates() {
        let routes = rocket::routes![product, category, article];
        let templates = [entity::product::ROUTE, entity::category::ROUTE, entity::article::ROUTE];
        for (route, template) in routes.iter().zip(templates) {
            assert_eq!(route.uri.to_string(), template.replace('{', "<").replace('}', ">"));
        }
    }
}
