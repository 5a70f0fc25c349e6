use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = Self::WEIGHT)]
struct Home<'a> {
    #[sitemap(skip)]
    title: &'a str,
}

impl Home<'_> {
    const WEIGHT: f32 = 1.5;
}

fn main() {}
