//! Publishes and serves a set on WebAssembly without an operating system, where the standard library has no clock.
//! `dev/ci/wasm` runs this in Node.js. A failed check traps, and the stack trace shows the function.

#![allow(clippy::unwrap_used)]

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_core::clock::{self, NoClock};
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::{Memory, Site, SitemapSet, Storage as _};
use sitemap_serve::{LiveSitemap, SitemapService};

/// 2026-01-31T00:00:00Z.
fn midnight() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_769_817_600)
}

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn without_a_clock_publishing_is_an_error() {
    let error = SitemapSet::builder(site()).storage(Memory::new()).replace().unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::NoClock(NoClock)));
    assert!(error.to_string().contains("sitemap_core::clock::set"));
    let live = LiveSitemap::new(site());
    assert!(live.refresh(|_| Ok(())).is_err());
    assert_eq!(live.status().failures, 1);
}

fn with_a_clock_a_set_is_published_and_served() {
    let memory = Memory::new();
    let mut run = SitemapSet::builder(site()).storage(memory.clone()).replace().unwrap();
    run.section("pages").unwrap().add_all((0..1_000).map(|page| format!("/pages/{page}"))).unwrap();
    run.section("posts").unwrap().add("/posts/first").unwrap();
    assert_eq!(run.commit().unwrap().urls(), 1_001);
    let index = memory.get("sitemap.xml").unwrap();
    assert!(String::from_utf8_lossy(&index).contains("<lastmod>2026-01-31T00:00:00Z</lastmod>"));
    let _lock = memory.lock().unwrap();
    assert!(memory.lock().is_err(), "it is locked, and there is no process to name");
    let service = SitemapService::new(memory.clone());
    let response = service.respond_to("GET", "/sitemap-pages-1.xml", [("accept-encoding", "gzip")]);
    assert_eq!(response.headers()["last-modified"], "Sat, 31 Jan 2026 00:00:00 GMT");
    assert_eq!(response.headers()["content-encoding"], "gzip");
}

fn a_live_set_is_refreshed() {
    let live = LiveSitemap::new(site());
    live.refresh(|run| Ok(run.section("pages")?.add("/")?)).unwrap();
    let refresh = live.refresh_async(async |run| Ok(run.section("pages")?.add("/about")?));
    assert_eq!(block_on(refresh).unwrap().urls(), 1);
    assert_eq!(live.status().last_success, Some(midnight()));
    assert!(live.status().is_current(Duration::from_secs(1)));
    let response = live.service().respond_to("GET", "/sitemap.xml", [("", ""); 0]);
    assert!(response.body().ends_with(b"<url><loc>https://example.com/about</loc></url>\n</urlset>\n"));
}

fn a_live_set_on_a_storage_is_refreshed() {
    let live = LiveSitemap::on(Memory::new(), LiveSitemap::options(site()));
    assert!(!live.status().has_set);
    live.refresh(|run| Ok(run.section("pages")?.add("/")?)).unwrap();
    assert_eq!(live.service().respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 200);
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..100 {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
    panic!("the future waits for a thread")
}

fn main() {
    if clock::now().is_err() {
        without_a_clock_publishing_is_an_error();
    }
    clock::set(midnight).unwrap();
    with_a_clock_a_set_is_published_and_served();
    a_live_set_is_refreshed();
    a_live_set_on_a_storage_is_refreshed();
}
