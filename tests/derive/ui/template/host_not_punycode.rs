use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://xn--bcher-kv.example/")]
struct Home;

#[derive(SitemapEntry)]
#[sitemap(base = "https://www.xn--bcher-kva-.example:8080", loc = "/{id}")]
struct Post {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(base = "https://xn--bcher-kva.example", loc = "/{id}")]
struct Correct {
    id: u32,
}

fn main() {}
