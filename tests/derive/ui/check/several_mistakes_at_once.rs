use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slgu}", prioirty = 0.8, changefreq = "wekly", lastmod = "yesterday")]
struct Post {
    #[sitemap(base)]
    slug: String,
    #[sitemap(loc, lastmod)]
    url: String,
}

fn publish() {
    let site = sitemap_core::Site::new("https://example.com").unwrap();
    // The call causes no second error about a missing implementation.
    let _ = sitemap_core::entries_of(&Post { slug: String::new(), url: String::new() }, &site);
}

fn main() {}
