//! Tests with a site that has no faults, but contains everything that could be mistaken for a fault.

use crate::site::{HTML, Site, answer, day, html, url, visit};
use sitemap_pages::judge::{JudgeOptions, Judgement, Standing};
use sitemap_pages::visit::Outcome;

fn site() -> Site {
    let mut site = Site::default();
    site.page("/", "");
    // Canonicals that refer to the page itself.
    site.page("/self", "<link rel=canonical href=/self>");
    site.page("/self?a=b&c", "<link rel=canonical href='HTTPS://e.com:443/x/../self?a=b&amp;c#top'>");
    site.page_with("/twice", "<link rel=canonical href=/twice>", &[("Link", "</twice>; rel=canonical")]);
    site.body(
        "/repeated",
        &html("Repeated", "<link rel=canonical href=/repeated><p><link rel=canonical href=/repeated>"),
    );
    site.page("/%C3%A9", "<link rel=canonical href=/é>");
    site.page(
        "/template",
        "<template><link rel=canonical href=/other><meta name=robots content=noindex></template>",
    );
    // Directives that don't prevent indexing.
    site.page("/follow", "<meta name=robots content='index, follow, max-snippet:-1, nofollow'>");
    site.page("/for-others", "<meta name=otherbot content=noindex>");
    site.page("/until", "<meta name=robots content='unavailable_after: 2026-11-22'>");
    // Answers.
    site.add(
        "/paper.pdf",
        &[],
        answer(&url("/paper.pdf"), 200, &[("content-type", "application/pdf")], "%PDF-1.4"),
    );
    site.add("/text", &[], answer(&url("/text"), 203, &[("content-type", "text/plain")], "Oak"));
    site.add("/untyped", &[], answer(&url("/untyped"), 200, &[], &html("Untyped", "")));
    site.add("/cookie", &[(302, "/cookie")], answer(&url("/cookie"), 200, &HTML, &html("Cookie", "")));
    site.body(
        "/login",
        "<!doctype html><title>Log in</title><p>Welcome back</p><form><input type=password></form>",
    );
    site.page("/reload", "<meta http-equiv=refresh content=300>");
    site.page("/reload-self", "<meta http-equiv=refresh content='300; url=#top'>");
    // One probe is answered with the home page, and one with another template.
    site.probe("/no-such-page", &html("Page /", ""));
    site.page("/shop/", "");
    site.page("/shop/oak", "");
    site.probe(
        "/shop/no-such-page",
        "<!doctype html><title>Sorry | Woods</title><p>All about wood</p><h1>Sorry</h1><p>Write to us</p>",
    );
    versions(&mut site);
    // Dates.
    let json = "<script type=application/ld+json>{\"dateModified\": \"2026-10-01\", \"datePublished\": \"2020-01-01\"}</script>";
    site.dated("/json", json, 1, None, "2026-10-01");
    site.dated("/json-time", json, 1, None, "2026-10-01T23:00:00-05:00");
    site.dated(
        "/one-agrees",
        &format!("{json}<meta property=article:modified_time content=2026-10-05>"),
        1,
        None,
        "2026-10-05",
    );
    site.dated("/future", "<meta property=article:modified_time content=2027-01-01>", 1, None, "2026-10-05");
    site.dated("/changed", "", 1, Some((10, 12)), "2026-11-11");
    site.dated("/changed-by-night", "", 1, Some((10, 12)), "2026-11-09");
    site.dated("/changed-just-now", "", 1, Some((20, 22)), "2026-11-22");
    site.dated("/before", "", 1, None, "2026-11-01");
    site.dated("/next-day", "", 1, None, "2026-11-02");
    site.dated("/in-a-long-run", "", 1, None, "2026-11-02T11:00:00Z");
    site.dated("/first-visit", "", 22, None, "2026-11-22");
    site.dated("/tomorrow", "", 1, None, "2026-11-23");
    // The sitemap was read after the visit, so the page may have changed since.
    site.dated("/read-later", "", 1, None, "2026-11-22");
    site.evidence.entries.last_mut().unwrap().read_at = Some(day(23));
    let mut unchanged =
        visit("/not-modified", &[], answer(&url("/not-modified"), 200, &HTML, &html("Known", "")));
    let Outcome::Page { facts, .. } =
        std::mem::replace(&mut unchanged.visit.outcome, Outcome::NotModified(Box::default()))
    else {
        unreachable!()
    };
    unchanged.earlier = Some(facts);
    (unchanged.unchanged_until, unchanged.content_since) = (Some(day(2)), Some(day(3)));
    site.evidence.add(unchanged);
    site.list("/not-modified");
    // A crawl that reaches pages through a redirect, a canonical and a language version.
    site.crawl(&["/by-redirect/", "/by-canonical", "/us"], None);
    site.page("/by-redirect/", "");
    site.unlisted("/by-redirect", &[(301, "/by-redirect/")], "");
    site.link("/", "/by-redirect");
    site.page("/by-canonical", "");
    site.unlisted("/by-canonical?ad=1", &[], "<link rel=canonical href=/by-canonical>");
    site.link("/", "/by-canonical?ad=1");
    // Pages that no sitemap should list.
    site.unlisted("/search", &[], "<meta name=robots content=noindex>");
    site.link("/", "/search");
    site.unlisted("/never-linked", &[], "");
    let copy =
        visit("/self?order=2", &[], answer(&url("/self?order=2"), 200, &HTML, &html("Page /self", "")));
    site.evidence.add(copy);
    site.link("/", "/self?order=2");
    site
}

/// Adds pages that name all their versions, either on the page or in the sitemap.
fn versions(site: &mut Site) {
    let both = "<link rel=alternate hreflang=en-GB href=/gb><link rel=alternate hreflang=en-US href=/us>\
                <link rel=alternate hreflang=x-default href=/temporary><link rel=alternate hreflang=de href=https://e.de/>";
    site.body("/gb", &html("Same in both countries", both));
    site.body("/us", &html("Same in both countries", both));
    let alternate = |tag: &str, path: &str| (tag.to_owned(), url(path));
    let pair = vec![alternate("en", "/in-sitemap"), alternate("de", "/im-verzeichnis")];
    site.page("/in-sitemap", "").alternates.clone_from(&pair);
    site.page("/im-verzeichnis", "").alternates = pair;
    site.page(
        "/link-on-page",
        "<link rel=alternate hreflang=en href=/link-on-page><link rel=alternate hreflang=de href=/link-in-sitemap>",
    );
    let itself = vec![alternate("en", "/named-by-entry"), alternate("de", "/im-verzeichnis-2")];
    let to_other = "<link rel=alternate hreflang=de href=/im-verzeichnis-2>";
    site.page("/named-by-entry", to_other).alternates.clone_from(&itself);
    site.page("/im-verzeichnis-2", "").alternates = itself;
    site.page("/link-in-sitemap", "").alternates = vec![alternate("en", "/link-on-page")];
}

#[test]
fn nothing_is_found() {
    let (found, judgement) = site().judge(&JudgeOptions::new());
    assert_eq!(found, [""; 0]);
    assert_eq!(judgement.table.count(Standing::Indexable), judgement.pages());
    assert_eq!((judgement.orphans, judgement.unlisted, judgement.repeated), (Some(0), Some(0), 0));
}

#[test]
fn nothing_is_known_about_pages_that_were_not_visited() {
    let mut site = Site::default();
    site.list("/a");
    site.list("/b");
    site.list("/a");
    site.page("/c", "<link rel=canonical href=/c><link rel=alternate hreflang=en href=/c><link rel=alternate hreflang=de href=/a>");
    let (found, judgement) = site.judge(&JudgeOptions::new());
    assert_eq!(found, [""; 0]);
    assert_eq!((judgement.table.count(Standing::Unknown), judgement.repeated), (2, 1));
    assert_ne!(judgement, Judgement::default());
}
