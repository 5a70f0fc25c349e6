//! Writes the sitemap.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sitemap_core::{Entry, Site, SitemapSet, Summary};

use crate::chapters::{Page, Pages};
use crate::context::Context;
use crate::dates::Dates;
use crate::failure::Failure;
use crate::options::Options;

/// The characters in a path that must be escaped in a URL.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub(crate) fn publish(
    context: &Context,
    options: &Options,
    base: &str,
    pages: &Pages<'_>,
    dates: &mut Dates,
) -> Result<Summary, Failure> {
    let site = Site::new(base).map_err(failure)?;
    let folder = &context.html_folder;
    if !folder.is_dir() {
        return Err(Failure::new(format!(
            "there is no folder `{}`, into which mdBook writes the HTML files; run `mdbook build`",
            folder.display()
        )));
    }
    let mut run =
        SitemapSet::builder(site.clone()).open(folder).and_then(|set| set.replace()).map_err(failure)?;
    let mut section = run.section("chapters").map_err(failure)?;
    for page in &pages.0 {
        let entry = entry(&site, options, page, dates)?;
        section.add(&entry).map_err(failure)?;
    }
    dates.finish()?;
    run.commit().map_err(failure)
}

fn entry(
    site: &Site,
    options: &Options,
    page: &Page<'_>,
    dates: &mut Dates,
) -> Result<Entry<'static>, Failure> {
    let loc = site
        .resolve(format!("/{}", utf8_percent_encode(&page.url_path, ESCAPED)))
        .map_err(|error| Failure::new(format!("chapter `{}`: {error}", page.url_path)))?;
    Ok(Entry::new(loc)
        .with_lastmod(dates.date(page)?)
        .with_changefreq(options.changefreq)
        .with_priority(options.priority))
}

fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::new(error.to_string())
}
