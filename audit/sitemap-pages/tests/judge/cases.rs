//! Tests for edge cases of single rules.

use sitemap_pages::judge::{JudgeOptions, Standing};

use crate::site::{HTML, Site, answer, html, url};

/// Returns the IDs of the rules that a site breaks.
fn rules(site: &Site) -> Vec<String> {
    let id = |line: String| line.split(' ').nth(1).unwrap().trim_end_matches(':').to_owned();
    site.findings().into_iter().map(id).collect()
}

#[test]
fn noindex_everywhere_needs_ten_pages_and_four_fifths() {
    for (pages, noindex, everywhere) in
        [(9, 9, false), (10, 7, false), (10, 8, true), (11, 8, false), (200, 160, true)]
    {
        let mut site = Site::default();
        for number in 0..pages {
            let head = if number < noindex { "<meta name=robots content=noindex>" } else { "" };
            site.page(&format!("/{number}"), head);
        }
        let expected =
            if everywhere { vec!["page-noindex-everywhere"] } else { vec!["page-noindex"; noindex] };
        assert_eq!(rules(&site), expected, "{noindex} of {pages}");
        let (_, judgement) = site.judge(&JudgeOptions::new());
        assert_eq!(judgement.table.count(Standing::Noindex), noindex as u64);
    }
}

#[test]
fn many_soft_404s_are_found_although_their_text_is_on_many_pages() {
    let error = |name: &str| {
        format!("<!doctype html><title>Sorry</title><h1>Sorry</h1><p>No {name}</p><p>Write to us</p>")
    };
    let mut site = Site::default();
    site.probe(
        "/x1b2c3d4",
        "<!doctype html><title>Sorry</title><h1>Sorry</h1><p>Not here</p><p>Write to us</p>",
    );
    let same = "<!doctype html><title>Sorry</title><h1>Sorry</h1><p>Not here</p><p>Write to us</p>";
    for number in 0..40 {
        site.page(&format!("/good/{number}"), "");
        site.body(&format!("/bad/{number}"), same);
    }
    assert_eq!(rules(&site), ["page-soft-404"; 40]);

    // A page that shares only the template of the error page is a different page.
    let mut site = Site::default();
    site.probe("/x1b2c3d4", &error("page"));
    site.body(
        "/sorry",
        "<!doctype html><title>Excuses</title><h1>Excuses</h1><p>How to say it</p><p>Write to us</p>",
    );
    assert_eq!(rules(&site), [""; 0]);
}

#[test]
fn pages_of_an_application_that_answers_every_url_with_the_same_html_are_soft_404s() {
    let shell = "<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>";
    let mut site = Site::default();
    site.probe("/x1b2c3d4", shell);
    site.body("/", shell);
    site.body("/pricing", shell);
    site.body("/docs/start", &shell.replace("App", "Start"));
    let (found, judgement) = site.judge(&JudgeOptions::new());
    assert_eq!(
        rules(&site),
        ["page-empty-without-javascript", "page-soft-404", "page-empty-without-javascript"],
        "{found:?}"
    );
    assert_eq!(
        (judgement.table.count(Standing::Soft404), judgement.table.count(Standing::Indexable)),
        (1, 2)
    );
}

#[test]
fn one_redirect_with_a_form_in_its_header_is_a_move() {
    let with_form = html("Shop", "").replace("<p>All", "<form><input type=password></form><p>All");
    let mut site = Site::default();
    site.add("/old-shop", &[(301, "/shop")], answer(&url("/shop"), 200, &HTML, &with_form));
    site.add("http://e.com/shop", &[(302, "/shop")], answer(&url("/shop"), 200, &HTML, &with_form));
    site.add("/closed", &[(302, "/shop")], answer(&url("/shop"), 200, &HTML, &with_form));
    assert_eq!(rules(&site), ["page-redirected", "page-redirected-temporarily", "page-login"]);
}

#[test]
fn a_page_is_judged_at_its_first_entry() {
    let mut site = Site::default();
    site.page("/a", "<meta name=robots content=noindex>");
    site.page("/b", "");
    site.list("/a");
    site.list("https://E.com:443/a");
    let (found, judgement) = site.judge(&JudgeOptions::new());
    assert_eq!(found, ["/a page-noindex: the page has `noindex` in `<meta name=\"robots\">`"]);
    assert_eq!((judgement.pages(), judgement.repeated), (2, 2));
}

#[test]
fn unusual_statuses_count_as_their_class() {
    for (status, expected) in [
        (200, vec![]),
        (203, vec![]),
        (299, vec![]),
        (206, vec![]),
        (300, vec!["page-failing"]),
        (418, vec!["page-missing"]),
        (451, vec!["page-missing"]),
        (499, vec!["page-missing"]),
        (429, vec!["page-throttled"]),
        (503, vec!["page-failing"]),
        (599, vec!["page-failing"]),
        (999, vec!["page-failing"]),
    ] {
        let mut site = Site::default();
        site.add("/a", &[], answer(&url("/a"), status, &HTML, &html("A", "")));
        assert_eq!(rules(&site), expected, "{status}");
    }
}

#[test]
fn an_end_of_availability_that_is_no_date_is_reported() {
    for (content, expected) in [
        ("unavailable_after: garbage", vec!["page-expiry-invalid"]),
        ("unavailable_after: 2026-13-45", vec!["page-expiry-invalid"]),
        ("unavailable_after:", vec!["page-expiry-invalid"]),
        ("unavailable_after: garbage, noindex", vec!["page-noindex"]),
        ("unavailable_after: 2020-01-01", vec!["page-expired"]),
        ("unavailable_after: 2036-01-01", vec![]),
    ] {
        let mut site = Site::default();
        site.page("/a", &format!("<meta name=robots content='{content}'>"));
        assert_eq!(rules(&site), expected, "{content}");
    }
}

#[test]
fn only_names_that_search_engines_document_count() {
    let read = ["googlebot", "googlebot-news", "bingbot", "msnbot", "yandex"];
    let ignored = ["yandexbot", "duckduckbot", "baiduspider", "applebot", "slurp", "otherbot"];
    let mut site = Site::default();
    for agent in read.iter().chain(&ignored) {
        site.page_with(&format!("/{agent}"), "", &[("x-robots-tag", &format!("{agent}: noindex"))]);
    }
    let named = |agent: &str| {
        format!(
            "/{agent} page-noindex-agent: the page has `noindex` in the header `X-Robots-Tag` for the crawler \"{agent}\""
        )
    };
    assert_eq!(site.findings(), read.map(named));
}
