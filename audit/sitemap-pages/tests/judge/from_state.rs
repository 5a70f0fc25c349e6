//! Tests that a state file gives the same findings as the visits stored in it.

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_pages::judge::{
    Evidence as _, JudgeOptions, Listed, PageRecord, Standing, StateEvidence, Verdict, judge,
};
use sitemap_pages::state::{GapReason, ListedAlternate, ListedPage, RunKind, State};
use sitemap_pages::visit::{Outcome, Visit};

use crate::planted;
use crate::site::{HTML, Site, answer, day, failed, html, url, visit};

/// Stores a site's listing.
fn list(state: &mut State, site: &Site) {
    let listed = |entry: &Listed| {
        let mut page = ListedPage::new(entry.file as u64, entry.loc.clone());
        let start = entry.span.start;
        (page.position, page.line, page.column) = (start.offset, start.line, start.column);
        page.len = entry.span.len;
        page.lastmod = entry.lastmod.as_ref().map(LastMod::to_string);
        let alternate =
            |(language, url): &(String, String)| ListedAlternate::new(language.clone(), url.clone());
        page.alternates = entry.alternates.iter().map(alternate).collect();
        page
    };
    state.set_listing(&["sitemap.xml"], site.evidence.entries.iter().map(listed)).unwrap();
}

/// Judges the state file. Returns the findings, each as `rule: message`.
fn findings(state: &State, listed_at: Option<SystemTime>) -> Vec<String> {
    let mut evidence = StateEvidence::new(state);
    if let Some(time) = listed_at {
        evidence = evidence.listed_at(time);
    }
    let mut lines = Vec::new();
    let judged = judge(&evidence, &JudgeOptions::new(), &mut |verdict| {
        for finding in verdict.findings {
            let path = verdict.url.strip_prefix("https://e.com").unwrap_or(verdict.url);
            lines.push(format!("{path} {}: {}", finding.rule().id(), finding.message()));
        }
    });
    judged.unwrap();
    lines
}

fn run(state: &State, kind: RunKind, at: u8, visits: impl IntoIterator<Item = Visit>) {
    let run = state.begin_run(kind, day(at)).unwrap();
    for visit in visits {
        state.store(&run, &at_day(at, visit)).unwrap();
    }
    state.finish_run(&run).unwrap();
}

fn at_day(number: u8, mut visit: Visit) -> Visit {
    visit.at = day(number);
    visit
}

fn page(path: &str, text: &str) -> Visit {
    visit(path, &[], answer(&url(path), 200, &HTML, &html(text, ""))).visit
}

#[test]
fn the_planted_site_has_the_same_findings() {
    let site = planted::site();
    let mut state = State::in_memory().unwrap();
    list(&mut state, &site);
    let mut visits = Vec::new();
    let mut keep = |record: &PageRecord| visits.push(record.visit.clone());
    site.evidence.pages(&mut keep).unwrap();
    run(&state, RunKind::Check, 22, visits);
    for probe in &site.evidence.probes {
        state.store_probe(&url("/shop/"), probe).unwrap();
    }
    // A single check reveals neither links nor changes.
    let of_runs = |line: &&&str| {
        ["page-orphan:", "page-unlisted:", "page-lastmod-old:", "page-lastmod-unfounded:"]
            .iter()
            .any(|rule| line.contains(rule))
    };
    let expected: Vec<_> = planted::EXPECTED.iter().filter(|line| !of_runs(line)).copied().collect();
    assert_eq!(expected.len(), planted::EXPECTED.len() - 9);
    assert_eq!(findings(&state, Some(day(22))), expected);
}

#[test]
fn runs_contradict_dates() {
    let mut site = Site::default();
    for (path, lastmod) in [
        ("/stale", "2026-10-30"),
        ("/true", "2026-11-11"),
        ("/rebuilt", "2026-11-20"),
        ("/failed-at-first", "2026-11-05"),
        ("/old", "2026-10-01"),
    ] {
        site.list(path).lastmod = Some(LastMod::parse(lastmod).unwrap());
    }
    let mut state = State::in_memory().unwrap();
    list(&mut state, &site);
    let failure =
        || visit("/failed-at-first", &[], failed(sitemap_pages::visit::FailureKind::Dns, "no")).visit;
    let same = || [page("/rebuilt", "Rebuilt"), page("/old", "Old")];
    let first = [page("/stale", "Stale"), page("/true", "True"), failure()];
    run(&state, RunKind::Check, 1, first.into_iter().chain(same()));
    assert_eq!(
        findings(&state, Some(day(1))),
        ["/failed-at-first page-failing: the page cannot be fetched: no"]
    );
    // Until the 10th, no page has changed. On the 12th, two have new content.
    let second = [page("/stale", "Stale"), page("/true", "True"), page("/failed-at-first", "Late")];
    run(&state, RunKind::Check, 10, second.into_iter().chain(same()));
    let third = || [page("/stale", "Fresh"), page("/true", "Changed"), page("/failed-at-first", "Late")];
    run(&state, RunKind::Check, 12, third().into_iter().chain(same()));
    let outdated = "/stale page-lastmod-old: the content changed between 2026-11-10 and 2026-11-12, but the `lastmod` is 2026-10-30";
    assert_eq!(findings(&state, Some(day(12))), [outdated]);
    // The rebuilt page has the same content from the 1st to the 20th, as a 304 confirms.
    let rebuilt = "/rebuilt page-lastmod-unfounded: the content has not changed since 2026-11-01, but the `lastmod` is 2026-11-20";
    let not_modified = visit("/rebuilt", &[], Outcome::NotModified(Box::default())).visit;
    run(&state, RunKind::Check, 20, third().into_iter().chain([not_modified, page("/old", "Old")]));
    assert_eq!(findings(&state, Some(day(20))), [outdated, rebuilt]);
    assert_eq!(findings(&state, Some(day(21))), [outdated], "the page may have changed after its visit");
    assert_eq!(findings(&state, None), [outdated]);
    run(&state, RunKind::Check, 22, [page("/rebuilt", "Rebuilt")]);
    assert_eq!(findings(&state, None), [outdated, rebuilt], "two days later it is certain");
}

#[test]
fn a_crawl_tells_which_pages_are_linked() {
    let mut site = Site::default();
    for path in ["/", "/linked", "/alone"] {
        site.list(path);
    }
    let mut state = State::in_memory().unwrap();
    list(&mut state, &site);
    let with_links =
        |path: &str, links: &str| visit(path, &[], answer(&url(path), 200, &HTML, &html(path, links))).visit;
    let crawl = state.begin_run(RunKind::Crawl, day(22)).unwrap();
    for (path, links) in [
        ("/", "<p><a href=/linked>Linked</a>"),
        ("/linked", "<p><a href=/extra>Extra</a>"),
        ("/alone", "<p><a href=/alone>Here</a>"),
        ("/extra", "<p><a href=/>Home</a>"),
    ] {
        state.enqueue(&url(path), 0, None).unwrap();
        state.store(&crawl, &with_links(path, links)).unwrap();
    }
    let inconclusive = |why: &str| {
        format!(
            "/ page-crawl-incomplete: the crawl is not complete ({why}), so these numbers are inconclusive: pages listed \
             but not linked 1, pages linked but not listed 1"
        )
    };
    assert_eq!(findings(&state, None), [inconclusive("it was interrupted")]);
    state.finish_run(&crawl).unwrap();
    assert_eq!(
        findings(&state, None),
        [
            "/alone page-orphan: no crawled page links to the page",
            "/extra page-unlisted: the page \"https://e.com/extra\" is linked and can be indexed, but is not listed",
        ]
    );
    let crawl = state.begin_run(RunKind::Crawl, day(23)).unwrap();
    state.leave_out(&crawl, GapReason::MaxDepth, 2).unwrap();
    state.enqueue(&url("/"), 0, None).unwrap();
    state.finish_run(&crawl).unwrap();
    assert_eq!(findings(&state, None), [inconclusive("2 pages are deeper than the limit")]);
}

fn linking(path: &str, links: &[&str]) -> Visit {
    let links = links.iter().fold(String::new(), |text, link| text + "<p><a href=" + link + ">Link</a>");
    visit(path, &[], answer(&url(path), 200, &HTML, &html(path, &links))).visit
}

/// Crawls pages. Each is passed along with its links.
fn crawl(state: &State, at: u8, pages: &[(&str, &[&str])]) {
    let crawl = state.begin_run(RunKind::Crawl, day(at)).unwrap();
    for (path, links) in pages {
        state.enqueue(&url(path), 0, None).unwrap();
        state.store(&crawl, &at_day(at, linking(path, links))).unwrap();
    }
    state.finish_run(&crawl).unwrap();
}

fn unlisted(path: &str) -> String {
    let url = url(path);
    format!("{path} page-unlisted: the page \"{url}\" is linked and can be indexed, but is not listed")
}

const ALONE: &str = "/alone page-orphan: no crawled page links to the page";

#[test]
fn an_old_crawl_judges_no_page_that_is_newer_and_none_that_may_be_gone() {
    let mut site = Site::default();
    for path in ["/", "/alone"] {
        site.list(path);
    }
    let mut state = State::in_memory().unwrap();
    list(&mut state, &site);
    crawl(&state, 1, &[("/", &["/hub"]), ("/alone", &[]), ("/hub", &["/offer"]), ("/offer", &[])]);
    let fresh = [ALONE.to_owned(), unlisted("/hub"), unlisted("/offer")];
    assert_eq!(findings(&state, Some(day(1))), fresh);
    run(&state, RunKind::Check, 2, [linking("/", &["/hub"]), linking("/alone", &[])]);
    assert_eq!(findings(&state, Some(day(2))), fresh, "the crawl is not older than a day");

    // Only the hub links to the new page, and the offer may be gone.
    site.list("/late");
    list(&mut state, &site);
    let listed = [linking("/", &["/hub"]), linking("/alone", &[]), linking("/late", &[])];
    run(&state, RunKind::Check, 20, listed);
    let outdated = "/ page-crawl-incomplete: the crawl is of 2026-11-01 and is older than the visits of the listed pages, so \
                    these numbers are inconclusive: new pages listed but not linked 1, pages linked but not listed 2";
    assert_eq!(findings(&state, Some(day(20))), [ALONE, outdated]);

    // A later crawl sees everything.
    crawl(&state, 21, &[("/", &["/hub"]), ("/alone", &[]), ("/late", &[]), ("/hub", &["/late"])]);
    assert_eq!(findings(&state, Some(day(21))), [ALONE.to_owned(), unlisted("/hub")]);
}

#[test]
fn a_page_that_the_last_crawl_did_not_reach_is_not_missing() {
    let mut site = Site::default();
    site.list("/");
    let mut state = State::in_memory().unwrap();
    list(&mut state, &site);
    crawl(&state, 1, &[("/", &["/one"]), ("/one", &["/two"]), ("/two", &["/one"])]);
    assert_eq!(findings(&state, Some(day(1))), [unlisted("/one"), unlisted("/two")]);
    // Both pages are gone, and their links to each other are outdated.
    crawl(&state, 2, &[("/", &[])]);
    assert_eq!(findings(&state, Some(day(2))), [""; 0]);
    run(&state, RunKind::Check, 20, [linking("/", &[])]);
    assert_eq!(findings(&state, Some(day(20))), [""; 0]);
}

#[test]
fn files_of_a_build_are_no_answers() {
    let mut site = Site::default();
    for path in ["/", "/oak"] {
        site.list(path);
    }
    let mut state = State::in_memory().unwrap();
    list(&mut state, &site);
    let standings = |state: &State| {
        let mut standings = Vec::new();
        let each = &mut |verdict: Verdict<'_>| standings.push(verdict.standing);
        judge(&StateEvidence::new(state), &JudgeOptions::new(), each).unwrap();
        standings
    };
    run(&state, RunKind::Build, 1, [page("/", "Home"), page("/oak", "Oak")]);
    assert_eq!(standings(&state), [Standing::Unknown, Standing::Unknown]);
    run(&state, RunKind::Check, 2, [page("/", "Home")]);
    assert_eq!(standings(&state), [Standing::Indexable, Standing::Unknown]);
}
