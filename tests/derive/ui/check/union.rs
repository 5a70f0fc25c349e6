use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
union Bits {
    a: u8,
    b: i8,
}

fn main() {}
