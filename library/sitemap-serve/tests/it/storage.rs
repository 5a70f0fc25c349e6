//! Tests a service whose storage fails, panics or is slow.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use crate::support::{Answer, Server};
use http::Request;
use sitemap_core::{Memory, Site, SitemapSet, Storage};
use sitemap_serve::SitemapService;
use sitemap_tests::{Hooked, OperationKind};
use tower_service::Service as _;

/// Publishes an index and two child sitemaps. One child sitemap is large enough to be compressed.
fn published() -> Memory {
    let memory = Memory::new();
    publish_to(&memory);
    memory
}

fn publish_to(memory: &Memory) {
    let site = Site::new("https://example.com").unwrap();
    let mut run = SitemapSet::builder(site).storage(memory.clone()).replace().unwrap();
    run.section("pages").unwrap().add_all(["/", "/about"]).unwrap();
    run.section("posts").unwrap().add_all((0..500).map(|id| format!("/posts/{id}"))).unwrap();
    run.commit().unwrap();
}

/// In-memory storage that fails, panics or blocks on demand.
#[derive(Clone, Debug)]
struct Unreliable {
    memory: Memory,
    switches: Arc<Switches>,
}

#[derive(Debug, Default)]
struct Switches {
    fails: AtomicBool,
    panics: AtomicBool,
    reads: Mutex<Reads>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Reads {
    are_blocked: bool,
    started: usize,
}

impl Unreliable {
    fn new(memory: Memory) -> Self {
        Self { memory, switches: Arc::default() }
    }

    fn storage(&self) -> impl Storage + 'static {
        let switches = Arc::clone(&self.switches);
        Hooked::new(self.memory.clone(), move |operation| {
            assert!(!switches.panics.load(Ordering::SeqCst), "the storage panics on purpose");
            if switches.fails.load(Ordering::SeqCst) {
                return Err(io::Error::other("the storage fails on purpose"));
            }
            if operation.kind == OperationKind::Open {
                let mut reads = switches.reads.lock().unwrap();
                reads.started += 1;
                switches.changed.notify_all();
                drop(switches.changed.wait_while(reads, |reads| reads.are_blocked).unwrap());
            }
            Ok(())
        })
    }

    fn block_reads(&self, are_blocked: bool) {
        self.switches.reads.lock().unwrap().are_blocked = are_blocked;
        self.switches.changed.notify_all();
    }
}

#[test]
fn cached_files_are_served_while_the_storage_fails() {
    let storage = Unreliable::new(published());
    let server = Server::of(SitemapService::new(storage.storage()).revalidate_after(Duration::ZERO));
    let before = server.get("/sitemap.xml", &[]);
    assert_eq!(before.status, 200);
    storage.switches.fails.store(true, Ordering::SeqCst);
    assert_eq!(server.get("/sitemap.xml", &[]), before);
    let unknown = server.get("/sitemap-posts-1.xml", &[]);
    assert_eq!((unknown.status, unknown.header("retry-after")), (503, "60"));
    storage.switches.fails.store(false, Ordering::SeqCst);
    assert_eq!(server.get("/sitemap-posts-1.xml", &[]).status, 200);
}

#[test]
fn the_status_counts_what_the_storage_fails_to_answer() {
    let storage = Unreliable::new(published());
    let service = SitemapService::new(storage.storage()).revalidate_after(Duration::ZERO);
    let get = |path| service.respond_to("GET", path, [("", ""); 0]).status();
    assert_eq!(get("/sitemap.xml"), 200);
    let status = service.status();
    assert!(status.has_set && status.bytes > 0 && status.last_success.is_some(), "{status:?}");
    assert_eq!((status.failures, status.failures_in_a_row, status.last_error), (0, 0, None));

    storage.switches.fails.store(true, Ordering::SeqCst);
    assert_eq!([get("/sitemap.xml"), get("/sitemap-posts-1.xml")], [200, 503]);
    let status = service.status();
    assert!(status.has_set && status.last_failure >= status.last_success, "{status:?}");
    assert_eq!((status.failures, status.failures_in_a_row), (2, 2));
    assert_eq!(
        status.last_error.as_deref(),
        Some("cannot read `sitemap-posts-1.xml`: the storage fails on purpose")
    );

    storage.switches.fails.store(false, Ordering::SeqCst);
    // After a failed check, the service waits for as long as the check took.
    let recovers = (0..1000).any(|_| {
        thread::sleep(Duration::from_millis(1));
        get("/sitemap.xml") == 200 && service.status().failures_in_a_row == 0
    });
    let status = service.status();
    assert!(recovers, "{status:?}");
    assert_eq!((status.failures, status.last_error), (2, None));
}

#[test]
fn the_status_learns_of_a_set_without_requests_on_threads() {
    let memory = Memory::new();
    let service = SitemapService::new(memory.clone());
    assert!(!service.status().has_set);
    publish_to(&memory);
    let start = std::time::Instant::now();
    while !service.status().has_set {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_panic_of_the_storage_fails_only_its_request() {
    let storage = Unreliable::new(published());
    let server = Server::of(SitemapService::new(storage.storage()).revalidate_after(Duration::ZERO));
    storage.switches.panics.store(true, Ordering::SeqCst);
    assert_eq!(server.get("/sitemap.xml", &[]).status, 500);
    storage.switches.panics.store(false, Ordering::SeqCst);
    assert_eq!(server.get("/sitemap.xml", &[]).status, 200);
}

#[test]
fn a_slow_storage_does_not_delay_other_requests() {
    let storage = Unreliable::new(published());
    let service = SitemapService::new(storage.storage()).revalidate_after(Duration::from_secs(3600));
    let server = Server::of(service);
    let known = server.get("/sitemap.xml", &[]);
    storage.block_reads(true);
    storage.switches.reads.lock().unwrap().started = 0;
    thread::scope(|scope| {
        // Starts more requests than the service has threads.
        let slow: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| server.get("/sitemap-posts-1.xml", &["Accept-Encoding: gzip"])))
            .collect();
        let reads = storage.switches.reads.lock().unwrap();
        drop(storage.switches.changed.wait_while(reads, |reads| reads.started == 0).unwrap());
        for _ in 0..20 {
            assert_eq!(server.get("/sitemap.xml", &[]), known);
        }
        assert!(!slow.iter().any(thread::ScopedJoinHandle::is_finished));
        storage.block_reads(false);
        let slow: Vec<Answer> = slow.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(slow.iter().all(|answer| answer.status == 200 && *answer == slow[0]));
    });
    // Each of the service's four reader threads has read the file at most once. Waiting requests got it from the cache.
    assert!(storage.switches.reads.lock().unwrap().started <= 4);
}

#[test]
fn requests_that_wait_for_the_storage_do_not_keep_others_from_the_index_in_memory() {
    #[derive(Default)]
    struct Gate {
        is_closed: bool,
        waiting: Vec<String>,
    }
    let gate = Arc::new((Mutex::new(Gate::default()), Condvar::new()));
    let hook = Arc::clone(&gate);
    let storage = Hooked::new(published(), move |operation| {
        let (gate, changed) = &*hook;
        let mut gate = gate.lock().unwrap();
        if gate.is_closed {
            gate.waiting.push(operation.name.to_owned());
            changed.notify_all();
            drop(changed.wait_while(gate, |gate| gate.is_closed).unwrap());
        }
        Ok(())
    });
    // Waits until this many requests have asked the storage for a file.
    let wait_for = |count: usize, is_named: fn(&str) -> bool| {
        let asked = |gate: &Gate| gate.waiting.iter().filter(|name| is_named(name)).count();
        let waited = gate
            .1
            .wait_timeout_while(gate.0.lock().unwrap(), Duration::from_secs(60), |gate| asked(gate) < count);
        assert_eq!(asked(&waited.unwrap().0), count);
    };
    let mut service = SitemapService::new(storage).revalidate_after(Duration::ZERO);
    let known = service.respond_to("GET", "/sitemap.xml", [("", ""); 0]);
    gate.0.lock().unwrap().is_closed = true;
    let mut call = |path: &str| service.call(Request::get(path).body(()).unwrap());
    let waiting: Vec<_> = (1..=20).map(|number| call(&format!("/sitemap-unknown-{number}.xml"))).collect();
    wait_for(4, |name| name != "sitemap.xml");
    // One request checks the index, and the others get the cached copy.
    let check = call("/sitemap.xml");
    wait_for(1, |name| name == "sitemap.xml");
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..20 {
        let Poll::Ready(answer) = pin!(call("/sitemap.xml")).poll(&mut context) else {
            panic!("the request waits for the storage")
        };
        assert_eq!((answer.unwrap().status(), known.status().as_u16()), (known.status(), 200));
    }
    gate.0.lock().unwrap().is_closed = false;
    gate.1.notify_all();
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
        assert_eq!(check.await.unwrap().status(), 200);
        for waiting in waiting {
            assert_eq!(waiting.await.unwrap().status(), 404);
        }
    });
}
