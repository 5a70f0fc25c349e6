use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(rename_all = "kebab_case")]
enum Page {
    About,
}

#[derive(SitemapEntry)]
#[sitemap(rename_all = "UPPERCASE")]
enum Other {
    About,
}

fn main() {}
