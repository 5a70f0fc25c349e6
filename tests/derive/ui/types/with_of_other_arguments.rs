use sitemap_core::{LastMod, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}/{id}/{page}/{part}")]
struct Home {
    #[sitemap(lastmod, with = by_value)]
    updated: String,
    #[sitemap(priority, with = two)]
    weight: u8,
    #[sitemap(param, with = none)]
    slug: String,
    #[sitemap(param, with = mutable)]
    id: u32,
    #[sitemap(param, with = copied)]
    page: u32,
    #[sitemap(param, with = missing)]
    part: u32,
    #[sitemap(skip_if, with = String::is_empty)]
    text: Option<String>,
}

fn by_value(_: String) -> LastMod {
    todo!()
}

fn two(_: &u8, _: &u8) -> f64 {
    0.5
}

fn none() -> String {
    String::new()
}

fn mutable(id: &mut u32) -> u32 {
    *id
}

fn copied(page: u32) -> u32 {
    page
}

fn main() {}
