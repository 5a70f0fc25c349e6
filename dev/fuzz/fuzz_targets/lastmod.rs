//! Parses arbitrary strings as dates. A valid date must print as it was written, and the reader must keep an entry with
//! an invalid date.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_core::LastMod;
use sitemap_core::value::Precision;
use sitemap_read::SitemapReader;

fuzz_target!(|text: &str| {
    let strict = LastMod::parse(text);
    if let Ok(date) = strict {
        let again: LastMod = date.to_string().parse().expect("a printed date parses again");
        assert_eq!(again, date);
        // Parsing keeps nine decimal places of the seconds and drops the rest.
        assert!(date.to_string() == text || date.precision() == Precision::Fraction);
        let _ = date.timestamp();
    }
    if !text.contains(['<', '&']) {
        let xml = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/</loc><lastmod>{text}</lastmod></url></urlset>"
        );
        let mut reader = SitemapReader::from_slice(xml.as_bytes());
        let item = reader.next().expect("a readable document").expect("an entry");
        if let Ok(date) = strict {
            assert_eq!(item.lastmod(), Some(date));
        }
        let feed =
            format!("<rss><item><link>https://example.com/</link><pubDate>{text}</pubDate></item></rss>");
        assert!(matches!(SitemapReader::from_slice(feed.as_bytes()).next(), Ok(Some(_))));
    }
});
