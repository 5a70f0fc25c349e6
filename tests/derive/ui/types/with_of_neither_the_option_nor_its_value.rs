use sitemap_core::{LastMod, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, with = parse)]
    updated: Option<String>,
}

fn parse(_: &u64) -> LastMod {
    todo!()
}

fn main() {}
