//! Tests of extensions: the XML that they write and the values that they reject. Each test is named after the rule that
//! it checks.

#![allow(clippy::unwrap_used)]

mod document;
mod element;
mod image;
mod news_article;
mod value;
mod video_clip;

use sitemap_core::extension::news::{Access, Genre};
use sitemap_core::extension::video::{
    Gallery, Id, IdKind, Platform, Platforms, Price, PriceKind, Relationship, Resolution, Restriction,
    Segment, TvShow, TvShowKind, Uploader,
};
use sitemap_core::extension::{
    Element, ExtensionError, ExtensionErrorKind, Namespace, Publication, VideoSource,
};
use sitemap_core::{
    Alternate, Dialect, Entry, Error, Extensions, Format, Image, LastMod, Loc, News, Site, SitemapWriter,
    Video, WriteOptions,
};

const ALL: Extensions =
    Extensions::ALTERNATES.union(Extensions::IMAGES).union(Extensions::VIDEOS).union(Extensions::NEWS);

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn loc(url: &str) -> Loc<'_> {
    Loc::parse(url).unwrap()
}

fn entry() -> Entry<'static> {
    Entry::new(loc("https://example.com/"))
}

fn date(text: &str) -> LastMod {
    text.parse().unwrap()
}

fn document(options: WriteOptions, entry: &Entry<'_>) -> Result<String, Error> {
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    sitemap.add(entry)?;
    let (bytes, size) = sitemap.finish()?;
    assert_eq!(size.bytes, bytes.len() as u64);
    Ok(String::from_utf8(bytes).unwrap())
}

/// Returns the XML of an entry after its `loc` element.
fn written_with(options: WriteOptions, entry: &Entry<'_>) -> String {
    let xml = document(options.extensions(ALL), entry).unwrap();
    let after = xml.split_once("<url><loc>https://example.com/</loc>").unwrap().1;
    after.strip_suffix("</url>\n</urlset>\n").unwrap().to_owned()
}

fn written(entry: &Entry<'_>) -> String {
    written_with(WriteOptions::new(), entry)
}

fn refused(result: Result<impl std::fmt::Debug, ExtensionError>) -> String {
    result.unwrap_err().to_string()
}

fn video() -> Video<'static> {
    let source = VideoSource::Content(loc("https://example.com/v.mp4"));
    Video::new(loc("https://example.com/t.jpg"), "Title", "About", source).unwrap()
}

const VIDEO_START: &str = "<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\
     <video:title>Title</video:title><video:description>About</video:description>\
     <video:content_loc>https://example.com/v.mp4</video:content_loc>";

fn video_with(values: &str) -> String {
    format!("{VIDEO_START}{values}</video:video>")
}

fn news() -> News<'static> {
    News::new(Publication::new("The Example Times", "en").unwrap(), date("2026-01-31"), "Title").unwrap()
}
