use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, with = parse)]
    updated: String,
}

fn parse(_: &u64) -> sitemap_core::LastMod {
    todo!()
}

fn main() {}
