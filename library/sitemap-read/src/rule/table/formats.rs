//! The rules about text sitemaps and feeds.

macro_rules! formats {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Formats]
        TextLineInvalid = "text-line-invalid", Error from SitemapsOrg {
            summary: "a line of a text sitemap is not a URL",
            reason: "A text sitemap has one absolute URL on each line and nothing else, so crawlers ignore \
                the line.",
            remedy: "write one absolute URL on each line and nothing else",
            wrong: Document("https://example.com/a\nabout\n"),
            right: Document("https://example.com/a\nhttps://example.com/about\n"),
        }
        FeedLinkRelative = "feed-link-relative", Warning from Rss {
            summary: "a link of a feed is relative and is resolved against the feed's own link",
            reason: "Programs resolve relative links in different ways.",
            remedy: "write absolute URLs",
            wrong: Document("<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item>\
                <link>a</link></item>\n</channel></rss>"),
            right: Document("<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item>\
                <link>https://example.com/a</link></item>\n</channel></rss>"),
        }
        FeedDate = "feed-date", Note from Rss {
            summary: "a date of a feed is not in the format of the feed's specification",
            reason: "Programs that read feeds may ignore the date.",
            remedy: "use RFC 822 dates in RSS and RFC 3339 dates in Atom",
            wrong: Document("<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item>\
                <link>https://example.com/a</link><pubDate>2026-01-30 10:00</pubDate></item>\n\
                </channel></rss>"),
            right: Document("<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item>\
                <link>https://example.com/a</link><pubDate>Fri, 30 Jan 2026 10:00:00 GMT</pubDate></item>\n\
                </channel></rss>"),
        }
    } };
}
