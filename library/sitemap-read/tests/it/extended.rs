//! Tests entries with extensions and in unusual layouts. The fast path for extensions and the general parser must
//! return the same values.

use sitemap_core::Entry;
use sitemap_read::{Finding, Item, ReadOptions, SitemapReader, Span, Value};

/// The entries with their positions, and the findings.
type Outcome = (Vec<(Entry<'static>, Span, [Option<Span>; 4])>, Vec<Finding>);

fn outcome(mut reader: SitemapReader<'_>) -> Outcome {
    let values = [Value::Loc, Value::LastMod, Value::ChangeFreq, Value::Priority];
    let mut entries = Vec::new();
    while let Some(item) = reader.next().unwrap() {
        let places = (item.span(), values.map(|value| item.value_span(value)));
        let Item::Page(page) = item else { panic!("the item is not a page") };
        entries.push((page.into_entry().into_owned(), places.0, places.1));
    }
    (entries, reader.drain_findings().collect())
}

/// Reads entries with both parsers. Returns the entries and the number of findings.
fn read(entries: &str) -> (Vec<Entry<'static>>, usize) {
    let xml = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
         xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:x=\"urn:x\">\n{entries}\n</urlset>"
    );
    read_whole(&xml)
}

fn read_whole(xml: &str) -> (Vec<Entry<'static>>, usize) {
    let mut first = None;
    for options in [ReadOptions::new(), ReadOptions::new().keep_elements(true)] {
        let fast = outcome(SitemapReader::from_slice_with(xml.as_bytes(), options));
        let general = outcome(SitemapReader::from_slice_with(xml.as_bytes(), options.without_fast_path()));
        assert_eq!(fast, general, "{xml}");
        let stream = outcome(SitemapReader::from_reader_with(Bytes(xml.as_bytes()), options));
        assert_eq!(stream, general, "{xml}");
        first.get_or_insert(fast);
    }
    let (entries, findings) = first.unwrap();
    (entries.into_iter().map(|(entry, ..)| entry).collect(), findings.len())
}

/// A stream that returns one byte at a time.
struct Bytes<'a>(&'a [u8]);

impl std::io::Read for Bytes<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let len = buf.len().min(self.0.len()).min(1);
        buf[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

/// Returns an entry with `content` after its URL.
fn url(content: &str) -> String {
    format!("<url><loc>https://example.com/</loc>{content}</url>")
}

#[test]
fn translations_with_attributes_in_any_order() {
    let (entries, findings) = read(&url(
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/?a&amp;b\"/>\r\n\
         <xhtml:link href='https://example.com/fr' hreflang='fr-CH' rel='alternate' ></xhtml:link>",
    ));
    let found: Vec<_> =
        entries[0].alternates().iter().map(|a| (a.hreflang().as_str(), a.href().as_str())).collect();
    assert_eq!(found, [("de", "https://example.com/?a&b"), ("fr-CH", "https://example.com/fr")]);
    assert_eq!(findings, 0);
}

#[test]
fn unusual_translations_have_the_findings_of_the_general_parser() {
    for (link, versions, expected) in [
        ("<xhtml:link rel=\"alternate\" hreflang=\"en-UK\" href=\"https://example.com/\"/>", 0, 1),
        ("<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"/\"/>", 0, 1),
        ("<xhtml:link rel=\"alternate\" hreflang=\"en\"/>", 0, 1),
        ("<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"android-app://x/\"/>", 0, 0),
        ("<xhtml:link rel=\"Alternate\" hreflang=\" en \" href=\" https://example.com/ \"/>", 1, 0),
        ("<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/&nbsp;\"/>", 1, 1),
        ("<xhtml:link rel=alternate hreflang=en href=https://example.com/x />", 0, 1),
        ("<xhtml:meta/>", 0, 1),
        ("<xhtml:link/><!-- a comment -->", 0, 1),
    ] {
        let (entries, findings) = read(&url(link));
        assert_eq!((entries[0].alternates().len(), findings), (versions, expected), "{link}");
    }
}

#[test]
fn images_with_other_prefixes_and_as_cdata() {
    let (entries, findings) =
        read(&url("<image:image><image:loc>https://cdn.example.com/a.jpg</image:loc></image:image>\n\
         <i:image>\n\t<i:loc><![CDATA[https://cdn.example.com/b.jpg?a&b]]></i:loc>\n\t\
         <i:caption> A &lt; B </i:caption>\n</i:image>"));
    let images = entries[0].images();
    assert_eq!(images[0].loc().unwrap(), "https://cdn.example.com/a.jpg");
    assert_eq!(images[1].loc().unwrap(), "https://cdn.example.com/b.jpg?a&b");
    assert_eq!((images[1].caption(), findings), (Some("A < B"), 0));
}

#[test]
fn unusual_images_have_the_findings_of_the_general_parser() {
    for (image, images, expected) in [
        ("<image:image></image:image>", 1, 1),
        ("<image:image/>", 1, 1),
        ("<image:image><image:loc></image:loc></image:image>", 1, 1),
        ("<image:image><image:loc>/a.jpg</image:loc></image:image>", 1, 1),
        ("<image:image><image:loc>https://example.com/ü.jpg</image:loc></image:image>", 1, 0),
        ("<image:image><image:loc>https://example.com/a</image:loc><image:x>1</image:x></image:image>", 1, 1),
        ("<image:image><image:loc>https://example.com/a</image:LOC></image:image>", 1, 0),
        ("<image:image><loc>https://example.com/a</loc></image:image>", 1, 3),
    ] {
        let (entries, findings) = read(&url(image));
        assert_eq!((entries[0].images().len(), findings), (images, expected), "{image}");
    }
}

#[test]
fn a_video_with_values_of_every_kind() {
    let (entries, findings) =
        read(&url("<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\
         <video:title>T &amp; U</video:title><video:description><![CDATA[D <b>]]></video:description>\
         <video:player_loc allow_embed=\"yes\" autoplay=\"a=1\">https://example.com/p</video:player_loc>\
         <video:duration>60</video:duration><video:rating>4.2</video:rating><video:tag>a</video:tag>\
         <video:tag>b</video:tag><video:restriction relationship=\"allow\">DE AT</video:restriction>\
         <video:price currency=\"EUR\">1.99</video:price><video:live>no</video:live>\
         <video:publication_date>2026-01-31T10:00:00Z</video:publication_date></video:video>"));
    let video = &entries[0].videos()[0];
    assert_eq!((video.title(), video.description()), ("T & U", "D <b>"));
    assert_eq!((video.allow_embed(), video.autoplay()), (Some(true), Some("a=1")));
    assert_eq!(video.tags().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(video.prices().count(), 1);
    assert_eq!((video.duration(), findings), (Some(60), 0));
}

#[test]
fn a_video_that_lacks_a_title_has_a_finding() {
    let (entries, findings) =
        read(&url("<video:video><video:description>D</video:description></video:video>"));
    assert_eq!((entries[0].videos()[0].description(), findings), ("D", 1));
}

#[test]
fn news_with_a_publication() {
    let (entries, findings) = read(&url(
        "<news:news>\n<news:publication>\n<news:name>N</news:name><news:language>en</news:language>\n\
         </news:publication><news:publication_date>2026-01-31</news:publication_date>\
         <news:title>T</news:title></news:news>",
    ));
    let news = entries[0].news().unwrap();
    assert_eq!((news.publication().name(), news.title(), findings), ("N", "T", 0));
}

#[test]
fn values_in_any_order_and_as_cdata() {
    let (entries, findings) = read(
        "<url>\r\n<priority>0.5</priority><x:rank a=\"1\"><x:y>7</x:y></x:rank>\
         <lastmod><![CDATA[2024-03-09]]></lastmod>\r\n<loc> <![CDATA[https://example.com/?a&b]]></loc></url>\n\
         <url><lastmod>2024-03-09</lastmod><loc><![CDATA[https://example.com/?a&b]]></loc></url>",
    );
    for entry in &entries {
        assert_eq!(entry.loc(), "https://example.com/?a&b");
        assert_eq!(entry.lastmod().unwrap().to_string(), "2024-03-09");
    }
    assert_eq!((entries.len(), findings), (2, 0));
}

#[test]
fn values_that_occur_twice_have_findings() {
    let (entries, findings) = read(
        "<url><lastmod>2024-03-09</lastmod><loc>https://example.com/a</loc><lastmod>2024-03-10</lastmod></url>\n\
         <url><priority>0.5</priority><loc>https://example.com/b</loc><loc>https://example.com/c</loc></url>",
    );
    let found: Vec<_> = entries.iter().map(|entry| entry.loc().as_str()).collect();
    assert_eq!(found, ["https://example.com/a", "https://example.com/b", "https://example.com/c"]);
    assert_eq!(findings, 2);
}

#[test]
fn elements_of_the_protocol_with_a_prefix() {
    let (entries, findings) = read_whole(
        "<s:urlset xmlns:s=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
         <s:url><s:loc>https://example.com/</s:loc><s:changefreq>daily</s:changefreq>\
         <i:image><i:loc>https://example.com/a.jpg</i:loc></i:image></s:url></s:urlset>",
    );
    assert_eq!(entries[0].changefreq().unwrap().as_str(), "daily");
    assert_eq!((entries[0].images().len(), findings), (1, 0));
}

#[test]
fn a_prefix_that_an_element_declares_again_is_read_by_the_general_parser() {
    let (entries, findings) = read(&url(
        "<image:image xmlns:image=\"urn:x\"><image:loc>https://example.com/a.jpg</image:loc></image:image>",
    ));
    assert_eq!((entries[0].images().len(), findings), (1, 1));
}

/// Reads four entries with the same content. After the first one, the reader knows the origins of the URLs.
fn read_again(content: &str) -> (Entry<'static>, usize) {
    let (mut entries, findings) = read(&url(content).repeat(4));
    assert!(entries.iter().all(|entry| *entry == entries[0]), "{content}");
    (entries.remove(0), findings / 4)
}

#[test]
fn translations_of_a_known_site_have_the_same_values_in_all_forms() {
    let (rel, tag, href) = ("rel=\"alternate\"", "hreflang='pt-BR'", "href=\"https://example.com/a\"");
    for link in [
        format!("<xhtml:link {rel} {tag} {href}/>"),
        format!("<xhtml:link {href} {rel} {tag} />"),
        format!("<xhtml:link\n\t{tag}\r\n{href}  {rel}/>"),
        format!("<xhtml:link {rel} {tag} {href}></xhtml:link>"),
        format!("<xhtml:link {rel} {tag} {href} type=\"text/html\"/>"),
        format!("<xhtml:link {rel} {tag} {href} href=\"https://example.com/b\"/>"),
        format!("<xhtml:link {rel}{tag} {href}/>"),
    ] {
        let (entry, _) = read_again(&link);
        let found: Vec<_> =
            entry.alternates().iter().map(|a| (a.hreflang().as_str(), a.href().as_str())).collect();
        assert_eq!(found, [("pt-BR", "https://example.com/a")], "{link}");
    }
}

#[test]
fn translations_of_a_known_site_have_the_same_findings_in_all_forms() {
    for (attributes, version, findings) in [
        (
            "rel='alternate' hreflang='de' href='https://example.com/?a&amp;b'",
            Some("https://example.com/?a&b"),
            0,
        ),
        (
            "rel='alternate' hreflang='de' href='https://example.com/?a&b'",
            Some("https://example.com/?a&b"),
            1,
        ),
        ("rel='alternate' hreflang='de' href='https://example.com/\"'", Some("https://example.com/%22"), 0),
        ("rel='alternate' hreflang='de' href='https://example.com/ '", Some("https://example.com/"), 0),
        ("rel='alternate' hreflang='de' href='https://example.com/a/../b'", None, 1),
        ("rel='alternate' hreflang='german' href='https://example.com/'", None, 1),
        ("rel='alternate' hreflang='' href='https://example.com/'", None, 1),
        ("rel='canonical' hreflang='de' href='https://example.com/'", None, 0),
        ("rel='alternates' hreflang='de' href='https://example.com/'", None, 0),
        ("rel='alternate' href='https://example.com/'", None, 1),
        ("rel='alternate' hreflang='de'", None, 1),
    ] {
        let (entry, found) = read_again(&format!("<xhtml:link {attributes}/>"));
        let href = entry.alternates().first().map(|alternate| alternate.href().as_str());
        assert_eq!((href, found), (version, findings), "{attributes}");
    }
}

#[test]
fn images_of_a_known_site_have_the_same_values_in_all_forms() {
    let (loc, title) = ("<i:loc>https://example.com/a.jpg</i:loc>", "<i:title>T</i:title>");
    for (content, image_title) in [
        (loc.to_owned(), None),
        (format!("\r\n\t{loc}\n"), None),
        (loc.replace("</", " </"), None),
        ("<i:loc><![CDATA[https://example.com/a.jpg]]></i:loc>".to_owned(), None),
        ("<i:loc> <![CDATA[https://example.com/a.jpg]]></i:loc>".to_owned(), None),
        (loc.replace("a.jpg", "&#97;.jpg"), None),
        (format!("{loc}{title}"), Some("T")),
        (format!("{title}{loc}"), Some("T")),
        (format!("<!-- a comment -->{loc}"), None),
    ] {
        let (entry, findings) = read_again(&format!("<i:image>{content}</i:image><i:image>{loc}</i:image>"));
        let found: Vec<_> = entry
            .images()
            .iter()
            .map(|image| (image.loc().map(sitemap_core::Loc::as_str), image.title()))
            .collect();
        let url = Some("https://example.com/a.jpg");
        assert_eq!((found, findings), (vec![(url, image_title), (url, None)], 0), "{content}");
    }
}
