use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(
    loc = Self::number,
    lastmod = Self::title,
    changefreq = Self::title,
    priority = Post::number,
    images = Self::number,
    news = Self::title,
    skip_if = Self::number,
)]
struct Post;

impl Post {
    fn number(&self) -> u32 {
        1
    }

    fn title(&self) -> String {
        String::new()
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = Self::title)]
struct Page;

impl Page {
    fn title(&self) -> String {
        String::new()
    }
}

fn main() {}
