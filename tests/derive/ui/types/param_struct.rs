use sitemap_core::SitemapEntry;

struct Slug(String);

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/posts/{slug}?page={page}")]
    Post { slug: Slug, page: f64 },
    #[sitemap(loc = "/files/{*0}")]
    File(std::path::PathBuf),
}

fn main() {}
