//! Tests an application inside the layer.

use std::pin::pin;
use std::sync::{Mutex, mpsc};
use std::task::{Context, Waker};

use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::routing::{get, post};
use sitemap_core::{Directory, Memory, Site, SitemapSet, Storage};
use sitemap_serve::{LiveSitemap, SitemapService};
use sitemap_tests::Hooked;

use crate::support::Server;

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn publish(storage: impl Storage + 'static) {
    let mut run = SitemapSet::builder(site()).storage(storage).replace().unwrap();
    run.section("pages").unwrap().add_all((0..500).map(|id| format!("/pages/{id}"))).unwrap();
    run.section("posts").unwrap().add("/posts/1").unwrap();
    run.commit().unwrap();
}

/// An application with a page, an echo, its own sitemap, robots.txt and 404 page.
fn application(sitemap: SitemapService) -> Server {
    let router = Router::new()
        .route("/", get(|| async { "home" }))
        .route("/echo", post(|body: Bytes| async { body }))
        .route("/sitemap-echo.xml", post(|body: Bytes| async { body }))
        .route("/sitemap-own.xml", get(|| async { "a sitemap of the application" }))
        .route("/robots.txt", get(|| async { "User-agent: *\nDisallow: /own\n" }))
        .fallback(|| async { (StatusCode::NOT_FOUND, "no such page") })
        .layer(sitemap.layer());
    Server::start(router)
}

fn expect_the_application(server: &Server) {
    let answer = |path| {
        let answer = server.get(path, &[]);
        (answer.status, answer.text().to_owned())
    };
    assert_eq!(answer("/"), (200, "home".to_owned()));
    assert_eq!(answer("/missing"), (404, "no such page".to_owned()));
    assert_eq!(answer("/sitemap-own.xml"), (200, "a sitemap of the application".to_owned()));
    assert_eq!(answer("/sitemap-other-1.xml"), (404, "no such page".to_owned()));
    assert_eq!(answer("/robots.txt"), (200, "User-agent: *\nDisallow: /own\n".to_owned()));
    assert_eq!(server.send("POST", "/", &[]).status, 405);
}

fn expect_the_set(server: &Server) {
    let index = server.get("/sitemap.xml", &[]);
    assert_eq!((index.status, index.header("content-type")), (200, "application/xml"));
    let pages = server.get("/sitemap-pages-1.xml", &[]);
    assert_eq!(pages.text().matches("<loc>").count(), 500);
    let known = format!("If-None-Match: {}", pages.header("etag"));
    assert_eq!(server.get("/sitemap-pages-1.xml", &[&known]).status, 304);
    let compressed = server.get("/sitemap-pages-1.xml", &["Accept-Encoding: gzip"]);
    assert_eq!(compressed.header("content-encoding"), "gzip");
    assert!(compressed.body.len() < pages.body.len() / 5);
    let post = server.send("POST", "/sitemap.xml", &[]);
    assert_eq!((post.status, post.header("allow")), (405, "GET, HEAD"));
    assert_eq!(
        server.send("HEAD", "/sitemap.xml", &[]).header("content-length"),
        index.header("content-length")
    );
}

#[test]
fn a_set_in_memory_and_an_application_share_the_paths() {
    let memory = Memory::new();
    publish(memory.clone());
    let server = application(SitemapService::new(memory));
    expect_the_set(&server);
    expect_the_application(&server);
}

#[test]
fn a_set_whose_files_are_read_on_another_thread_leaves_the_rest_to_the_application() {
    let folder = tempfile::tempdir().unwrap();
    publish(Directory::open(folder.path()).unwrap());
    let server = application(SitemapService::new(Directory::open(folder.path()).unwrap()));
    expect_the_application(&server);
    expect_the_set(&server);
}

#[test]
fn a_request_that_waited_for_the_storage_is_passed_on_with_its_body() {
    let folder = tempfile::tempdir().unwrap();
    publish(Directory::open(folder.path()).unwrap());
    let server = application(SitemapService::new(Directory::open(folder.path()).unwrap()));
    for path in ["/echo", "/sitemap-echo.xml"] {
        let text = "x".repeat(10_000);
        let headers = [format!("Content-Length: {}\r\n\r\n{text}", text.len())];
        let answer = server.send("POST", path, &[&headers[0]]);
        assert_eq!((answer.status, answer.body.len()), (200, 10_000), "{path}");
    }
}

#[test]
fn before_the_first_set_only_its_files_are_unavailable() {
    let live = LiveSitemap::new(site());
    let server = application(live.service());
    assert_eq!(server.get("/", &[]).text(), "home");
    assert_eq!(server.get("/missing", &[]).text(), "no such page");
    let answer = server.get("/sitemap.xml", &[]);
    assert_eq!((answer.status, answer.header("retry-after")), (503, "60"));
    live.refresh(|run| Ok(run.section("pages")?.add("/")?)).unwrap();
    assert_eq!(server.get("/sitemap.xml", &[]).status, 200);
}

#[test]
fn robots_txt_of_the_service_comes_first_if_it_is_enabled() {
    let memory = Memory::new();
    publish(memory.clone());
    let server = application(SitemapService::new(memory).robots_txt(&site(), "User-agent: *\nAllow: /\n"));
    assert_eq!(
        server.get("/robots.txt", &[]).text(),
        "User-agent: *\nAllow: /\n\nSitemap: https://example.com/sitemap.xml\n"
    );
}

#[test]
fn a_storage_that_panics_gives_500_and_the_application_goes_on() {
    let memory = Memory::new();
    publish(memory.clone());
    let server = application(SitemapService::new(Hooked::new(memory, |_| panic!("on purpose"))));
    assert_eq!(server.get("/sitemap.xml", &[]).status, 500);
    assert_eq!(server.get("/", &[]).text(), "home");
}

#[test]
fn other_frameworks_learn_what_to_answer_themselves() {
    let memory = Memory::new();
    publish(memory.clone());
    let service = SitemapService::new(memory).mount("/shop");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let status = |method, path| {
        let accept = [("accept", "*/*")];
        let later = runtime.block_on(service.respond_or_pass_async(method, path, accept));
        let response = service.respond_or_pass(method, path, accept);
        let [later, status] = [later, response].map(|found| found.map(|found| found.status().as_u16()));
        assert_eq!(later, status, "{method} {path}");
        status
    };
    assert_eq!(status("GET", "/shop/sitemap.xml"), Some(200));
    assert_eq!(status("POST", "/shop/sitemap.xml"), Some(405));
    for (method, path) in [
        ("GET", "/shop/sitemap-none-1.xml"),
        ("POST", "/shop/sitemap-none-1.xml"),
        ("GET", "/shop/about"),
        ("GET", "/robots.txt"),
    ] {
        assert_eq!(status(method, path), None, "{method} {path}");
    }
}

#[test]
fn other_frameworks_get_files_without_blocking() {
    let memory = Memory::new();
    publish(memory.clone());
    let (ask, asked) = mpsc::channel();
    let (answer, answers) = mpsc::channel::<()>();
    let answers = Mutex::new(answers);
    let storage = Hooked::new(memory, move |_| {
        let _ = (ask.send(()), answers.lock().unwrap().recv());
        Ok(())
    });
    let service = SitemapService::new(storage);
    let mut response = pin!(service.respond_or_pass_async("GET", "/sitemap.xml", [("", ""); 0]));
    // The call has returned although the storage has not answered yet.
    asked.recv().unwrap();
    assert!(response.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(answer);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(response).unwrap().status(), 200);
}

#[test]
fn other_frameworks_get_500_if_the_storage_panics() {
    let memory = Memory::new();
    publish(memory.clone());
    let service = SitemapService::new(Hooked::new(memory, |_| panic!("on purpose")));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let response = service.respond_or_pass_async("GET", "/sitemap.xml", [("", ""); 0]);
    assert_eq!(runtime.block_on(response).unwrap().status(), 500);
}
