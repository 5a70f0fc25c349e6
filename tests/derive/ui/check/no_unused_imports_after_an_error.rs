#![deny(warnings)]

use sitemap_core::{ChangeFreq, LastMod, SitemapEntry};

use convert::{date, path, slug};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}/{missing}", changefreq = ChangeFreq::Weekly)]
struct Post<'a> {
    #[sitemap(param, with = slug)]
    slug: &'a str,
}

#[derive(SitemapEntry)]
#[sitemap(lastmod = date)]
enum Page {
    #[sitemap(loc = "/{missing}")]
    Home,
    User(#[sitemap(loc, with = path)] u32),
}

mod convert {
    pub(crate) fn slug(slug: &str) -> &str {
        slug
    }

    pub(crate) fn path(number: &u32) -> String {
        format!("/{number}")
    }

    pub(crate) fn date<T>(_: &T) -> Option<super::LastMod> {
        None
    }
}

fn main() {
    let _ = (Post { slug: "x" }.slug, Page::Home, Page::User(1));
}
