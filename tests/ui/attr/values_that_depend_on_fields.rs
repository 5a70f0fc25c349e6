use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", skip_if = !published, priority = self.stats.weight, locales = "languages")]
struct Post {
    slug: String,
    published: bool,
    stats: Stats,
    languages: Vec<String>,
}

struct Stats {
    weight: f64,
}

fn main() {}
