use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug()}")]
struct Post {
    title: String,
}

impl Post {
    fn slug(&self) -> Option<&str> {
        self.title.split(' ').next()
    }
}

fn main() {}
