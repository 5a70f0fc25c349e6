//! Refreshes a live set while clients read it.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::support::{Answer, Server};
use sitemap_core::publish::{AllowShrink, Names, PublishErrorKind};
use sitemap_core::{Replacement, Site, SitemapSet};
use sitemap_serve::{BoxError, LiveSitemap, RefreshError};

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn one_page(run: &mut Replacement) -> Result<(), BoxError> {
    run.section("pages")?.add("/")?;
    Ok(())
}

/// Adds the pages of one generation. Section `a` is the same in all generations; `b`, `c` and `d` differ.
fn generation(run: &mut Replacement, number: u64) -> Result<(), BoxError> {
    run.section("a")?.add_all((0..50).map(|page| format!("/a/{page}")))?;
    for section in ["b", "c", "d"] {
        run.section(section)?.add_all((0..200).map(|page| format!("/{section}/{number}/{page}")))?;
    }
    Ok(())
}

fn children(index: &Answer) -> Vec<String> {
    let locs = index.text().split("<loc>https://example.com").skip(1);
    locs.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

fn kind(error: &RefreshError) -> &PublishErrorKind {
    match error {
        RefreshError::Publish(error) => error.kind(),
        other => panic!("{other}"),
    }
}

#[test]
fn requests_get_no_set_before_the_first_success_and_the_old_set_after_a_failure() {
    let live = LiveSitemap::new(site());
    let server = Server::of(live.service());
    let get = || server.get("/sitemap.xml", &[]);
    assert_eq!((get().status, get().header("retry-after")), (503, "60"));

    let error = live.refresh(|_| Err(io::Error::other("no database").into())).unwrap_err();
    assert!(matches!(error, RefreshError::Fill(_)), "{error}");
    assert_eq!(error.to_string(), "cannot read the records: no database");
    assert_eq!(live.status().last_error.unwrap(), error.to_string());
    assert_eq!(get().status, 503);
    // A publishing error in `fill` is returned as `Publish`, not as `Fill`.
    let error = live.refresh(|run| Ok(run.section("a/b").map(drop)?)).unwrap_err();
    assert!(matches!(kind(&error), PublishErrorKind::SectionName(_)), "{error}");
    let error = live.refresh(|_| Ok(())).unwrap_err();
    assert!(matches!(kind(&error), PublishErrorKind::EmptySet { .. }), "{error}");
    assert_eq!(get().status, 503);

    assert_eq!(live.refresh(one_page).unwrap().urls(), 1);
    assert_eq!(live.status().last_error, None);
    let first = get();
    assert_eq!(first.status, 200);
    let failed = live.refresh(|run| {
        run.section("pages")?.add_all(["/new", "/newer"])?;
        Err("the second table is locked".into())
    });
    assert!(failed.is_err());
    assert_eq!(get(), first);
    assert_eq!(server.get("/sitemap-pages-1.xml", &[]).status, 404);
}

#[test]
fn unchanged_files_keep_their_tags_and_dates() {
    let live = LiveSitemap::with_options(SitemapSet::builder(site()).names(Names::Stable));
    let server = Server::of(live.service());
    live.refresh(|run| generation(run, 1)).unwrap();
    let (a, b) = (server.get("/sitemap-a-1.xml", &[]), server.get("/sitemap-b-1.xml", &[]));
    // HTTP dates have a resolution of one second, so two refreshes within a second would have the same date.
    thread::sleep(Duration::from_millis(1_100));
    let summary = live.refresh(|run| generation(run, 2)).unwrap();
    let changed: Vec<_> = summary.files().iter().map(sitemap_core::publish::PublishedFile::changed).collect();
    assert_eq!(changed, [false, true, true, true]);
    assert_eq!(server.get("/sitemap-a-1.xml", &[]), a);
    let after = server.get("/sitemap-b-1.xml", &[]);
    assert_ne!(after.header("etag"), b.header("etag"));
    assert_ne!(after.header("last-modified"), b.header("last-modified"));
    let known = format!("If-None-Match: {}", a.header("etag"));
    assert_eq!(server.get("/sitemap-a-1.xml", &[&known]).status, 304);
}

#[test]
fn an_index_that_was_fetched_before_a_refresh_still_leads_to_its_files() {
    let live = LiveSitemap::with_options(LiveSitemap::options(site()).keep_for(Duration::ZERO));
    let server = Server::of(live.service());
    live.refresh(|run| generation(run, 1)).unwrap();
    let old = server.get("/sitemap.xml", &[]);
    live.refresh(|run| generation(run, 2)).unwrap();
    for child in children(&old).iter().chain(&children(&server.get("/sitemap.xml", &[]))) {
        assert_eq!(server.get(child, &[]).status, 200, "{child}");
    }
    live.refresh(|run| generation(run, 3)).unwrap();
    let statuses: Vec<_> = children(&old).iter().map(|child| server.get(child, &[]).status).collect();
    // Only the replaced files of one older generation are kept. Section `a` has the same file in all generations.
    assert_eq!(statuses, [200, 404, 404, 404]);
}

#[test]
fn one_refresh_at_a_time_and_requests_do_not_wait_for_it() {
    let live = LiveSitemap::new(site());
    live.refresh(one_page).unwrap();
    let server = Server::of(live.service());
    let at_work = AtomicU64::new(0);
    let (started, has_started) = mpsc::channel();
    let (go, gate) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let (live, at_work) = (&live, &at_work);
        let refresh = move |wait: Box<dyn FnOnce() + Send>| {
            move || {
                live.refresh(|run| {
                    assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0);
                    wait();
                    one_page(run)?;
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    Ok(())
                })
            }
        };
        let first = scope.spawn(refresh(Box::new(move || {
            started.send(()).unwrap();
            gate.recv().unwrap();
        })));
        has_started.recv().unwrap();
        let second = scope.spawn(refresh(Box::new(|| {})));
        for _ in 0..20 {
            assert_eq!(server.get("/sitemap.xml", &[]).status, 200);
        }
        assert!(!second.is_finished());
        go.send(()).unwrap();
        assert!(first.join().unwrap().is_ok() && second.join().unwrap().is_ok());
    });
}

#[test]
fn clients_always_get_files_of_one_set_during_refreshes() {
    const REFRESHES: u64 = 60;

    let live = LiveSitemap::new(site());
    let (started, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let refresh = || {
        let number = started.fetch_add(1, Ordering::SeqCst);
        live.refresh(|run| generation(run, number)).unwrap();
        done.fetch_add(1, Ordering::SeqCst);
    };
    refresh();
    let server = Server::of(live.service());
    let is_over = AtomicBool::new(false);
    let (rounds, overtaken) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for reader in 0..3 {
            let (server, is_over, started, done) = (&server, &is_over, &started, &done);
            let (rounds, overtaken) = (&rounds, &overtaken);
            scope.spawn(move || {
                let headers: &[&str] = if reader == 0 { &["Accept-Encoding: gzip"] } else { &[] };
                while !is_over.load(Ordering::SeqCst) {
                    let first = done.load(Ordering::SeqCst);
                    let index = server.get("/sitemap.xml", &[]);
                    assert_eq!(index.status, 200);
                    assert!(index.text().ends_with("</sitemapindex>\n"));
                    let generations: Vec<_> = children(&index)
                        .iter()
                        .map_while(|child| {
                            let answer = server.get(child, headers);
                            if answer.status == 404 {
                                // A listed file disappears only after two more refreshes.
                                assert!(started.load(Ordering::SeqCst) >= first + 2, "{child}");
                                return None;
                            }
                            Some(generation_of(child, &answer))
                        })
                        .collect();
                    if generations.len() < 4 {
                        overtaken.fetch_add(1, Ordering::SeqCst);
                        continue;
                    }
                    assert_eq!(generations[0], None);
                    assert!(generations[1].is_some());
                    assert_eq!(generations[1..], [generations[1]; 3], "{}", index.text());
                    rounds.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        for _ in 0..REFRESHES {
            refresh();
            thread::sleep(Duration::from_millis(20));
        }
        is_over.store(true, Ordering::SeqCst);
    });
    let (rounds, overtaken) = (rounds.into_inner(), overtaken.into_inner());
    println!("{REFRESHES} refreshes, {rounds} rounds of an index and its files, {overtaken} overtaken");
    assert!(rounds > 10, "{rounds} rounds");
}

/// Returns the generation of a file, or `None` for section `a`. Panics if the file is incomplete or mixes
/// generations.
fn generation_of(child: &str, answer: &Answer) -> Option<u64> {
    assert_eq!(answer.status, 200, "{child}");
    assert_eq!(answer.header("content-length"), answer.body.len().to_string());
    let mut text = String::new();
    if answer.header("content-encoding") == "gzip" {
        io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&*answer.body), &mut text).unwrap();
    } else {
        answer.text().clone_into(&mut text);
    }
    assert!(text.starts_with("<?xml") && text.ends_with("</urlset>\n"), "{child}");
    let pages: Vec<_> = text.split("<loc>https://example.com/").skip(1).collect();
    if pages[0].starts_with("a/") {
        assert_eq!(pages.len(), 50);
        return None;
    }
    assert_eq!(pages.len(), 200);
    let of = |page: &str| page.split('/').nth(1).unwrap().parse::<u64>().unwrap();
    assert!(pages.iter().all(|page| of(page) == of(pages[0])), "{child}");
    Some(of(pages[0]))
}

#[test]
fn a_schedule_runs_until_its_handle_is_dropped() {
    let live = LiveSitemap::new(site());
    let (started, runs) = mpsc::channel();
    let refresher = live
        .every(Duration::from_millis(5), move |run| {
            let _ = started.send(());
            one_page(run)
        })
        .unwrap();
    for _ in 0..5 {
        runs.recv_timeout(Duration::from_secs(30)).unwrap();
    }
    drop(refresher);
    // The thread ends, and drops `fill` together with its sender.
    while runs.recv_timeout(Duration::from_secs(30)).is_ok() {}
    assert_eq!(runs.recv(), Err(mpsc::RecvError));
    assert_eq!(live.status().last_error, None);
}

#[test]
fn a_schedule_can_be_woken_and_stopped() {
    let live = LiveSitemap::new(site());
    let (started, runs) = mpsc::channel();
    let refresher = live
        .every(Duration::from_secs(3600), move |run| {
            one_page(run)?;
            started.send(())?;
            Ok(())
        })
        .unwrap();
    let wait = Duration::from_secs(30);
    runs.recv_timeout(wait).unwrap();
    refresher.wake();
    runs.recv_timeout(wait).unwrap();
    refresher.stop().wait();
    assert_eq!(runs.try_recv(), Err(mpsc::TryRecvError::Disconnected));
    assert_eq!(live.service().respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 200);
}

#[test]
fn a_schedule_survives_errors_and_panics() {
    let live = LiveSitemap::new(site());
    let (started, runs) = mpsc::channel();
    let mut tries = 0;
    let refresher = live
        .every(Duration::from_millis(1), move |run| {
            tries += 1;
            started.send(tries)?;
            match tries {
                1 => panic!("on purpose"),
                2 => Err("no database".into()),
                _ => one_page(run),
            }
        })
        .unwrap();
    let mut errors = Vec::new();
    while runs.recv_timeout(Duration::from_secs(30)).unwrap() < 5 {
        errors.extend(live.status().last_error);
    }
    refresher.stop().wait();
    assert_eq!(live.status().last_error, None);
    assert!(
        errors.iter().all(|error| error.contains("panic") || error.contains("no database")),
        "{errors:?}"
    );
    // The next refresh succeeds, so the panic has left no lock held.
    assert!(live.refresh(one_page).is_ok());
}

#[test]
fn a_refresh_that_lost_most_pages_fails_and_the_old_set_stays() {
    let live = LiveSitemap::new(site());
    let server = Server::of(live.service());
    let refresh = |pages: u32, allow: Option<AllowShrink>| {
        live.refresh(|run| {
            run.allow_shrink(allow);
            run.section("posts")?.add_all((0..pages).map(|id| format!("/posts/{id}")))?;
            Ok(())
        })
    };
    refresh(1000, None).unwrap();
    let before = server.get("/sitemap.xml", &[]);
    let error = refresh(10, None).unwrap_err();
    assert!(matches!(kind(&error), PublishErrorKind::Shrunk { skipped: 0, .. }), "{error}");
    assert_eq!(
        live.status().last_error.unwrap(),
        "section `posts` would fall from 1000 pages to 10, and the limit is a loss of 30 %, from 100 pages on; check the \
         source of the records, or allow the loss for this run with `allow_shrink(AllowShrink::Smaller)`"
    );
    assert_eq!(server.get("/sitemap.xml", &[]).text(), before.text());
    // The permission is valid for one refresh only.
    refresh(400, Some(AllowShrink::Smaller)).unwrap();
    assert_eq!(live.status().last_error, None);
    assert!(refresh(200, None).is_err());
    assert_eq!(refresh(280, None).unwrap().urls(), 280);
}

#[test]
fn a_file_of_an_earlier_set_is_compressed_in_memory_and_answers_as_before() {
    let live = LiveSitemap::new(site());
    let server = Server::of(live.service());
    let refresh = |number| live.refresh(|run| generation(run, number)).unwrap();
    refresh(1);
    let child = children(&server.get("/sitemap.xml", &[])).remove(1);
    let requests: [&[&str]; 4] =
        [&[], &["Accept-Encoding: gzip"], &["Accept-Encoding: br"], &["Range: bytes=100-199"]];
    let answers = || requests.map(|headers| server.get(&child, headers));
    let before = answers();
    assert_eq!(before.each_ref().map(|answer| answer.status), [200, 200, 200, 206]);
    let one_set = live.status().bytes;
    for number in 2..5 {
        assert_eq!(refresh(number).kept_files(), 3 * (number - 1));
        for (after, before) in answers().iter().zip(&before) {
            assert_eq!((after.status, &after.body), (before.status, &before.body));
            for header in
                ["etag", "last-modified", "content-encoding", "content-range", "cache-control", "vary"]
            {
                assert_eq!(after.header(header), before.header(header), "{header}");
            }
        }
        let tag = format!("If-None-Match: {}", before[0].header("etag"));
        assert_eq!(server.get(&child, &[&tag]).status, 304);
        let head = server.send("HEAD", &child, &[]);
        assert_eq!((head.status, head.header("content-length")), (200, before[0].header("content-length")));
    }
    // Three earlier sets take less than half the memory of one set.
    assert!(live.status().bytes < one_set * 3 / 2, "{} of {one_set}", live.status().bytes);
    // Publishes the first set again. Its files are listed again, so they are no longer among the kept files.
    refresh(1);
    assert_eq!(server.get(&child, &[]).body, before[0].body);
}
