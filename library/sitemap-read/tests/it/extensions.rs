//! Tests which values of images, videos and news articles the reader keeps, and which findings it reports for other
//! values.

use sitemap_core::extension::news::Genre;
use sitemap_core::extension::video::Platform;
use sitemap_core::{Entry, Extensions, News, Site, SitemapWriter, Video, WriteOptions};
use sitemap_read::{Item, ReadOptions, Rule, SitemapReader};

/// Returns a urlset with one page, whose content starts on line 2.
fn urlset(content: &str) -> String {
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\
         <url><loc>https://example.com/</loc>\n{content}</url></urlset>"
    )
}

/// Reads a document with one page. Returns the page's entry and the findings as `line:column rule`.
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

/// The start of a video that has all required values.
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
fn attributes_of_an_invalid_element_are_kept() {
    let (read, findings) =
        video("<video:player_loc allow_embed=\"yes\" autoplay=\"a=1\">nope</video:player_loc>");
    assert_eq!((read.player_loc(), read.allow_embed(), read.autoplay()), (None, Some(true), Some("a=1")));
    assert_eq!(findings, ["3:1 extension-invalid"]);

    let (read, findings) = video(
        "<video:player_loc autoplay=\"a=1\">nope</video:player_loc>\n\
         <video:player_loc allow_embed=\"no\">https://example.com/p</video:player_loc>",
    );
    assert_eq!((read.player_loc(), read.allow_embed(), read.autoplay()), (None, None, Some("a=1")));
    assert_eq!(findings, ["3:1 extension-invalid", "4:1 element-duplicate"]);
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
pub(crate) fn lists_with_an_invalid_item_are_kept_as_they_are() {
    let (read, findings) = video(
        "<video:restriction relationship=\"allow\">DE Austria CH Italy</video:restriction>\n\
         <video:platform relationship=\"deny\">web watch</video:platform>",
    );
    assert_eq!(read.restriction().unwrap().countries().collect::<Vec<_>>(), ["DE", "Austria", "CH", "Italy"]);
    assert_eq!(read.platforms().unwrap().platforms().collect::<Vec<_>>(), [Platform::Web]);
    assert_eq!(findings, ["3:1 extension-invalid", "4:1 extension-invalid"]);

    let (read, findings) = video("<video:restriction relationship=\"allow\">de AT  CH</video:restriction>");
    assert_eq!(read.restriction().unwrap().countries().collect::<Vec<_>>(), ["DE", "AT", "CH"]);
    assert!(findings.is_empty(), "{findings:?}");

    let (read, findings) = news(
        "<news:genres>Blog, Gossip, Opinion</news:genres>\n\
         <news:stock_tickers>NASDAQ:A, B, nyse:c</news:stock_tickers>\n<news:keywords> </news:keywords>",
    );
    assert_eq!(read.genres().collect::<Vec<_>>(), [Genre::Blog, Genre::Opinion]);
    assert_eq!(read.stock_tickers().collect::<Vec<_>>(), ["NASDAQ:A", "B", "nyse:c"]);
    assert_eq!(findings, ["3:1 extension-invalid", "4:1 extension-invalid", "5:1 value-empty"]);
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
    assert_eq!((image.loc().unwrap().as_str(), image.title()), ("https://example.com/1.png", Some("A")));
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

/// Returns the start of a news article that has all required values except `without`.
fn article(without: &str, more: &str) -> String {
    let values = [
        (
            "publication",
            "<news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>",
        ),
        ("date", "<news:publication_date>2026-01-31</news:publication_date>"),
        ("title", "<news:title>T</news:title>"),
    ];
    let kept = values.iter().filter(|(name, _)| *name != without).map(|(_, value)| *value);
    format!("<news:news>{}\n{more}</news:news>", kept.collect::<String>())
}

/// Returns the writer's error when the entry is added.
fn refused(entry: &Entry<'_>) -> String {
    let all = Extensions::IMAGES | Extensions::VIDEOS | Extensions::NEWS;
    let options = WriteOptions::new().extensions(all).deprecated(true);
    let site = Site::new("https://example.com").unwrap();
    SitemapWriter::with_options(site, Vec::new(), options).add(entry).unwrap_err().to_string()
}

/// Each row contains markup with an invalid value, the value as the reader keeps it, and the writer's error.
#[test]
pub(crate) fn each_invalid_value_is_kept() {
    let image = |xml: &str| format!("<image:image>\n{xml}</image:image>");
    let video = |xml: &str| format!("{VIDEO}\n{xml}</video:video>");
    let long = "x".repeat(256);
    let rows: [(String, &str, String); 23] = [
        (image("<image:loc>/a.png</image:loc>"), "\"loc\":\"/a.png\"", "`image:loc` must be an absolute URL, found \"/a.png\"; start it with `https://` or `http://`".into()),
        (image("<image:loc>https://a:b@example.com/</image:loc>"), "\"loc\":\"https://a:b@example.com/\"", "`image:loc` must not have a user name or password, found \"https://…@example.com/\"; remove everything between `//` and the host".into()),
        (image("<image:license>ftp://a</image:license><image:loc>https://example.com/a.png</image:loc>"), "\"license\":\"ftp://a\"", "`image:license` must be an `http` or `https` URL, found \"ftp://a\"; use an absolute `http` or `https` URL".into()),
        (article("", "<news:access>Free</news:access>"), "\"access\":\"Free\"", "`news:access` is \"Free\"; use one of `Subscription`, `Registration`".into()),
        (article("", "<news:genres>Blog, Gossip</news:genres>"), "\"genres\":[\"Blog\",\"Gossip\"]", "`news:genres` has the item \"Gossip\"; use one of `PressRelease`, `Satire`, `Blog`, `OpEd`, `Opinion`, `UserGenerated`".into()),
        (article("", "<news:stock_tickers>A</news:stock_tickers>"), "\"stock_tickers\":[\"A\"]", "`news:stock_tickers` has the item \"A\"; write the exchange and the symbol, like `NASDAQ:GOOG`".into()),
        (article("", "<news:stock_tickers>A:1,A:2,A:3,A:4,A:5,A:6</news:stock_tickers>"), "\"stock_tickers\":[\"A:1\",\"A:2\",\"A:3\",\"A:4\",\"A:5\",\"A:6\"]", "`news:stock_tickers` has 6 items; use at most 5".into()),
        (article("date", "<news:publication_date>soon</news:publication_date>"), "\"publication_date\":\"soon\"", "`news:publication_date` is \"soon\"; write a day like `2026-01-31`, or a day and time like `2026-01-31T16:05Z`".into()),
        (article("date", "<news:publication_date>2026-01</news:publication_date>"), "\"publication_date\":\"2026-01\"", "`news:publication_date` is \"2026-01\"; write a day like `2026-01-31`, or a day and time like `2026-01-31T16:05Z`".into()),
        (article("publication", "<news:publication><news:name>N (x)</news:name><news:language>en</news:language></news:publication>"), "\"name\":\"N (x)\"", "`news:name` is \"N (x)\"; write the name as on Google News, without anything in parentheses".into()),
        (article("publication", "<news:publication><news:name>N</news:name><news:language>en-US</news:language></news:publication>"), "\"language\":\"en-US\"", "`news:language` is \"en-US\"; write two or three lower-case letters, `zh-cn` or `zh-tw`".into()),
        (article("title", "<news:title>a&#x1;b</news:title>"), "\"title\":\"a\u{FFFD}b\"", String::new()),
        (video("<video:duration>long</video:duration>"), "\"duration\":\"long\"", "`video:duration` is \"long\"; use 1 to 28800 seconds".into()),
        (video("<video:duration>0</video:duration>"), "\"duration\":\"0\"", "`video:duration` is \"0\"; use 1 to 28800 seconds".into()),
        (video("<video:rating>6</video:rating>"), "\"rating\":\"6\"", "`video:rating` is \"6\"; use a number from 0.0 to 5.0".into()),
        (video("<video:view_count>-1</video:view_count>"), "\"view_count\":\"-1\"", "`video:view_count` is \"-1\"; use a whole number".into()),
        (video("<video:live>maybe</video:live>"), "\"live\":\"maybe\"", "`video:live` is \"maybe\"; use `yes` or `no`".into()),
        (video("<video:player_loc allow_embed=\"x\">https://example.com/p</video:player_loc>"), "\"allow_embed\":\"x\"", "`video:player_loc allow_embed` is \"x\"; use `yes` or `no`".into()),
        (video(&format!("<video:uploader>{long}</video:uploader>")), "\"uploader\":{\"name\":\"xxx", "`video:uploader` has 256 characters; use at most 255".into()),
        (video("<video:restriction relationship=\"some\">DE</video:restriction>"), "{\"relationship\":\"some\",\"countries\":[\"DE\"]}", "`video:restriction relationship` is \"some\"; use one of `allow`, `deny`".into()),
        (video("<video:platform relationship=\"allow\">web watch</video:platform>"), "\"platforms\":[\"web\",\"watch\"]", "`video:platform` has the item \"watch\"; use one of `web`, `mobile`, `tv`".into()),
        (video("<video:price currency=\"eur\">1.99</video:price>"), "\"prices\":[{\"amount\":\"1.99\",\"currency\":\"eur\"}]", "`video:price currency` is \"eur\"; write three upper-case letters, like `EUR`".into()),
        (video(&"<video:tag>t</video:tag>".repeat(33)), "\"tags\":[\"t\",", "`video:tag` occurs 33 times in one `video:video`; use at most 32".into()),
    ];
    for (xml, json, refusal) in rows {
        let mut reader = SitemapReader::from_slice(urlset(&xml).leak().as_bytes());
        let Some(Item::Page(page)) = reader.next().unwrap() else { panic!("the item is not a page") };
        let entry = page.into_entry().into_owned();
        let findings: Vec<_> = reader.drain_findings().collect();
        let text = serde_json::to_string(&entry).unwrap();
        assert!(text.contains(json), "{text}");
        assert_eq!(findings.len(), 1, "{xml}: {findings:?}");
        if refusal.is_empty() {
            continue;
        }
        assert_eq!(findings[0].rule(), Rule::ExtensionInvalid, "{xml}");
        assert_eq!(findings[0].message(), format!("an invalid value is kept as it is: {refusal}"));
        assert_eq!(findings[0].span().start.line, 3, "{xml}");
        assert!(refused(&entry).ends_with(&refusal), "{}", refused(&entry));
        assert!(serde_json::from_str::<Entry<'_>>(&text).is_err(), "{text}");
    }
}

#[test]
pub(crate) fn elements_without_a_required_value_are_kept() {
    for (xml, json, lacks) in [
        ("<image:image/>".to_owned(), "\"images\":[{}]", "`image:image` has no `image:loc`"),
        (
            "<image:image><image:loc> </image:loc><image:title>T</image:title></image:image>".to_owned(),
            "\"images\":[{\"title\":\"T\"}]",
            "`image:image` has no `image:loc`",
        ),
        (article("title", ""), "\"publication_date\":\"2026-01-31\"}", "`news:news` has no `news:title`"),
        (article("date", ""), "\"title\":\"T\"}", "`news:news` has no `news:publication_date`"),
        (
            article("publication", ""),
            "\"news\":{\"publication_date\"",
            "`news:news` has no `news:publication`",
        ),
        (
            article("publication", "<news:publication><news:name>N</news:name></news:publication>"),
            "\"publication\":{\"name\":\"N\"}",
            "`news:publication` has no `news:language`",
        ),
        (
            VIDEO.replace("<video:title>T</video:title>", "<video:title/>") + "</video:video>",
            "\"description\":\"D\"",
            "`video:video` has no `video:title`",
        ),
        (
            format!("{VIDEO}<video:restriction>DE</video:restriction></video:video>"),
            "\"restriction\":{\"countries\":[\"DE\"]}",
            "`video:restriction` has no `relationship`",
        ),
    ] {
        let mut reader = SitemapReader::from_slice(urlset(&xml).leak().as_bytes());
        let Some(Item::Page(page)) = reader.next().unwrap() else { panic!("the item is not a page") };
        let entry = page.into_entry().into_owned();
        let findings: Vec<_> = reader.drain_findings().map(|finding| finding.message().to_owned()).collect();
        let text = serde_json::to_string(&entry).unwrap();
        assert!(text.contains(json), "{text}");
        assert_eq!(findings, [format!("{lacks} and is kept without it")]);
        let refused = refused(&entry);
        assert!(refused.ends_with(&format!("{lacks}; add one")), "{refused}");
        assert!(serde_json::from_str::<Entry<'_>>(&text).is_err(), "{text}");
    }
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
pub(crate) fn a_link_is_a_language_version_only_if_it_says_so() {
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
