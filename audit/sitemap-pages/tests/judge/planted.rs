//! Tests with a site that contains at least two faults for each rule. Exactly these faults are found.

use std::collections::BTreeMap;

use sitemap_pages::judge::{JudgeOptions, Standing};
use sitemap_pages::visit::FailureKind;
use sitemap_read::Rule;

use crate::site::{HTML, Site, answer, blocked, failed, html, unreachable, url, visit};

const LOGIN: &str = "<!doctype html><title>Log in</title><form>Name <input><input type=password></form>";
const SHELL: &str = "<!doctype html><title>App</title><body><div id=root></div><script src=/app.js></script>";

pub(crate) fn site() -> Site {
    let mut site = Site::default();
    site.page("/", "");
    answers(&mut site);
    redirects(&mut site);
    directives(&mut site);
    canonicals(&mut site);
    contents(&mut site);
    languages(&mut site);
    dates(&mut site);
    hosts(&mut site);
    site.page("/alone", "");
    site.page("/lonely", "");
    site.unlisted("/forgotten", &[], "");
    site.unlisted("/new", &[], "");
    site.page("/faq/", "");
    site.evidence.add(visit(
        "/faq/index.html",
        &[],
        answer(&url("/faq/index.html"), 200, &HTML, &html("Page /faq/", "")),
    ));
    site.crawl(&["/alone", "/lonely", "/faq/"], None);
    site.link("/", "/forgotten");
    site.link("/", "/faq/index.html");
    site.link("/forgotten", "/new");
    site.link("/alone", "/alone");
    site
}

fn answers(site: &mut Site) {
    let error = |path: &str, status| answer(&url(path), status, &HTML, "<title>Error</title><p>Sorry");
    for (path, status) in [
        ("/gone", 410),
        ("/lost", 404),
        ("/teapot", 418),
        ("/broken", 503),
        ("/broken-too", 500),
        ("/busy", 429),
        ("/too-busy", 429),
        ("/members", 401),
        ("/admin", 403),
    ] {
        site.add(path, &[], error(path, status));
    }
    site.add("/slow", &[], failed(FailureKind::Timeout, "no answer within 30 s"));
    site.add("/tls", &[], failed(FailureKind::Tls, "bad certificate \u{1b}[31m"));
    site.add("/cart", &[], blocked(2, "/cart"));
    site.add("/search?q=oak", &[], blocked(3, "/*?q=\u{1b}"));
    site.add("/logo.png", &[], answer(&url("/logo.png"), 200, &[("content-type", "image/png")], "PNG"));
    site.add(
        "/feed.json",
        &[],
        answer(&url("/feed.json"), 200, &[("content-type", "Application/JSON")], "{}"),
    );
    site.add("/bytes", &[], answer(&url("/bytes"), 200, &[], "\u{0}\u{1}"));
    site.add("/nothing", &[], answer(&url("/nothing"), 204, &[], ""));
    site.body("/blank", "");
}

fn redirects(site: &mut Site) {
    let page = |path: &str| answer(&url(path), 200, &HTML, &html(path, ""));
    site.add("/old", &[(301, "/oak")], page("/oak"));
    site.add("/older", &[(308, "/elm")], page("/elm"));
    site.add("http://e.com/plain", &[(301, "/plain")], page("/plain"));
    site.add("/temporary", &[(302, "/oak")], page("/oak"));
    site.add("/seasonal", &[(307, "/elm")], page("/elm"));
    site.add("/chain", &[(301, "/old"), (301, "/oak")], page("/oak"));
    site.add("http://e.com/chain", &[(301, "/chain"), (302, "/\u{202e}ash")], page("/ash"));
    let is_loop = || failed(FailureKind::RedirectLoop, "a loop");
    site.add("/loop", &[(302, "/pool"), (302, "/loop")], is_loop());
    let hops: Vec<_> = (0..12).map(|_| (301, "/on")).collect();
    site.add("/endless", &hops, failed(FailureKind::TooManyRedirects, "more than 10 redirects"));
    site.add("/account", &[(302, "/login?next=/account")], answer(&url("/login"), 200, &HTML, LOGIN));
    site.add("/profile", &[(301, "/sign-in")], answer(&url("/sign-in"), 200, &HTML, LOGIN));
    site.add("/to-nothing", &[(301, "/never")], answer(&url("/never"), 404, &HTML, "<p>Sorry"));
    site.add("/to-failure", &[(301, "/never")], failed(FailureKind::Interrupted, "the connection ended"));
    site.add("/to-cart", &[(302, "/cart")], blocked(2, "/cart"));
}

fn directives(site: &mut Site) {
    site.page("/draft", "<meta name=robots content='noindex, follow'>");
    site.page_with("/none", "", &[("X-Robots-Tag", "none")]);
    site.page("/not-google", "<meta name=GoogleBot content=noindex>");
    site.page_with("/not-bing", "", &[("x-robots-tag", "bingbot: noindex")]);
    site.body("/in-body", &html("In body", "<img src=pixel.png><meta name=robots content=noindex>"));
    site.page("/no-comma", "<meta name=robots content='noindex nofollow'>");
    site.page_with("/expired", "", &[("X-Robots-Tag", "unavailable_after: 2026-10-31")]);
    site.page("/over", "<meta name=robots content='unavailable_after: Saturday, 21-Nov-26 10:00:00 GMT'>");
    site.page("/for-ever", "<meta name=robots content='unavailable_after: never'>");
    site.page_with("/some-day", "", &[("X-Robots-Tag", "bingbot: unavailable_after: some day")]);
}

fn canonicals(site: &mut Site) {
    let named = |target: &str| format!("<link rel=canonical href='{target}'>");
    site.page("/list?sort=price", &named("/list"));
    site.page("/scheme", &named("e.com/scheme"));
    site.page("/slash", &named("https://e.com/slash/"));
    site.page_with("/paper", "", &[("Link", "<https://other.example/paper>; rel=canonical")]);
    site.page("/to-gone", &named("/gone"));
    site.page("/to-old", &named("https://E.com/old"));
    site.page("/to-draft", &named("/draft"));
    site.page("/two", &[named("/two"), named("/2")].concat());
    site.page_with("/also-two", &named("/one"), &[("Link", "</other>; rel=canonical")]);
    site.page("/empty-canonical", &named(""));
    site.page("/no-url", &named("https://[/"));
    site.body("/late", &html("Late", &["<img src=a>".to_owned(), named("/late")].concat()));
    site.body("/later", &html("Later", &["<p>Text</p>".to_owned(), named("/elsewhere")].concat()));
}

fn contents(site: &mut Site) {
    site.page("/refresh", "<meta http-equiv=refresh content='0; url=/new-place'>");
    site.page_with("/refresh-later", "", &[("Refresh", "5; url=https://other.example/")]);
    site.body("/app", SHELL);
    site.body("/app/two", SHELL);
    site.body("/original", &html("Original", ""));
    site.body("/copy", &html("Original", "<meta name=x>"));
    site.body("/copy?again", &html("Original", ""));
    let sold_out = |text: &str| {
        format!(
            "<!doctype html><title>Not found</title><p>All about wood</p><h1>Oh no</h1>{text}<p>Back to the shop</p>"
        )
    };
    site.probe("/shop/jfmzoqnc", &sold_out("<p>We have no jfmzoqnc.</p>"));
    site.body("/shop/chair", &sold_out("<p>We have no chair.</p>"));
    site.body("/shop/old/table", &sold_out("<p>We have no table.</p>"));
    site.page("/shop/lamp", "");
}

fn languages(site: &mut Site) {
    let versions = |pairs: &[(&str, &str)]| -> String {
        let link = |(tag, path): &(_, _)| format!("<link rel=alternate hreflang={tag} href={path}>");
        pairs.iter().map(link).collect::<Vec<_>>().concat()
    };
    // The two pages name each other.
    site.page("/en/a", &versions(&[("en", "/en/a"), ("de", "/de/a"), ("x-default", "/old")]));
    site.page("/de/a", &versions(&[("en", "/en/a"), ("de", "/de/a")]));
    // The German page names no version, or a different one.
    site.page("/en/b", &versions(&[("en", "/en/b"), ("de", "/de/b"), ("fr", "/fr/b")]));
    site.page("/de/b", "");
    site.page("/fr/b", &versions(&[("fr", "/fr/b")]));
    site.page("/en/c", &versions(&[("en", "/en/c"), ("de", "/de/c")]));
    site.page("/de/c", &versions(&[("en", "/en/a"), ("de", "/de/c")]));
    // Versions that cannot be indexed.
    site.page("/en/d", &versions(&[("en", "/en/d"), ("de", "/gone"), ("fr", "/draft")]));
    site.page_with("/en/e", &versions(&[("en", "/en/e")]), &[("Link", "</old>; rel=alternate; hreflang=de")]);
    // Versions that link to each other, but not to themselves.
    site.page("/en/h", &versions(&[("de", "/de/h"), ("x-default", "/en/h2")]));
    site.page("/de/h", &versions(&[("en", "/en/h"), ("fr", "/fr/h")]));
    site.page("/fr/h", &versions(&[("fr", "/fr/h"), ("de", "/de/h")]));
    // The sitemap and the page disagree.
    let both = versions(&[("en", "/en/f"), ("de", "/de/f")]);
    let alternate = |tag: &str, path: &str| (tag.to_owned(), url(path));
    site.page("/en/f", &both).alternates = vec![alternate("en", "/en/f"), alternate("de-AT", "/de/f")];
    site.page("/de/f", &both).alternates = vec![alternate("EN", "/en/f"), alternate("de", "/de/f")];
    site.page("/en/g", &versions(&[("en", "/en/g")])).alternates =
        vec![alternate("en", "/en/g"), alternate("de", "https://e.de/g")];
}

fn dates(site: &mut Site) {
    site.dated("/stale", "", 1, Some((10, 12)), "2026-11-03");
    site.dated("/very-stale", "", 1, Some((10, 12)), "2024-01-01T10:00:00Z");
    site.dated("/rebuilt", "", 1, None, "2026-11-22");
    site.dated("/rebuilt-too", "", 1, Some((5, 6)), "2026-11-20T10:00:00Z");
    let json = "<script type=application/ld+json>{\"dateModified\": \"2026-10-02\"}</script>";
    site.dated("/json", json, 1, None, "2026-10-01");
    let article = "<meta property=article:modified_time content=2026-09-01T10:00:00Z>";
    site.dated("/article", article, 1, None, "2026-09-02T10:00:00Z");
    let open_graph = "<meta property=og:updated_time content=2026-09-05>";
    site.dated("/shared", open_graph, 1, None, "2026-09-02");
}

fn hosts(site: &mut Site) {
    for path in ["/1", "/2", "/3"] {
        site.add(&format!("https://down.example{path}"), &[], unreachable("status 500"));
    }
    site.add("https://timeout.example/", &[], unreachable("no answer within 30 s"));
    let pause = "`slow.example` asks to wait 86400 s, more than the limit of 120 s; try again later";
    for path in ["/1", "/2"] {
        site.add(&format!("https://slow.example{path}"), &[], failed(FailureKind::GivenUp, pause));
    }
    for number in 0..10 {
        site.page(&format!("https://staging.example/{number}"), "<meta name=robots content=noindex>");
    }
    for number in 0..10 {
        let headers: &[_] = if number < 2 { &[] } else { &[("x-robots-tag", "noindex")] };
        site.page_with(&format!("https://test.example/{number}"), "", headers);
    }
}

pub(crate) const EXPECTED: &[&str] = &[
    "/gone page-missing: the page answers with status 410",
    "/lost page-missing: the page answers with status 404",
    "/teapot page-missing: the page answers with status 418",
    "/broken page-failing: the page answers with status 503",
    "/broken-too page-failing: the page answers with status 500",
    "/busy page-throttled: the page answers with status 429",
    "/too-busy page-throttled: the page answers with status 429",
    "/members page-login: the page answers with status 401",
    "/admin page-login: the page answers with status 403",
    "/slow page-failing: the page cannot be fetched: no answer within 30 s",
    "/tls page-failing: the page cannot be fetched: bad certificate \\u{1b}[31m",
    "/cart page-blocked: line 2 of robots.txt disallows \"/cart\"",
    "/search?q=oak page-blocked: line 3 of robots.txt disallows \"/*?q=\\u{1b}\"",
    "/logo.png page-not-a-page: the URL has the content type \"image/png\"",
    "/feed.json page-not-a-page: the URL has the content type \"application/json\"",
    "/bytes page-not-a-page: the URL has no content type, and its content is not HTML",
    "/nothing page-not-a-page: the page has no content (status 204)",
    "/blank page-not-a-page: the page has no content",
    "/old page-redirected: the page redirects permanently (status 301) to \"https://e.com/oak\"",
    "/older page-redirected: the page redirects permanently (status 308) to \"https://e.com/elm\"",
    "http://e.com/plain page-redirected: the page redirects permanently (status 301) to \"https://e.com/plain\"",
    "/temporary page-redirected-temporarily: the page redirects temporarily (status 302) to \"https://e.com/oak\"",
    "/seasonal page-redirected-temporarily: the page redirects temporarily (status 307) to \"https://e.com/elm\"",
    "/chain page-redirect-chain: the page redirects in several steps: 301 to \"https://e.com/old\", 301 to \"https://e.com/oak\"",
    "http://e.com/chain page-redirect-chain: the page redirects in several steps: 301 to \"https://e.com/chain\", 302 to \"https://e.com/\\u{202e}ash\"",
    "/loop page-redirect-loop: the redirects lead to no page: 302 to \"https://e.com/pool\", 302 to \"https://e.com/loop\"",
    "/endless page-redirect-loop: the redirects lead to no page: 301 to \"https://e.com/on\", 301 to \"https://e.com/on\", 301 to \"https://e.com/on\", 301 to \"https://e.com/on\", 301 to \"https://e.com/on\", and 7 more",
    "/account page-login: the page redirects to \"https://e.com/login?next=/account\", which asks for a password",
    "/profile page-login: the page redirects to \"https://e.com/sign-in\", which asks for a password",
    "/to-nothing page-missing: the page redirects to \"https://e.com/never\", which answers with status 404",
    "/to-failure page-failing: the page redirects to \"https://e.com/never\", which cannot be fetched: the connection ended",
    "/to-cart page-blocked: the page redirects to \"https://e.com/cart\", and line 2 of robots.txt disallows \"/cart\"",
    "/draft page-noindex: the page has `noindex` in `<meta name=\"robots\">`",
    "/none page-noindex: the page has `none` in the header `X-Robots-Tag`",
    "/not-google page-noindex-agent: the page has `noindex` in a `<meta>` for the crawler \"googlebot\"",
    "/not-bing page-noindex-agent: the page has `noindex` in the header `X-Robots-Tag` for the crawler \"bingbot\"",
    "/in-body page-noindex-unclear: the page has `noindex` in `<meta name=\"robots\">` in its body",
    "/no-comma page-noindex-unclear: the page has `noindex` in `<meta name=\"robots\">` without a comma before or after it",
    "/expired page-expired: the page was available until \"2026-10-31\"",
    "/over page-expired: the page was available until \"Saturday, 21-Nov-26 10:00:00 GMT\"",
    "/for-ever page-expiry-invalid: `unavailable_after` of the page has \"never\", which is not a date",
    "/some-day page-expiry-invalid: `unavailable_after` of the page has \"some day\", which is not a date",
    "/list?sort=price page-canonical-elsewhere: the page names \"https://e.com/list\" as its canonical",
    "/scheme page-canonical-elsewhere: the page names \"https://e.com/e.com/scheme\" as its canonical, because \"e.com/scheme\" does not start with `https://`",
    "/slash page-canonical-elsewhere: the page names \"https://e.com/slash/\" as its canonical",
    "/paper page-canonical-elsewhere: the page names \"https://other.example/paper\" as its canonical",
    "/to-gone page-canonical-broken: the page names \"https://e.com/gone\" as its canonical, which cannot be indexed (missing)",
    "/to-old page-canonical-broken: the page names \"https://e.com/old\" as its canonical, which cannot be indexed (redirected)",
    "/to-draft page-canonical-broken: the page names \"https://e.com/draft\" as its canonical, which cannot be indexed (noindex)",
    "/two page-canonical-several: the page names 2 different canonicals, \"https://e.com/two\" in its head and \"https://e.com/2\" in its head",
    "/also-two page-canonical-several: the page names 2 different canonicals, \"https://e.com/other\" in the header `Link` and \"https://e.com/one\" in its head",
    "/empty-canonical page-canonical-invalid: the page names an empty canonical",
    "/no-url page-canonical-invalid: the page names the canonical \"https://[/\", which is not an http or https URL",
    "/late page-canonical-body: the page names the canonical \"https://e.com/late\" in its body",
    "/later page-canonical-body: the page names the canonical \"https://e.com/elsewhere\" in its body",
    "/refresh page-refresh: the page refreshes to \"https://e.com/new-place\" after 0 s",
    "/refresh-later page-refresh: the page refreshes to \"https://other.example/\" after 5 s",
    "/app page-empty-without-javascript: the page looks empty without JavaScript",
    "/app/two page-empty-without-javascript: the page looks empty without JavaScript",
    "/copy page-duplicate: the page has the same main content as \"https://e.com/original\"",
    "/copy?again page-duplicate: the page has the same main content as \"https://e.com/original\"",
    "/shop/chair page-soft-404: the page looks like the answer to \"https://e.com/shop/jfmzoqnc\", a URL that does not exist",
    "/shop/old/table page-soft-404: the page looks like the answer to \"https://e.com/shop/jfmzoqnc\", a URL that does not exist",
    "/en/b page-hreflang-no-return: the page names a language version that does not link back, \"https://e.com/de/b\" for \"de\" and 1 more",
    "/en/c page-hreflang-no-return: the page names a language version that does not link back, \"https://e.com/de/c\" for \"de\"",
    "/de/c page-hreflang-no-return: the page names a language version that does not link back, \"https://e.com/en/a\" for \"en\"",
    "/en/d page-hreflang-broken: the page names a language version that cannot be indexed, \"https://e.com/gone\" for \"de\" (missing) and 1 more",
    "/en/e page-hreflang-broken: the page names a language version that cannot be indexed, \"https://e.com/old\" for \"de\" (redirected)",
    "/en/h page-hreflang-no-self: the page names its language version \"https://e.com/de/h\" for \"de\", but not itself",
    "/de/h page-hreflang-no-self: the page names its language version \"https://e.com/en/h\" for \"en\" and 1 more, but not itself",
    "/en/f page-hreflang-differs: the page names \"https://e.com/de/f\" for \"de\", its entry does not",
    "/en/g page-hreflang-differs: the entry names \"https://e.de/g\" for \"de\", the page does not",
    "/stale page-lastmod-old: the content changed between 2026-11-10 and 2026-11-12, but the `lastmod` is 2026-11-03",
    "/very-stale page-lastmod-old: the content changed between 2026-11-10 and 2026-11-12, but the `lastmod` is 2024-01-01T10:00:00Z",
    "/rebuilt page-lastmod-unfounded: the content has not changed since 2026-11-01, but the `lastmod` is 2026-11-22",
    "/rebuilt-too page-lastmod-unfounded: the content has not changed since 2026-11-06, but the `lastmod` is 2026-11-20T10:00:00Z",
    "/json page-lastmod-differs: the page states 2026-10-02 as its `dateModified`, but the `lastmod` is 2026-10-01",
    "/article page-lastmod-differs: the page states 2026-09-01T10:00:00Z as its `article:modified_time`, but the `lastmod` is 2026-09-02T10:00:00Z",
    "/shared page-lastmod-differs: the page states 2026-09-05 as its `og:updated_time`, but the `lastmod` is 2026-09-02",
    "https://down.example/1 page-robots-unreachable: the robots.txt of \"https://down.example\" cannot be fetched (status 500), so 3 listed pages were not fetched",
    "https://timeout.example/ page-robots-unreachable: the robots.txt of \"https://timeout.example\" cannot be fetched (no answer within 30 s), so 1 listed page was not fetched",
    "https://slow.example/1 page-throttled: 2 listed pages were not requested from \"https://slow.example\", because `slow.example` asks to wait 86400 s, more than the limit of 120 s",
    "https://staging.example/0 page-noindex-everywhere: 10 of 10 listed pages of \"https://staging.example\" ask search engines not to index them; first, the page has `noindex` in `<meta name=\"robots\">`",
    "https://test.example/2 page-noindex-everywhere: 8 of 10 listed pages of \"https://test.example\" ask search engines not to index them; first, the page has `noindex` in the header `X-Robots-Tag`",
    "/alone page-orphan: no crawled page links to the page",
    "/lonely page-orphan: no crawled page links to the page",
    "/faq/ page-orphan: no crawled page links to the page, but to \"https://e.com/faq/index.html\", which has the same main content",
    "/forgotten page-unlisted: the page \"https://e.com/forgotten\" is linked and can be indexed, but is not listed",
    "/new page-unlisted: the page \"https://e.com/new\" is linked and can be indexed, but is not listed",
];

#[test]
fn exactly_the_planted_faults_are_found() {
    let found = site().findings();
    assert_eq!(found, EXPECTED, "{found:#?}");
}

#[test]
fn each_rule_is_planted_twice() {
    let (_, judgement) = site().judge(&JudgeOptions::new());
    // `crawled` contains the cases for an incomplete crawl, and `moved` those for a move.
    let is_elsewhere = |rule: Rule| rule == Rule::PageCrawlIncomplete || rule.id().starts_with("move-");
    let rules = Rule::ALL.iter().filter(|rule| rule.is_about_pages() && !is_elsewhere(**rule));
    let rare: BTreeMap<_, _> = rules
        .map(|rule| (rule.id(), judgement.counts.get(rule).copied().unwrap_or_default()))
        .filter(|(_, count)| *count < 2)
        .collect();
    assert!(rare.is_empty(), "{rare:?}");
    let total: u64 = judgement.counts.values().sum();
    assert!(total >= 60, "{total}");
}

#[test]
fn the_table_counts_each_page_once() {
    let (_, judgement) = site().judge(&JudgeOptions::new());
    let counts: Vec<_> =
        Standing::ALL.iter().map(|standing| (standing.as_str(), judgement.table.count(*standing))).collect();
    assert_eq!(
        counts,
        [
            ("indexable", 48),
            ("redirected", 7),
            ("missing", 4),
            ("failing", 7),
            ("blocked", 7),
            ("noindex", 22),
            ("canonicalised", 7),
            ("soft 404", 2),
            ("login", 4),
            ("not a page", 5),
            ("not checked", 4),
        ]
    );
    assert_eq!(judgement.pages(), site().evidence.entries.len() as u64);
}

#[test]
fn the_same_evidence_gives_the_same_findings() {
    let first = site().findings();
    for _ in 0..5 {
        assert_eq!(site().findings(), first);
    }
}
