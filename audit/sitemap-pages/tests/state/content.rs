//! Tests for the dates of changed content.

use std::fs;

use sitemap_pages::content::ContentDigest;
use sitemap_pages::state::{ContentChanges, RunKind, State};
use sitemap_pages::visit::{Hop, Outcome, Visit};

use crate::support::{Place, answer, at, dates, day, failed, html, run, visit};

fn url(number: u64) -> String {
    format!("https://example.com/trees/{number}")
}

/// Returns a visit to one of many pages that share a template.
fn page(number: u64, footer: &str, text: &str) -> Visit {
    html(
        &url(number),
        &format!("<title>Tree {number} | Trees</title><p>Number {number} {text}</p><p>{footer}</p>"),
    )
}

fn site(count: u64, footer: &str, edited: &[u64]) -> Vec<Visit> {
    (0..count)
        .map(|number| page(number, footer, if edited.contains(&number) { "burns" } else { "grows" }))
        .collect()
}

fn changes(new: u64, changed: u64, unchanged: u64) -> ContentChanges {
    ContentChanges::new(new, changed, unchanged)
}

#[test]
fn the_first_run_gives_no_dates() {
    let state = State::in_memory().unwrap();
    assert_eq!(run(&state, day(1), &site(30, "Hello", &[])), changes(30, 0, 0));
    assert_eq!(dates(&state), []);
}

#[test]
fn a_template_edit_moves_no_date_and_edits_move_theirs() {
    let state = State::in_memory().unwrap();
    run(&state, day(1), &site(30, "Hello", &[]));
    assert_eq!(run(&state, day(2), &site(30, "Welcome", &[])), changes(0, 0, 30));
    assert_eq!(run(&state, day(3), &site(30, "Welcome back", &[3, 17])), changes(0, 2, 28));
    assert_eq!(dates(&state), [(url(17), 3), (url(3), 3)]);
    assert_eq!(run(&state, day(4), &site(30, "Welcome", &[3, 17])), changes(0, 0, 30));
    assert_eq!(dates(&state), [(url(17), 3), (url(3), 3)], "dates are carried over");
    assert_eq!(run(&state, day(5), &site(31, "Welcome", &[17])), changes(1, 1, 29));
    assert_eq!(dates(&state), [(url(17), 3), (url(3), 5)], "a new page has no date");
}

#[test]
fn pages_without_content_this_time_keep_content_and_date() {
    let state = State::in_memory().unwrap();
    run(&state, day(1), &site(30, "Hello", &[]));
    run(&state, day(2), &site(30, "Hello", &[3, 4]));
    let mut visits = site(30, "Hello", &[3, 4, 5, 6]);
    visits.truncate(20);
    visits[3] = failed(&url(3));
    visits[4] = answer(&url(4), 404, "text/html", "<p>Sorry");
    visits[5] = visit(&url(5), Outcome::NotModified(Box::default()));
    assert_eq!(run(&state, day(3), &visits), changes(0, 1, 17));
    assert_eq!(dates(&state), [(url(3), 2), (url(4), 2), (url(6), 3)]);
    assert_eq!(run(&state, day(4), &site(30, "Hello", &[3, 4, 5, 6])), changes(0, 1, 29));
    assert_eq!(dates(&state), [(url(3), 2), (url(4), 2), (url(5), 4), (url(6), 3)]);
}

#[test]
fn a_page_that_was_not_visited_is_compared_with_the_template_of_its_own_run() {
    let state = State::in_memory().unwrap();
    run(&state, day(1), &site(30, "First", &[]));
    for (number, footer) in ["Second", "Third", "Fourth"].iter().enumerate() {
        let visits: Vec<Visit> = site(30, footer, &[]).into_iter().skip(2).collect();
        assert_eq!(run(&state, day(2 + number as u64), &visits), changes(0, 0, 28));
    }
    assert_eq!(run(&state, day(5), &site(30, "Fifth", &[1])), changes(0, 1, 29));
    assert_eq!(dates(&state), [(url(1), 5)]);
    assert!(state.shared_blocks(1).unwrap().is_none(), "no page needs it any more");
    assert_eq!(
        state.shared_blocks(5).unwrap().unwrap().len(),
        4,
        "the footer and the name, of site and folder"
    );
}

#[test]
fn a_redirect_is_no_content() {
    let state = State::in_memory().unwrap();
    run(&state, day(1), &[html("https://example.com/a", "<p>Oak")]);
    let mut moved = html("https://example.com/a", "<p>Login");
    moved.hops = vec![Hop::new("https://example.com/a".to_owned(), 302, Some("/login".to_owned()))];
    assert_eq!(run(&state, day(2), std::slice::from_ref(&moved)), changes(0, 0, 0));
    moved.outcome = Outcome::NotModified(Box::default());
    assert_eq!(run(&state, day(3), &[moved]), changes(0, 0, 0));
    assert_eq!(run(&state, day(4), &[html("https://example.com/a", "<p>Oak")]), changes(0, 0, 1));
    assert_eq!(dates(&state), []);
}

#[test]
fn other_files_change_with_their_bytes() {
    let state = State::in_memory().unwrap();
    let pdf = |text: &str| answer("https://example.com/a.pdf", 200, "application/pdf", text);
    assert_eq!(run(&state, day(1), &[pdf("%PDF 1")]), changes(1, 0, 0));
    assert_eq!(run(&state, day(2), &[pdf("%PDF 1")]), changes(0, 0, 1));
    assert_eq!(run(&state, day(3), &[pdf("%PDF 2")]), changes(0, 1, 0));
    assert_eq!(dates(&state), [("https://example.com/a.pdf".to_owned(), 3)]);
}

/// Interrupts a run after each of its visits.
#[test]
fn an_interruption_changes_no_date() {
    let first = site(12, "Hello", &[]);
    let second = site(12, "Welcome", &[2, 9]);
    for interruption in 0..=second.len() {
        let place = Place::new();
        let state = State::create_or_open(place.path()).unwrap();
        run(&state, day(1), &first);
        let open = state.begin_run(RunKind::Check, day(2)).unwrap();
        for visit in &second[..interruption] {
            state.store(&open, &at(day(2), visit)).unwrap();
        }
        drop(state);

        let state = State::open(place.path()).unwrap();
        let open = state.begin_run(RunKind::Check, day(7)).unwrap();
        for visit in &second {
            if !state.visited_in(&open, &visit.url).unwrap() {
                state.store(&open, &at(day(7), visit)).unwrap();
            }
        }
        assert_eq!(state.finish_run(&open).unwrap(), changes(0, 2, 10), "{interruption}");
        // Each change is dated by the day on which it was seen.
        let seen = |place| if interruption > place { 2 } else { 7 };
        assert_eq!(dates(&state), [(url(2), seen(2)), (url(9), seen(9))], "{interruption}");
    }
}

/// A copy of the files contains what a killed process leaves behind: the journal, but nothing from the open batch.
#[test]
fn a_killed_run_loses_at_most_one_batch() {
    let place = Place::new();
    let copy = Place::new();
    let state = State::create_or_open(place.path()).unwrap();
    let open = state.begin_run(RunKind::Check, day(2)).unwrap();
    for number in 0..2_500 {
        state.store(&open, &page(number, "Hello", "grows")).unwrap();
    }
    for name in ["", "-wal"] {
        let (from, to) = (place.path().into_os_string(), copy.path().into_os_string());
        let with = |mut path: std::ffi::OsString| {
            path.push(name);
            path
        };
        fs::copy(with(from), with(to)).unwrap();
    }
    let killed = State::open(copy.path()).unwrap();
    assert_eq!(killed.page_count(), 2_000);
    assert_eq!(killed.pages().map(Result::unwrap).count(), 2_000);
    let open = killed.begin_run(RunKind::Check, day(9)).unwrap();
    assert_eq!((open.number(), open.time()), (1, day(2)));
}

#[test]
fn contents_come_in_the_order_of_their_urls() {
    let state = State::in_memory().unwrap();
    run(
        &state,
        day(1),
        &[html("https://example.com/b", "<p>Oak"), html("https://example.com/a", "<p>Elm<p>Fir")],
    );
    let contents: Vec<_> = state.contents().map(Result::unwrap).collect();
    let contents: Vec<_> = contents.iter().map(|(url, blocks)| (url.as_str(), blocks.len())).collect();
    assert_eq!(contents, [("https://example.com/a", 2), ("https://example.com/b", 1)]);
}

#[test]
fn records_have_dates_by_their_digests() {
    let place = Place::new();
    for (number, text, date) in [
        (1, "Oak", None),
        (2, "Oak", None),
        (3, "Elm", Some("1970-01-04T00:00:00Z")),
        (4, "Elm", Some("1970-01-04T00:00:00Z")),
        (5, "Oak", Some("1970-01-06T00:00:00Z")),
    ] {
        let state = State::create_or_open(place.path()).unwrap();
        let dates = state.digest_dates().unwrap();
        let digest = ContentDigest::of_bytes(text.as_bytes());
        let found = dates.date("trees/1", digest, day(number)).unwrap().map(|date| date.to_string());
        assert_eq!(found.as_deref(), date, "{number}");
        assert_eq!(dates.date("trees/2", ContentDigest::of_bytes(b"Fir"), day(number)).unwrap(), None);
    }
}

#[test]
fn a_part_of_a_page_is_not_its_content() {
    let state = State::in_memory().unwrap();
    let url = "https://example.com/a";
    run(&state, day(1), &[html(url, "<p>Oak</p><p>Elm</p>")]);
    assert_eq!(run(&state, day(2), &[answer(url, 206, "text/html", "<p>Oak</p>")]), changes(0, 0, 0));
    assert_eq!(run(&state, day(3), &[html(url, "<p>Oak</p><p>Elm</p>")]), changes(0, 0, 1));
    assert_eq!(dates(&state), []);
}

#[test]
fn a_page_that_was_too_long_has_no_date_of_the_limit() {
    let long = |text: &str, is_cut: bool| {
        let mut visit = html("https://example.com/trees", text);
        if let Outcome::Page { facts, .. } = &mut visit.outcome {
            facts.is_cut = is_cut;
        }
        [visit]
    };
    let state = State::in_memory().unwrap();
    assert_eq!(run(&state, day(1), &long("<p>Ash", true)), changes(0, 0, 0));
    assert_eq!(run(&state, day(2), &long("<p>Ash<p>Elm", true)), changes(0, 0, 0), "another limit");
    assert_eq!(run(&state, day(3), &long("<p>Ash<p>Elm<p>Fir", false)), changes(1, 0, 0));
    assert_eq!(run(&state, day(4), &long("<p>Ash", true)), changes(0, 0, 0));
    assert_eq!(run(&state, day(5), &long("<p>Ash<p>Elm<p>Fir", false)), changes(0, 0, 1));
    assert_eq!(dates(&state), []);
    let page = state.page("https://example.com/trees").unwrap().unwrap();
    assert_eq!(page.content_since, Some(day(3)));
    run(&state, day(6), &long("<p>Ash", true));
    run(&state, day(7), &long("<p>Ash<p>Elm<p>Yew", false));
    let page = state.page("https://example.com/trees").unwrap().unwrap();
    assert_eq!((page.unchanged_until, page.content_changed), (Some(day(5)), Some(day(7))));
}
