use sitemap_core::{LastMod, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = Self::modified, priority = Self::weight, changefreq = Self::often, skip_if = Self::hidden)]
struct Post;

impl Post {
    fn modified(self) -> LastMod {
        todo!()
    }

    fn weight(&self, _: u8) -> f64 {
        0.5
    }

    fn hidden(&mut self) -> bool {
        true
    }
}

fn main() {}
