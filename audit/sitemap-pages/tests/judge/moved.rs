//! Tests with a move that contains at least two faults for each rule. Exactly these faults are found.

use sitemap_pages::judge::{MoveJudgement, NewSet, judge_move};
use sitemap_pages::visit::{FailureKind, Outcome};
use sitemap_read::Rule;

use crate::site::{HTML, Site, answer, blocked, failed, html, unreachable};

/// The new site.
const N: &str = "https://n.com";

fn page(url: &str, head: &str) -> Outcome {
    answer(url, 200, &HTML, &html("Page", head))
}

/// Lists an old URL that redirects to a page of the new site through these hops.
fn moved(site: &mut Site, old: &str, hops: &[(u16, &str)], head: &str) {
    let hops: Vec<(u16, String)> = hops.iter().map(|(status, path)| (*status, [N, path].concat())).collect();
    let hops: Vec<(u16, &str)> = hops.iter().map(|(status, url)| (*status, &**url)).collect();
    let outcome = page(hops.last().unwrap().1, head);
    site.add(old, &hops, outcome);
}

fn new_set(paths: &[&str]) -> NewSet {
    let mut new = NewSet::default();
    for path in paths {
        assert!(new.insert(&[N, path].concat()));
    }
    new
}

/// Judges a move. Returns a line for each finding: `path rule: message -> suggestion`.
fn judge(site: &Site, new: &NewSet) -> (Vec<String>, MoveJudgement) {
    let mut lines = Vec::new();
    let judgement = judge_move(&site.evidence, new, &mut |verdict| {
        let Some(finding) = verdict.finding else {
            assert_eq!(verdict.suggestion, None);
            return;
        };
        let entry = &site.evidence.entries[usize::try_from(finding.span().start.line).unwrap() - 1];
        assert_eq!(entry.loc, verdict.url, "the finding is at the entry of the URL");
        let path = verdict.url.strip_prefix("https://e.com").unwrap_or(verdict.url);
        let suggestion = verdict.suggestion.map_or("", |url| url.strip_prefix(N).unwrap_or(url));
        lines.push(format!("{path} {}: {} -> {suggestion}", finding.rule(), finding.message()));
    });
    (lines, judgement.unwrap())
}

fn site() -> Site {
    let mut site = Site::default();
    let old = &mut site;
    // What is right.
    moved(old, "/", &[(301, "/")], "");
    moved(old, "/index.html", &[(308, "/")], "");
    moved(old, "/oak", &[(301, "/trees/oak")], "");
    moved(old, "/elm", &[(308, "/trees/elm/#top")], "<link rel=canonical href=/trees/elm/>");
    old.list("/not-visited");
    old.list("/oak");
    // What is wrong.
    for (path, status) in [
        ("/gone/ash.html", 410),
        ("/gone", 410),
        ("/lost", 404),
        ("/members", 403),
        ("/down", 503),
        ("/busy", 429),
    ] {
        old.add(path, &[], answer(path, status, &HTML, "<p>Sorry"));
    }
    old.page("/oak.html", "");
    old.page("/trees/fir", "<meta http-equiv=refresh content=300>");
    old.page("/trees/elm", "<meta http-equiv=refresh content='0; url=https://n.com/trees/elm/'>");
    moved(old, "/yew", &[(302, "/trees/yew")], "");
    moved(old, "/beech", &[(307, "/trees/yew")], "");
    moved(old, "/old/yew", &[(301, "/yew"), (301, "/trees/yew")], "");
    moved(old, "/older/yew", &[(301, "/trees/yew")], "<meta http-equiv=refresh content='0; url=/trees/oak'>");
    let is_loop = || failed(FailureKind::RedirectLoop, "a loop");
    old.add("/loop", &[(302, "/pool"), (302, "/loop")], is_loop());
    old.add("/nowhere/oak", &[(301, "ftp://n.com/oak")], failed(FailureKind::InvalidRedirect, "no URL"));
    old.add("/slow", &[], failed(FailureKind::Timeout, "no answer \u{1b}[31m"));
    old.add("/cart", &[], blocked(2, "/cart"));
    old.add("/x/oak", &[(301, "https://n.com/trees/oak")], blocked(7, "/trees/oak"));
    old.add("https://h.com/a", &[], unreachable("status 500"));
    moved(old, "/ash", &[(301, "/trees/ash/index.html")], "");
    moved(old, "/pine", &[(301, "/somewhere")], "");
    moved(old, "/draft/ash", &[(301, "/trees/ash")], "<meta name=robots content=noindex>");
    moved(old, "/draft/fir", &[(301, "/drafts/fir")], "<link rel=canonical href=/trees/fir>");
    old.add("/to-404", &[(301, "https://n.com/404")], answer("https://n.com/404", 404, &HTML, "<p>Sorry"));
    old.add("/to-down", &[(301, "https://n.com/down")], failed(FailureKind::Connect, "refused"));
    for path in ["/home/a", "/home/b", "/home/c", "/home/oak", "/home/?p=5"] {
        moved(old, path, &[(302, "/")], "");
    }
    site
}

const EXPECTED: &[&str] = &[
    "/gone/ash.html move-gone: the old URL answers with status 410 -> /trees/ash",
    "/gone move-gone: the old URL answers with status 410 -> ",
    "/lost move-missing: the old URL answers with status 404 and does not redirect -> ",
    "/members move-missing: the old URL answers with status 403 and does not redirect -> ",
    "/down move-failing: the old URL answers with status 503 -> ",
    "/busy move-failing: the old URL answers with status 429 -> ",
    "/oak.html move-not-redirected: the old URL answers with status 200 and does not redirect -> /trees/oak",
    "/trees/fir move-not-redirected: the old URL answers with status 200 and does not redirect -> /trees/fir",
    "/trees/elm move-temporary: the old URL does not redirect, but refreshes to \"https://n.com/trees/elm/\" after 0 s -> /trees/elm/",
    "/yew move-temporary: the old URL redirects temporarily (status 302) to \"https://n.com/trees/yew\" -> /trees/yew",
    "/beech move-temporary: the old URL redirects temporarily (status 307) to \"https://n.com/trees/yew\" -> /trees/yew",
    "/old/yew move-chain: the old URL redirects in several steps: 301 to \"https://n.com/yew\", 301 to \"https://n.com/trees/yew\" -> /trees/yew",
    "/older/yew move-chain: the old URL redirects to \"https://n.com/trees/yew\", which refreshes to \"https://n.com/trees/oak\" after 0 s -> /trees/oak",
    "/loop move-loop: the redirects lead to no page: 302 to \"https://e.com/pool\", 302 to \"https://e.com/loop\" -> ",
    "/nowhere/oak move-loop: the redirects lead to no page: 301 to \"ftp://n.com/oak\" -> /trees/oak",
    "/slow move-failing: the old URL cannot be fetched: no answer \\u{1b}[31m -> ",
    "/cart move-blocked: the old URL cannot be followed, because line 2 of robots.txt disallows \"/cart\" -> ",
    "/x/oak move-blocked: the old URL redirects to \"https://n.com/trees/oak\", but there line 7 of robots.txt disallows \"/trees/oak\" -> ",
    "https://h.com/a move-blocked: the old URL cannot be followed, because robots.txt cannot be fetched: status 500 -> ",
    "/ash move-not-listed: the old URL redirects to \"https://n.com/trees/ash/index.html\", which the new set does not list -> /trees/ash",
    "/pine move-not-listed: the old URL redirects to \"https://n.com/somewhere\", which the new set does not list -> ",
    "/draft/ash move-target-broken: the old URL redirects to \"https://n.com/trees/ash\", which has `noindex` in `<meta name=\"robots\">` -> ",
    "/draft/fir move-target-broken: the old URL redirects to \"https://n.com/drafts/fir\", which names \"https://n.com/trees/fir\" as its canonical -> /trees/fir",
    "/to-404 move-target-broken: the old URL redirects to \"https://n.com/404\", which answers with status 404 -> ",
    "/to-down move-target-broken: the old URL redirects to \"https://n.com/down\", which cannot be fetched: refused -> ",
    "/home/a move-to-home: the old URL redirects to \"https://n.com/\", the home page, as 4 other old URLs do -> ",
    "/home/b move-to-home: the old URL redirects to \"https://n.com/\", the home page, as 4 other old URLs do -> ",
    "/home/c move-to-home: the old URL redirects to \"https://n.com/\", the home page, as 4 other old URLs do -> ",
    "/home/oak move-to-home: the old URL redirects to \"https://n.com/\", the home page, as 4 other old URLs do -> /trees/oak",
    "/home/?p=5 move-to-home: the old URL redirects to \"https://n.com/\", the home page, as 4 other old URLs do -> ",
];

const NEW: [&str; 6] = ["/", "/trees/oak", "/trees/elm/", "/trees/yew", "/trees/ash", "/trees/fir"];

#[test]
fn exactly_the_planted_faults_are_found() {
    let (found, judgement) = judge(&site(), &new_set(&NEW));
    assert_eq!(found, EXPECTED, "{found:#?}");
    assert_eq!((judgement.urls, judgement.unchecked, judgement.repeated, judgement.right()), (35, 1, 1, 4));
    assert_eq!(
        judge(&site(), &new_set(&NEW)),
        (found, judgement),
        "the same evidence gives the same findings"
    );
}

#[test]
fn each_rule_is_planted_twice() {
    let (_, judgement) = judge(&site(), &new_set(&NEW));
    let rules: Vec<Rule> = Rule::ALL.iter().copied().filter(|rule| rule.id().starts_with("move-")).collect();
    assert_eq!(rules.len(), 11);
    for rule in rules {
        assert!(judgement.counts.get(&rule).is_some_and(|count| *count >= 2), "{rule}");
    }
}

#[test]
fn an_old_url_that_the_new_set_lists_need_not_redirect() {
    let mut site = Site::default();
    site.page("/about", "");
    site.page("/draft", "<meta name=robots content=noindex>");
    site.add("/gone", &[], answer("/gone", 404, &HTML, "<p>Sorry"));
    let mut new = NewSet::default();
    for path in ["/about", "/draft", "/gone"] {
        assert!(new.insert(&format!("https://e.com{path}")));
    }
    let (found, judgement) = judge(&site, &new);
    assert_eq!(
        found,
        [
            "/draft move-target-broken: the new set lists the old URL, which has `noindex` in `<meta name=\"robots\">` -> ",
            "/gone move-missing: the old URL answers with status 404 and does not redirect -> ",
        ]
    );
    assert_eq!(judgement.right(), 1);
}

#[test]
fn a_few_redirects_to_the_home_page_are_right() {
    let mut site = Site::default();
    for path in ["/a", "/b", "/c", "/d", "/", "/index.php"] {
        moved(&mut site, path, &[(301, "/")], "");
    }
    let (found, judgement) = judge(&site, &new_set(&["/"]));
    assert_eq!((found, judgement.right()), (vec![], 6));
}

#[test]
fn a_verdict_has_what_a_list_of_redirects_needs() {
    let mut site = Site::default();
    moved(&mut site, "/a", &[(302, "/b"), (301, "/c")], "");
    site.page("/d", "<meta http-equiv=refresh content='9; url=https://n.com/c'>");
    let mut rows = Vec::new();
    let judged = judge_move(&site.evidence, &new_set(&["/c"]), &mut |verdict| {
        let target = verdict.target.map(str::to_owned);
        rows.push((verdict.url.to_owned(), verdict.file, verdict.status, target));
    });
    assert_eq!(judged.unwrap().counts.values().sum::<u64>(), 2);
    let end = Some("https://n.com/c".to_owned());
    let expected = [("https://e.com/a", 0, Some(302), end.clone()), ("https://e.com/d", 0, Some(200), end)];
    assert_eq!(rows, expected.map(|(url, file, status, target)| (url.to_owned(), file, status, target)));
}
