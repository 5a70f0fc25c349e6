//! Tests for what requests reveal about the client, and to which hosts.

use sitemap_fetch::Credentials;

use crate::server::{Server, page, redirect};
use crate::work::{Pages, options};

/// Returns a header's values in all requests, as `host/path: value`.
fn values(server: &Server, name: &str) -> Vec<String> {
    let said = |seen: &crate::server::Seen| {
        format!("{}{}: {}", seen.host, seen.path, seen.header(name).unwrap_or("none"))
    };
    server.seen().iter().map(said).collect()
}

#[tokio::test]
async fn every_request_names_the_crawler() {
    let server = Server::start(|_| page("Any")).await;
    Pages::of(["http://a.test/"]).run(options(server.address)).await;
    let agent = format!("sitemap/{} (+{})", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"));
    assert_eq!(
        values(&server, "user-agent"),
        [format!("a.test/robots.txt: {agent}"), format!("a.test/: {agent}")]
    );
    let server = Server::start(|_| page("Any")).await;
    Pages::of(["http://a.test/"])
        .run(options(server.address).user_agent("acmebot/2.0 (+https://acme.test)"))
        .await;
    assert_eq!(
        values(&server, "user-agent"),
        ["a.test/robots.txt: acmebot/2.0 (+https://acme.test)", "a.test/: acmebot/2.0 (+https://acme.test)"]
    );
}

#[tokio::test]
async fn the_client_accepts_compressed_pages() {
    let server = Server::start(|_| page("Any")).await;
    Pages::of(["http://a.test/"]).allow("http://a.test").run(options(server.address)).await;
    let accepted = server.seen()[0].header("accept-encoding").unwrap().to_owned();
    for encoding in ["gzip", "br", "zstd"] {
        assert!(accepted.split([',', ' ']).any(|part| part == encoding), "{accepted}");
    }
}

#[tokio::test]
async fn extra_headers_and_credentials_stay_with_their_host() {
    let server = Server::start(|seen| match (&*seen.host, &*seen.path) {
        ("a.test", "/") => redirect(301, "/next"),
        ("a.test", "/next") => redirect(301, "http://b.test/other"),
        _ => page("End"),
    })
    .await;
    let options = options(server.address).header("X-Stage", "secret");
    let mut pages = Pages::of(["http://user:pass@a.test/"]).allow("http://a.test").allow("http://b.test");
    pages.run(options).await;
    assert_eq!(
        pages.said(),
        ["http://user:pass@a.test/: 301 http://user:pass@a.test/next > 301 http://b.test/other > 200 End"]
    );
    assert_eq!(values(&server, "x-stage"), ["a.test/: secret", "a.test/next: secret", "b.test/other: none"]);
    assert_eq!(
        values(&server, "authorization"),
        ["a.test/: Basic dXNlcjpwYXNz", "a.test/next: Basic dXNlcjpwYXNz", "b.test/other: none"]
    );
}

#[tokio::test]
async fn the_page_gets_all_headers() {
    let server = Server::start(|_| {
        let headers = "X-Robots-Tag: noindex\r\nX-Robots-Tag: googlebot: nofollow\r\n\
                       Link: </canonical>; rel=canonical\r\nContent-Type: text/html\r\n";
        crate::server::Act::Send(crate::server::answer(200, headers, "<p>text"))
    })
    .await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    pages.run(options(server.address)).await;
    let sitemap_pages::visit::Outcome::Page { facts, .. } = &pages.visits["http://a.test/"].outcome else {
        panic!("{:?}", pages.said());
    };
    assert_eq!(facts.robots.len(), 2);
    assert_eq!(facts.canonicals[0].url.as_deref(), Some("http://a.test/canonical"));
}

#[tokio::test]
async fn extra_headers_are_not_sent_for_the_robots_txt_of_another_host() {
    let server = Server::start(|seen| match (&*seen.host, &*seen.path) {
        ("a.test", "/") => redirect(302, "http://b.test/other"),
        _ => page("End"),
    })
    .await;
    Pages::of(["http://a.test/"]).run(options(server.address).header("Authorization", "Basic secret")).await;
    assert_eq!(
        values(&server, "authorization"),
        [
            "a.test/robots.txt: Basic secret",
            "a.test/: Basic secret",
            "b.test/robots.txt: none",
            "b.test/other: none"
        ]
    );
}

#[tokio::test]
async fn extra_headers_go_only_to_the_hosts_that_they_are_meant_for() {
    let server = Server::start(|seen| match (&*seen.host, &*seen.path) {
        ("b.test", "/") => redirect(301, "http://a.test/next"),
        _ => page("End"),
    })
    .await;
    let options = options(server.address).header("X-Stage", "secret").headers_only_for("http://a.test/x");
    let mut pages = Pages::of(["http://a.test/", "http://b.test/", "http://c.test/"]);
    pages = pages.allow("http://a.test").allow("http://b.test").allow("http://c.test");
    pages.run(options).await;
    let mut values = values(&server, "x-stage");
    values.sort_unstable();
    assert_eq!(values, ["a.test/: secret", "a.test/next: secret", "b.test/: none", "c.test/: none"]);
}

#[tokio::test]
async fn credentials_go_to_their_host_and_to_no_other() {
    let server = Server::start(|seen| match (&*seen.host, &*seen.path) {
        ("a.test", "/") => redirect(301, "http://b.test/other"),
        _ => page("End"),
    })
    .await;
    let credentials = |token: &str| Credentials::bearer(token).unwrap();
    let options = options(server.address)
        .header("Authorization", "Basic eA==")
        .credentials("http://a.test/x", credentials("a"))
        .credentials("http://a.test/", credentials("late"))
        .credentials("http://c.test/", credentials("c"));
    let mut pages = Pages::of(["http://a.test/", "http://c.test/"]);
    pages = pages.allow("http://a.test").allow("http://b.test").allow("http://c.test");
    pages.run(options).await;
    let mut values = values(&server, "authorization");
    values.sort_unstable();
    assert_eq!(values, ["a.test/: Bearer a", "b.test/other: none", "c.test/: Bearer c"]);
}
