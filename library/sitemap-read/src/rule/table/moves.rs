//! The rules about redirects from old URLs to new ones, which the crate `sitemap-pages` reports.

macro_rules! moves {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Pages]
        MoveMissing = "move-missing", Error from Google {
            summary: "an old URL answers with an error (a status from 400 to 499, except 429) and does not \
                redirect",
            reason: "Visitors and search engines lose the page, and the new page does not inherit the links \
                to the old URL.",
            remedy: "redirect the old URL permanently to the page that replaces it",
            wrong: Prose("the server answers 404 to the old URL"),
            right: Prose("`HTTP/1.1 301 Moved Permanently` with `Location: https://new.example.com/tea` for \
                the old URL"),
        }
        MoveGone = "move-gone", Note from Rfc(9110) {
            summary: "an old URL answers with status 410",
            reason: "Status 410 says that the page was removed on purpose and has no replacement. Search engines drop \
                the URL, and the links to it are lost.",
            remedy: "redirect the old URL permanently if there is a page that replaces it",
            wrong: Prose("the server answers 410 to the old URL of a page that has moved"),
            right: Prose("the server answers 410 only to URLs of pages that were removed"),
        }
        MoveNotRedirected = "move-not-redirected", Error from Google {
            summary: "an old URL still answers and does not redirect",
            reason: "Search engines see two sites with the same pages, and may keep showing the old one.",
            remedy: "redirect the old URL permanently to its new page",
            wrong: Prose("the server answers 200 to the old URL"),
            right: Prose("`HTTP/1.1 301 Moved Permanently` with `Location: https://new.example.com/tea` for \
                the old URL"),
        }
        MoveTemporary = "move-temporary", Error from Google {
            summary: "an old URL leads to its new page by a temporary redirect or a refresh",
            reason: "Search engines keep showing the old URL, because a temporary redirect says that it will \
                come back.",
            remedy: "use a permanent redirect, with status 301 or 308",
            wrong: Prose("`HTTP/1.1 302 Found` with `Location: https://new.example.com/tea` for the old URL"),
            right: Prose("`HTTP/1.1 301 Moved Permanently` with `Location: https://new.example.com/tea` for \
                the old URL"),
        }
        MoveChain = "move-chain", Error from Google {
            summary: "an old URL leads through several redirects to its new page",
            reason: "Each redirect is another request that visitors wait for, and crawlers give up after a \
                few.",
            remedy: "redirect the old URL directly to its new page",
            wrong: Prose("`http://example.com/tea` redirects to `https://example.com/tea`, and that to \
                `https://new.example.com/tea`"),
            right: Prose("both old URLs redirect to `https://new.example.com/tea`"),
        }
        MoveLoop = "move-loop", Error from Google {
            summary: "the redirects of an old URL do not lead to a page",
            reason: "Crawlers and browsers give up, so nobody reaches the new page.",
            remedy: "redirect the old URL directly to its new page",
            wrong: Prose("the old URL redirects to the new one, and the new one to the old one"),
            right: Prose("the old URL redirects to the new one, which answers 200"),
        }
        MoveFailing = "move-failing", Error from Google {
            summary: "an old URL cannot be fetched",
            reason: "Nobody reaches the new page as long as the old server does not send a redirect.",
            remedy: "repair the server of the old URLs, and check again",
            wrong: Prose("the server of the old URLs was switched off"),
            right: Prose("the server of the old URLs runs for a year or longer, and redirects"),
        }
        MoveBlocked = "move-blocked", Error from Rfc(9309) {
            summary: "robots.txt does not allow this crawler to follow an old URL to its new page, or cannot \
                be fetched",
            reason: "A crawler that may not fetch the old URL never sees its redirect.",
            remedy: "allow both URLs in robots.txt, and let the server answer it with 200 or 404",
            wrong: Prose("robots.txt on the old host has `Disallow: /`"),
            right: Prose("robots.txt on the old host allows all old URLs"),
        }
        MoveNotListed = "move-not-listed", Error from Practice {
            summary: "an old URL leads to a page that the new set does not list",
            reason: "The redirect leads to a page that the new site may not know, often another spelling of \
                a listed URL.",
            remedy: "redirect the old URL to a listed page, or list the page",
            wrong: Prose("the old URL redirects to `/tea`, and the new set lists `/tea/`"),
            right: Prose("the old URL redirects to `/tea/`"),
        }
        MoveTargetBroken = "move-target-broken", Error from Google {
            summary: "an old URL leads to a page that cannot be indexed",
            reason: "Search engines drop the old URL and cannot index what it leads to.",
            remedy: "redirect the old URL to a page that answers 200 and can be indexed, or repair the page",
            wrong: Prose("the old URL redirects to a page with `noindex`"),
            right: Prose("the old URL redirects to a page that answers 200, without `noindex`"),
        }
        MoveToHome = "move-to-home", Warning from Google {
            summary: "an old URL leads to the home page, as many others do",
            reason: "Google may treat a redirect of a page to the home page as a soft 404, so the links to \
                the old URL are lost.",
            remedy: "redirect each old URL to the page that replaces it, or answer with 404 if there is none",
            wrong: Prose("all old URLs redirect to `https://new.example.com/`"),
            right: Prose("each old URL redirects to the page that replaces it"),
        }
    } };
}
