//! Tests for the pauses between requests: `Crawl-delay`, `Retry-After`, delays and retries. All times are planned
//! times.

use std::time::Duration;

use sitemap_fetch::{GivenUp, GivenUpReason, ShortenedDelay};

use crate::server::{Act, Seen, Server, answer, page, status};
use crate::work::{Pages, options};

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn busy(status: u16, headers: &'static str) -> impl Fn(&Seen) -> Act {
    move |seen| if seen.earlier == 0 { Act::Send(answer(status, headers, "")) } else { page("Second") }
}

#[tokio::test]
async fn an_answer_that_asks_for_another_attempt_gets_one() {
    for code in [408, 429, 500, 502, 503, 504, 522, 524] {
        let server = Server::start(busy(code, "")).await;
        let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
        let summary = pages.run(options(server.address)).await;
        assert_eq!(pages.said(), ["http://a.test/: 200 Second"], "{code}");
        assert_eq!((summary.progress.requests, summary.progress.retries), (2, 1));
        assert_eq!(summary.progress.elapsed, s(0));
    }
}

#[tokio::test]
async fn other_answers_are_final() {
    for code in [200, 400, 401, 403, 404, 410, 501, 505] {
        let server = Server::start(move |_| status(code)).await;
        let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
        let summary = pages.run(options(server.address)).await;
        assert_eq!(pages.said(), [format!("http://a.test/: {code}")]);
        assert_eq!(summary.progress.requests, 1);
    }
}

#[tokio::test]
async fn the_last_answer_counts_when_the_retries_are_used_up() {
    let server = Server::start(|_| status(503)).await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    let summary = pages.run(options(server.address)).await;
    assert_eq!(pages.said(), ["http://a.test/: 503"]);
    assert_eq!((summary.progress.requests, summary.progress.retries, summary.progress.failed), (3, 2, 0));
}

#[tokio::test]
async fn pauses_before_retries_grow_and_depend_on_the_seed() {
    let mut elapsed = Vec::new();
    for seed in [1, 1, 2] {
        let server = Server::start(|seen| if seen.earlier < 2 { status(500) } else { page("Third") }).await;
        let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
        let summary = pages.run(options(server.address).backoff(s(10)).seed(seed)).await;
        assert_eq!(pages.said(), ["http://a.test/: 200 Third"]);
        elapsed.push(summary.progress.elapsed);
    }
    // The pauses are at least half of 10 s and half of 20 s.
    assert!(elapsed.iter().all(|elapsed| (s(15)..=s(30)).contains(elapsed)), "{elapsed:?}");
    assert_eq!(elapsed[0], elapsed[1]);
    assert_ne!(elapsed[0], elapsed[2]);
}

#[tokio::test]
async fn retry_after_in_seconds_is_obeyed() {
    for code in [429, 503] {
        let server = Server::start(busy(code, "Retry-After: 7\r\n")).await;
        let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
        let summary = pages.run(options(server.address)).await;
        assert_eq!(pages.said(), ["http://a.test/: 200 Second"]);
        assert_eq!(summary.progress.elapsed, s(7));
    }
}

#[tokio::test]
async fn retry_after_as_a_date_is_obeyed() {
    let headers = "Date: Sat, 21 Nov 2026 10:00:00 GMT\r\nRetry-After: Sat, 21 Nov 2026 10:01:30 GMT\r\n";
    let server = Server::start(busy(429, headers)).await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    let summary = pages.run(options(server.address)).await;
    assert_eq!(pages.said(), ["http://a.test/: 200 Second"]);
    assert_eq!(summary.progress.elapsed, s(90));
}

#[tokio::test]
async fn retry_after_pauses_the_whole_host() {
    let server = Server::start(|seen| {
        let is_first = seen.path == "/1" && seen.earlier == 0;
        if is_first { Act::Send(answer(503, "Retry-After: 60\r\n", "")) } else { page("Later") }
    })
    .await;
    let mut pages =
        Pages::of(["http://a.test/1", "http://a.test/2", "http://a.test/3"]).allow("http://a.test");
    let summary = pages.run(options(server.address).per_host(1)).await;
    assert_eq!(
        pages.said(),
        ["http://a.test/1: 200 Later", "http://a.test/2: 200 Later", "http://a.test/3: 200 Later"]
    );
    assert_eq!(summary.progress.elapsed, s(60));
    assert_eq!(server.asked(), ["a.test/1", "a.test/1", "a.test/2", "a.test/3"]);
}

#[tokio::test]
async fn a_host_that_asks_for_a_day_is_given_up_and_named() {
    let server = Server::start(|seen| match &*seen.host {
        "a.test" => Act::Send(answer(429, "Retry-After: 86400\r\n", "")),
        _ => page("Other"),
    })
    .await;
    let urls = ["http://a.test/1", "http://a.test/2", "http://a.test/3", "http://b.test/"];
    let mut pages = Pages::of(urls).allow("http://a.test").allow("http://b.test");
    let summary = pages.run(options(server.address).per_host(1)).await;
    let why = "`a.test` asks to wait 86400 s, more than the limit of 120 s; try again later";
    assert_eq!(
        pages.said(),
        [
            "http://a.test/1: 429".to_owned(),
            format!("http://a.test/2: given-up: {why}"),
            format!("http://a.test/3: given-up: {why}"),
            "http://b.test/: 200 Other".to_owned(),
        ]
    );
    let reason = GivenUpReason::LongPause { asked: s(86_400), limit: s(120) };
    let expected = GivenUp::new("a.test", reason, 2);
    assert_eq!(summary.given_up, [expected]);
    assert_eq!((summary.progress.failed, summary.progress.retries, summary.progress.elapsed), (2, 0, s(0)));
}

#[tokio::test]
async fn a_longer_limit_on_retry_after_is_obeyed() {
    let server = Server::start(busy(503, "Retry-After: 80000\r\n")).await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    let summary = pages.run(options(server.address).max_retry_after(s(80_000))).await;
    assert_eq!(pages.said(), ["http://a.test/: 200 Second"]);
    assert_eq!((summary.progress.elapsed, summary.given_up), (s(80_000), vec![]));
}

#[tokio::test]
async fn the_delay_counts_from_start_to_start() {
    let server = Server::start(|_| page("Any")).await;
    let mut pages = Pages::of((1..=5).map(|number| format!("http://a.test/{number}"))).allow("http://a.test");
    let summary = pages.run(options(server.address).delay(s(3))).await;
    assert_eq!((summary.progress.visited, summary.progress.elapsed), (5, s(12)));
}

#[tokio::test]
async fn crawl_delay_is_obeyed() {
    let server = Server::start(|seen| match (&*seen.host, &*seen.path) {
        ("a.test", "/robots.txt") => Act::Send(answer(200, "", "User-agent: *\nCrawl-delay: 5\n")),
        ("b.test", "/robots.txt") => Act::Send(answer(200, "", "User-agent: *\nCrawl-delay: 86400\n")),
        _ => page("Any"),
    })
    .await;
    for (host, seconds) in [("a.test", 15), ("b.test", 90)] {
        let mut pages = Pages::of((1..=3).map(|number| format!("http://{host}/{number}")));
        let summary = pages.run(options(server.address)).await;
        assert_eq!((summary.progress.visited, summary.progress.elapsed), (3, s(seconds)), "{host}");
        let origin = "http://b.test".to_owned();
        let shortened = ShortenedDelay::new(origin, s(86_400), s(30));
        let expected = if host == "b.test" { vec![shortened] } else { Vec::new() };
        assert_eq!(summary.shortened_delays, expected);
    }
}

#[tokio::test]
async fn a_delay_of_the_options_can_be_as_long_as_robots_txt_asks() {
    let server = Server::start(|seen| match &*seen.path {
        "/robots.txt" => Act::Send(answer(200, "", "User-agent: *\nCrawl-delay: 100\n")),
        _ => page("Any"),
    })
    .await;
    for (delay, elapsed, used) in [(40, 80, Some(40)), (100, 200, None)] {
        let mut pages = Pages::of(["http://a.test/1", "http://a.test/2"]);
        let summary = pages.run(options(server.address).delay(s(delay))).await;
        assert_eq!(summary.progress.elapsed, s(elapsed));
        assert_eq!(summary.shortened_delays.first().map(|delay| delay.used), used.map(s));
    }
}
