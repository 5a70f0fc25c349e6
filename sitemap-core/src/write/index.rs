//! A sitemap index: the list of a set's files.

use std::io::Write;

use super::document::{Document, Fit, Written};
use super::format;
use super::options::WriteOptions;
use crate::error::{Error, ErrorKind};
use crate::site::Site;
use crate::value::{LastMod, Loc};

/// Writes one sitemap index to anything that is [`Write`].
///
/// A [`Publisher`](crate::Publisher) writes the index of its set by itself; this is for files that
/// come from elsewhere. An index may list urlsets, text sitemaps and feeds of its own site, at or
/// below its own directory, but no other index.
///
/// ```
/// use sitemap_core::{IndexWriter, Site};
///
/// let mut index = IndexWriter::new(Site::new("https://example.com")?, Vec::new());
/// index.add("/posts.xml.gz", "2026-01-31".parse::<sitemap_core::LastMod>()?)?;
/// index.add("/pages.xml", None)?;
/// let (xml, _) = index.finish()?;
/// assert_eq!(
///     String::from_utf8_lossy(&xml),
///     r#"<?xml version="1.0" encoding="UTF-8"?>
/// <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <sitemap><loc>https://example.com/posts.xml.gz</loc><lastmod>2026-01-31</lastmod></sitemap>
/// <sitemap><loc>https://example.com/pages.xml</loc></sitemap>
/// </sitemapindex>
/// "#
/// );
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Debug)]
pub struct IndexWriter<W> {
    site: Site,
    document: Document<W>,
}

impl<W: Write> IndexWriter<W> {
    /// Begins an index in dialect 0.9 with its limits.
    pub fn new(site: Site, out: W) -> Self {
        Self::with_options(site, out, WriteOptions::new())
    }

    /// Begins an index of another dialect or size.
    #[allow(clippy::needless_pass_by_value)] // so that callers can build the options in the call
    pub fn with_options(site: Site, out: W, options: WriteOptions) -> Self {
        Self { site, document: begin_index(out, &options) }
    }

    /// Adds a file by its URL or its path on the site, and when that file (not a page in it) last
    /// changed.
    ///
    /// # Errors
    ///
    /// If the URL is invalid or not under the site's base, or if `out` fails.
    /// [`ErrorKind::Full`] if the index has no room for it.
    pub fn add(&mut self, path_or_url: &str, lastmod: impl Into<Option<LastMod>>) -> Result<(), Error> {
        match self.try_add(path_or_url, lastmod)? {
            Fit::Written => Ok(()),
            Fit::Full => Err(ErrorKind::Full { urls: self.size().items }.into()),
        }
    }

    /// As [`add`](Self::add), but says so when the index is full.
    ///
    /// # Errors
    ///
    /// If the URL is invalid or not under the site's base, or if `out` fails.
    pub fn try_add(&mut self, path_or_url: &str, lastmod: impl Into<Option<LastMod>>) -> Result<Fit, Error> {
        let loc = self.site.resolve(path_or_url)?;
        if !self.site.covers(&loc) {
            return Err(
                ErrorKind::OutOfScope { loc: loc.as_str().into(), base: self.site.base().into() }.into()
            );
        }
        push_sitemap(&mut self.document, &loc, lastmod.into())
    }

    /// What the index has if it is finished now.
    #[must_use]
    pub fn size(&self) -> Written {
        self.document.size()
    }

    /// Ends the document, flushes `out` and returns it.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn finish(self) -> Result<(W, Written), Error> {
        self.document.finish()
    }
}

pub(crate) fn begin_index<W: Write>(out: W, options: &WriteOptions) -> Document<W> {
    let limits = options.limits();
    let namespace = options.get_dialect().namespace();
    let head = format!("{}<sitemapindex xmlns=\"{namespace}\">\n", options.prolog());
    let max = Written { items: limits.sitemaps, bytes: limits.bytes };
    Document::new(out, &head, "</sitemapindex>\n", max)
}

pub(crate) fn push_sitemap<W: Write>(
    document: &mut Document<W>,
    loc: &Loc<'_>,
    lastmod: Option<LastMod>,
) -> Result<Fit, Error> {
    format::push_sitemap(document.draft(), loc, lastmod);
    let fit = document.accept(1)?;
    document.discard();
    Ok(fit)
}
