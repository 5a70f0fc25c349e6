//! Conditional requests.

use sitemap_fetch::Request;
use sitemap_pages::visit::{Outcome, Validators};

use crate::server::{Act, Seen, Server, answer, page, redirect, status};
use crate::work::{Pages, options, visit};

fn validators() -> Validators {
    Validators::new(Some("W/\"a1\"".to_owned()), Some("Sat, 21 Nov 2026 10:00:00 GMT".to_owned()))
}

fn is_conditional(seen: &Seen) -> bool {
    seen.header("if-none-match") == Some("W/\"a1\"")
        && seen.header("if-modified-since") == Some("Sat, 21 Nov 2026 10:00:00 GMT")
}

#[tokio::test]
async fn a_second_visit_sends_the_validators_of_the_first() {
    let server = Server::start(|seen| {
        if is_conditional(seen) {
            return status(304);
        }
        let headers =
            "Content-Type: text/html\r\nETag: W/\"a1\"\r\nLast-Modified: Sat, 21 Nov 2026 10:00:00 GMT\r\n";
        Act::Send(answer(200, headers, "<title>First</title>"))
    })
    .await;
    let mut first = Pages::of(["http://a.test/"]).allow("http://a.test");
    first.run(options(server.address)).await;
    assert_eq!(first.said(), ["http://a.test/: 200 First"]);
    let mut second = Pages::default().allow("http://a.test");
    second.next.push_back(Request::again(&first.visits["http://a.test/"]));
    let summary = second.run(options(server.address)).await;
    assert_eq!(second.said(), ["http://a.test/: not modified"]);
    assert_eq!(summary.progress.not_modified, 1);
}

#[tokio::test]
async fn a_page_that_has_changed_is_read() {
    let server =
        Server::start(|seen| page(if is_conditional(seen) { "Changed" } else { "Unconditional" })).await;
    let mut pages = Pages::default().allow("http://a.test");
    pages.next.push_back(Request::new("http://a.test/").unless(validators(), "http://a.test/"));
    pages.run(options(server.address)).await;
    assert_eq!(pages.said(), ["http://a.test/: 200 Changed"]);
}

#[tokio::test]
async fn validators_are_only_for_the_url_that_sent_them() {
    let server = Server::start(|seen| match &*seen.path {
        "/old" => redirect(301, "/new"),
        _ => status(304),
    })
    .await;
    let mut pages = Pages::default().allow("http://a.test");
    pages.next.push_back(Request::new("http://a.test/old").unless(validators(), "http://a.test/new"));
    pages.run(options(server.address)).await;
    assert_eq!(pages.said(), ["http://a.test/old: 301 http://a.test/new > not modified"]);
    let conditional: Vec<_> = server.seen().iter().map(is_conditional).collect();
    assert_eq!(conditional, [false, true]);
}

#[tokio::test]
async fn a_304_that_was_not_asked_for_is_a_failure() {
    let server = Server::start(|_| status(304)).await;
    assert_eq!(
        visit(options(server.address), "http://a.test/").await,
        "http://a.test/: protocol: `a.test` answered 304 to a request without a condition"
    );
}

#[tokio::test]
async fn only_pages_that_answer_200_have_validators() {
    let server = Server::start(|_| Act::Send(answer(404, "ETag: \"a1\"\r\n", ""))).await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    pages.run(options(server.address)).await;
    assert!(!Request::again(&pages.visits["http://a.test/"]).is_conditional());
}

/// Visits a page twice. Returns the second visit and the number of requests it took.
async fn again(first: &'static str, not_modified: &'static str) -> (Outcome, usize) {
    let server = Server::start(move |seen| {
        if seen.header("if-none-match").is_some() {
            return Act::Send(format!("HTTP/1.1 304 X\r\n{not_modified}\r\n").into());
        }
        let headers = if seen.earlier == 0 { first } else { "ETag: \"a2\"\r\n" };
        Act::Send(answer(200, &format!("Content-Type: text/html\r\n{headers}"), "<title>Oak</title>"))
    })
    .await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    pages.run(options(server.address)).await;
    let mut second = Pages::default().allow("http://a.test");
    second.next.push_back(Request::again(&pages.visits["http://a.test/"]));
    let summary = second.run(options(server.address)).await;
    let requests = usize::try_from(summary.progress.requests).unwrap();
    assert_eq!(summary.progress.retries, summary.progress.requests - 1);
    (second.visits.remove("http://a.test/").unwrap().outcome, requests)
}

#[tokio::test]
async fn the_headers_of_a_304_are_read() {
    let (outcome, requests) = again(
        "ETag: W/\"a1\"\r\n",
        "ETag: \"a1\"\r\nX-Robots-Tag: noindex\r\nLink: </new>; rel=canonical\r\n\
         Last-Modified: Sun, 22 Nov 2026 10:00:00 GMT\r\n",
    )
    .await;
    let Outcome::NotModified(update) = outcome else { panic!("{outcome:?}") };
    let headers = &update.headers;
    assert!(headers.robots.as_ref().unwrap()[0].rule.is_noindex());
    assert_eq!(headers.canonicals.as_ref().unwrap()[0].url.as_deref(), Some("http://a.test/new"));
    assert_eq!(headers.last_modified.as_ref().unwrap().date.unwrap().to_string(), "2026-11-22T10:00:00Z");
    assert_eq!(update.validators.etag.as_deref(), Some("\"a1\""));
    assert_eq!(requests, 1);
}

#[tokio::test]
async fn a_304_that_lacks_what_a_header_stated_is_not_enough() {
    for (first, not_modified, expected) in [
        ("X-Robots-Tag: noindex\r\n", "", 2),
        ("X-Robots-Tag: noindex\r\n", "X-Robots-Tag: noarchive\r\n", 1),
        ("Link: </new>; rel=canonical\r\n", "Link: </style.css>; rel=preload\r\n", 2),
        ("Link: </de>; rel=alternate; hreflang=de\r\n", "Link: </new>; rel=canonical\r\n", 2),
        ("Refresh: 5; url=/new\r\n", "", 2),
        ("Link: </style.css>; rel=preload\r\n", "", 1),
        ("", "ETag: \"other\"\r\n", 2),
    ] {
        let (first, not_modified) = (format!("ETag: \"a1\"\r\n{first}"), not_modified);
        let (outcome, requests) = again(first.clone().leak(), not_modified).await;
        assert_eq!(requests, expected, "{first:?} {not_modified:?}");
        match outcome {
            Outcome::NotModified(_) => assert_eq!(expected, 1),
            Outcome::Page { facts, validators } => {
                assert_eq!((facts.robots.len(), facts.canonicals.len(), facts.refresh), (0, 0, None));
                assert_eq!(validators.etag.as_deref(), Some("\"a2\""));
            }
            other => panic!("{other:?}"),
        }
    }
}
