//! Tests for live sets in storage that several instances share.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_core::{Directory, Entry, Loc, Memory, Replacement, Site, Storage};
use sitemap_serve::{BoxError, LiveSitemap, SitemapService};
use sitemap_tests::{Hooked, OperationKind};
use sitemap_update::{Change, Rebucket, Update};

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn on(storage: impl Storage + 'static) -> LiveSitemap {
    LiveSitemap::on(storage, LiveSitemap::options(site()))
}

/// Adds the pages of one generation. Section `pages` is the same in all generations.
fn fill(run: &mut Replacement, generation: u32) -> Result<(), BoxError> {
    run.section("pages")?.add("/")?;
    run.section("posts")?.add_all((0..200).map(|id| format!("/posts/{generation}/{id}")))?;
    Ok(())
}

/// Returns a file's status, entity tag, date and text.
fn get(service: &SitemapService, path: &str) -> (u16, String, String, String) {
    let answer = service.respond_to("GET", path, [("accept", "*/*")]);
    let header =
        |name| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default();
    let text = String::from_utf8(answer.body().to_vec()).unwrap();
    (answer.status().as_u16(), header("etag"), header("last-modified"), text)
}

fn children(index: &str) -> Vec<String> {
    let locs = index.split("<loc>https://example.com").skip(1);
    locs.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

#[test]
fn a_restart_changes_nothing_that_clients_see() {
    let folder = tempfile::tempdir().unwrap();
    let start = || on(Directory::open(folder.path()).unwrap());
    let live = start();
    assert!(!live.status().has_set);
    assert_eq!(get(&live.service(), "/sitemap.xml").0, 503);
    for generation in 1..=3 {
        live.refresh(|run| fill(run, generation)).unwrap();
    }
    let answers = |live: &LiveSitemap| {
        let service = live.service();
        let index = get(&service, "/sitemap.xml");
        let files: Vec<_> = children(&index.3).iter().map(|child| get(&service, child)).collect();
        (index, files)
    };
    let before = answers(&live);
    assert!(before.1.len() == 2 && before.1.iter().all(|file| file.0 == 200));
    drop(live);

    let live = start();
    assert!(live.status().has_set, "the instance is ready before its first refresh");
    assert_eq!(answers(&live), before);
    // The database is down, so the first refresh fails.
    assert!(live.refresh(|_| Err("connection refused".into())).is_err());
    let status = live.status();
    assert!(status.has_set && status.failures == 1, "{status:?}");
    assert_eq!(answers(&live), before);
}

#[test]
fn all_instances_serve_the_set_of_whichever_refreshes() {
    let storage = Memory::new();
    let instances = [(); 3].map(|()| on(storage.clone()));
    // Check on every request, so that no result depends on the clock.
    let services = instances.each_ref().map(|live| live.service().revalidate_after(Duration::ZERO));
    let mut fetched = Vec::new();
    for generation in 0..9_u32 {
        let turn = generation as usize;
        instances[turn % 3].refresh(|run| fill(run, generation)).unwrap();
        let index = get(&services[0], "/sitemap.xml");
        assert!(services.iter().all(|service| get(service, "/sitemap.xml") == index));
        fetched.extend(children(&index.3));
        // Each instance can serve the files of all sets, no matter which instance published them or was asked first.
        for (at, child) in fetched.iter().enumerate() {
            assert_eq!(get(&services[(at + turn) % 3], child).0, 200, "{child}");
        }
    }
    assert_eq!(fetched.len(), 18);
}

/// In-memory storage that counts its operations, fails on demand, and can block when asked for the entry point's
/// metadata.
#[derive(Clone, Default)]
struct Watched {
    memory: Memory,
    operations: Arc<AtomicU64>,
    fails: Arc<AtomicBool>,
    gate: Arc<(Mutex<Gate>, Condvar)>,
}

#[derive(Default)]
struct Gate {
    is_closed: bool,
    waiting: usize,
}

impl Watched {
    fn storage(&self) -> impl Storage + 'static {
        let this = self.clone();
        Hooked::new(self.memory.clone(), move |operation| {
            this.operations.fetch_add(1, Ordering::SeqCst);
            if this.fails.load(Ordering::SeqCst) {
                return Err(io::Error::other("the storage fails on purpose"));
            }
            if operation.kind == OperationKind::Metadata && operation.name == "sitemap.xml" {
                let mut gate = this.gate.0.lock().unwrap();
                gate.waiting += 1;
                this.gate.1.notify_all();
                gate = this.gate.1.wait_while(gate, |gate| gate.is_closed).unwrap();
                gate.waiting -= 1;
            }
            Ok(())
        })
    }

    fn close(&self, is_closed: bool) {
        self.gate.0.lock().unwrap().is_closed = is_closed;
        self.gate.1.notify_all();
    }

    fn wait_for_a_check(&self) {
        let gate = self.gate.0.lock().unwrap();
        drop(self.gate.1.wait_while(gate, |gate| gate.waiting == 0).unwrap());
    }
}

#[test]
fn an_instance_serves_its_own_set_at_once_and_asks_for_others_only_after_a_while() {
    let watched = Watched::default();
    let live = on(watched.storage());
    let hour = live.service().revalidate_after(Duration::from_secs(3600));
    live.refresh(|run| fill(run, 1)).unwrap();
    let first = get(&hour, "/sitemap.xml");
    live.refresh(|run| fill(run, 2)).unwrap();
    let second = get(&hour, "/sitemap.xml");
    assert_ne!(first, second);

    on(watched.memory.clone()).refresh(|run| fill(run, 3)).unwrap();
    let operations = watched.operations.load(Ordering::SeqCst);
    for _ in 0..10 {
        assert_eq!(get(&hour, "/sitemap.xml"), second);
    }
    assert_eq!(watched.operations.load(Ordering::SeqCst), operations);
    let always = live.service().revalidate_after(Duration::ZERO);
    let third = get(&always, "/sitemap.xml");
    assert_ne!(third, second);

    // Files named by their digest are never checked again.
    let child = children(&third.3).remove(1);
    let file = get(&always, &child);
    let operations = watched.operations.load(Ordering::SeqCst);
    assert_eq!(get(&always, &child), file);
    assert_eq!(watched.operations.load(Ordering::SeqCst), operations);
}

#[test]
fn what_is_in_memory_is_served_while_the_storage_fails() {
    let watched = Watched::default();
    let live = on(watched.storage());
    live.refresh(|run| fill(run, 1)).unwrap();
    let service = live.service().revalidate_after(Duration::ZERO).robots_txt(&site(), "User-agent: *\n");
    let index = get(&service, "/sitemap.xml");
    let listed = children(&index.3);
    let answers = || ["/robots.txt", "/sitemap.xml", listed[0].as_str()].map(|path| get(&service, path));
    let before = answers();
    assert!(before.iter().all(|answer| answer.0 == 200));
    assert!(before[0].3.contains("Sitemap: https://example.com/sitemap.xml\n"));

    watched.fails.store(true, Ordering::SeqCst);
    assert_eq!(answers(), before);
    assert_eq!(get(&service, &listed[1]).0, 503);
    assert!(live.refresh(|run| fill(run, 2)).is_err());
    assert_eq!(answers(), before);

    // An instance that starts now has no files in memory, and its status contains the reason.
    let late = on(watched.storage());
    let status = late.status();
    let error = "cannot read the published set: the storage fails on purpose";
    assert_eq!((status.has_set, status.last_error.as_deref()), (false, Some(error)));
    assert_eq!(get(&late.service(), "/sitemap.xml").0, 503);
    watched.fails.store(false, Ordering::SeqCst);
    assert_eq!(get(&late.service(), "/sitemap.xml"), index);
    assert!(late.status().has_set);
}

#[test]
fn one_request_waits_for_a_slow_storage_and_the_others_do_not() {
    let watched = Watched::default();
    let live = on(watched.storage());
    live.refresh(|run| fill(run, 1)).unwrap();
    let service = live.service().revalidate_after(Duration::ZERO);
    let old = get(&service, "/sitemap.xml");
    on(watched.memory.clone()).refresh(|run| fill(run, 2)).unwrap();
    watched.close(true);
    thread::scope(|scope| {
        let first = scope.spawn(|| get(&service, "/sitemap.xml"));
        watched.wait_for_a_check();
        for _ in 0..20 {
            assert_eq!(get(&service, "/sitemap.xml"), old);
        }
        assert!(!first.is_finished());
        watched.close(false);
        assert_ne!(first.join().unwrap(), old);
    });
    assert_ne!(get(&service, "/sitemap.xml"), old);
}

#[test]
fn requests_that_wait_for_the_index_leave_a_thread_for_compression() {
    use tower_service::Service as _;

    let watched = Watched::default();
    let live = on(watched.storage());
    let mut service = live.service().revalidate_after(Duration::from_secs(3600));
    live.refresh(|run| fill(run, 1)).unwrap();
    assert_eq!(get(&service, "/sitemap.xml").0, 200);
    // This instance has published, which invalidates all copies in memory, so all requests must wait for the storage.
    live.refresh(|run| fill(run, 2)).unwrap();
    watched.close(true);
    let mut request = |path: &str| {
        let request = http::Request::get(path).header("accept-encoding", "gzip");
        service.call(request.body(()).unwrap())
    };
    let waiting: Vec<_> = (0..20).map(|_| request("/sitemap.xml")).collect();
    watched.wait_for_a_check();
    let compressed = request("/sitemap.css");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (sender, answers) = std::sync::mpsc::channel();
    let answers = thread::scope(|scope| {
        scope.spawn(|| sender.send(runtime.block_on(compressed).unwrap().status()).unwrap());
        let answer = answers.recv_timeout(Duration::from_secs(60));
        watched.close(false);
        answer
    });
    assert_eq!(answers.unwrap(), 200);
    for answer in waiting {
        assert_eq!(runtime.block_on(answer).unwrap().status(), 200);
    }
}

#[test]
fn the_number_of_files_has_those_of_the_set_and_the_kept_ones_but_no_others() {
    let memory = Memory::new();
    memory.put("sitemap-other.xml", b"<urlset/>").unwrap();
    let lists = Arc::new(AtomicBool::new(true));
    let may_list = Arc::clone(&lists);
    let live = on(Hooked::new(memory, move |operation| {
        let fails = operation.kind == OperationKind::List && !may_list.load(Ordering::SeqCst);
        if fails { Err(io::Error::other("no list")) } else { Ok(()) }
    }));
    live.refresh(|run| fill(run, 1)).unwrap();
    // The index, and two files with pages.
    assert_eq!(live.status().files, 3);
    lists.store(false, Ordering::SeqCst);
    live.refresh(|run| fill(run, 2)).unwrap();
    // The same three files, plus a kept one.
    assert_eq!(live.status().files, 4);
}

#[test]
fn of_two_refreshes_at_once_one_wins_and_its_set_is_complete() {
    let locked = Memory::new();
    let unlocked = Hooked::new(Memory::new(), |_| Ok(())).without_lock();
    let storages: [Arc<dyn Storage>; 2] = [Arc::new(locked), Arc::new(unlocked)];
    for (storage, winner) in storages.into_iter().zip([2, 3]) {
        let [slow, quick] = [(); 2].map(|()| on(Arc::clone(&storage)));
        slow.refresh(|run| fill(run, 1)).unwrap();
        let mut results = Vec::new();
        let result = slow.refresh(|run| {
            fill(run, 2)?;
            results.push(quick.refresh(|run| fill(run, 3)));
            Ok(())
        });
        results.push(result);
        // If there is a lock, the first refresh to start wins. Otherwise, the first to finish wins.
        let (lost, won): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_err);
        assert_eq!((lost.len(), won.len()), (1, 1));
        assert!(lost.into_iter().all(|lost| lost.unwrap_err().is_overtaken()));
        let status = if winner == 2 { quick.status() } else { slow.status() };
        assert_eq!((status.failures, status.left_to_others), (0, 1));
        for live in [slow, quick] {
            let service = live.service().revalidate_after(Duration::ZERO);
            let listed = children(&get(&service, "/sitemap.xml").3);
            let posts = get(&service, &listed[1]);
            assert_eq!(posts.3.matches(&format!("/posts/{winner}/")).count(), 200, "{posts:?}");
        }
    }
}

#[test]
fn changes_of_single_pages_reach_all_instances() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = [(); 2].map(|()| on(Directory::open(folder.path()).unwrap()));
    let posts = |run: &mut Replacement| {
        Ok(run.section("posts")?.add_all((0..200).map(|id| format!("/posts/{id}")))?)
    };
    one.refresh(posts).unwrap();
    one.update(|set| Rebucket::new(set, 8).commit()).unwrap();
    let services = [&one, &other].map(|live| live.service().revalidate_after(Duration::ZERO));
    let before = children(&get(&services[1], "/sitemap.xml").3);

    let mut update = Update::new(&LiveSitemap::options(site()).storage(Memory::new()));
    let loc = Loc::parse("https://example.com/posts/new").unwrap();
    update.add(Change::Upsert(Entry::new(loc))).unwrap();
    let applied = other.update(|set| update.commit_to(Arc::clone(set.storage()))).unwrap();
    assert_eq!((applied.added(), applied.files_written()), (1, 1));
    let after = get(&services[0], "/sitemap.xml");
    assert_eq!(get(&services[1], "/sitemap.xml"), after);
    let after = children(&after.3);
    assert_eq!(after.iter().filter(|child| !before.contains(child)).count(), 1);
    for child in before.iter().chain(&after) {
        assert!(services.iter().all(|service| get(service, child).0 == 200), "{child}");
    }
    // The index, the files it lists, and the replaced files.
    let status = other.status();
    assert!(status.files > after.len() && status.urls.is_none(), "{status:?}");
}

#[test]
fn an_instance_without_requests_learns_of_the_set_of_another() {
    // The first instance started before the first set was published, and the second one during an outage.
    for is_outage in [false, true] {
        let watched = Watched::default();
        watched.fails.store(is_outage, Ordering::SeqCst);
        let live = on(watched.storage());
        assert!(!live.status().has_set);
        on(watched.memory.clone()).refresh(|run| fill(run, 1)).unwrap();
        watched.fails.store(false, Ordering::SeqCst);
        let end = Instant::now() + Duration::from_secs(60);
        while !live.status().has_set {
            assert!(Instant::now() < end, "it does not look for the set");
            thread::yield_now();
        }
    }
}

#[test]
fn the_error_of_a_look_is_in_the_status_until_a_look_succeeds() {
    let error = Some("cannot read the published set: the storage fails on purpose");
    let end = Instant::now() + Duration::from_secs(60);
    let wait_for = |live: &LiveSitemap, error: Option<&str>| {
        while live.status().last_error.as_deref() != error {
            assert!(Instant::now() < end, "{:?}", live.status());
            thread::yield_now();
        }
    };
    let watched = Watched::default();
    let live = on(watched.storage());
    assert_eq!(live.status().last_error, None);
    watched.fails.store(true, Ordering::SeqCst);
    wait_for(&live, error);
    // There is still no set, but the storage answers.
    watched.fails.store(false, Ordering::SeqCst);
    wait_for(&live, None);
    watched.fails.store(true, Ordering::SeqCst);
    wait_for(&live, error);
    watched.fails.store(false, Ordering::SeqCst);
    on(watched.memory.clone()).refresh(|run| fill(run, 1)).unwrap();
    wait_for(&live, None);
}

#[test]
fn a_readiness_probe_does_not_wait_for_the_storage_and_asks_it_once() {
    let watched = Watched::default();
    let live = on(watched.storage());
    watched.close(true);
    let before = watched.operations.load(Ordering::SeqCst);
    for _ in 0..100 {
        assert!(!live.status().has_set);
    }
    watched.wait_for_a_check();
    assert!(!live.status().has_set);
    assert_eq!(watched.operations.load(Ordering::SeqCst), before + 1);
    watched.close(false);
}

#[test]
fn a_refresh_that_fails_looks_for_the_set_of_another_instance() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for is_async in [false, true] {
        let memory = Memory::new();
        let live = on(memory.clone());
        on(memory).refresh(|run| fill(run, 1)).unwrap();
        let error = if is_async {
            runtime.block_on(live.refresh_async(async |_| Err("no database".into())))
        } else {
            live.refresh(|_| Err("no database".into()))
        };
        assert!(error.is_err());
        assert!(live.status().has_set);
    }
}
