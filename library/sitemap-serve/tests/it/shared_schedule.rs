//! Tests the schedules of several instances on one storage.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Waker};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use sitemap_core::{Directory, Memory, Replacement, Site, SitemapSet, Storage};
use sitemap_object_store::ObjectStorage;
use sitemap_serve::{BoxError, LiveSitemap, Refresher};
use sitemap_tests::{Hooked, OperationKind};

/// The file name of the note that the instances share.
const REFRESH_NOTE: &str = ".sitemap-refresh.txt";
const HOUR: Duration = Duration::from_secs(3600);
const PATIENCE: Duration = Duration::from_secs(60);

fn on(storage: impl Storage + 'static) -> LiveSitemap {
    LiveSitemap::on(storage, LiveSitemap::options(Site::new("https://example.com").unwrap()))
}

fn one_page(run: &mut Replacement) -> Result<(), BoxError> {
    Ok(run.section("pages")?.add("/")?)
}

/// Waits for another thread, with no time limit.
fn wait_until(is_true: impl Fn() -> bool) {
    while !is_true() {
        thread::yield_now();
    }
}

#[test]
fn one_of_several_instances_refreshes_and_a_call_refreshes_anyway() {
    let folder = tempfile::tempdir().unwrap();
    refreshes_once(&(Arc::new(Memory::new()) as Arc<dyn Storage>));
    refreshes_once(&(Arc::new(Directory::open(folder.path()).unwrap()) as Arc<dyn Storage>));
    refreshes_once(&(Arc::new(ObjectStorage::open("memory:///").unwrap()) as Arc<dyn Storage>));
}

fn refreshes_once(storage: &Arc<dyn Storage>) {
    let [one, other] = [(); 2].map(|()| on(Arc::clone(storage)));
    let (sender, runs) = mpsc::channel();
    let start = |live: &LiveSitemap, name: &'static str| {
        let sender = sender.clone();
        let fill = move |run: &mut Replacement| {
            sender.send(name)?;
            one_page(run)
        };
        live.every(HOUR, fill).unwrap()
    };
    let first = start(&one, "one");
    wait_until(|| one.status().successes == 1);
    let second = start(&other, "other");
    wait_until(|| other.status().left_to_others == 1);
    assert_eq!((runs.try_recv(), runs.try_recv()), (Ok("one"), Err(mpsc::TryRecvError::Empty)));
    let status = other.status();
    // The instance knows when the other one refreshed, so it raises no alarm.
    assert!(status.has_set && status.is_current(HOUR) && status.successes == 0, "{status:?}");
    assert!(status.last_success.is_some_and(|date| date <= SystemTime::now()));

    second.wake();
    wait_until(|| other.status().successes == 1);
    assert_eq!(runs.recv_timeout(PATIENCE), Ok("other"));
    second.stop().wait();
    first.stop().wait();
    assert!(runs.try_recv().is_err());
    let mut names = storage.list().unwrap();
    names.retain(|name| !name.contains(".lock"));
    names.sort();
    assert_eq!(names, [".sitemap-manifest.jsonl", REFRESH_NOTE, "sitemap.xml"]);
}

#[test]
fn an_instance_takes_over_from_one_whose_refresh_fails() {
    let storage = Memory::new();
    let [one, other] = [(); 2].map(|()| on(storage.clone()));
    let failing = one.every(HOUR, |_| Err("connection refused".into())).unwrap();
    wait_until(|| one.status().failures > 0 && storage.get(REFRESH_NOTE).is_none());
    failing.stop().wait();
    let refresher = other.every(HOUR, one_page).unwrap();
    wait_until(|| other.status().successes == 1);
    refresher.stop().wait();
    assert_eq!(other.status().left_to_others, 0);

    // The failing instance notices that the set was refreshed.
    let failing = one.every(HOUR, |_| Err("connection refused".into())).unwrap();
    wait_until(|| one.status().left_to_others == 1);
    failing.stop().wait();
    let status = one.status();
    assert!(status.has_set && status.is_current(HOUR), "{status:?}");
    assert!(status.failures > 0);
    assert_eq!((status.failures_in_a_row, status.last_error), (0, None));
}

#[test]
fn a_note_without_a_set_keeps_nobody_from_publishing_the_first_set() {
    const DAY: Duration = Duration::from_secs(24 * 3600);

    let folder = tempfile::tempdir().unwrap();
    let storage = Directory::open(folder.path()).unwrap();
    let publishes = || {
        let (sender, runs) = mpsc::channel();
        let live = on(storage.clone());
        let fill = move |run: &mut Replacement| {
            sender.send(())?;
            one_page(run)
        };
        let refresher = live.every(DAY, fill).unwrap();
        assert_eq!(runs.recv_timeout(PATIENCE), Ok(()), "no refresh has begun");
        refresher.stop().wait();
        assert!(live.status().has_set && live.status().successes == 1);
    };
    let remove_set = || {
        for name in storage.list().unwrap() {
            if name != REFRESH_NOTE {
                storage.remove(&name).unwrap();
            }
        }
    };
    publishes();
    // All files that `ls` shows are removed, but the hidden note stays.
    remove_set();
    assert!(storage.metadata(REFRESH_NOTE).unwrap().is_some());
    publishes();
    // A process was killed during its first refresh, two minutes ago.
    remove_set();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let note = format!("begun {} never .note.1-1.tmp\n", now.as_micros() - 120_000_000);
    storage.put(REFRESH_NOTE, note.as_bytes()).unwrap();
    publishes();
}

#[test]
fn a_schedule_survives_a_storage_that_panics() {
    let is_broken = Arc::new(AtomicBool::new(false));
    let broken = Arc::clone(&is_broken);
    let storage = Hooked::new(Memory::new(), move |_| {
        assert!(!broken.load(Ordering::SeqCst), "the storage panics on purpose");
        Ok(())
    });
    let live = on(storage);
    is_broken.store(true, Ordering::SeqCst);
    let refresher = live.every(HOUR, one_page).unwrap();
    wait_until(|| live.status().failures > 0);
    is_broken.store(false, Ordering::SeqCst);
    wait_until(|| live.status().successes == 1);
    refresher.stop().wait();
}

#[test]
fn a_schedule_survives_a_storage_that_panics_when_it_is_asked_for_the_set() {
    // The note tells this instance to leave the refresh to another one, so it searches for that instance's set.
    let memory = Memory::new();
    on(memory.clone()).refresh(one_page).unwrap();
    let note = memory.get(REFRESH_NOTE).unwrap();
    let run = |schedule: &dyn Fn(LiveSitemap) -> Refresher| {
        let (memory, breaks) = (Memory::new(), Arc::new(AtomicBool::new(false)));
        memory.put(REFRESH_NOTE, &note).unwrap();
        let is_broken = Arc::clone(&breaks);
        let live = on(Hooked::new(memory, move |operation| {
            let panics = operation.name == "sitemap.xml" && is_broken.load(Ordering::SeqCst);
            assert!(!panics, "the storage panics on purpose");
            Ok(())
        }));
        breaks.store(true, Ordering::SeqCst);
        let refresher = schedule(live.clone());
        let end = Instant::now() + PATIENCE;
        wait_until(|| live.status().failures > 0 || Instant::now() > end);
        assert!(live.status().failures > 0, "the schedule has ended without a word");
        breaks.store(false, Ordering::SeqCst);
        wait_until(|| live.status().successes == 1);
        refresher.stop().wait();
    };
    run(&|live| live.every(HOUR, one_page).unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    run(&|live| {
        let (refresher, schedule) = live.every_async(HOUR, async |run| one_page(run));
        runtime.spawn(schedule);
        refresher
    });
}

#[test]
fn a_schedule_that_another_instance_overtakes_reports_no_failure() {
    let storage = Hooked::new(Memory::new(), |_| Ok(())).without_lock();
    let [one, other] = [(); 2].map(|()| on(storage.clone()));
    let rival = other.clone();
    let refresher = one
        .every(HOUR, move |run| {
            // The other instance is refreshed by hand, and finishes first.
            rival.refresh(|run| Ok(run.section("pages")?.add("/quick")?))?;
            Ok(run.section("pages")?.add("/slow")?)
        })
        .unwrap();
    // This instance's refresh is overtaken. Its next refresh is left to the other instance, which has just refreshed.
    wait_until(|| one.status().left_to_others >= 2);
    refresher.stop().wait();
    let status = one.status();
    assert_eq!((status.successes, status.failures, other.status().successes), (0, 0, 1));
    let answer = one.service().respond_to("GET", "/sitemap.xml", [("accept", "*/*")]);
    assert!(std::str::from_utf8(answer.body()).unwrap().contains("/quick</loc>"));
}

#[test]
fn a_stop_while_an_instance_takes_its_turn_gives_the_turn_back() {
    let memory = Memory::new();
    let (asks, asked) = mpsc::channel();
    let (answer, answers) = mpsc::channel();
    let answers = Mutex::new(answers);
    let live = on(Hooked::new(memory.clone(), move |operation| {
        if operation.kind == OperationKind::RenameIf && operation.name == REFRESH_NOTE {
            asks.send(()).unwrap();
            answers.lock().unwrap().recv().unwrap();
        }
        Ok(())
    }));
    let (refresher, schedule) =
        live.every_async(HOUR, async |_| unreachable!("the schedule is stopped before its first refresh"));
    let mut schedule = pin!(schedule);
    let mut context = Context::from_waker(Waker::noop());
    assert!(schedule.as_mut().poll(&mut context).is_pending());
    asked.recv_timeout(PATIENCE).unwrap();
    let stopping = refresher.stop();
    assert!(schedule.as_mut().poll(&mut context).is_pending(), "it leaves a turn behind that it has taken");
    answer.send(()).unwrap();
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(schedule);
    stopping.wait();
    assert!(memory.get(REFRESH_NOTE).is_none());
    assert_eq!((live.status().successes, live.status().failures), (0, 0));
}

#[test]
fn schedules_of_a_runtime_share_the_work_and_leave_it_when_they_stop() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let storage = Memory::new();
    let [one, other] = [(); 2].map(|()| on(storage.clone()));
    // The command publishes the first set, which leaves no note.
    let site = Site::new("https://example.com").unwrap();
    let mut run = SitemapSet::builder(site).storage(storage.clone()).replace().unwrap();
    one_page(&mut run).unwrap();
    run.commit().unwrap();
    runtime.block_on(async {
        let (started, has_started) = tokio::sync::oneshot::channel();
        let mut started = Some(started);
        let (refresher, schedule) = one.every_async(HOUR, async move |_| {
            if let Some(started) = started.take() {
                let _ = started.send(());
            }
            std::future::pending::<Result<(), BoxError>>().await
        });
        let running = tokio::spawn(schedule);
        has_started.await.unwrap();
        // A running refresh is left to the instance that began it.
        let (waiting, schedule) = other.every_async(HOUR, async |run| one_page(run));
        tokio::spawn(schedule);
        while other.status().left_to_others == 0 {
            tokio::task::yield_now().await;
        }
        waiting.stop().await;
        assert!(storage.get(REFRESH_NOTE).is_some());
        // An instance that is stopped abandons its refresh and leaves it to the others.
        refresher.stop().await;
        running.await.unwrap();
        assert!(storage.get(REFRESH_NOTE).is_none());
        let (refresher, schedule) = other.every_async(HOUR, async |run| one_page(run));
        tokio::spawn(schedule);
        while other.status().successes == 0 {
            tokio::task::yield_now().await;
        }
        refresher.stop().await;
    });
}

/// Returns a live set whose commits send a signal and then wait for permission to continue.
fn with_slow_commits(memory: &Memory) -> (LiveSitemap, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let (commits, committing) = mpsc::channel();
    let (go_on, gate) = mpsc::channel();
    let gate = Mutex::new(gate);
    let live = on(Hooked::new(memory.clone(), move |operation| {
        let is_rename = matches!(operation.kind, OperationKind::Rename | OperationKind::RenameIf);
        if is_rename && operation.name == "sitemap.xml" {
            commits.send(()).unwrap();
            gate.lock().unwrap().recv().unwrap();
        }
        Ok(())
    }));
    (live, committing, go_on)
}

#[test]
fn a_refresh_that_nobody_awaits_any_more_is_served_and_noted_after_its_commit() {
    let memory = Memory::new();
    let (live, committing, go_on) = with_slow_commits(&memory);
    go_on.send(()).unwrap();
    live.refresh(one_page).unwrap();
    committing.recv_timeout(PATIENCE).unwrap();
    let service = live.service().revalidate_after(HOUR);
    let index = || service.respond_to("GET", "/sitemap.xml", [("", ""); 0]).into_body();
    let (old, note) = (index(), memory.get(REFRESH_NOTE));

    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let refresh = |pages: &'static [&'static str]| {
        live.refresh_async(async move |run| Ok(run.section("pages")?.add_all(pages)?))
    };
    let mut dropped = Box::pin(refresh(&["/", "/new"]));
    let mut context = Context::from_waker(Waker::noop());
    while committing.try_recv().is_err() {
        assert!(dropped.as_mut().poll(&mut context).is_pending());
    }
    drop(dropped);
    assert_eq!((index(), live.status().successes), (old.clone(), 1));
    go_on.send(()).unwrap();
    let end = Instant::now() + PATIENCE;
    wait_until(|| live.status().successes == 2 || Instant::now() > end);
    let status = live.status();
    assert_eq!((status.successes, status.failures, status.urls), (2, 0, Some(2)));
    assert_ne!(index(), old);
    assert_ne!(memory.get(REFRESH_NOTE), note);
    // The lock has been released.
    go_on.send(()).unwrap();
    assert_eq!(runtime.block_on(refresh(&["/"])).unwrap().urls(), 1);
}

#[test]
fn a_stop_during_a_commit_leaves_the_note_of_the_success() {
    let memory = Memory::new();
    let (live, committing, go_on) = with_slow_commits(&memory);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let (refresher, schedule) = live.every_async(HOUR, async |run| one_page(run));
    let running = runtime.spawn(schedule);
    committing.recv_timeout(PATIENCE).unwrap();
    let stopping = refresher.stop();
    runtime.block_on(running).unwrap();
    let state = || {
        let note = memory.get(REFRESH_NOTE)?;
        std::str::from_utf8(&note).unwrap().split(' ').next().map(str::to_owned)
    };
    assert_eq!(state().as_deref(), Some("begun"), "others would refresh the set again during the commit");
    go_on.send(()).unwrap();
    stopping.wait();
    assert_eq!(state().as_deref(), Some("refreshed"));
    assert_eq!((live.status().successes, live.status().urls), (1, Some(1)));
}

#[test]
fn a_runtime_that_is_dropped_gives_the_turn_back() {
    let memory = Memory::new();
    let live = on(memory.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let (started, has_started) = mpsc::channel();
    let (refresher, schedule) = live.every_async(HOUR, async move |_| {
        started.send(())?;
        std::future::pending::<Result<(), BoxError>>().await
    });
    runtime.spawn(schedule);
    has_started.recv_timeout(PATIENCE).unwrap();
    assert!(memory.get(REFRESH_NOTE).is_some());
    drop(runtime);
    refresher.stop().wait();
    assert!(memory.get(REFRESH_NOTE).is_none());
}

#[test]
fn a_schedule_that_is_dropped_while_it_takes_the_turn_gives_it_back() {
    let memory = Memory::new();
    let (taking, is_taking) = mpsc::channel();
    let (go_on, gate) = mpsc::channel();
    let (removing, removals) = mpsc::channel();
    let gate = Mutex::new(gate);
    let live = on(Hooked::new(memory.clone(), move |operation| {
        match (operation.kind, operation.name) {
            (OperationKind::RenameIf, REFRESH_NOTE) => {
                taking.send(()).unwrap();
                gate.lock().unwrap().recv().unwrap();
            }
            (OperationKind::Remove, REFRESH_NOTE) => removing.send(()).unwrap(),
            _ => {}
        }
        Ok(())
    }));
    let (refresher, schedule) = live.every_async(HOUR, async |run| one_page(run));
    let mut schedule = Box::pin(schedule);
    assert!(schedule.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    is_taking.recv_timeout(PATIENCE).unwrap();
    drop(schedule);
    go_on.send(()).unwrap();
    refresher.stop().wait();
    assert_eq!(removals.recv_timeout(PATIENCE), Ok(()));
    assert!(memory.get(REFRESH_NOTE).is_none());
}

#[test]
fn a_stop_ends_after_the_commit_of_the_refresh_that_it_gives_up() {
    let memory = Memory::new();
    let (live, committing, go_on) = with_slow_commits(&memory);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let (refresher, schedule) = live.every_async(HOUR, async |run| one_page(run));
    let running = runtime.spawn(schedule);
    committing.recv_timeout(PATIENCE).unwrap();
    let mut stopping = refresher.stop();
    // The schedule abandons the refresh, but a thread is still committing it.
    runtime.block_on(running).unwrap();
    let mut context = Context::from_waker(Waker::noop());
    assert!(pin!(&mut stopping).poll(&mut context).is_pending(), "the commit is still running");
    assert!(memory.get("sitemap.xml").is_none());
    go_on.send(()).unwrap();
    runtime.block_on(stopping);
    assert!(memory.get("sitemap.xml").is_some() && memory.get(".sitemap-manifest.jsonl").is_some());
    // The next refresh has waited for the commit, so the commit does not overtake it.
    let next = live.clone();
    go_on.send(()).unwrap();
    runtime.block_on(next.refresh_async(async |run| Ok(run.section("pages")?.add("/new")?))).unwrap();
    assert_eq!(live.status().left_to_others, 0);
}
