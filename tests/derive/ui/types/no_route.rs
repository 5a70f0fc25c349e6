use sitemap_core::record::{HasRoute, Route};
use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Post {
    #[sitemap(loc)]
    url: String,
}

fn route<T: HasRoute>() -> Route {
    T::ROUTE
}

fn main() {
    route::<Post>();
}
