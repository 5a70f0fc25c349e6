use sitemap_core::record::HasRoute;
use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/item-{id}")]
struct Item {
    id: u32,
}

const ITEM: &str = Item::ROUTE.rocket();

fn main() {
    println!("{ITEM}");
}
