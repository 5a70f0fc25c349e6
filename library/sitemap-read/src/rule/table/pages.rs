//! The rules about the listed pages, which the crate `sitemap-pages` reports.

macro_rules! pages {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Pages]
        PageMissing = "page-missing", Error from Google {
            summary: "a listed page does not exist",
            reason: "Search engines drop the URL from their index, and the entry wastes a request.",
            remedy: "restore the page or remove its entry",
            wrong: Prose("the server answers 404 or 410 to a listed URL"),
            right: Prose("the server answers 200 to each listed URL"),
        }
        PageFailing = "page-failing", Error from Google {
            summary: "a listed page cannot be fetched",
            reason: "Search engines slow their crawl of a site that fails, and drop pages that keep failing.",
            remedy: "repair the page or its server",
            wrong: Prose("the server answers 500 to a listed URL, or does not answer"),
            right: Prose("the server answers 200 to each listed URL"),
        }
        PageThrottled = "page-throttled", Warning from Rfc(6585) {
            summary: "the server refuses requests (status 429) or stopped answering, so a listed page was \
                not checked",
            reason: "The server does not say anything about the page, so nothing is known about it.",
            remedy: "check again later, with fewer requests at a time",
            wrong: Prose("the server answers 429 to a listed URL"),
            right: Prose("the server answers 200 to each listed URL"),
        }
        PageBlocked = "page-blocked", Error from Rfc(9309) {
            summary: "robots.txt does not allow this crawler to fetch a listed page",
            reason: "A crawler may not fetch the page, so search engines know only its URL.",
            remedy: "allow the page in robots.txt or remove its entry",
            wrong: Prose("robots.txt has `Disallow: /shop/`, and the sitemap lists \
                `https://example.com/shop/tea`"),
            right: Prose("robots.txt has `Disallow: /cart/`, and the sitemap lists \
                `https://example.com/shop/tea`"),
        }
        PageRobotsUnreachable = "page-robots-unreachable", Error from Rfc(9309) {
            summary: "robots.txt cannot be fetched, so crawlers fetch no page of the host",
            reason: "If robots.txt fails with a server error, crawlers must treat the whole host as \
                disallowed.",
            remedy: "serve robots.txt, or answer its URL with 404 if you have no rules",
            wrong: Prose("the server answers 503 to `https://example.com/robots.txt`"),
            right: Prose("the server answers 200 or 404 to `https://example.com/robots.txt`"),
        }
        PageRedirected = "page-redirected", Error from Google {
            summary: "a listed page redirects permanently to another URL",
            reason: "A sitemap lists the URLs that search engines should show, and this is not one of them.",
            remedy: "list the URL that the redirect leads to",
            wrong: Prose("`HTTP/1.1 301 Moved Permanently` with `Location: /new` for a listed URL"),
            right: Prose("the sitemap lists `/new`, which answers 200"),
        }
        PageRedirectedTemporarily = "page-redirected-temporarily", Warning from Google {
            summary: "a listed page redirects temporarily to another URL",
            reason: "Search engines then have to choose between two URLs.",
            remedy: "list the other URL, or serve the page at the listed URL",
            wrong: Prose("`HTTP/1.1 302 Found` with `Location: /login` for a listed URL"),
            right: Prose("`HTTP/1.1 200 OK` for a listed URL"),
        }
        PageRedirectChain = "page-redirect-chain", Error from Google {
            summary: "a listed page leads through several redirects to another URL",
            reason: "Each redirect is another request, and crawlers give up after a few.",
            remedy: "list the last URL, and redirect directly to it",
            wrong: Prose("`/a` redirects to `/b`, and `/b` to `/c`"),
            right: Prose("the sitemap lists `/c`, and `/a` and `/b` redirect directly to it"),
        }
        PageRedirectLoop = "page-redirect-loop", Error from Google {
            summary: "the redirects of a listed page do not lead to a page",
            reason: "Crawlers give up, so the page is never indexed.",
            remedy: "correct the redirects or remove the entry",
            wrong: Prose("`/a` redirects to `/b`, and `/b` to `/a`"),
            right: Prose("`/a` redirects to `/b`, which answers 200"),
        }
        PageLogin = "page-login", Error from Google {
            summary: "a listed page refuses access (status 401, 403 or 407) or asks for a password",
            reason: "Search engines have no account, so they cannot read the page.",
            remedy: "let crawlers read the page or remove its entry",
            wrong: Prose("`HTTP/1.1 401 Unauthorized` for a listed URL"),
            right: Prose("`HTTP/1.1 200 OK` for a listed URL"),
        }
        PageNotAPage = "page-not-a-page", Warning from Google {
            summary: "a listed URL does not lead to a page or document",
            reason: "Search engines index pages and documents, not scripts or data. Images and videos belong \
                in extensions.",
            remedy: "list only pages and documents that people read",
            wrong: Prose("the sitemap lists `/style.css`"),
            right: Prose("the sitemap lists `/about`"),
        }
        PageSoft404 = "page-soft-404", Warning from Google {
            summary: "a listed page looks like the answer to a URL that does not exist",
            reason: "Google may treat a page that says \"not found\" as missing, whatever its status is.",
            remedy: "if the page does not exist, answer with 404 and remove its entry",
            wrong: Prose("`HTTP/1.1 200 OK` with the text of the site's error page"),
            right: Prose("`HTTP/1.1 404 Not Found` for a page that does not exist, and no entry for it"),
        }
        PageNoindex = "page-noindex", Error from Google {
            summary: "a listed page asks search engines not to index it",
            reason: "The sitemap asks to index the page and the page asks not to, so search engines do \
                not show it.",
            remedy: "remove the `noindex` or the entry",
            wrong: Prose("`<meta name=\"robots\" content=\"noindex\">` on a listed page"),
            right: Prose("a listed page without `noindex`"),
        }
        PageNoindexAgent = "page-noindex-agent", Warning from Google {
            summary: "a listed page asks one search engine not to index it",
            reason: "This search engine does not show the page, and others do.",
            remedy: "remove the `noindex` if it is not intended",
            wrong: Prose("`<meta name=\"googlebot\" content=\"noindex\">` on a listed page"),
            right: Prose("a listed page without `noindex`"),
        }
        PageNoindexUnclear = "page-noindex-unclear", Warning from Practice {
            summary: "a listed page has a `noindex` that not all search engines read",
            reason: "Search engines read such a directive in different ways, so some index the page and some \
                do not.",
            remedy: "remove the `noindex`, or write it into the head with commas between the directives and \
                remove the entry",
            wrong: Prose("`<meta name=\"robots\" content=\"noindex\">` in the body of a listed page"),
            right: Prose("a listed page without `noindex`"),
        }
        PageNoindexEverywhere = "page-noindex-everywhere", Error from Practice {
            summary: "most listed pages of a host ask search engines not to index them",
            reason: "A setting of a test system that was published by mistake removes a whole site from \
                search engines.",
            remedy: "remove the `noindex`, which may come from a setting for test systems",
            wrong: Prose("`X-Robots-Tag: noindex` on most pages of a host"),
            right: Prose("no `noindex` on the listed pages"),
        }
        PageExpired = "page-expired", Error from Google {
            summary: "the date in `unavailable_after` of a listed page has passed",
            reason: "Search engines drop the page after this date.",
            remedy: "remove the `unavailable_after` or the entry",
            wrong: Prose("`<meta name=\"robots\" content=\"unavailable_after: 2020-01-01\">` on a listed \
                page"),
            right: Prose("a listed page without `unavailable_after`"),
        }
        PageExpiryInvalid = "page-expiry-invalid", Warning from Google {
            summary: "the date in `unavailable_after` of a listed page is not a date, so search engines \
                ignore it",
            reason: "The page then stays in search results after the day on which it should leave them.",
            remedy: "write a date as in ISO 8601, such as `2027-01-31`",
            wrong: Prose("`<meta name=\"robots\" content=\"unavailable_after: next summer\">` on a listed \
                page"),
            right: Prose("`<meta name=\"robots\" content=\"unavailable_after: 2027-08-31\">`"),
        }
        PageCanonicalElsewhere = "page-canonical-elsewhere", Error from Google {
            summary: "a listed page names another URL as its canonical",
            reason: "The page says that another URL should be indexed, and search engines usually follow it.",
            remedy: "list the canonical URL, or name the listed URL as the canonical",
            wrong: Prose("`<link rel=\"canonical\" href=\"https://example.com/b\">` on the listed page `/a`"),
            right: Prose("`<link rel=\"canonical\" href=\"https://example.com/a\">` on the listed page `/a`"),
        }
        PageCanonicalBroken = "page-canonical-broken", Error from Google {
            summary: "the canonical of a listed page is a URL that cannot be indexed",
            reason: "Search engines then ignore the canonical, or index neither of the two pages.",
            remedy: "name a canonical that answers 200 and can be indexed",
            wrong: Prose("the canonical of a listed page answers 404"),
            right: Prose("the canonical of a listed page answers 200 and has no `noindex`"),
        }
        PageCanonicalSeveral = "page-canonical-several", Warning from Google {
            summary: "a listed page names several canonicals, so search engines may ignore all of them",
            reason: "Search engines cannot tell which one is meant. Often a theme and a plugin each write \
                one.",
            remedy: "name one canonical",
            wrong: Prose("two `<link rel=\"canonical\">` with different URLs on a listed page"),
            right: Prose("one `<link rel=\"canonical\">` on a listed page"),
        }
        PageCanonicalInvalid = "page-canonical-invalid", Warning from Google {
            summary: "a canonical of a listed page is not a URL",
            reason: "Search engines ignore a canonical that is not a URL.",
            remedy: "write the absolute URL of the canonical",
            wrong: Prose("`<link rel=\"canonical\" href=\"https://\">` on a listed page"),
            right: Prose("`<link rel=\"canonical\" href=\"https://example.com/a\">` on a listed page"),
        }
        PageCanonicalBody = "page-canonical-body", Warning from Google {
            summary: "a listed page names a canonical in its body, where search engines ignore it",
            reason: "Visitors can often write into the body of a page, so Google reads canonicals in the \
                head only.",
            remedy: "move the canonical into the head",
            wrong: Prose("`<link rel=\"canonical\">` after `<body>`"),
            right: Prose("`<link rel=\"canonical\">` within `<head>`"),
        }
        PageRefresh = "page-refresh", Warning from Google {
            summary: "a listed page sends its visitors to another URL",
            reason: "Google takes an immediate refresh for a permanent redirect, and a later one for a \
                temporary one.",
            remedy: "list the other URL, or remove the refresh",
            wrong: Prose("`<meta http-equiv=\"refresh\" content=\"0; url=/b\">` on a listed page"),
            right: Prose("a listed page without a refresh"),
        }
        PageEmptyWithoutJavaScript = "page-empty-without-javascript", Note from Google {
            summary: "a listed page looks empty without JavaScript, so its content was not checked",
            reason: "Not every search engine runs JavaScript, and those that do index such pages later.",
            remedy: "serve the content as HTML",
            wrong: Prose("`<body><div id=\"app\"></div><script src=\"/app.js\"></script></body>`"),
            right: Prose("the content of the page in its HTML"),
        }
        PageDuplicate = "page-duplicate", Warning from Google {
            summary: "a listed page has the same main content as another listed page",
            reason: "Search engines show one of several equal pages and ignore the others.",
            remedy: "list one of the pages, and name it as the canonical of the others",
            wrong: Prose("`/tea` and `/tea?color=green` have the same text"),
            right: Prose("the sitemap lists `/tea` only"),
        }
        PageHreflangNoReturn = "page-hreflang-no-return", Error from Google {
            summary: "a language version that a page names does not link back, so the link is ignored",
            reason: "Links must go both ways, so that no site can claim the pages of another.",
            remedy: "name all language versions on each version",
            wrong: Prose("`/de` names `/en` as its English version, and `/en` names no versions"),
            right: Prose("`/de` and `/en` name both versions"),
        }
        PageHreflangNoSelf = "page-hreflang-no-self", Warning from Google {
            summary: "the language versions that a page names do not include the page itself",
            reason: "Google asks each version to list itself and all others; without the page, the set is \
                not complete.",
            remedy: "name all language versions on each version, including the version itself",
            wrong: Prose("`/de` names `/en` as its English version, and no German version"),
            right: Prose("`/de` names `/de` as its German version and `/en` as its English one"),
        }
        PageHreflangBroken = "page-hreflang-broken", Warning from Google {
            summary: "a language version that a page names cannot be indexed",
            reason: "Search engines ignore a version that cannot be indexed.",
            remedy: "name language versions that answer 200 and can be indexed",
            wrong: Prose("a page names a version that answers 404"),
            right: Prose("a page names versions that answer 200 and have no `noindex`"),
        }
        PageHreflangDiffers = "page-hreflang-differs", Warning from Google {
            summary: "a page names other language versions than its entry in the sitemap",
            reason: "Google treats both places as equal, so links that differ contradict each other.",
            remedy: "name the same language versions in both places, or use one place",
            wrong: Prose("the page names the versions `de` and `en`, and its entry `de` and `fr`"),
            right: Prose("the page and its entry name the same versions"),
        }
        PageLastModOld = "page-lastmod-old", Warning from Google {
            summary: "the content of a page changed after its `lastmod`",
            reason: "Search engines that trust the date do not fetch the page again and miss the change.",
            remedy: "write the date of the page's last change",
            wrong: Prose("the text of a page changed on 2026-01-30, and its `lastmod` is 2026-01-01"),
            right: Prose("the `lastmod` is 2026-01-30"),
        }
        PageLastModUnfounded = "page-lastmod-unfounded", Warning from Google {
            summary: "the `lastmod` of a page is newer than the last change of its content",
            reason: "Google ignores the `lastmod` of a site if its pages often have not changed on that \
                date.",
            remedy: "write the date of the page's last change, not that of the last build",
            wrong: Prose("the `lastmod` is 2026-01-30, and the text of the page has been the same since \
                2026-01-01"),
            right: Prose("the `lastmod` is 2026-01-01"),
        }
        PageLastModDiffers = "page-lastmod-differs", Warning from Google {
            summary: "the `lastmod` of a page differs from the date that the page states",
            reason: "One of the two dates is wrong, and Google uses `lastmod` only where it is consistently \
                right.",
            remedy: "write the same date in both places",
            wrong: Prose("the `lastmod` is 2026-01-30, and `article:modified_time` on the page is \
                2025-06-01"),
            right: Prose("both dates are 2026-01-30"),
        }
        PageOrphan = "page-orphan", Warning from Practice {
            summary: "no crawled page links to a listed page",
            reason: "Visitors of the site cannot find the page, and often nobody maintains it any more.",
            remedy: "link to the URL that is listed, or remove its entry",
            wrong: Prose("no page of the site links to the listed page `/old-offer`"),
            right: Prose("another page of the site links to each listed page"),
        }
        PageUnlisted = "page-unlisted", Warning from Practice {
            summary: "a page that is linked and can be indexed is not listed",
            reason: "The sitemap is not complete, so search engines may find the page late.",
            remedy: "list the page, or mark it `noindex`",
            wrong: Prose("pages of the site link to `/new-offer`, and the sitemap does not list it"),
            right: Prose("the sitemap lists `/new-offer`"),
        }
        PageCrawlIncomplete = "page-crawl-incomplete", Note from Practice {
            summary: "the crawl is not complete or not recent, so it cannot tell which pages are not linked \
                or not listed",
            reason: "A page that was not crawled, or was crawled long ago, may have the link that seems to \
                be missing.",
            remedy: "continue the crawl if it was interrupted, or crawl again, with higher limits if it \
                reached some",
            wrong: Prose("a crawl that reached its limit of pages"),
            right: Prose("a crawl that fetched all pages it found, on the day of the check"),
        }
    } };
}
