//! The rules about the URLs of pages.

macro_rules! loc {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Loc]
        LocMissing = "loc-missing", Error from SitemapsOrg {
            summary: "an entry has no `loc`",
            reason: "An entry without a URL says nothing.",
            remedy: "add `<loc>` with the page's URL",
            wrong: Urlset("<url><lastmod>2026-01-31</lastmod></url>"),
            right: Urlset("<url><loc>https://example.com/</loc><lastmod>2026-01-31</lastmod></url>"),
        }
        LocEmpty = "loc-empty", Error from SitemapsOrg {
            summary: "the `loc` of an entry is empty",
            reason: "An entry without a URL says nothing. Usually a value was missing when the file was \
                written.",
            remedy: "write the page's URL into `<loc>`",
            wrong: Loc(""),
            right: Loc("https://example.com/a"),
        }
        LocAsText = "loc-as-text", Error from SitemapsOrg {
            summary: "the URL of an entry is not in a `loc` element",
            reason: "Crawlers look for the URL in a `loc` element only.",
            remedy: "wrap the URL in `<loc>`",
            wrong: Urlset("<url>https://example.com/a</url>"),
            right: Urlset("<url><loc>https://example.com/a</loc></url>"),
        }
        LocTwice = "loc-twice", Error from SitemapsOrg {
            summary: "an entry has two URLs and is read as two entries",
            reason: "An entry is about one page, so crawlers may take either URL or drop the entry.",
            remedy: "write one `<url>` for each page",
            wrong: Entry("<loc>https://example.com/b</loc>"),
            right: Entry("</url>\n<url><loc>https://example.com/b</loc>"),
        }
        LocTruncated = "loc-truncated", Error from Xml {
            summary: "the document ends inside a URL",
            reason: "The file was cut off within a URL, and a shortened URL often leads to no page.",
            remedy: "upload the whole file",
            wrong: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/prod"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/products</loc></url>\n\
                </urlset>"),
        }
        LocRelative = "loc-relative", Error from SitemapsOrg {
            summary: "a URL is not absolute",
            reason: "The protocol requires absolute URLs, and crawlers ignore relative ones.",
            remedy: "start the URL with `https://` or `http://` and the host",
            wrong: Loc("/about"),
            right: Loc("https://example.com/about"),
        }
        LocScheme = "loc-scheme", Error from SitemapsOrg {
            summary: "a URL is neither http nor https",
            reason: "Crawlers follow `http` and `https` only.",
            remedy: "list http and https URLs only",
            wrong: Loc("ftp://example.com/a"),
            right: Loc("https://example.com/a"),
        }
        LocHost = "loc-host", Error from Rfc(3986) {
            summary: "a URL has no valid host",
            reason: "No crawler can connect to a host name that cannot exist.",
            remedy: "correct the host name",
            wrong: Loc("https://exa mple.com/a"),
            right: Loc("https://example.com/a"),
        }
        LocPort = "loc-port", Error from Rfc(3986) {
            summary: "a URL has an invalid port",
            reason: "Ports end at 65535, so no crawler can connect.",
            remedy: "correct or remove the port",
            wrong: Loc("https://example.com:99999/a"),
            right: Loc("https://example.com:8443/a"),
        }
        LocCredentials = "loc-credentials", Error from Rfc(9110) {
            summary: "a URL has a user name or password",
            reason: "A sitemap is public, and so is a password in it. Crawlers ignore such URLs.",
            remedy: "remove the user name, the password and the `@`",
            wrong: Loc("https://me:secret@example.com/a"),
            right: Loc("https://example.com/a"),
        }
        LocCharacter = "loc-character", Error from Rfc(3986) {
            summary: "a URL has a line break or another character that no URL can contain",
            reason: "Line breaks and control characters cannot be part of a URL, and crawlers disagree about \
                what remains.",
            remedy: "write the URL on one line and percent-encode the forbidden characters",
            wrong: Loc("https://example.com/a\nb"),
            right: Loc("https://example.com/ab"),
        }
        LocDotSegment = "loc-dot-segment", Warning from Rfc(3986) {
            summary: "a URL has `.` or `..` segments",
            reason: "Crawlers resolve `..`, so the URL names another page, perhaps outside the scope of the \
                sitemap.",
            remedy: "write the URL without `.` and `..` segments",
            wrong: Loc("https://example.com/a/../b"),
            right: Loc("https://example.com/b"),
        }
        LocTooLong = "loc-too-long", Error from SitemapsOrg {
            summary: "a URL is longer than 2,047 characters",
            reason: "The protocol requires URLs shorter than 2,048 characters, and search engines ignore \
                longer ones.",
            remedy: "shorten the URL",
            wrong: Prose("`https://example.com/?filter=…` with 3,000 characters"),
            right: Prose("`https://example.com/shoes`"),
        }
        LocTooLongYandex = "loc-too-long-yandex", Warning from Yandex {
            summary: "a URL is longer than 1,024 characters",
            engines: [Yandex],
            reason: "Yandex ignores URLs longer than 1,024 characters.",
            remedy: "shorten the URL",
            wrong: Prose("`https://example.com/?filter=…` with 1,200 characters"),
            right: Prose("`https://example.com/shoes`"),
        }
        LocTooShort = "loc-too-short", Warning from Schema {
            summary: "a URL is shorter than 12 characters",
            reason: "The schema requires 12 characters, so strict validators reject the file.",
            remedy: "write the slash after the host, as in `http://a.io/`",
            wrong: Loc("http://a.io"),
            right: Loc("http://a.io/"),
        }
        LocNotEncoded = "loc-not-encoded", Warning from Rfc(3986) {
            summary: "a URL has characters that must be percent-encoded",
            reason: "Crawlers encode such characters themselves, and not all in the same way.",
            remedy: "percent-encode these characters",
            wrong: Loc("https://example.com/green tea"),
            right: Loc("https://example.com/green%20tea"),
        }
        LocDoubleEscaped = "loc-double-escaped", Warning from SitemapsOrg {
            summary: "a URL is escaped twice",
            reason: "A crawler removes one escape and requests a URL with `&amp;` in it.",
            remedy: "escape the URL once",
            wrong: Loc("https://example.com/?a=1&amp;amp;b=2"),
            right: Loc("https://example.com/?a=1&amp;b=2"),
        }
        LocPrivateHost = "loc-private-host", Error from Rfc(6761) {
            summary: "the host of a URL cannot be reached from the internet",
            reason: "Search engines cannot reach localhost, a private address or a name that only a local network \
                knows. Often the sitemap was built with the settings of a development machine.",
            remedy: "write the public host of the site",
            wrong: Loc("http://localhost:3000/tea"),
            right: Loc("https://example.com/tea"),
        }
        LocDoubleSlash = "loc-double-slash", Warning from Practice {
            summary: "the path of a URL has two slashes in a row",
            reason: "Usually a base URL that ends in a slash was joined with a path that starts with one, so the URL \
                is not the one that the pages link to.",
            remedy: "write one slash",
            wrong: Loc("https://example.com//tea"),
            right: Loc("https://example.com/tea"),
        }
        LocFragment = "loc-fragment", Warning from Practice {
            summary: "a URL has a fragment, which crawlers ignore",
            reason: "Crawlers drop the fragment, so entries that differ only there name the same page.",
            remedy: "remove the `#` and everything after it",
            wrong: Loc("https://example.com/tea#prices"),
            right: Loc("https://example.com/tea"),
        }
        DuplicateLoc = "duplicate-loc", Warning from Practice {
            summary: "a page is listed twice in one file",
            reason: "The second entry tells crawlers nothing, and counts towards the limits of the file. URLs that \
                differ only in an empty path, in needless escapes or in the case of the host name the same page.",
            remedy: "list each page once",
            wrong: Urlset("<url><loc>https://example.com/~tea</loc></url>\n<url>\
                <loc>https://EXAMPLE.com/%7Etea</loc></url>"),
            right: Urlset("<url><loc>https://example.com/tea</loc></url>\n<url>\
                <loc>https://example.com/tea/</loc></url>"),
        }
        PageInTwoFiles = "page-in-two-files", Warning from Practice {
            summary: "a page is listed in two files of a set",
            reason: "The two entries may differ in their dates, and reports by file count the page twice.",
            remedy: "list each page once",
            wrong: Prose("`a.xml` and `b.xml` of one set both list `https://example.com/tea`"),
            right: Prose("only `a.xml` lists `https://example.com/tea`"),
        }
        RecentDateDiffers = "recent-date-differs", Warning from Practice {
            summary: "the recent section repeats a page with another date than its own file",
            reason: "Search engines may take either date, and learn that the dates of the set are not \
                reliable.",
            remedy: "publish all pages of the set again",
            wrong: Prose("`sitemap-posts-1.xml` gives `https://example.com/tea` the date 2026-01-01, and \
                the file `sitemap-recent-00000-1-….xml` of the same set gives it 2026-01-31"),
            right: Prose("both files give the page the date 2026-01-31"),
        }
        OutOfScope = "out-of-scope", Error from SitemapsOrg {
            summary: "a page is outside the scope of its sitemap",
            reason: "Search engines ignore pages outside the directory of the sitemap, unless the owner of \
                the page has allowed that sitemap.",
            remedy: "list the page in a sitemap on the page's host, in the page's directory or above, or name the \
                sitemap in the robots.txt of the page's host",
            wrong: Prose("`https://example.com/blog/sitemap.xml` lists `https://example.com/shop/tea`, and no line in \
                robots.txt names that sitemap"),
            right: Prose("`https://example.com/sitemap.xml` lists `https://example.com/shop/tea`"),
        }
        ScopeUnknown = "scope-unknown", Note from SitemapsOrg {
            summary: "a page is outside the scope of its sitemap unless the robots.txt of the page's host names the \
                sitemap",
            reason: "The owner of a host allows a sitemap to list any of its pages with a `Sitemap:` line in \
                robots.txt. Only a check by URL, or of a folder that contains the robots.txt, reads that file.",
            remedy: "check the sitemap by its URL, or put robots.txt into the folder that is checked",
            wrong: Urlset("<url><loc>https://example.com/a</loc></url>\n<url>\
                <loc>https://example.org/b</loc></url>"),
            right: Urlset("<url><loc>https://example.com/a</loc></url>\n<url>\
                <loc>https://example.com/b</loc></url>"),
        }
        MixedHosts = "mixed-hosts", Error from SitemapsOrg {
            summary: "one file lists pages of a site with and without `www.`, or with two schemes or ports",
            reason: "These are different hosts to a crawler, so at least some of the pages are outside the scope of \
                the sitemap.",
            remedy: "write the URLs of all pages in one way",
            wrong: Urlset("<url><loc>https://example.com/a</loc></url>\n<url>\
                <loc>https://www.example.com/b</loc></url>"),
            right: Urlset("<url><loc>https://www.example.com/a</loc></url>\n<url>\
                <loc>https://www.example.com/b</loc></url>"),
        }
        CrossSubmission = "cross-submission", Warning from Yandex {
            summary: "a page is on another host than its sitemap, which some search engines do not support",
            engines: [Yandex],
            reason: "A line in robots.txt allows such sitemaps, but Yandex ignores that.",
            remedy: "list the page in a sitemap on the page's host",
            wrong: Prose("`https://example.org/sitemap.xml` lists `https://example.com/tea`, and the \
                robots.txt of example.com names that sitemap"),
            right: Prose("`https://example.com/sitemap.xml` lists `https://example.com/tea`"),
        }
    } };
}
