//! Tests of the routes that the derive macro generates from URL templates.

use sitemap_core::record::{HasRoute, HasRoutes, Route};
use sitemap_core::{LastMod, SitemapEntry};

fn in_all_syntaxes(route: Route) -> [&'static str; 3] {
    [route.axum(), route.actix_web(), route.rocket()]
}

#[test]
fn a_route_is_the_path_of_the_template() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{shop}/files/{*path}?page={page}", base = "https://example.com/x")]
    struct File<'a> {
        shop: &'a str,
        path: &'a str,
        page: u32,
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}/{1:%Y/%m}/{0.slug}", locales = ["en", "de"])]
    struct Post<T>(
        Author,
        LastMod,
        #[sitemap(skip)]
        #[allow(dead_code)]
        T,
    );

    struct Author {
        slug: &'static str,
    }

    assert_eq!(
        in_all_syntaxes(File::ROUTE),
        ["/{shop}/files/{*path}", "/{shop}/files/{path:.+}", "/<shop>/files/<path..>"]
    );
    assert_eq!(
        in_all_syntaxes(<Post<u8> as HasRoute>::ROUTE),
        [
            "/{locale}/{_1_year}/{_1_month}/{_0_slug}",
            "/{locale}/{_1_year}/{_1_month}/{_0_slug}",
            "/<locale>/<_1_year>/<_1_month>/<_0_slug>",
        ]
    );
    assert_eq!(File::ROUTE.name(), "File");
    let _ = (
        File { shop: "", path: "", page: 0 },
        Post(Author { slug: "" }, LastMod::date(2026, 1, 31).unwrap(), 0),
    );
}

#[test]
fn an_enum_has_a_route_for_each_template() {
    #[derive(SitemapEntry)]
    #[sitemap(rename_all = "kebab-case")]
    #[allow(dead_code)]
    enum Page {
        #[sitemap(loc = "/")]
        Home,
        ContactUs,
        #[sitemap(loc = "/users/{0}")]
        User(u32),
        #[sitemap(transparent)]
        Link(&'static str),
        #[sitemap(skip)]
        Admin,
        r#Type,
    }

    let routes: Vec<_> = Page::ROUTES.iter().map(|route| (route.name(), route.rocket())).collect();
    assert_eq!(
        routes,
        [("Home", "/"), ("ContactUs", "/contact-us"), ("User", "/users/<_0>"), ("Type", "/type")]
    );
}

#[test]
#[should_panic = "axum has no route for this URL template; end each path segment with its placeholder, and start none \
                  with `:` or `*`"]
fn a_router_without_such_a_route_is_named() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/item-{id}.html")]
    struct Item {
        id: u32,
    }

    let _ = Item { id: 1 };
    assert_eq!(Item::ROUTE.actix_web(), "/item-{id}.html");
    let _ = Item::ROUTE.axum();
}
