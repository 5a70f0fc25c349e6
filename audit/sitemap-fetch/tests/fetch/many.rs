//! Tests with many pages and hosts in parallel.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use sitemap_fetch::{Fetcher, Request, Work};
use sitemap_pages::visit::Visit;
use tokio::sync::{Barrier, watch};

use crate::server::{Act, Server, answer, page, status};
use crate::work::{AT, Pages, options, said};

#[tokio::test]
async fn a_host_gets_exactly_as_many_requests_at_once_as_allowed() {
    // Each response waits for three requests. If fewer were sent in parallel, none would ever be answered.
    let barrier = Arc::new(Barrier::new(3));
    let server = Server::start(move |_| Act::Meet(Arc::clone(&barrier), answer(200, "", ""))).await;
    let mut pages = Pages::of((0..30).map(|number| format!("http://a.test/{number}"))).allow("http://a.test");
    let summary = pages.run(options(server.address).per_host(3)).await;
    assert_eq!((summary.progress.visited, server.most_open()), (30, 3));
}

#[tokio::test]
async fn the_limit_in_all_counts_all_hosts() {
    let barrier = Arc::new(Barrier::new(2));
    let server = Server::start(move |_| Act::Meet(Arc::clone(&barrier), answer(200, "", ""))).await;
    let hosts = ["a", "b", "c", "d"];
    let mut pages = Pages::of((0..40).map(|number| format!("http://{}.test/{number}", hosts[number % 4])));
    for host in hosts {
        pages = pages.allow(&format!("http://{host}.test"));
    }
    let summary = pages.run(options(server.address).in_all(2)).await;
    assert_eq!((summary.progress.visited, server.most_open()), (40, 2));
}

/// Work that opens a gate once some visits are done.
struct Gate {
    pages: Pages,
    after: usize,
    opener: watch::Sender<bool>,
}

impl Work for Gate {
    fn next(&mut self) -> Option<Request> {
        self.pages.next()
    }

    fn done(&mut self, visit: Visit) -> ControlFlow<()> {
        let flow = self.pages.done(visit);
        if self.pages.order.len() == self.after {
            self.opener.send(true).unwrap();
        }
        flow
    }
}

#[tokio::test]
async fn a_host_that_does_not_answer_holds_up_no_other() {
    let (opener, gate) = watch::channel(false);
    let server = Server::start(move |seen| match (&*seen.host, &*seen.path) {
        (_, "/robots.txt") => status(404),
        ("a.test", _) => Act::Wait(gate.clone(), answer(200, "", "")),
        _ => page("Fast"),
    })
    .await;
    // The pages of `a.test` come first, but are answered only when all others are done.
    let urls = (0..50).map(|number| format!("http://a.test/{number}"));
    let pages = Pages::of(urls.chain((0..50).map(|number| format!("http://b.test/{number}"))));
    let mut work = Gate { pages, after: 50, opener };
    let summary = Fetcher::new(options(server.address)).unwrap().run(AT, &mut work).await;
    assert_eq!(summary.progress.visited, 100);
    assert!(work.pages.order[..50].iter().all(|url| url.starts_with("http://b.test/")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fifth_of_bad_answers_loses_no_page() {
    let server = Server::start(|seen| {
        let number: usize = seen.path[1..].parse().unwrap();
        match (seen.earlier, number % 10) {
            (0, 0) => Act::Send(answer(503, "Retry-After: 1\r\n", "")),
            (0, 1) => Act::Reset,
            _ => page(&number.to_string()),
        }
    })
    .await;
    let mut pages =
        Pages::of((0..500).map(|number| format!("http://a.test/{number}"))).allow("http://a.test");
    let options = options(server.address);
    let run = async move { (pages.run(options).await, pages) };
    let (summary, pages) = tokio::spawn(run).await.unwrap();
    for (url, visit) in &pages.visits {
        let number = url.trim_start_matches("http://a.test/");
        assert_eq!(said(visit), format!("{url}: 200 {number}"));
    }
    let progress = summary.progress;
    assert_eq!((progress.visited, progress.requests, progress.retries, progress.failed), (500, 600, 100, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fifth_of_answers_that_hang_or_break_loses_no_page() {
    let server = Server::start(|seen| {
        let number: usize = seen.path[1..].parse().unwrap();
        match (seen.earlier, number % 20) {
            (0, 0) => Act::Hang(Vec::new()),
            (0, 1) => Act::Hang(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<title>".to_vec()),
            (0, 2) => Act::Close(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<title>".to_vec()),
            (0, 3) => Act::Reset,
            _ => page(&number.to_string()),
        }
    })
    .await;
    let mut pages =
        Pages::of((0..200).map(|number| format!("http://a.test/{number}"))).allow("http://a.test");
    // On a slow machine, valid responses can be too late as well.
    let options = options(server.address).timeout(Duration::from_secs(1)).retries(50).per_host(20);
    let summary = pages.run(options.give_up_after(u32::MAX)).await;
    for (url, visit) in &pages.visits {
        let number = url.trim_start_matches("http://a.test/");
        assert_eq!(said(visit), format!("{url}: 200 {number}"));
    }
    let progress = summary.progress;
    assert_eq!((progress.visited, progress.failed), (200, 0));
    assert!(progress.retries >= 40, "{progress:?}");
}

/// Work that behaves like a crawl: each page names further ones.
struct Crawl {
    next: Vec<u32>,
    visited: Vec<u32>,
}

impl Work for Crawl {
    fn next(&mut self) -> Option<Request> {
        self.next.pop().map(|number| Request::new(format!("http://a.test/{number}")))
    }

    fn done(&mut self, visit: Visit) -> ControlFlow<()> {
        let number: u32 = visit.url.trim_start_matches("http://a.test/").parse().unwrap();
        self.visited.push(number);
        self.next.extend([2 * number, 2 * number + 1].into_iter().filter(|next| *next < 64));
        ControlFlow::Continue(())
    }
}

#[tokio::test]
async fn requests_may_be_added_during_the_run() {
    let server = Server::start(|_| page("Any")).await;
    let mut crawl = Crawl { next: vec![1], visited: Vec::new() };
    Fetcher::new(options(server.address)).unwrap().run(AT, &mut crawl).await;
    crawl.visited.sort_unstable();
    assert_eq!(crawl.visited, (1..64).collect::<Vec<_>>());
}

/// Work that counts the requests it hands out, and ends after some visits.
struct Counted {
    given: usize,
    done: usize,
    most_out: usize,
    stop_after: usize,
}

impl Work for Counted {
    fn next(&mut self) -> Option<Request> {
        if self.given == 10_000 {
            return None;
        }
        self.given += 1;
        self.most_out = self.most_out.max(self.given - self.done);
        Some(Request::new(format!("http://a.test/{}", self.given)))
    }

    fn done(&mut self, _: Visit) -> ControlFlow<()> {
        self.done += 1;
        if self.done == self.stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[tokio::test]
async fn a_run_takes_only_some_requests_ahead() {
    // A robots.txt that forbids everything, so that ten thousand visits take no time.
    let server = Server::start(|_| Act::Send(answer(200, "", "User-agent: *\nDisallow: /\n"))).await;
    let mut work = Counted { given: 0, done: 0, most_out: 0, stop_after: usize::MAX };
    let summary = Fetcher::new(options(server.address).look_ahead(7)).unwrap().run(AT, &mut work).await;
    assert_eq!((work.done, work.most_out), (10_000, 7));
    let progress = summary.progress;
    assert_eq!(
        (progress.visited, progress.blocked, progress.requests, progress.waiting),
        (10_000, 10_000, 1, 0)
    );
}

#[tokio::test]
async fn the_work_may_end_the_run() {
    let server = Server::start(|_| page("Any")).await;
    let mut work = Counted { given: 0, done: 0, most_out: 0, stop_after: 3 };
    let summary = Fetcher::new(options(server.address).look_ahead(20)).unwrap().run(AT, &mut work).await;
    assert_eq!(work.done, 3);
    assert_eq!((summary.progress.visited, summary.progress.waiting), (3, work.given - 3));
}

#[tokio::test]
async fn connections_are_used_again() {
    let server = Server::start(|_| page("Any")).await;
    let mut pages =
        Pages::of((0..100).map(|number| format!("http://a.test/{number}"))).allow("http://a.test");
    pages.run(options(server.address)).await;
    assert_eq!(server.asked().len(), 100);
    assert!(server.connections() < 100, "{} connections", server.connections());
}

#[tokio::test]
async fn the_numbers_of_a_run_are_passed_on() {
    let server =
        Server::start(|seen| if seen.path == "/robots.txt" { status(404) } else { page("Any") }).await;
    let mut pages = Pages::of(["http://a.test/1", "http://a.test/2", "nothing"]);
    let summary = pages.run(options(server.address).per_host(1)).await;
    let seen: Vec<_> =
        pages.progress.iter().map(|now| (now.visited, now.failed, now.requests, now.waiting)).collect();
    assert_eq!(seen, [(1, 1, 1, 2), (2, 1, 3, 1), (3, 1, 3, 0)]);
    assert_eq!(pages.progress.last(), Some(&summary.progress));
}

#[tokio::test]
async fn one_page_may_be_visited_alone() {
    let server = Server::start(|_| page("One")).await;
    let fetcher = Fetcher::new(options(server.address)).unwrap();
    let visit = fetcher.visit(AT, Request::new("http://a.test/#part")).await;
    assert_eq!(said(&visit), "http://a.test/#part: 200 One");
    assert_eq!(server.asked(), ["a.test/robots.txt", "a.test/"]);
}
