//! Tests for requests that get no response.

use std::time::Duration;

use tokio::net::TcpSocket;

use sitemap_fetch::{GivenUp, GivenUpReason};

use crate::server::{Act, Server, page, status};
use crate::work::{Pages, options, visit};

#[tokio::test]
async fn a_reset_connection_is_retried() {
    let server = Server::start(|seen| if seen.earlier < 2 { Act::Reset } else { page("Third") }).await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    let summary = pages.run(options(server.address)).await;
    assert_eq!(pages.said(), ["http://a.test/: 200 Third"]);
    assert_eq!((summary.progress.requests, summary.progress.retries), (3, 2));
}

#[tokio::test]
async fn a_request_that_took_too_long_is_retried() {
    let server =
        Server::start(|seen| if seen.earlier < 2 { Act::Hang(Vec::new()) } else { page("Third") }).await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    // On a slow machine, even a valid response can be too late, so many retries are allowed.
    let options = options(server.address).timeout(Duration::from_millis(500)).retries(50);
    let summary = pages.run(options).await;
    assert_eq!(pages.said(), ["http://a.test/: 200 Third"]);
    assert!(summary.progress.retries >= 2, "{:?}", summary.progress);
}

#[tokio::test]
async fn a_connection_that_is_always_reset_fails_after_the_retries() {
    let server = Server::start(|_| Act::Reset).await;
    let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
    let summary = pages.run(options(server.address)).await;
    assert_eq!(
        pages.said(),
        ["http://a.test/: interrupted: `a.test` ended the connection before the response was complete"]
    );
    assert_eq!((summary.progress.requests, summary.progress.retries, summary.progress.failed), (3, 2, 1));
}

#[tokio::test]
async fn a_server_that_closes_without_an_answer_fails() {
    let server = Server::start(|_| Act::Close(Vec::new())).await;
    assert_eq!(
        visit(options(server.address), "http://a.test/").await,
        "http://a.test/: interrupted: `a.test` ended the connection before the response was complete"
    );
}

#[tokio::test]
async fn what_is_not_http_is_a_failure() {
    for sent in
        ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 two hundred\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"]
    {
        let server = Server::start(move |_| Act::Close(sent.into())).await;
        assert_eq!(
            visit(options(server.address), "http://a.test/").await,
            "http://a.test/: protocol: `a.test` sent a response that is not valid HTTP",
            "{sent:?}"
        );
    }
}

#[tokio::test]
async fn a_closed_port_refuses_the_connection() {
    // The socket is bound but not listening, so no other process can get the port.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    assert_eq!(
        visit(options(socket.local_addr().unwrap()), "http://a.test/").await,
        "http://a.test/: connect: `a.test` refused the connection"
    );
}

#[tokio::test]
async fn a_server_without_tls_is_a_failure() {
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = server.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = server.accept().await.unwrap();
            let sent = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, sent).await;
            // Reads until the client closes the connection, so that a reset doesn't discard the response.
            let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
        }
    });
    assert_eq!(
        visit(options(address), "https://a.test/").await,
        "https://a.test/: tls: `a.test` does not encrypt the connection in a way that is accepted"
    );
}

#[tokio::test]
async fn a_name_without_an_address_is_a_failure() {
    let server = Server::start(|_| status(200)).await;
    // No resolver sends this name to the network, because its first label is longer than 63 characters.
    let name = format!("{}.test", "a".repeat(64));
    let url = format!("http://{name}/");
    let mut pages = Pages::of([&url]);
    let summary = pages.run(options(server.address)).await;
    assert_eq!(pages.said(), [format!("{url}: dns: `{name}` has no address")]);
    assert_eq!(summary.progress.requests, 3, "the robots.txt and its retries");
}

#[tokio::test]
async fn other_urls_are_not_requested() {
    let server = Server::start(|_| status(200)).await;
    for url in ["ftp://a.test/", "mailto:a@a.test", "/oak", "http://", ""] {
        assert_eq!(
            visit(options(server.address), url).await,
            format!("{url}: invalid-url: {url:?} is not an http or https URL")
        );
    }
    assert_eq!(server.asked(), [""; 0]);
}

#[tokio::test]
async fn private_addresses_are_refused_unless_they_are_allowed() {
    let server = Server::start(|_| page("Private")).await;
    let url = format!("http://{}/", server.address);
    let mut pages = Pages::of([&url]);
    pages.run(options(server.address)).await;
    assert_eq!(
        pages.said(),
        [format!(
            "{url}: forbidden-address: `127.0.0.1` is on this machine or a private network; allow private addresses \
             to request it"
        )]
    );
    assert_eq!(server.connections(), 0);
    let mut pages = Pages::of([&url]);
    pages.run(options(server.address).allow_private(true)).await;
    assert_eq!(pages.said(), [format!("{url}: 200 Private")]);
}

#[tokio::test]
async fn a_name_of_a_private_address_is_refused() {
    let server = Server::start(|_| page("Private")).await;
    let url = format!("http://localhost:{}/", server.address.port());
    let mut pages = Pages::of([&url]);
    pages.run(options(server.address)).await;
    let said = pages.said();
    assert!(said[0].starts_with(&format!("{url}: forbidden-address: `localhost` (")), "{said:?}");
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_host_that_stops_answering_is_given_up_and_the_other_hosts_are_not() {
    let server = Server::start(|seen| match (&*seen.host, &*seen.path) {
        ("a.test", "/0" | "/1") => page("Early"),
        ("a.test", _) => Act::Reset,
        _ => page("Other"),
    })
    .await;
    let urls = (0..200).map(|number| format!("http://{}.test/{}", ["a", "b"][number % 2], number / 2));
    let mut pages = Pages::of(urls).allow("http://a.test").allow("http://b.test");
    let summary = pages.run(options(server.address).per_host(1).retries(0).give_up_after(5)).await;
    let last = "`a.test` ended the connection before the response was complete".to_owned();
    let reason = GivenUpReason::NoAnswer { requests: 5, last: last.clone() };
    assert_eq!(summary.given_up, [GivenUp::new("a.test", reason, 93)]);
    assert_eq!((summary.progress.requests, summary.progress.failed), (107, 98));
    let said = pages.said().join("\n");
    for (what, count) in [
        (": 200 Early", 2),
        (": 200 Other", 100),
        (&*format!(": interrupted: {last}"), 5),
        (": given-up: `a.test` left 5 requests in a row without an answer", 93),
    ] {
        assert_eq!(said.matches(what).count(), count, "{what}");
    }
}

#[tokio::test]
async fn requests_that_are_not_repeated_because_of_the_host_are_no_failures_of_their_pages() {
    let server = Server::start(|_| Act::Reset).await;
    let mut pages = Pages::of((0..50).map(|number| format!("http://a.test/{number}"))).allow("http://a.test");
    // The fourth failure in a row is the second failure for one of the pages, so no page has used up its retries.
    let summary = pages.run(options(server.address).retries(9).give_up_after(4)).await;
    assert_eq!((summary.given_up[0].visits, summary.progress.failed), (50, 50));
    assert!(pages.said().iter().all(|said| said.contains(": given-up: ")), "{:?}", pages.said());
}

#[tokio::test]
async fn any_answer_starts_the_count_again() {
    let server = Server::start(|seen| {
        let number: u32 = seen.path[1..].parse().unwrap();
        if number % 3 == 2 { status(500) } else { Act::Reset }
    })
    .await;
    let mut pages = Pages::of((0..60).map(|number| format!("http://a.test/{number}"))).allow("http://a.test");
    let summary = pages.run(options(server.address).per_host(1).retries(0).give_up_after(3)).await;
    assert_eq!((summary.given_up, summary.progress.failed), (Vec::new(), 40));
}
