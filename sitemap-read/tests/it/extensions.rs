//! The values of images, videos and news articles that the reader keeps, and the findings about the others.

use sitemap_core::extension::news::Genre;
use sitemap_core::{Entry, News, Video};
use sitemap_read::{Item, ReadOptions, Rule, SitemapReader};

/// Returns a urlset with one page. The content of the page starts on line 2.
fn urlset(content: &str) -> String {
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\
         <url><loc>https://example.com/</loc>\n{content}</url></urlset>"
    )
}

/// Reads a document with one page. Returns the page's entry, and the findings as `line:column rule`.
fn read(xml: &str) -> (Entry<'static>, Vec<String>) {
    let mut entries = SitemapReader::from_slice(xml.as_bytes()).into_entries();
    let entry = entries.next().unwrap().unwrap();
    assert!(entries.next().is_none());
    let findings =
        entries.drain_findings().map(|finding| format!("{} {}", finding.span().start, finding.rule()));
    (entry, findings.collect())
}

/// Reads a video with these values in addition to the required ones. The values start on line 3.
fn video(more: &str) -> (Video<'static>, Vec<String>) {
    let (entry, findings) = read(&urlset(&format!("{VIDEO}\n{more}</video:video>")));
    (entry.videos()[0].clone(), findings)
}

/// The start of a video with all required values.
const VIDEO: &str = "<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\
    <video:title>T</video:title><video:description>D</video:description>\
    <video:content_loc>https://example.com/v.mp4</video:content_loc>";

/// Reads a news article with these values in addition to the required ones. The values start on line 3.
fn news(more: &str) -> (News<'static>, Vec<String>) {
    let (entry, findings) = read(&urlset(&format!(
        "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language>\
         </news:publication><news:publication_date>2026-01-31</news:publication_date>\
         <news:title>T</news:title>\n{more}</news:news>"
    )));
    (entry.news().unwrap().clone(), findings)
}

#[test]
fn attributes_of_an_invalid_element_are_ignored() {
    let (read, findings) =
        video("<video:player_loc allow_embed=\"yes\" autoplay=\"a=1\">nope</video:player_loc>");
    assert_eq!((read.player_loc(), read.allow_embed(), read.autoplay()), (None, None, None));
    assert_eq!(findings, ["3:1 extension-invalid"]);

    let (read, findings) = video(
        "<video:player_loc autoplay=\"a=1\">nope</video:player_loc>\n\
         <video:player_loc allow_embed=\"no\">https://example.com/p</video:player_loc>",
    );
    assert_eq!(read.player_loc().unwrap(), "https://example.com/p");
    assert_eq!((read.allow_embed(), read.autoplay()), (Some(false), None));
    assert_eq!(findings, ["3:1 extension-invalid"]);
}

#[test]
fn a_price_that_is_cut_off_is_ignored() {
    let whole = urlset(&format!("{VIDEO}\n<video:price type=\"rent\">1.99</video:price></video:video>"));
    for cut in ["99", "</video:price>"] {
        let (entry, findings) = read(&whole[..whole.find(cut).unwrap()]);
        assert_eq!(entry.videos()[0].prices().count(), 0, "{cut}");
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].ends_with(" truncated"), "{findings:?}");
    }
}

#[test]
pub(crate) fn lists_of_videos_are_all_or_nothing() {
    let (read, findings) = video(
        "<video:restriction relationship=\"allow\">DE Austria CH Italy</video:restriction>\n\
         <video:platform relationship=\"deny\">web watch</video:platform>",
    );
    assert_eq!((read.restriction(), read.platforms()), (None, None));
    assert_eq!(
        findings,
        [
            "3:1 extension-invalid",
            "3:1 extension-incomplete",
            "4:1 extension-invalid",
            "4:1 extension-incomplete"
        ]
    );

    let (read, findings) = video("<video:restriction relationship=\"allow\">de AT  CH</video:restriction>");
    assert_eq!(read.restriction().unwrap().countries().collect::<Vec<_>>(), ["DE", "AT", "CH"]);
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
pub(crate) fn lists_of_news_keep_their_valid_items() {
    let (read, findings) = news(
        "<news:genres>Blog, Gossip, Opinion</news:genres>\n\
         <news:stock_tickers>NASDAQ:A, B, nyse:c</news:stock_tickers>",
    );
    assert_eq!(read.genres().collect::<Vec<_>>(), [Genre::Blog, Genre::Opinion]);
    assert_eq!(read.stock_tickers().collect::<Vec<_>>(), ["NASDAQ:A", "nyse:c"]);
    assert_eq!(findings, ["3:1 extension-invalid", "4:1 extension-invalid"]);
}

#[test]
pub(crate) fn repeated_values() {
    let (read, findings) = video(
        "<video:duration>1</video:duration>\n<video:duration>2</video:duration>\n<video:title>U</video:title>",
    );
    assert_eq!((read.duration(), read.title()), (Some(1), "T"));
    assert_eq!(findings, ["4:1 element-duplicate", "5:1 element-duplicate"]);

    let (read, findings) = news(
        "<news:keywords>a</news:keywords>\n<news:keywords>b</news:keywords>\n<news:title>U</news:title>",
    );
    assert_eq!((read.keywords(), read.title()), (Some("a"), "T"));
    assert_eq!(findings, ["4:1 element-duplicate", "5:1 element-duplicate"]);

    let (entry, findings) = self::read(&urlset(
        "<image:image><image:loc>https://example.com/1.png</image:loc><image:title>A</image:title>\n\
         <image:title>B</image:title>\n<image:loc>https://example.com/2.png</image:loc></image:image>",
    ));
    let image = &entry.images()[0];
    assert_eq!((image.loc().as_str(), image.title()), ("https://example.com/1.png", Some("A")));
    assert_eq!(findings, ["3:1 element-duplicate", "4:1 element-duplicate"]);
}

#[test]
pub(crate) fn unknown_elements() {
    let (read, findings) = video(
        "<video:tvshow><video:show_title>S</video:show_title><video:video_type>clip</video:video_type>\n\
         <video:season>1</video:season></video:tvshow>\n<video:size>1</video:size>",
    );
    assert_eq!(read.tv_show().unwrap().show_title(), "S");
    assert_eq!(findings, ["4:1 element-unknown", "5:1 element-unknown"]);
}

#[test]
fn attributes_of_kept_elements() {
    let xml = urlset("<x:a xmlns:x=\"urn:x\" b=\"1\" x:c=\"2\" image:d=\"3\" xml:lang=\"en\"/>");
    let keep = ReadOptions::new().keep_elements(true);
    let mut reader = SitemapReader::from_slice_with(xml.as_bytes(), keep);
    let Some(Item::Page(page)) = reader.next().unwrap() else { panic!("the item is not a page") };
    let element = &page.entry().elements()[0];
    assert_eq!(element.attribute("b"), Some("1"));
    let qualified: Vec<_> = element
        .qualified_attributes()
        .map(|(namespace, name, value)| format!("{}:{name}={value}", namespace.prefix()))
        .collect();
    assert_eq!(qualified, ["x:c=2", "xml:lang=en"]);
    assert_eq!(reader.findings_total(), 0);

    let xml = urlset("<x:a xmlns:x=\"urn:x\" y:b=\"1\"/>");
    let mut reader = SitemapReader::from_slice_with(xml.as_bytes(), keep);
    assert!(reader.next().unwrap().is_some());
    let rules: Vec<_> = reader.drain_findings().map(|finding| finding.rule()).collect();
    assert_eq!(rules, [Rule::NamespaceUndeclared]);
}

#[test]
fn a_link_is_a_language_version_only_if_it_says_so() {
    for (link, is_kept, findings) in [
        ("rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"", true, &[][..]),
        ("rel=\"Alternate nofollow\" hreflang=\"de\" href=\"https://example.com/de\"", true, &[]),
        ("hreflang=\"de\" href=\"https://example.com/de\"", false, &["2:1 extension-incomplete"]),
        ("rel=\"canonical\" hreflang=\"de\" href=\"https://example.com/de\"", false, &[]),
        ("rel=\"alternate\" media=\"print\" href=\"https://example.com/de\"", false, &[]),
        ("rel=\"alternate\" href=\"android-app://com.example/https/example.com/\"", false, &[]),
        ("rel=\"alternate\" href=\"ios-app://123/https/example.com/\"", false, &[]),
        ("rel=\"alternate\" hreflang=\"de\" href=\"ftp://example.com/\"", false, &["2:1 extension-invalid"]),
        ("rel=\"alternate\" href=\"https://example.com/de\"", false, &["2:1 extension-incomplete"]),
    ] {
        let xml = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>https://example.com/</loc>\n\
             <xhtml:link {link}/></url></urlset>"
        );
        let (entry, found) = read(&xml);
        assert_eq!(entry.alternates().len(), usize::from(is_kept), "{link}");
        assert_eq!(found, findings, "{link}");
    }
}
