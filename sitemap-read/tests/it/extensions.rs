//! The values of images, videos and news articles that the reader keeps, and the findings about the others.

use sitemap_core::{Entry, Video};
use sitemap_read::SitemapReader;

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
