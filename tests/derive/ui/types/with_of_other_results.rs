use sitemap_core::SitemapEntry;

struct Slug(String);

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}/{locale}")]
struct Post {
    #[sitemap(param, with = parse)]
    slug: String,
    #[sitemap(lastmod, with = str::len)]
    updated: String,
    #[sitemap(skip_if, with = str::len)]
    draft: String,
    #[sitemap(locales, with = str::len)]
    languages: String,
    #[sitemap(news, with = str::len)]
    story: String,
}

fn parse(text: &str) -> Option<Slug> {
    Some(Slug(text.to_owned()))
}

fn main() {}
