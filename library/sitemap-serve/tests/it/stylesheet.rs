//! Tests for sitemaps with a stylesheet.

use std::fs;
use std::path::Path;

use sitemap_core::publish::Names;
use sitemap_core::{
    Dialect, DocumentSize, Format, IndexWriter, Site, SitemapSet, SitemapWriter, Stylesheet, WriteOptions,
};
use sitemap_read::{Item, ReadOptions, SitemapReader};

const LINE: &str = "<?xml-stylesheet type=\"text/css\" href=\"sitemap.css\"?>\n";

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn urlset(options: WriteOptions) -> (String, DocumentSize) {
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    sitemap.add_all(["/", "/about"]).unwrap();
    let (xml, size) = sitemap.finish().unwrap();
    (String::from_utf8(xml).unwrap(), size)
}

fn index(options: WriteOptions) -> (String, DocumentSize) {
    let mut index = IndexWriter::with_options(site(), Vec::new(), options);
    index.add("/sitemap-a-1.xml", None).unwrap();
    let (xml, size) = index.finish().unwrap();
    (String::from_utf8(xml).unwrap(), size)
}

#[test]
fn the_line_is_between_the_declaration_and_the_root() {
    for dialect in [Dialect::V0_9, Dialect::V0_84] {
        let options = || WriteOptions::new().dialect(dialect);
        for write in [urlset, index] {
            let (plain, _) = write(options());
            let (styled, written) = write(options().stylesheet(Stylesheet::BUILT_IN));
            let (declaration, rest) = plain.split_once('\n').unwrap();
            assert_eq!(styled, format!("{declaration}\n{LINE}{rest}"));
            assert_eq!(written.bytes, styled.len() as u64);
            assert_eq!(write(options().stylesheet(None)).0, plain);
        }
    }
}

#[test]
fn text_files_name_no_stylesheet() {
    let options = WriteOptions::new().format(Format::Text).stylesheet(Stylesheet::BUILT_IN);
    assert_eq!(urlset(options).0, "https://example.com/\nhttps://example.com/about\n");
}

#[test]
fn limits_count_the_bytes_of_the_stylesheet_line() {
    let (_, written) = urlset(WriteOptions::new().stylesheet(Stylesheet::BUILT_IN));
    for (bytes, is_full) in [(written.bytes, false), (written.bytes - 1, true)] {
        let mut limits = Dialect::V0_9.limits();
        limits.bytes = bytes;
        let options = WriteOptions::new().stylesheet(Stylesheet::BUILT_IN).lower_limits(limits);
        let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
        sitemap.add("/").unwrap();
        assert_eq!(sitemap.add("/about").is_err(), is_full);
        assert!(sitemap.finish().unwrap().1.bytes <= bytes);
    }
}

#[test]
fn readers_accept_the_stylesheet_line() {
    let sheet = Stylesheet::at("/a.css?b='1'&c=2").unwrap();
    let (xml, _) = urlset(WriteOptions::new().stylesheet(sheet));
    assert!(
        xml.contains(
            "\n<?xml-stylesheet type=\"text/css\" href=\"/a.css?b=&apos;1&apos;&amp;c=2\"?>\n<urlset"
        )
    );
    let mut reader = SitemapReader::from_slice_with(xml.as_bytes(), ReadOptions::new().strict(true));
    let mut pages = Vec::new();
    while let Some(item) = reader.next().unwrap() {
        let Item::Page(page) = item else { panic!("{item:?}") };
        pages.push(page.entry().loc().to_string());
    }
    assert_eq!(pages, ["https://example.com/", "https://example.com/about"]);
}

fn publish(folder: &Path, stylesheet: Option<Stylesheet>, names: Names) -> Vec<bool> {
    let builder = SitemapSet::builder(site()).stylesheet(stylesheet).names(names);
    let mut run = builder.open(folder).unwrap().replace().unwrap();
    run.section("a").unwrap().add("/a").unwrap();
    run.section("b").unwrap().add("/b").unwrap();
    let summary = run.commit().unwrap();
    summary
        .files()
        .iter()
        .chain(summary.indexes())
        .map(sitemap_core::publish::PublishedFile::changed)
        .collect()
}

#[test]
fn the_stylesheet_is_published_with_the_set() {
    for names in [Names::Stable, Names::Digest] {
        let dir = tempfile::tempdir().unwrap();
        let css = dir.path().join("sitemap.css");
        let own = || Some(Stylesheet::BUILT_IN);
        assert_eq!(publish(dir.path(), own(), names), [true; 3]);
        assert_eq!(fs::read_to_string(&css).unwrap(), Stylesheet::CSS);
        for file in fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "xml") {
                assert!(fs::read_to_string(&file).unwrap().contains(LINE), "{}", file.display());
            }
        }
        // A run without changes keeps the stylesheet. A run with a different stylesheet replaces it.
        let date = || fs::metadata(&css).unwrap().modified().unwrap();
        let before = date();
        assert_eq!(publish(dir.path(), own(), names), [false; 3]);
        assert_eq!(date(), before);
        fs::write(&css, "old").unwrap();
        assert_eq!(publish(dir.path(), own(), names), [false; 3]);
        assert_eq!(fs::read_to_string(&css).unwrap(), Stylesheet::CSS);
        // A run without a stylesheet keeps the file, because browsers may still show files that refer to it.
        assert_eq!(publish(dir.path(), None, names), [true; 3]);
        assert!(css.exists());
    }
}

#[test]
fn a_stylesheet_of_the_site_is_not_published() {
    let dir = tempfile::tempdir().unwrap();
    // The site's own stylesheet is not published, even if it has the same name as the built-in stylesheet.
    publish(dir.path(), Some(Stylesheet::at("sitemap.css").unwrap()), Names::Stable);
    assert!(!dir.path().join("sitemap.css").exists());
    publish(dir.path(), Some(Stylesheet::at("/assets/a.css").unwrap()), Names::Stable);
    let index = fs::read_to_string(dir.path().join("sitemap.xml")).unwrap();
    assert!(index.contains("href=\"/assets/a.css\"?>\n<sitemapindex"));
}
