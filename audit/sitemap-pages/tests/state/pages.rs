//! Tests that pages, listings, hosts and probes are read back as they were stored.

use sitemap_pages::facts::{HeaderFacts, LinkKind, Response, RobotsRule};
use sitemap_pages::robots::{Access, RobotsAnswer, RobotsTxt};
use sitemap_pages::state::{Host, ListedAlternate, ListedPage, RunKind, State};
use sitemap_pages::visit::{Blocked, Failure, FailureKind, HeaderUpdate, Hop, Outcome, Validators, Visit};

use crate::support::{answer, day, failed, html, run, visit};

const RICH: &str = "<!doctype html><html lang=en><head><meta charset=iso-8859-15><title>Oak \
    chairs</title><meta name=robots content='noindex, unavailable_after: 2026-12-01'><link rel=canonical href=/chairs>\
    <link rel=alternate hreflang=de href=/de><meta http-equiv=refresh content='5; url=/new'>\
    <meta property=article:modified_time content=2026-11-20></head><body><p>Oak <a href=/elm>elm</a> \
    <a rel=nofollow href=/fir>fir</a></p><input type=password></body></html>";

#[test]
fn all_facts_are_kept() {
    let state = State::in_memory().unwrap();
    let mut stored = html("https://example.com/oak", RICH);
    stored.hops.push(Hop::new("https://example.com/a".to_owned(), 301, None));
    run(&state, day(1), std::slice::from_ref(&stored));

    let Outcome::Page { facts, .. } = &mut stored.outcome else { unreachable!() };
    assert_eq!(facts.charset, Some("ISO-8859-15"));
    assert_eq!(facts.robots.len(), 2);
    let links = std::mem::take(&mut facts.links);
    facts.blocks = Vec::new().into();
    assert_eq!(state.page("https://example.com/oak").unwrap().unwrap().visit, stored);
    assert_eq!(state.links("https://example.com/oak").unwrap(), links);
    assert_eq!(
        links.iter().map(|link| (link.url.as_str(), link.kind, link.is_nofollow)).collect::<Vec<_>>(),
        [
            ("https://example.com/elm", LinkKind::Anchor, false),
            ("https://example.com/fir", LinkKind::Anchor, true)
        ]
    );
    assert_eq!(state.blocks("https://example.com/oak").unwrap(), None, "a redirect leads to another page");
}

#[test]
fn every_outcome_is_kept() {
    let state = State::in_memory().unwrap();
    let outcomes = [
        Outcome::NotModified(Box::default()),
        Outcome::Blocked(Blocked::Rule { line: 7, pattern: "/a*".to_owned() }),
        Outcome::Blocked(Blocked::Unreachable { why: "status 503".to_owned() }),
    ];
    let failures = FailureKind::ALL.iter().map(|&kind| Outcome::Failed(Failure::new(kind, "why")));
    let visits: Vec<Visit> = outcomes
        .into_iter()
        .chain(failures)
        .enumerate()
        .map(|(number, outcome)| visit(&format!("https://example.com/{number:02}"), outcome))
        .collect();
    run(&state, day(1), &visits);
    let found: Vec<Visit> = state.pages().map(|page| page.unwrap().visit).collect();
    assert_eq!(found, visits);
    assert_eq!(found.len(), 17);
}

#[test]
fn a_page_that_fails_keeps_the_content_before() {
    let state = State::in_memory().unwrap();
    let url = "https://example.com/oak";
    run(&state, day(1), &[html(url, "<title>Oak</title><a href=/elm>")]);
    for later in [failed(url), answer(url, 404, "text/html", "<title>Sorry"), failed(url)] {
        run(&state, day(2), &[later]);
    }
    let page = state.page(url).unwrap().unwrap();
    assert_eq!((page.run, page.first_seen, page.facts()), (4, day(1), None));
    assert_eq!(page.last_facts().unwrap().title.as_deref(), Some("Oak"));
    assert_eq!(page.validators(), Some(&Validators::new(Some("\"31\"".to_owned()), None)));
    assert_eq!(state.blocks(url).unwrap().unwrap().len(), 2);
    assert_eq!(state.links(url).unwrap().len(), 1);

    run(&state, day(3), &[visit(url, Outcome::NotModified(Box::default()))]);
    assert_eq!(state.page(url).unwrap().unwrap().facts().unwrap().title.as_deref(), Some("Oak"));
    run(&state, day(3), &[html(url, "<title>Elm")]);
    assert_eq!(state.page(url).unwrap().unwrap().last_content, None);
    assert!(state.links(url).unwrap().is_empty());
}

#[test]
fn the_headers_of_a_304_change_the_facts_of_the_visit_before() {
    let state = State::in_memory().unwrap();
    let url = "https://example.com/oak";
    run(&state, day(1), &[html(url, "<title>Oak</title><meta name=robots content=nofollow>")]);
    let before = state.page(url).unwrap().unwrap();
    let headers = &[("x-robots-tag", "noindex"), ("etag", "\"b2\"")];
    let later = HeaderFacts::of(&Response::new(url, 304, headers, b""));
    let validators = Validators::new(Some("\"b2\"".to_owned()), None);
    let update = HeaderUpdate::new(later, validators.clone());
    // If a later response lacks the header, or the request fails, what was known is kept.
    for outcome in
        [Outcome::NotModified(update.into()), Outcome::NotModified(Box::default()), failed(url).outcome]
    {
        run(&state, day(2), &[visit(url, outcome.clone())]);
        let page = state.page(url).unwrap().unwrap();
        assert_eq!(page.visit.outcome, outcome);
        let rules: Vec<_> = page.last_facts().unwrap().robots.iter().map(|one| one.rule.clone()).collect();
        assert_eq!(rules, [RobotsRule::NoIndex, RobotsRule::NoFollow]);
        assert_eq!(page.validators(), Some(&validators));
        assert_eq!((page.content_changed, page.content_since), (None, before.content_since));
    }
    state.verify().unwrap();
}

#[test]
fn pages_come_in_the_order_of_their_urls() {
    let state = State::in_memory().unwrap();
    let url = |number: u64| format!("https://example.com/{}", number * 7919 % 2003);
    let visits: Vec<Visit> = (0..2003).map(|number| failed(&url(number))).collect();
    run(&state, day(1), &visits);
    let mut expected: Vec<String> = (0..2003).map(url).collect();
    expected.sort();
    let found: Vec<String> = state.pages().map(|page| page.unwrap().visit.url).collect();
    assert_eq!(found, expected);
    assert_eq!(state.page_count(), 2003);
}

#[test]
fn pages_can_be_stored_while_they_are_read() {
    let state = State::in_memory().unwrap();
    let urls =
        |range: std::ops::Range<u64>| range.map(|number| failed(&format!("https://example.com/{number:04}")));
    run(&state, day(1), &urls(0..300).collect::<Vec<_>>());
    let open = state.begin_run(RunKind::Check, day(2)).unwrap();
    for page in state.pages() {
        state.store(&open, &page.unwrap().visit).unwrap();
    }
    assert!(state.pages().all(|page| page.unwrap().run == 2));
}

#[test]
fn an_empty_url_is_a_key_too() {
    let state = State::in_memory().unwrap();
    run(&state, day(1), &[failed("")]);
    assert_eq!(state.pages().count(), 1);
    assert_eq!(state.page("").unwrap().unwrap().visit, failed(""));
}

fn listed(file: u64, position: u64, loc: &str) -> ListedPage {
    let mut page = ListedPage::new(file, loc);
    (page.position, page.line, page.column, page.len) = (position, position + 3, 1, 90);
    page.lastmod = Some("2026-01-31".to_owned());
    page.alternates = vec![ListedAlternate::new("de".to_owned(), format!("{loc}?de"))];
    page
}

#[test]
fn a_listing_comes_in_order_and_replaces_the_one_before() {
    let mut state = State::in_memory().unwrap();
    let pages =
        [listed(1, 0, "https://example.com/c"), listed(0, 300, "https://example.com/b"), listed(0, 2, "a")];
    state.set_listing(&["sitemap-1.xml", "sitemap-2.xml"], pages.clone()).unwrap();
    let found: Vec<ListedPage> = state.listing().map(Result::unwrap).collect();
    assert_eq!(found, [pages[2].clone(), pages[1].clone(), pages[0].clone()]);
    assert_eq!(state.listing_files().unwrap(), ["sitemap-1.xml", "sitemap-2.xml"]);

    state.set_listing(&["sitemap.xml"], [listed(0, 0, "https://example.com/d")]).unwrap();
    assert_eq!(state.listing().map(|page| page.unwrap().loc).collect::<Vec<_>>(), ["https://example.com/d"]);
    assert_eq!((state.listed_count(), state.listing_files().unwrap().len()), (1, 1));
}

#[test]
fn a_listing_replaces_the_rest_of_the_one_before_from_the_first_difference_on() {
    let mut state = State::in_memory().unwrap();
    let page = |position: u64| listed(0, position, &format!("https://example.com/{position}"));
    let all: Vec<ListedPage> = (0..300).map(page).collect();
    let mut changed = all.clone();
    changed[150].lastmod = Some("2026-11-22".to_owned());
    let mut moved = all.clone();
    moved.swap(140, 141);
    let without = |at: usize| [&all[..at], &all[at + 1..]].concat();
    let more: Vec<ListedPage> = (0..301).map(page).collect();
    let cut = all[..128].to_vec();
    for new in [&all, &all, &changed, &all, &without(0), &all, &without(299), &more, &cut, &moved, &all] {
        state.set_listing(&["sitemap.xml"], new.iter().cloned()).unwrap();
        let mut expected = new.clone();
        expected.sort_by_key(|page| page.position);
        assert_eq!(state.listing().map(Result::unwrap).collect::<Vec<_>>(), expected);
        assert_eq!(state.listed_count(), new.len() as u64);
        state.verify().unwrap();
    }
    // An abandoned listing leaves the old one in place, whether they differ or not.
    for pages in [&all[..10], &changed[140..160]] {
        let mut new = state.new_listing().unwrap();
        for page in pages {
            new.page(page).unwrap();
        }
        drop(new);
        assert_eq!(state.listing().map(Result::unwrap).collect::<Vec<_>>(), all);
        state.verify().unwrap();
    }
}

#[test]
fn a_listing_that_is_not_finished_leaves_the_old_one_and_all_visits() {
    let mut state = State::in_memory().unwrap();
    state.set_listing(&["sitemap.xml"], [listed(0, 0, "https://example.com/d")]).unwrap();
    let open = state.begin_run(RunKind::Check, day(1)).unwrap();
    state.store(&open, &failed("https://example.com/d")).unwrap();
    let mut new = state.new_listing().unwrap();
    new.file("other.xml").unwrap();
    new.page(&listed(0, 9, "https://example.com/e")).unwrap();
    drop(new);
    assert_eq!(state.listing().map(|page| page.unwrap().loc).collect::<Vec<_>>(), ["https://example.com/d"]);
    assert_eq!(state.listing_files().unwrap(), ["sitemap.xml"]);
    assert_eq!(state.page_count(), 1);
}

#[test]
fn hosts_are_kept_up_to_the_limit() {
    let state = State::in_memory().unwrap();
    let host = Host::new(RobotsAnswer::Status(200), vec![b'#'; RobotsTxt::MAX_LEN + 100], day(3));
    state.store_host("https://example.com", &host).unwrap();
    let found = state.host("https://example.com").unwrap().unwrap();
    assert_eq!((found.answer, found.body.len(), found.at), (host.answer, RobotsTxt::MAX_LEN + 1, day(3)));
    for answer in [RobotsAnswer::Status(503), RobotsAnswer::TooManyRedirects, RobotsAnswer::Failed] {
        state.store_host("https://example.com:81", &Host::new(answer, Vec::new(), day(3))).unwrap();
        assert_eq!(state.host("https://example.com:81").unwrap().unwrap().access(), Access::new(answer, b""));
    }
    let names: Vec<String> = state.hosts().map(|row| row.unwrap().0).collect();
    assert_eq!(names, ["https://example.com", "https://example.com:81"]);
    assert_eq!(state.host("http://example.com").unwrap(), None);
}

#[test]
fn probes_keep_their_blocks() {
    let state = State::in_memory().unwrap();
    let probe = html("https://example.com/shop/0f3a", "<title>Sorry</title><p>Not here");
    state.store_probe("https://example.com/shop/", &probe).unwrap();
    assert_eq!(state.probe("https://example.com/shop/").unwrap(), Some(probe.clone()));
    assert_eq!(state.probe("https://example.com/").unwrap(), None);
    assert_eq!(
        state.probes().map(Result::unwrap).collect::<Vec<_>>(),
        [("https://example.com/shop/".to_owned(), probe)]
    );
}
