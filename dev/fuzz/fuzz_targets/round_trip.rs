//! Writes arbitrary entries and reads them back. The reader must return equal entries and no findings.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sitemap_core::extension::{Element, Hreflang, Namespace, Publication, VideoSource};
use sitemap_core::{
    Alternate, ChangeFreq, Entry, Extensions, Image, LastMod, Loc, News, Priority, Site, SitemapWriter,
    Video, WriteOptions,
};
use sitemap_read::{Item, ReadOptions, SitemapReader};

#[derive(Arbitrary, Debug)]
struct Page<'a> {
    path: &'a str,
    lastmod: Option<i64>,
    changefreq: Option<u8>,
    priority: Option<u16>,
    images: Vec<(&'a str, Option<&'a str>, Option<&'a str>)>,
    alternates: Vec<&'a str>,
    video: Option<(&'a str, &'a str, &'a str, Vec<&'a str>, Option<bool>)>,
    news: Option<(&'a str, &'a str, &'a str)>,
    element: Option<(&'a str, Vec<(&'a str, &'a str)>, &'a str)>,
}

/// Returns true if the string has no leading or trailing white space, which the reader would remove.
fn is_trimmed(text: &str) -> bool {
    let trimmed = text.trim().trim_matches(['\u{A0}', '\u{2007}', '\u{202F}', '\u{FEFF}']);
    trimmed.len() == text.len()
}

fn loc(path: &str) -> Option<Loc<'static>> {
    Loc::parse(format!("https://example.com/{path}")).ok()
}

fn entry(page: &Page<'_>) -> Option<Entry<'static>> {
    let mut entry = Entry::new(loc(page.path)?)
        .with_lastmod(
            page.lastmod.and_then(|seconds| LastMod::from_timestamp(seconds % 200_000_000_000).ok()),
        )
        .with_changefreq(page.changefreq.map(|n| ChangeFreq::ALL[usize::from(n) % 7]))
        .with_priority(page.priority.and_then(|n| Priority::new(f64::from(n) / 65_535.0).ok()));
    let mut images = Vec::new();
    for (path, title, caption) in page.images.iter().take(5) {
        let mut image = Image::new(loc(path)?);
        if let Some(title) = title.filter(|text| is_trimmed(text)) {
            image = image.with_title(title.to_owned()).ok()?;
        }
        if let Some(caption) = caption.filter(|text| is_trimmed(text)) {
            image = image.with_caption(caption.to_owned()).ok()?;
        }
        images.push(image);
    }
    if !images.is_empty() {
        entry = entry.with_images(images);
    }
    let alternates: Option<Vec<_>> = page
        .alternates
        .iter()
        .take(5)
        .map(|path| Some(Alternate::new(Hreflang::parse("de-AT").ok()?, loc(path)?)))
        .collect();
    if let Some(alternates) = alternates.filter(|alternates| !alternates.is_empty()) {
        entry = entry.with_alternates(alternates);
    }
    if let Some((path, title, description, tags, live)) = &page.video {
        let source = VideoSource::Content(loc(&format!("video/{path}"))?);
        if !is_trimmed(title) || !is_trimmed(description) || !tags.iter().all(|tag| is_trimmed(tag)) {
            return None;
        }
        let mut video =
            Video::new(loc(path)?, title.to_string(), description.to_string(), source).ok()?.with_live(*live);
        for tag in tags.iter().take(32) {
            video = video.with_tag(tag.to_string()).ok()?;
        }
        entry = entry.with_videos(vec![video]);
    }
    if let Some((name, title, keywords)) = page.news
        && [name, title, keywords].iter().all(|text| is_trimmed(text))
    {
        let publication = Publication::new(name.to_owned(), "en").ok()?;
        let news = News::new(publication, LastMod::date(2026, 1, 31).ok()?, title.to_owned()).ok()?;
        entry = entry.with_news(news.with_keywords(keywords.to_owned()).ok()?);
    }
    if let Some((name, attributes, text)) = &page.element {
        let mut element = Element::new(namespace(), name.to_string()).ok()?;
        for (name, value) in attributes.iter().take(5) {
            if !is_trimmed(value) {
                return None;
            }
            element = element.with_attribute(name.to_string(), value.to_string()).ok()?;
        }
        if !text.is_empty() {
            element = element.with_text(text.to_string()).ok()?;
        }
        entry = entry.with_elements(vec![element]);
    }
    Some(entry)
}

fn namespace() -> Namespace<'static> {
    Namespace::new("x", "urn:example:x").expect("a valid namespace")
}

fuzz_target!(|pages: Vec<Page<'_>>| {
    let all = Extensions::ALTERNATES | Extensions::IMAGES | Extensions::VIDEOS | Extensions::NEWS;
    let options = WriteOptions::new().extensions(all).namespace(namespace()).deprecated(true);
    let site = Site::new("https://example.com").expect("a valid site");
    let mut writer = SitemapWriter::with_options(site, Vec::new(), options);
    let mut written = Vec::new();
    for entry in pages.iter().filter_map(entry) {
        if writer.add(&entry).is_ok() {
            written.push(entry);
        }
    }
    let (xml, _) = writer.finish().expect("writing to memory does not fail");
    for options in [ReadOptions::new(), ReadOptions::new().without_fast_path()] {
        let mut reader = SitemapReader::from_slice_with(&xml, options.keep_elements(true));
        let mut read = Vec::new();
        while let Some(item) = reader.next().expect("a readable document") {
            let Item::Page(page) = item else { panic!("found a `<sitemap>` element in a urlset") };
            read.push(page.into_entry().into_owned());
        }
        assert_eq!(read, written, "{}", String::from_utf8_lossy(&xml));
        let findings: Vec<_> = reader.drain_findings().collect();
        assert!(findings.is_empty(), "{findings:?} {}", String::from_utf8_lossy(&xml));
    }
});
