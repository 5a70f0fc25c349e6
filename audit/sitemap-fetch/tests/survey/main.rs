//! Tests for surveys of a site on this machine: what they request, what they store, and how they continue after an
//! interruption.

mod site;

use std::cell::Cell;
use std::future::Future;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_fetch::survey::{CrawlLimits, Done, Survey};
use sitemap_fetch::{FetchOptions, Fetcher, ShortenedDelay};
use sitemap_pages::judge::{JudgeOptions, StateEvidence, judge};
use sitemap_pages::state::{GapReason, ListedAlternate, ListedPage, State};
use tokio::sync::Notify;

use site::Site;

fn day(number: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(number * 86_400)
}

fn fetcher() -> Fetcher {
    Fetcher::new(FetchOptions::new().allow_private(true).proxies(false).without_pauses()).unwrap()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn listed(position: u64, loc: &str) -> ListedPage {
    let mut page = ListedPage::new(0, loc);
    page.position = position;
    page
}

fn list(state: &mut State, locs: &[String]) {
    let pages = (0..).zip(locs).map(|(position, loc)| listed(position, loc));
    state.set_listing(&["sitemap.xml"], pages).unwrap();
}

fn check(state: &State, now: SystemTime) -> Done {
    block_on(Survey::new(state, &fetcher()).check(now)).unwrap()
}

/// Returns the status of each stored page, or 0 for a page without a status.
fn statuses(state: &State, site: &Site) -> Vec<(String, u16)> {
    let pages = state.pages().map(|page| page.unwrap().visit);
    pages.map(|visit| (visit.url.replace(&site.origin, ""), visit.status().unwrap_or(0))).collect()
}

fn pairs(found: &[(String, u16)]) -> Vec<(&str, u16)> {
    found.iter().map(|(path, status)| (path.as_str(), *status)).collect()
}

#[test]
fn a_check_requests_listed_pages_what_they_name_and_one_page_that_cannot_exist() {
    let site = Site::new(&[
        ("/a", "<link rel=canonical href=/b><p>A"),
        ("/b", "<link rel=alternate hreflang=de href=/de/b><p>B"),
        ("/de/b", "<p>B auf Deutsch"),
        ("/fr/a", "<p>A en français"),
    ]);
    let mut state = State::in_memory().unwrap();
    let alternates = vec![ListedAlternate::new("fr".to_owned(), site.url("/fr/a"))];
    let mut a = listed(0, &site.url("/a"));
    a.alternates = alternates;
    let (b, twice) = (listed(1, &site.url("/b#top")), listed(2, &site.url("/b")));
    state.set_listing(&["sitemap.xml"], [a, b, twice]).unwrap();

    let done = check(&state, day(1));
    assert_eq!(pairs(&statuses(&state, &site)), [("/a", 200), ("/b", 200), ("/de/b", 200), ("/fr/a", 200)]);
    let requests = site.requests();
    assert_eq!(requests[..5], ["/a", "/b", "/de/b", "/fr/a", &*requests[4]]);
    assert!(requests[4].starts_with("/no-such-page-"), "{requests:?}");
    assert_eq!(requests[5..], ["/robots.txt"]);
    assert_eq!((done.summary.progress.visited, done.changes.new, done.gaps), (5, 4, Vec::new()));
    let probe = state.probe(&site.url("/")).unwrap().unwrap();
    assert_eq!(probe.status(), Some(404));
}

#[test]
fn a_second_check_asks_on_condition_and_dates_what_changed() {
    let words = ["ash", "elm", "fir", "oak", "yew"];
    let site = Site::new(&[]);
    for word in words {
        let etag = format!("ETag: \"{word}\"");
        site.set(&format!("/{word}"), 200, &["Content-Type: text/html", &etag], &format!("<p>About {word}"));
    }
    let mut state = State::in_memory().unwrap();
    list(&mut state, &words.map(|word| site.url(&format!("/{word}"))));
    assert_eq!(check(&state, day(1)).changes.to_string(), "5 new, 0 changed, 0 unchanged");

    site.set("/oak", 200, &["Content-Type: text/html", "ETag: \"oak2\""], "<p>About oak and acorns");
    let done = check(&state, day(2));
    assert_eq!(done.changes.to_string(), "0 new, 1 changed, 4 unchanged");
    assert_eq!(done.summary.progress.not_modified, 4);
    assert_eq!(state.page(&site.url("/oak")).unwrap().unwrap().content_changed, Some(day(2)));
    assert_eq!(state.page(&site.url("/elm")).unwrap().unwrap().content_changed, None);
}

#[test]
fn a_page_that_only_changes_its_headers_is_judged_by_the_new_ones() {
    let site = Site::new(&[]);
    let page = |headers: &[&str]| {
        site.set("/oak", 200, &[&["Content-Type: text/html", "ETag: \"1\""], headers].concat(), "<p>An oak");
    };
    let mut state = State::in_memory().unwrap();
    list(&mut state, &[site.url("/oak")]);
    let mut standings = Vec::new();
    for (number, headers) in
        [&[][..], &["X-Robots-Tag: noindex"], &["Link: </elm>; rel=canonical"], &[]].into_iter().enumerate()
    {
        page(headers);
        let done = check(&state, day(1 + number as u64));
        let mut rules = Vec::new();
        judge(&StateEvidence::new(&state), &JudgeOptions::new(), &mut |verdict| {
            rules.extend(verdict.findings.iter().map(|finding| finding.rule().to_string()));
        })
        .unwrap();
        standings.push((rules, done.summary.progress.not_modified, done.summary.progress.retries));
    }
    // If a header is missing from the 304, the page is requested in full.
    let expected = [
        (vec![], 0, 0),
        (vec!["page-noindex".to_owned()], 1, 0),
        (vec!["page-canonical-broken".to_owned()], 0, 1),
        (vec![], 0, 1),
    ];
    assert_eq!(standings, expected);
}

#[test]
fn the_delay_holds_between_the_steps_of_a_check() {
    let site = Site::new(&[("/a", "<link rel=canonical href=/c><p>A"), ("/b", "<p>B"), ("/c", "<p>C")]);
    site.set("/robots.txt", 200, &[], "User-agent: *\nCrawl-delay: 45\n");
    let mut state = State::in_memory().unwrap();
    list(&mut state, &["/a", "/b"].map(|path| site.url(path)));
    let summary = check(&state, day(1)).summary;
    // The requests are for robots.txt, two listed pages, the canonical, and the nonexistent page.
    let second = Duration::from_secs(1);
    assert_eq!((summary.progress.requests, summary.progress.elapsed), (5, 4 * 30 * second));
    let shortened = ShortenedDelay::new(site.origin.clone(), 45 * second, 30 * second);
    assert_eq!(summary.shortened_delays, [shortened]);
}

#[test]
fn a_sample_is_counted_as_a_gap() {
    let site = Site::new(&[("/1", "<p>1"), ("/2", "<p>2"), ("/3", "<p>3")]);
    let mut state = State::in_memory().unwrap();
    list(&mut state, &["/1", "/2", "/3"].map(|path| site.url(path)));
    let done = block_on(Survey::new(&state, &fetcher()).sample(1, 5).check(day(1))).unwrap();
    assert_eq!(state.page_count(), 1);
    assert_eq!((done.gaps.len(), done.gaps[0].reason, done.gaps[0].count), (1, GapReason::Sampled, 2));
}

/// Runs a future until it has reported this many visits, then drops it.
fn interrupted(visits: u64, start: impl AsyncFnOnce(Box<dyn FnMut(u64) + '_>)) {
    let (notify, seen) = (Notify::new(), Cell::new(0));
    block_on(async {
        let report = Box::new(|visited: u64| {
            seen.set(visited);
            if visited >= visits {
                notify.notify_one();
            }
        });
        tokio::select! {
            biased;
            () = notify.notified() => {}
            () = start(report) => {}
        }
    });
}

#[test]
fn an_interrupted_check_ends_with_the_state_of_one_that_was_not() {
    let paths: Vec<String> = (0..20).map(|number| format!("/{number}")).collect();
    let site = Site::new(&[]);
    for path in &paths {
        site.set(path, 200, &["Content-Type: text/html"], &format!("<p>Page {path} <a href=/x>x</a>"));
    }
    let locs: Vec<String> = paths.iter().map(|path| site.url(path)).collect();
    let mut whole = State::in_memory().unwrap();
    list(&mut whole, &locs);
    check(&whole, day(1));

    for visits in [1, 7, 19, 20] {
        let mut state = State::in_memory().unwrap();
        list(&mut state, &locs);
        let fetcher = fetcher();
        interrupted(visits, async |mut report| {
            let survey =
                Survey::new(&state, &fetcher).on_progress(move |progress| report(progress.run.visited));
            survey.check(day(1)).await.unwrap();
        });
        site.requests();
        let done = check(&state, day(1));
        assert!(done.resumed >= visits.min(19), "{visits} {}", done.resumed);
        assert!(!site.requests().contains(&"/robots.txt".to_owned()), "{visits}");
        assert!(all(state.pages()) == all(whole.pages()), "{visits}");
        assert_eq!(done.changes.new, 20);
    }
}

#[test]
fn a_check_that_is_resumed_days_later_dates_its_visits_by_their_own_days() {
    let words =
        ["ash", "bay", "box", "elm", "fig", "fir", "holly", "larch", "lime", "oak", "pine", "rowan", "yew"];
    let site = Site::new(&[]);
    let show = |word: &str, more: &str| {
        site.set(&format!("/{word}"), 200, &["Content-Type: text/html"], &format!("<p>About {word}{more}"));
    };
    for word in &words {
        show(word, "");
    }
    let (mut known, mut new) = (State::in_memory().unwrap(), State::in_memory().unwrap());
    for state in [&mut known, &mut new] {
        list(state, &words.map(|word| site.url(&format!("/{word}"))));
    }
    check(&known, day(0));

    let yew = site.url("/yew");
    for state in [&mut known, &mut new] {
        show("yew", "");
        let fetcher = fetcher();
        interrupted(4, async |mut report| {
            let survey =
                Survey::new(state, &fetcher).on_progress(move |progress| report(progress.run.visited));
            survey.check(day(1)).await.unwrap();
        });
        site.requests();

        // The page and its `lastmod` change on the fourth day.
        show("yew", " and its berries");
        let loc = yew.clone();
        let mut entry = listed(0, &loc);
        entry.lastmod = Some("1970-01-05".to_owned());
        state.set_listing(&["sitemap.xml"], [entry]).unwrap();
        check(state, day(5));
        assert_eq!(site.requests().iter().filter(|path| *path == "/robots.txt").count(), 1);
        let resumed = state.run(state.page(&yew).unwrap().unwrap().run).unwrap().unwrap();
        assert_eq!((resumed.time, resumed.is_finished), (day(1), true));

        check(state, day(10));
        let mut findings = Vec::new();
        let evidence = StateEvidence::new(state).listed_at(day(10));
        judge(&evidence, &JudgeOptions::new(), &mut |verdict| findings.extend(verdict.findings)).unwrap();
        assert_eq!(findings, []);
    }
    let page = |state: &State| state.page(&yew).unwrap().unwrap();
    assert_eq!(page(&known).first_seen, day(0));
    assert_eq!((page(&known).content_changed, page(&known).unchanged_until), (Some(day(5)), Some(day(0))));
    assert_eq!((page(&new).first_seen, page(&new).content_changed), (day(5), None));
}

/// Runs a check, and returns its progress after each visit: finished visits and total visits.
fn steps(state: &State, survey: impl FnOnce(Survey<'_>) -> Survey<'_>) -> Vec<(u64, u64)> {
    let (fetcher, mut steps) = (fetcher(), Vec::new());
    let survey = survey(Survey::new(state, &fetcher));
    block_on(survey.on_progress(|at| steps.push((at.done(), at.expected))).check(day(1))).unwrap();
    steps
}

#[test]
fn the_progress_of_a_check_ends_at_all_visits() {
    let site = Site::new(&[("/a", "<link rel=canonical href=/c><p>A"), ("/b", "<p>B"), ("/c", "<p>C")]);
    let twice = ["/a", "/b", "/b", "/d"].map(|path| site.url(path));
    let mut state = State::in_memory().unwrap();
    list(&mut state, &twice);
    // The visits are those of three listed pages, the canonical, and the nonexistent page.
    assert_eq!(steps(&state, |survey| survey), [(1, 3), (2, 3), (3, 3), (4, 4), (5, 5)]);

    let mut sampled = State::in_memory().unwrap();
    list(&mut sampled, &["/b", "/b", "/d", "/e"].map(|path| site.url(path)));
    assert_eq!(steps(&sampled, |survey| survey.sample(2, 0)), [(1, 2), (2, 2), (3, 3)]);

    for visits in [1, 3, 4] {
        let mut state = State::in_memory().unwrap();
        list(&mut state, &twice);
        let fetcher = fetcher();
        interrupted(visits, async |mut report| {
            let survey = Survey::new(&state, &fetcher).on_progress(move |at| report(at.run.visited));
            survey.check(day(1)).await.unwrap();
        });
        assert_eq!(steps(&state, |survey| survey).last(), Some(&(5, 5)), "{visits}");
    }
}

#[test]
fn the_progress_of_a_crawl_counts_the_urls_that_are_known() {
    let site = Site::new(&[
        ("/", "<a href=/1>1</a> <a href=/2>2</a>"),
        ("/1", "<a href=/3>3</a>"),
        ("/2", "<p>2"),
        ("/3", "<p>3"),
    ]);
    for (pages, last) in [(100, (4, 4)), (3, (3, 3))] {
        let (state, fetcher, mut steps) = (State::in_memory().unwrap(), fetcher(), Vec::new());
        let survey = Survey::new(&state, &fetcher).on_progress(|at| steps.push((at.done(), at.expected)));
        let limits = CrawlLimits::new().pages(pages);
        block_on(survey.crawl(&[site.url("/")], limits, day(1))).unwrap();
        assert_eq!((steps[0], steps.last()), ((1, 3), Some(&last)));
    }
}

#[test]
fn what_an_earlier_run_of_the_same_day_learned_is_asked_again() {
    let site = Site::new(&[("/a", "<p>A")]);
    let mut state = State::in_memory().unwrap();
    list(&mut state, &[site.url("/a")]);
    for hour in [1, 2] {
        check(&state, UNIX_EPOCH + Duration::from_secs(hour * 3600));
        let requests = site.requests();
        assert_eq!((requests.len(), &*requests[2]), (3, "/robots.txt"), "{requests:?}");
    }
}

/// Unwraps the values of results.
fn all<T, E: std::fmt::Debug>(rows: impl Iterator<Item = Result<T, E>>) -> Vec<T> {
    rows.map(Result::unwrap).collect()
}

fn crawl(state: &State, site: &Site, limits: CrawlLimits) -> Done {
    block_on(Survey::new(state, &fetcher()).crawl(&[site.url("/")], limits, day(1))).unwrap()
}

#[test]
fn a_crawl_follows_links_within_the_host() {
    let site = Site::new(&[
        ("/", "<a href=/a>A</a> <a rel=nofollow href=/cart>Cart</a> <a href=http://other.example/>Other</a>"),
        ("/a", "<a href=b#part>B</a> <a href=/gone>Gone</a>"),
        ("/b", "<meta name=robots content=nofollow><a href=/hidden>Hidden</a>"),
    ]);
    site.set("/old", 301, &["Location: /new"], "");
    site.set("/new", 200, &["Content-Type: text/html"], "<p>New");
    let mut state = State::in_memory().unwrap();
    list(&mut state, &[site.url("/old"), "https://elsewhere.example/".to_owned()]);

    let done = crawl(&state, &site, CrawlLimits::default());
    assert_eq!(
        pairs(&statuses(&state, &site)),
        [("/", 200), ("/a", 200), ("/b", 200), ("/gone", 404), ("/new", 200), ("/old", 200)]
    );
    assert_eq!((done.gaps, done.unfinished), (Vec::new(), false));
    assert_eq!(state.found(&site.url("/b")).unwrap().unwrap().depth, 2);
    assert_eq!(state.found(&site.url("/b")).unwrap().unwrap().found_on, Some(site.url("/a")));
}

#[test]
fn pages_that_are_not_wanted_are_counted_but_are_no_gaps() {
    let site = Site::new(&[
        ("/", "<a href=/oak>Oak</a> <a href=/print/oak>Print</a>"),
        ("/oak", "<a href=/print/elm>Print</a>"),
        ("/print/oak", "<p>Oak"),
        ("/print/fir", "<p>Fir"),
    ]);
    let mut state = State::in_memory().unwrap();
    list(&mut state, &[site.url("/print/fir"), site.url("/oak")]);
    let fetcher = fetcher();
    let survey = Survey::new(&state, &fetcher).only(|url| !url.contains("/print/"));
    let done = block_on(survey.crawl(&[site.url("/")], CrawlLimits::new(), day(1))).unwrap();
    assert_eq!(pairs(&statuses(&state, &site)), [("/", 200), ("/oak", 200)]);
    assert_eq!((done.excluded, done.gaps, done.unfinished), (2, Vec::new(), false));
}

#[test]
fn limits_of_a_crawl_are_gaps() {
    let site = Site::new(&[
        ("/", "<a href=/1>1</a> <a href=/2>2</a>"),
        ("/1", "<a href=/3>3</a>"),
        ("/2", "<p>2"),
        ("/3", "<p>3"),
    ]);
    let state = State::in_memory().unwrap();
    let done = crawl(&state, &site, CrawlLimits::new().depth(1));
    assert_eq!(
        done.gaps.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["1 page is deeper than the limit"]
    );

    let state = State::in_memory().unwrap();
    let done = crawl(&state, &site, CrawlLimits::new().pages(2));
    assert_eq!(done.gaps[0].reason, GapReason::MaxPages);
    assert_eq!(state.page_count(), 2);

    let state = State::in_memory().unwrap();
    let done = crawl(&state, &site, CrawlLimits::new().time(Duration::ZERO));
    assert!(done.unfinished && state.page_count() == 0);
    let done = crawl(&state, &site, CrawlLimits::default());
    assert!(done.is_finished() && state.page_count() == 4);
}

#[test]
fn an_interrupted_crawl_ends_with_the_state_of_one_that_was_not() {
    let site = Site::new(&[]);
    for number in 0..20 {
        let links = [1, 2, 3].map(|step| format!("<a href=/{}>x</a>", (number * 3 + step) % 20)).concat();
        site.set(
            &format!("/{number}"),
            200,
            &["Content-Type: text/html"],
            &format!("<p>Page {number}{links}"),
        );
    }
    site.set("/", 200, &["Content-Type: text/html"], "<a href=/0>0</a>");
    let whole = State::in_memory().unwrap();
    crawl(&whole, &site, CrawlLimits::default());
    assert_eq!(whole.page_count(), 21);

    for visits in [1, 5, 12] {
        let state = State::in_memory().unwrap();
        let fetcher = fetcher();
        interrupted(visits, async |mut report| {
            let survey =
                Survey::new(&state, &fetcher).on_progress(move |progress| report(progress.run.visited));
            survey.crawl(&[site.url("/")], CrawlLimits::default(), day(1)).await.unwrap();
        });
        crawl(&state, &site, CrawlLimits::default());
        assert!(all(state.pages()) == all(whole.pages()), "{visits}");
        assert!(all(state.all_links()) == all(whole.all_links()), "{visits}");
    }
}

#[test]
fn pages_that_robots_txt_forbids_are_not_requested() {
    let site = Site::new(&[("/a", "<p>A"), ("/private/b", "<p>B")]);
    site.set("/robots.txt", 200, &["Content-Type: text/plain"], "User-agent: *\nDisallow: /private/\n");
    let mut state = State::in_memory().unwrap();
    list(&mut state, &[site.url("/a"), site.url("/private/b")]);
    let done = check(&state, day(1));
    assert_eq!(pairs(&statuses(&state, &site)), [("/a", 200), ("/private/b", 0)]);
    assert!(site.requests().iter().all(|path| !path.starts_with("/private/")));
    assert_eq!(done.summary.progress.blocked, 2, "the page and the URL that cannot exist");
}

#[test]
fn a_killed_survey_loses_at_most_sixteen_visits_or_a_sixteenth() {
    let site = Site::new(&[]);
    let paths: Vec<String> = (0..400).map(|number| format!("/{number}")).collect();
    for path in &paths {
        site.set(path, 200, &["Content-Type: text/html"], &format!("<p>Page {path}"));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.state");
    let mut state = State::create_or_open(&path).unwrap();
    list(&mut state, &paths.iter().map(|path| site.url(path)).collect::<Vec<_>>());
    state.flush().unwrap();

    // Copies what a killed process leaves behind: the file and its journal.
    let mut left = Vec::new();
    let fetcher = fetcher();
    let survey = Survey::new(&state, &fetcher).on_progress(|progress| {
        if progress.run.visited % 7 != 3 {
            return;
        }
        let copy = folder.path().join(format!("{}.state", progress.run.visited));
        for ending in ["", "-wal"] {
            let name = |path: &Path| format!("{}{ending}", path.display());
            std::fs::copy(name(&path), name(&copy)).unwrap();
        }
        let known = State::open(&copy).unwrap();
        left.push((progress.run.visited, known.pages().count() as u64));
        drop(known);
        std::fs::remove_file(&copy).unwrap();
    });
    block_on(survey.check(day(1))).unwrap();
    assert_eq!(left.len(), 57);
    for (visited, known) in left {
        let loss = visited - known;
        assert!(loss <= 16.max(visited / 16), "{loss} of {visited}");
    }
}
