use sitemap_core::SitemapEntry;

struct Post;

#[derive(SitemapEntry)]
#[sitemap(transparent)]
struct Wrapper(Vec<Post>);

fn main() {}
