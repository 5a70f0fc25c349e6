//! Serving from a storage that has its moods.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use crate::support::{Answer, Server};
use sitemap_core::storage::{Hooked, OperationKind};
use sitemap_core::{Memory, Publisher, Site, Storage};
use sitemap_serve::SitemapService;

/// An index of two files, one of them of some size.
fn published() -> Memory {
    let memory = Memory::new();
    let site = Site::new("https://example.com").unwrap();
    let mut publisher = Publisher::builder(site).to_storage(memory.clone()).unwrap();
    publisher.section("pages").unwrap().add_all(["/", "/about"]).unwrap();
    publisher.section("posts").unwrap().add_all((0..500).map(|id| format!("/posts/{id}"))).unwrap();
    publisher.finish().unwrap();
    memory
}

/// A memory that can be made to fail or to wait.
#[derive(Clone, Debug)]
struct Moody {
    memory: Memory,
    mood: Arc<Mood>,
}

#[derive(Debug, Default)]
struct Mood {
    fails: AtomicBool,
    panics: AtomicBool,
    /// Whether reads wait, and how many do.
    waits: Mutex<(bool, usize)>,
    changed: Condvar,
}

impl Moody {
    fn new(memory: Memory) -> Self {
        Self { memory, mood: Arc::default() }
    }

    fn storage(&self) -> impl Storage + 'static {
        let mood = Arc::clone(&self.mood);
        Hooked::new(self.memory.clone(), move |operation| {
            assert!(!mood.panics.load(Ordering::SeqCst), "the storage panics on purpose");
            if mood.fails.load(Ordering::SeqCst) {
                return Err(io::Error::other("moody"));
            }
            if operation.kind == OperationKind::Open {
                let mut waits = mood.waits.lock().unwrap();
                waits.1 += 1;
                mood.changed.notify_all();
                drop(mood.changed.wait_while(waits, |(is_held, _)| *is_held).unwrap());
            }
            Ok(())
        })
    }

    fn hold(&self, is_held: bool) {
        self.mood.waits.lock().unwrap().0 = is_held;
        self.mood.changed.notify_all();
    }
}

#[test]
fn when_the_storage_fails_what_is_known_is_served() {
    let storage = Moody::new(published());
    let server = Server::of(SitemapService::new(storage.storage()).trust(Duration::ZERO));
    let before = server.get("/sitemap.xml", &[]);
    assert_eq!(before.status, 200);
    storage.mood.fails.store(true, Ordering::SeqCst);
    assert_eq!(server.get("/sitemap.xml", &[]), before);
    let unknown = server.get("/sitemap-posts-1.xml", &[]);
    assert_eq!((unknown.status, unknown.header("retry-after")), (503, "60"));
    storage.mood.fails.store(false, Ordering::SeqCst);
    assert_eq!(server.get("/sitemap-posts-1.xml", &[]).status, 200);
}

#[test]
fn a_storage_that_panics_costs_its_request_only() {
    let storage = Moody::new(published());
    let server = Server::of(SitemapService::new(storage.storage()).trust(Duration::ZERO));
    storage.mood.panics.store(true, Ordering::SeqCst);
    assert_eq!(server.get("/sitemap.xml", &[]).status, 500);
    storage.mood.panics.store(false, Ordering::SeqCst);
    assert_eq!(server.get("/sitemap.xml", &[]).status, 200);
}

#[test]
fn a_slow_storage_holds_up_nobody_else() {
    let storage = Moody::new(published());
    let service = SitemapService::new(storage.storage()).trust(Duration::from_secs(3600));
    let server = Server::of(service);
    let known = server.get("/sitemap.xml", &[]);
    storage.hold(true);
    storage.mood.waits.lock().unwrap().1 = 0;
    thread::scope(|scope| {
        // More of them than the server has threads.
        let slow: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| server.get("/sitemap-posts-1.xml", &["Accept-Encoding: gzip"])))
            .collect();
        let waits = storage.mood.waits.lock().unwrap();
        drop(storage.mood.changed.wait_while(waits, |(_, waiting)| *waiting == 0).unwrap());
        for _ in 0..20 {
            assert_eq!(server.get("/sitemap.xml", &[]), known);
        }
        assert!(!slow.iter().any(thread::ScopedJoinHandle::is_finished));
        storage.hold(false);
        let slow: Vec<Answer> = slow.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(slow.iter().all(|answer| answer.status == 200 && *answer == slow[0]));
    });
    // Those that came while the first one was read have not read it again.
    assert!(storage.mood.waits.lock().unwrap().1 <= 2);
}
