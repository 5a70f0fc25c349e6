//! Sends requests to an axum server over a real socket.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Server;
use axum::Router;
use sitemap_core::publish::{Names, SetOptions};
use sitemap_core::{Directory, Memory, Site, SitemapSet, Storage, Stylesheet, Summary};
use sitemap_serve::SitemapService;

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

/// Publishes an index and two child sitemaps. One child sitemap is large enough to be compressed.
fn publish(builder: SetOptions, storage: impl Storage + 'static) -> Summary {
    let mut run = builder.storage(storage).replace().unwrap();
    run.section("pages").unwrap().add_all(["/", "/about"]).unwrap();
    run.section("posts").unwrap().add_all((0..500).map(|id| format!("/posts/{id}"))).unwrap();
    run.commit().unwrap()
}

fn published() -> Memory {
    let memory = Memory::new();
    publish(SitemapSet::builder(site()), memory.clone());
    memory
}

fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

#[test]
fn every_file_of_the_set_is_served_with_its_type_and_all_its_bytes() {
    let memory = Memory::new();
    let summary = publish(SitemapSet::builder(site()).gzip(), memory.clone());
    let server = Server::of(SitemapService::new(memory.clone()));
    let index = server.get("/sitemap.xml", &[]);
    assert_eq!((index.status, index.header("content-type")), (200, "application/xml"));
    for file in summary.files() {
        let answer = server.get(&format!("/{}", file.name()), &["Accept-Encoding: gzip"]);
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/gzip"));
        // The file itself is compressed; the response has no content encoding.
        assert_eq!((answer.header("content-encoding"), answer.header("vary")), ("", ""));
        assert_eq!(answer.body, *memory.get(file.name()).unwrap());
        assert!(inflated(&answer.body).ends_with(b"</urlset>\n"));
        assert!(index.text().contains(&format!("<loc>https://example.com/{}</loc>", file.name())));
    }
    let css = server.get("/sitemap.css", &[]);
    assert_eq!((css.status, css.header("content-type")), (200, "text/css; charset=utf-8"));
    assert_eq!(css.text(), Stylesheet::CSS);
}

#[test]
fn head_is_get_without_the_body() {
    let server = Server::of(SitemapService::new(published()).robots_txt(&site(), ""));
    let none = Server::of(SitemapService::new(Memory::new()));
    for (server, path, status) in [
        (&server, "/sitemap.xml", 200),
        (&server, "/sitemap-posts-1.xml", 200),
        (&server, "/sitemap.css", 200),
        (&server, "/robots.txt", 200),
        (&server, "/sitemap-nothing-1.xml", 404),
        (&server, "/other", 404),
        (&none, "/sitemap.xml", 503),
    ] {
        for headers in [&[][..], &["Accept-Encoding: gzip"], &["If-None-Match: *"], &["If-Match: \"x\""]] {
            let (get, head) = (server.send("GET", path, headers), server.send("HEAD", path, headers));
            assert_eq!((get.status, &get.headers), (head.status, &head.headers), "{path} {headers:?}");
            assert_eq!(head.body, b"");
            if get.status != 304 {
                assert_eq!(get.header("content-length"), get.body.len().to_string());
            }
            if headers.is_empty() {
                assert_eq!(get.status, status, "{path}");
            }
        }
    }
}

#[test]
fn conditions() {
    let server = Server::of(SitemapService::new(published()));
    let path = "/sitemap-posts-1.xml";
    let plain = server.get(path, &[]);
    let tag = plain.header("etag").to_owned();
    let date = plain.header("last-modified").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() == 34, "{tag}");
    assert!(date.ends_with(" GMT"), "{date}");
    let old = "Sun, 06 Nov 1994 08:49:37 GMT";

    for (headers, status) in [
        (vec![format!("If-None-Match: {tag}")], 304),
        (vec![format!("If-None-Match: W/{tag}")], 304),
        (vec![format!("If-None-Match: \"a\", W/\"b,\" ,{tag}")], 304),
        (vec!["If-None-Match: *".to_owned()], 304),
        (vec!["If-None-Match: \"a\"".to_owned(), format!("If-None-Match: {tag}")], 304),
        (vec!["If-None-Match: \"a\"".to_owned()], 200),
        (vec![format!("If-None-Match: {}", tag.trim_matches('"'))], 200),
        (vec![format!("If-Modified-Since: {date}")], 304),
        (vec!["If-Modified-Since: Sat, 06 Nov 2094 08:49:37 GMT".to_owned()], 304),
        (vec![format!("If-Modified-Since: {old}")], 200),
        (vec!["If-Modified-Since: yesterday".to_owned()], 200),
        (vec!["If-None-Match: \"a\"".to_owned(), format!("If-Modified-Since: {date}")], 200),
        (vec![format!("If-None-Match: {tag}"), format!("If-Modified-Since: {old}")], 304),
        (vec![format!("If-Match: {tag}")], 200),
        (vec![format!("If-Match: W/{tag}")], 412),
        (vec!["If-Match: \"a\"".to_owned()], 412),
        (vec![format!("If-Unmodified-Since: {old}")], 412),
        (vec![format!("If-Unmodified-Since: {date}")], 200),
    ] {
        let headers: Vec<_> = headers.iter().map(String::as_str).collect();
        for method in ["GET", "HEAD"] {
            let answer = server.send(method, path, &headers);
            assert_eq!(answer.status, status, "{method} {headers:?}");
            match status {
                200 if method == "GET" => assert_eq!(answer, plain, "{headers:?}"),
                304 => {
                    assert_eq!(answer.body, b"");
                    // RFC 9110 requires a 304 response to repeat these headers of the 200 response.
                    for name in ["etag", "cache-control", "vary"] {
                        assert_eq!(answer.header(name), plain.header(name), "{name}");
                    }
                    assert_eq!((answer.header("content-type"), answer.header("content-length")), ("", ""));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn plain_files_are_compressed_for_clients_that_accept_gzip() {
    let server = Server::of(SitemapService::new(published()));
    let path = "/sitemap-posts-1.xml";
    let plain = server.get(path, &[]);
    let coded = server.get(path, &["Accept-Encoding: deflate;q=1, gzip;q=0.5"]);
    assert_eq!((plain.header("vary"), coded.header("vary")), ("Accept-Encoding", "Accept-Encoding"));
    assert_eq!((plain.header("content-encoding"), coded.header("content-encoding")), ("", "gzip"));
    assert_eq!(coded.header("content-type"), "application/xml");
    assert_eq!(inflated(&coded.body), plain.body);
    assert!(coded.body.len() * 4 < plain.body.len());
    assert_ne!(coded.header("etag"), plain.header("etag"));
    assert!(!coded.header("etag").starts_with("W/"));

    // The entity tag of the compressed file does not match the plain file.
    let known = format!("If-None-Match: {}", coded.header("etag"));
    assert_eq!(server.get(path, &[&known, "Accept-Encoding: gzip"]).status, 304);
    assert_eq!(server.get(path, &[&known]).status, 200);
    // The second response comes from the cache.
    assert_eq!(server.get(path, &["Accept-Encoding: gzip"]), coded);

    for unwilling in ["identity", "gzip;q=0", "deflate", "*;q=0", "identity, gzip;q=0.9"] {
        assert_eq!(server.get(path, &[&format!("Accept-Encoding: {unwilling}")]), plain, "{unwilling}");
    }
    // The index is too small to compress, so there is no `Vary` header.
    let small = server.get("/sitemap.xml", &["Accept-Encoding: gzip"]);
    assert_eq!((small.header("vary"), small.header("content-encoding")), ("", ""));

    let never = Server::of(SitemapService::new(published()).compress(false));
    let answer = never.get(path, &["Accept-Encoding: gzip"]);
    assert_eq!((answer.header("vary"), answer.header("content-encoding")), ("", ""));
    assert_eq!(answer.body, plain.body);
}

#[test]
fn other_methods_than_get_and_head_get_405() {
    let server = Server::of(SitemapService::new(published()));
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"] {
        let answer = server.send(method, "/sitemap.xml", &["Content-Length: 0"]);
        assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"), "{method}");
        assert_eq!(server.send(method, "/other", &["Content-Length: 0"]).status, 404, "{method}");
    }
}

#[test]
fn before_the_first_publication_requests_get_503() {
    let memory = Memory::new();
    let server = Server::of(
        SitemapService::new(memory.clone()).retry_after(Duration::from_secs(5)).robots_txt(&site(), ""),
    );
    for path in ["/sitemap.xml", "/sitemap-posts-1.xml"] {
        let answer = server.get(path, &["If-None-Match: *"]);
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{path}");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    // Crawlers avoid a site without robots.txt, so it must exist before the set does.
    assert_eq!(server.get("/robots.txt", &[]).text(), "Sitemap: https://example.com/sitemap.xml\n");
    publish(SitemapSet::builder(site()), memory);
    assert_eq!(server.get("/sitemap.xml", &[]).status, 200);
    assert_eq!(server.get("/sitemap-posts-2.xml", &[]).status, 404);
}

#[test]
fn robots_txt_has_the_rules_and_all_indexes() {
    let memory = Memory::new();
    let mut limits = sitemap_core::Dialect::V0_9.limits();
    limits.sitemaps = 1;
    publish(SitemapSet::builder(site()).lower_limits(limits), memory.clone());
    let service = SitemapService::new(memory);
    assert_eq!(Server::of(service.clone()).get("/robots.txt", &[]).status, 404);
    let server = Server::of(service.robots_txt(&site(), "User-agent: *\nDisallow: /private\n"));
    let answer = server.get("/robots.txt", &[]);
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(
        answer.text(),
        "User-agent: *\nDisallow: /private\n\nSitemap: https://example.com/sitemap.xml\n\
         Sitemap: https://example.com/sitemap-2.xml\n"
    );
    let known = format!("If-None-Match: {}", answer.header("etag"));
    assert_eq!(server.get("/robots.txt", &[&known]).status, 304);
}

#[test]
fn other_files_of_a_directory_are_not_served() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("public");
    publish(SitemapSet::builder(site()), Directory::open(&folder).unwrap());
    let secret = "secret";
    fs::write(root.path().join("sitemap.xml"), secret).unwrap();
    fs::create_dir(folder.join("sitemap-folder.xml")).unwrap();
    for name in [
        ".sitemap-journal.jsonl",
        ".sitemap.lock",
        ".sitemap-posts-1.xml.1-1.tmp",
        "index.html",
        "sitemap.xml.bak",
        "sitemapx.xml",
    ] {
        fs::write(folder.join(name), secret).unwrap();
    }
    let server = Server::of(SitemapService::new(Directory::open(&folder).unwrap()));
    for path in [
        "/../sitemap.xml",
        "/..%2fsitemap.xml",
        "/%2e%2e/sitemap.xml",
        "/%2e%2e%2fsitemap.xml",
        "/..%5csitemap.xml",
        "/./sitemap.xml",
        "//sitemap.xml",
        "/public/../../sitemap.xml",
        "/sitemap.xml/../../sitemap.xml",
        "/sitemap-a/../../sitemap.xml",
        "/sitemap-%2e%2e%2f%2e%2e%2fsitemap.xml",
        "/sitemap.xml%00",
        "/sitemap.xml%00.xml",
        "/%73itemap.xml",
        "/sitemap.xml%20",
        "/sitemap.xml.",
        "/sitemap.xml/",
        "/sitemap.xml;x",
        "/SITEMAP.XML",
        "/sitemap.xml.bak",
        "/sitemapx.xml",
        "/sitemap-folder.xml",
        "/.sitemap-manifest.jsonl",
        "/%2esitemap-manifest.jsonl",
        "/.sitemap-journal.jsonl",
        "/.sitemap.lock",
        "/.sitemap-posts-1.xml.1-1.tmp",
        "/index.html",
        "/",
    ] {
        let answer = server.get(path, &[]);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains(secret), "{path}");
    }
    // The query is not part of the file name.
    assert_eq!(server.get("/sitemap.xml?from=console", &[]).status, 200);
}

#[test]
fn a_set_is_mounted_where_its_site_is() {
    let get = |router: Router, path: &str| Server::start(router).get(path, &[]).status;
    let service = SitemapService::new(published());
    // The router has one route for each file.
    let routes = || {
        Router::new()
            .route_service("/sitemap.xml", service.clone())
            .route_service("/robots.txt", service.clone().robots_txt(&site(), ""))
    };
    assert_eq!(get(routes(), "/sitemap.xml"), 200);
    assert_eq!(get(routes(), "/robots.txt"), 200);
    // The router strips the path before it calls the service.
    let nested = || Router::new().nest_service("/shop", service.clone());
    assert_eq!(get(nested(), "/shop/sitemap-posts-1.xml"), 200);
    assert_eq!(get(nested(), "/sitemap-posts-1.xml"), 404);
    // The service strips its mount path, and the router strips nothing.
    let mounted = || Router::new().fallback_service(service.clone().mount("/shop"));
    assert_eq!(get(mounted(), "/shop/sitemap-posts-1.xml"), 200);
    assert_eq!(get(mounted(), "/sitemap-posts-1.xml"), 404);
}

#[test]
fn cache_control_headers() {
    let memory = Memory::new();
    let summary = publish(SitemapSet::builder(site()).names(Names::Digest), memory.clone());
    let service = SitemapService::new(memory);
    let server = Server::of(service.clone());
    assert_eq!(server.get("/sitemap.xml", &[]).header("cache-control"), "no-cache");
    let child = format!("/{}", summary.files()[1].name());
    assert_eq!(server.get(&child, &[]).header("cache-control"), "public, max-age=31536000, immutable");
    let server = Server::of(service.cache_control("public, max-age=600").unwrap());
    assert_eq!(server.get("/sitemap.xml", &[]).header("cache-control"), "public, max-age=600");
    assert!(SitemapService::new(Memory::new()).cache_control("a\nb").is_err());
}

fn publish_one(folder: &Path, pages: &[&str]) {
    let mut run = SitemapSet::builder(site()).open(folder).unwrap().replace().unwrap();
    run.section("pages").unwrap().add_all(pages).unwrap();
    run.commit().unwrap();
}

#[test]
fn a_directory_that_another_process_publishes_to_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let service = || SitemapService::new(Directory::open(dir.path()).unwrap());
    let at_once = Server::of(service().revalidate_after(Duration::ZERO));
    let trusting = Server::of(service().revalidate_after(Duration::from_secs(3600)));
    assert_eq!(at_once.get("/sitemap.xml", &[]).status, 503);
    publish_one(dir.path(), &["/"]);
    let old = at_once.get("/sitemap.xml", &[]);
    assert_eq!(trusting.get("/sitemap.xml", &[]), old);
    publish_one(dir.path(), &["/", "/new"]);
    let new = at_once.get("/sitemap.xml", &[&format!("If-None-Match: {}", old.header("etag"))]);
    assert_eq!(new.status, 200);
    assert!(new.text().contains("/new"));
    assert_eq!(trusting.get("/sitemap.xml", &[]), old);
    fs::remove_file(dir.path().join("sitemap.xml")).unwrap();
    assert_eq!(at_once.get("/sitemap.xml", &[]).status, 503);
}

#[test]
fn files_that_do_not_fit_into_the_cache_are_served_too() {
    for bytes in [0, 1, 700, 40_000] {
        let server = Server::of(SitemapService::new(published()).cache_bytes(bytes));
        for _ in 0..2 {
            for path in ["/sitemap.xml", "/sitemap-pages-1.xml", "/sitemap-posts-1.xml"] {
                let answer = server.get(path, &["Accept-Encoding: gzip"]);
                assert_eq!(answer.status, 200, "{path} with a cache of {bytes} bytes");
            }
        }
    }
}

#[test]
fn a_file_that_is_replaced_while_it_is_read_is_served_whole() {
    let dir = tempfile::tempdir().unwrap();
    publish_one(dir.path(), &["/0"]);
    let service = SitemapService::new(Directory::open(dir.path()).unwrap().durable(false))
        .revalidate_after(Duration::ZERO);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut tags = std::collections::BTreeMap::new();
                    while !is_over.load(Ordering::SeqCst) {
                        let answer = service.respond_to("GET", "/sitemap.xml", [("", ""); 0]);
                        assert_eq!(answer.status(), 200);
                        assert!(answer.body().ends_with(b"</urlset>\n"));
                        let tag = answer.headers()["etag"].to_str().unwrap().to_owned();
                        let same = tags.entry(tag).or_insert_with(|| answer.body().clone());
                        assert_eq!(same, answer.body());
                    }
                    tags.len()
                })
            })
            .collect();
        let start = Instant::now();
        let mut runs = 1;
        while start.elapsed() < Duration::from_secs(2) {
            let pages: Vec<_> = (0..=runs % 40).map(|page| format!("/{runs}-{page}")).collect();
            publish_one(dir.path(), &pages.iter().map(String::as_str).collect::<Vec<_>>());
            runs += 1;
        }
        is_over.store(true, Ordering::SeqCst);
        for reader in readers {
            assert!(reader.join().unwrap() > 1, "a reader saw only one set in {runs} runs");
        }
    });
}
