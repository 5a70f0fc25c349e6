use sitemap_core::{News, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(news)]
    articles: Vec<News<'static>>,
}

fn main() {}
