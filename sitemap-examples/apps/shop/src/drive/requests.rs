//! Checks the responses of one of the shop's example servers.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::time::{Duration, Instant};
use std::{fs, thread};

use flate2::read::MultiGzDecoder;
use sitemap_read::SitemapReader;

use super::{Client, Response, Server};

/// Starts a program, checks its responses to all kinds of requests, and compares its set with the reference set.
///
/// # Panics
///
/// Panics if a response is not as expected.
pub fn expect_the_shop(program: &str, database: Option<&str>) {
    let server = Server::start(program, &[], database);
    let to = server.client();
    let entry_point = first_publication(&to);

    expect_robots_txt(&to);
    expect_conditions(&to, &entry_point);
    expect_refusals(&to);
    let pages = expect_the_set(&to, &entry_point);
    expect_pages(&to, &pages);

    let republished = ask(&to, "POST", "/admin/republish", &[]);
    assert_eq!(republished.status, 202);
    let again = ask(&to, "GET", "/sitemap.xml", &[]);
    assert_eq!(
        (again.status, again.body == entry_point.body),
        (200, true),
        "`sitemap.xml` has changed, although the rows are the same"
    );
    let none = ask(&to, "GET", "/none", &[]);
    assert_eq!((none.status, none.text()), (404, crate::NOT_FOUND), "the 404 is that of the application");
    expect_an_end(server);
}

/// Checks that the signal from service managers stops both the server and the refreshes.
fn expect_an_end(mut server: Server) {
    let status = server.terminate();
    assert!(status.success(), "the server has ended with {status}");
}

fn ask(to: &Client, method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
    to.request(method, path, headers).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
}

/// Waits for the first published set and returns its `sitemap.xml`. Checks that all earlier responses have
/// `Retry-After`.
fn first_publication(to: &Client) -> Response {
    let start = Instant::now();
    loop {
        let response = ask(to, "GET", "/sitemap.xml", &[]);
        if response.status != 503 {
            assert_eq!(response.status, 200);
            return response;
        }
        assert!(response.header("retry-after").is_some());
        assert!(start.elapsed() < Duration::from_secs(30), "no set is published after 30 seconds");
        thread::sleep(Duration::from_millis(20));
    }
}

fn expect_robots_txt(to: &Client) {
    let robots = ask(to, "GET", "/robots.txt", &[]);
    assert_eq!(robots.status, 200);
    assert!(robots.header("content-type").is_some_and(|found| found.starts_with("text/plain")));
    let lines: Vec<_> = robots.text().lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines[..3], ["User-agent: *", "Allow: /", "Disallow: /admin/"]);
    assert_eq!(lines[3..], ["Sitemap: https://shop.example.com/sitemap.xml"]);
}

fn expect_conditions(to: &Client, entry_point: &Response) {
    assert!(entry_point.header("content-type").is_some_and(|found| found.starts_with("application/xml")));
    let etag = entry_point.header("etag").expect("an entity tag");
    assert!(etag.starts_with('"'), "the entity tag is not strong: {etag}");
    let date = entry_point.header("last-modified").expect("a date");
    for header in [("If-None-Match", etag), ("If-Modified-Since", date)] {
        let response = ask(to, "GET", "/sitemap.xml", &[header]);
        assert_eq!((response.status, response.body.len()), (304, 0), "{header:?}");
    }
    let other = ask(to, "GET", "/sitemap.xml", &[("If-None-Match", "\"another\"")]);
    assert_eq!((other.status, other.body == entry_point.body), (200, true));

    let head = ask(to, "HEAD", "/sitemap.xml", &[]);
    assert_eq!(head.status, 200);
    for name in ["content-length", "content-type", "etag", "last-modified"] {
        assert_eq!(head.header(name), entry_point.header(name), "{name} of HEAD");
    }

    // A server may send this small file uncompressed. A compressed response must have `Vary`.
    let packed = ask(to, "GET", "/sitemap.xml", &[("Accept-Encoding", "gzip")]);
    if packed.header("content-encoding") == Some("gzip") {
        let vary = packed.header("vary").unwrap_or_default().to_ascii_lowercase();
        assert!(vary.contains("accept-encoding"), "{vary}");
        assert!(inflate(&packed.body) == entry_point.body);
    } else {
        assert!(packed.body == entry_point.body);
    }
}

fn expect_refusals(to: &Client) {
    let post = ask(to, "POST", "/sitemap.xml", &[]);
    assert_eq!(post.status, 405);
    assert!(post.header("allow").is_some_and(|allow| allow.contains("GET")));
    for path in [
        "/sitemap-none-1.xml",
        "/.sitemap-manifest.jsonl",
        "/Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
    ] {
        let response = ask(to, "GET", path, &[]);
        assert!(matches!(response.status, 400 | 404), "{path}: {}", response.status);
    }
}

/// Fetches and checks all files of the set, and returns the URLs of all pages.
fn expect_the_set(to: &Client, entry_point: &Response) -> Vec<String> {
    let served = tempfile::tempdir().expect("a temporary folder");
    fs::write(served.path().join("sitemap.xml"), &entry_point.body).expect("a file");
    let mut found = BTreeSet::new();
    let mut pages = Vec::new();
    for child in urls(&entry_point.body) {
        let path = child.strip_prefix(crate::BASE).expect("a file of the shop");
        let response = ask(to, "GET", path, &[]);
        assert_eq!(response.status, 200, "{path}");
        assert_eq!(response.header("content-type"), Some("application/gzip"), "{path}");
        assert_eq!(
            response.header("content-encoding"),
            None,
            "the response has a content encoding, although the file itself is compressed"
        );
        assert!(response.header("cache-control").is_some_and(|found| found.contains("immutable")), "{path}");
        fs::write(served.path().join(&path[1..]), &response.body).expect("a file");
        let xml = inflate(&response.body);
        pages.extend(urls(&xml));
        found.insert(xml);
    }
    super::expect_valid(served.path());

    let reference = tempfile::tempdir().expect("a temporary folder");
    let settings = crate::set_options().expect("the shop's settings");
    let summary = crate::publish_reference(settings, reference.path()).expect("the reference set");
    let expected =
        summary.files().iter().map(|file| fs::read(reference.path().join(file.name())).expect("a file"));
    assert!(
        found == expected.map(|bytes| inflate(&bytes)).collect(),
        "the set differs from the reference set"
    );
    pages
}

fn expect_pages(to: &Client, pages: &[String]) {
    assert_eq!(pages.len(), 2_607);
    for page in pages {
        let path = page.strip_prefix(crate::BASE).expect("a page of the shop");
        let response = ask(to, "GET", path, &[]);
        assert_eq!(response.status, 200, "{path}");
        assert!(
            response.header("content-type").is_some_and(|found| found.starts_with("text/html")),
            "{path}"
        );
        assert!(response.text().starts_with("<!doctype html>"), "{path}");
    }
    // The heading shows whether the route passed the right parts of the URL to its handler.
    for (path, heading) in [
        ("/", "Tables &amp; chairs"),
        ("/shipping-and-returns", "Shipping and returns"),
        ("/categories/lamps", "Lamps &amp; shades"),
        ("/products/k%C3%BCche-5", "Küche No 5"),
        ("/de/journal/issue-1", "Holz &amp; Wolle 1"),
    ] {
        assert!(pages.contains(&format!("{}{path}", crate::BASE)), "the sitemap does not list {path}");
        let response = ask(to, "GET", path, &[]);
        assert!(response.text().contains(&format!("<h1>{heading}</h1>")), "{path}: {}", response.text());
    }
    // Sold-out products, drafts and unknown languages have no page.
    for path in ["/products/shelves-40", "/en/journal/issue-20", "/es/journal/issue-1"] {
        assert_eq!(ask(to, "GET", path, &[]).status, 404, "{path}");
    }
}

fn urls(xml: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut reader = SitemapReader::from_slice(xml);
    while let Some(item) = reader.next().expect("a sitemap") {
        found.push(item.loc().as_str().to_owned());
    }
    found
}

fn inflate(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut plain).expect("a whole gzip file");
    plain
}
