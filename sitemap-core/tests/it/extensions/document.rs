//! Tests of whole documents whose entries have extensions, and of the namespaces that they declare.

use super::*;

#[test]
fn namespaces_are_declared_on_the_root_and_only_those_in_use() {
    let xml = document(WriteOptions::new().extensions(ALL), &entry()).unwrap();
    assert_eq!(
        xml,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n\
         <url><loc>https://example.com/</loc></url>\n\
         </urlset>\n"
    );
    let xml = document(WriteOptions::new(), &entry()).unwrap();
    assert!(!xml.contains("xmlns:"), "{xml}");
}

#[test]
fn an_extension_that_is_not_declared_is_an_error() {
    let images = entry().with_images(vec![Image::new(loc("https://example.com/a.jpg"))]);
    let options = WriteOptions::new().extensions(Extensions::VIDEOS | Extensions::NEWS);
    let error = document(options, &images).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the entry uses an extension that its sitemap does not declare, found {\"image\"} in \
         \"https://example.com/\"; declare it with `SetOptions::extensions`, or give such records a section of \
         their own"
    );
    assert!(!error.is_invalid_record());
    for (entry, extensions) in [
        (entry().with_videos(vec![video()]), Extensions::VIDEOS),
        (entry().with_news(news()), Extensions::NEWS),
    ] {
        assert_eq!(entry.extensions(), extensions);
        assert!(document(WriteOptions::new(), &entry).is_err());
        assert!(document(WriteOptions::new().extensions(extensions), &entry).is_ok());
    }
}

#[test]
fn an_entry_that_fails_leaves_no_trace_in_its_document() {
    let mut sitemap = SitemapWriter::new(site(), Vec::new());
    assert!(sitemap.add(&entry().with_news(news())).is_err());
    sitemap.add("/").unwrap();
    let xml = String::from_utf8(sitemap.finish().unwrap().0).unwrap();
    assert!(xml.ends_with("0.9\">\n<url><loc>https://example.com/</loc></url>\n</urlset>\n"), "{xml}");
}

#[test]
fn dialect_0_84_and_text_have_no_extensions() {
    let options = || WriteOptions::new().extensions(Extensions::IMAGES);
    let error = document(options().dialect(Dialect::V0_84), &entry()).unwrap_err();
    assert_eq!(error.to_string(), "dialect 0.84 has no extensions, found {\"image\"}; use dialect 0.9");
    let own = WriteOptions::new().dialect(Dialect::V0_84).namespace(Namespace::new("x", "urn:x").unwrap());
    let error = document(own, &entry()).unwrap_err();
    assert_eq!(error.to_string(), "dialect 0.84 has no extensions, found `x`; use dialect 0.9");
    let images = entry().with_images(vec![Image::new(loc("https://example.com/a.jpg"))]);
    assert_eq!(
        document(WriteOptions::new().format(Format::Text), &images).unwrap(),
        "https://example.com/\n"
    );
}

#[test]
fn alternates_are_links_with_a_language_and_a_url() {
    let alternates = vec![
        Alternate::parse("en", "https://example.com/").unwrap(),
        Alternate::parse("de-AT", "https://example.at/?a=1&b=2").unwrap(),
        Alternate::parse("x-default", "https://example.com/").unwrap(),
    ];
    assert_eq!(
        written(&entry().with_alternates(alternates)),
        "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"de-AT\" href=\"https://example.at/?a=1&amp;b=2\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://example.com/\"/>"
    );
    assert!(Alternate::parse("en_US", "https://example.com/").is_err());
    assert!(Alternate::parse("en", "/relative").is_err());
}

#[test]
fn owned_values_outlive_their_source() {
    let owned = {
        let (title, url) = ("Title".to_owned(), "https://example.com/x".to_owned());
        let source = VideoSource::Player(loc(&url));
        let video = Video::new(loc(&url), &title, &title, source).unwrap().with_tag(&title).unwrap();
        let news = News::new(Publication::new(&title, "en").unwrap(), date("2026-01-31"), &title).unwrap();
        let image = Image::new(loc(&url)).with_caption(&title).unwrap();
        let alternate = Alternate::parse("en", &url).unwrap();
        let element = Element::new(Namespace::new("x", &url).unwrap(), &title).unwrap();
        Entry::new(loc(&url))
            .with_videos(vec![video])
            .with_news(news)
            .with_images(vec![image])
            .with_alternates(vec![alternate])
            .with_elements(vec![element])
            .into_owned()
    };
    assert_eq!(owned.extensions(), ALL);
    assert_eq!(owned.videos()[0].title(), "Title");
    assert_eq!(owned.news().unwrap().title(), "Title");
    assert_eq!(owned.images()[0].caption(), Some("Title"));
    assert_eq!(owned.elements()[0].name(), "Title");
    assert_eq!(owned.alternates().len(), 1);
}

#[test]
fn an_entry_without_extensions_equals_one_that_lost_them() {
    let image = Image::new(loc("https://example.com/a.jpg"));
    let emptied = entry().with_images(vec![image]).with_images(vec![]).with_news(None);
    assert_eq!(emptied, entry());
    #[cfg(target_pointer_width = "64")]
    assert_eq!(size_of::<Entry<'_>>(), size_of::<Loc<'_>>() + size_of::<Option<LastMod>>() + 16);
}

#[test]
fn extensions_do_not_count_as_urls() {
    let images = vec![Image::new(loc("https://example.com/a.jpg")); 100];
    let mut sitemap =
        SitemapWriter::with_options(site(), Vec::new(), WriteOptions::new().extensions(Extensions::IMAGES));
    sitemap.add(&entry().with_images(images)).unwrap();
    assert_eq!(sitemap.finish().unwrap().1.entries, 1);
}
