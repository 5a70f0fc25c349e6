//! Conditional requests.

use sitemap_pages::fetch::Request;
use sitemap_pages::visit::Validators;

use crate::server::{Act, Seen, Server, answer, page, redirect, status};
use crate::work::{Pages, options, visit};

fn validators() -> Validators {
    Validators {
        etag: Some("W/\"a1\"".to_owned()),
        last_modified: Some("Sat, 21 Nov 2026 10:00:00 GMT".to_owned()),
    }
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
