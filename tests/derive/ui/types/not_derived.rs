use sitemap_core::SitemapEntry;

struct Post;

fn add(_: impl SitemapEntry) {}

fn pages() {
    add(Post);
}

fn main() {}
