use sitemap_core::SitemapEntry;

const NONE: &[&str] = &[];
const TWICE: [&str; 2] = ["en", "EN"];
const COUNTRY: &[&str; 1] = &["en-UK"];
const DEFAULT: &[&str] = &["x-default"];

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = NONE)]
struct A;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = TWICE)]
struct B;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = COUNTRY)]
struct C;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = DEFAULT)]
struct D;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = E::LOCALES, x_default = "fr")]
struct E;

impl E {
    const LOCALES: [&'static str; 2] = ["en", "de"];
}

fn main() {}
