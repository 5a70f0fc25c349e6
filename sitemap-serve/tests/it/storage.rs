//! Tests of a service whose storage fails, panics or is slow.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use crate::support::{Answer, Server};
use sitemap_core::storage::{Hooked, OperationKind};
use sitemap_core::{Memory, Publisher, Site, Storage};
use sitemap_serve::SitemapService;

/// Publishes an index and two child sitemaps. One of the child sitemaps is large enough to be compressed.
fn published() -> Memory {
    let memory = Memory::new();
    let site = Site::new("https://example.com").unwrap();
    let mut publisher = Publisher::builder(site).to_storage(memory.clone()).unwrap();
    publisher.section("pages").unwrap().add_all(["/", "/about"]).unwrap();
    publisher.section("posts").unwrap().add_all((0..500).map(|id| format!("/posts/{id}"))).unwrap();
    publisher.finish().unwrap();
    memory
}

/// A storage in memory that fails, panics or blocks on demand.
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
    // Each of the service's four threads has read the file at most once. Requests that waited got it from the cache.
    assert!(storage.switches.reads.lock().unwrap().started <= 4);
}
