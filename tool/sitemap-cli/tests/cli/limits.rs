//! Options of `check --pages` and `crawl` that limit the requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::server::{Responder, Server, conditional, either, ok, ok_with, status};
use crate::support::{Ran, Sandbox, urlset};

const HTML: &str = "Content-Type: text/html\r\n";

/// A site where each page links to three others, and the home page links to the first one.
fn site(home: impl FnOnce(Responder) -> Responder) -> Server {
    let links = |paths: &[&str]| {
        let links: String = paths.iter().map(|path| format!("<a href={path}>{path}</a> ")).collect();
        ok_with(HTML, format!("<title>Trees</title><p>All about trees {links}"))
    };
    Server::start(vec![
        ("/robots.txt", ok("")),
        ("/", home(links(&["/a"]))),
        ("/a", links(&["/b", "/c", "/d"])),
        ("/b", links(&["/e", "/f", "/g"])),
        ("/no-such-page-*", status(404, HTML)),
        ("/*", links(&["/"])),
    ])
}

/// Returns the sorted paths of the pages that were requested, without the first `since` requests.
fn pages(server: &Server, since: usize) -> Vec<String> {
    let is_page = |path: &String| path != "/robots.txt" && !path.starts_with("/no-such-page-");
    let mut paths: Vec<String> = server.requested().split_off(since).into_iter().filter(is_page).collect();
    paths.sort();
    paths
}

#[test]
fn a_sample_depends_only_on_its_seed() {
    let (sandbox, server) = (Sandbox::new(), site(|home| home));
    let entry = |number| format!("<url><loc>{}</loc></url>\n", server.url(&format!("/{number}")));
    sandbox.write("sitemap.xml", urlset(&(0..40).map(entry).collect::<String>()));
    let sampled = |seed: &str| {
        let before = server.requested().len();
        let args = ["check", "sitemap.xml", "--pages", "--allow-private", "--sample", "5", "--seed", seed];
        let ran = sandbox.run(&args);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stderr.contains("note: 35 pages are not in the sample\n"), "{}", ran.stderr);
        pages(&server, before)
    };
    let [first, again, other] = ["1", "1", "2"].map(sampled);
    assert_eq!((first.len(), other.len()), (5, 5));
    assert_eq!(first, again);
    assert_ne!(first, other);
}

#[test]
fn a_delay_is_waited_for_between_the_requests_to_a_host() {
    let (sandbox, server) = (Sandbox::new(), site(|home| home));
    let entries = ["/a", "/b"].map(|path| format!("<url><loc>{}</loc></url>\n", server.url(path)));
    sandbox.write("sitemap.xml", urlset(&entries.concat()));
    let start = Instant::now();
    let ran = sandbox.run(&["check", "sitemap.xml", "--pages", "--allow-private", "--delay", "700"]);
    let elapsed = start.elapsed();
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    // The robots.txt, two pages, and the page that can't exist. On a slow machine, the run only takes longer.
    assert_eq!(server.requested().len(), 4);
    assert!(elapsed >= 3 * Duration::from_millis(700), "{elapsed:?}");
}

fn crawl(sandbox: &Sandbox, server: &Server, more: &[&str]) -> Ran {
    let home = server.url("/");
    sandbox.write("sitemap.xml", urlset(&format!("<url><loc>{home}</loc></url>\n")));
    let args = ["crawl", &home, "--sitemap", "sitemap.xml", "--state", "s", "--allow-private"];
    sandbox.run(&[&args[..], more].concat())
}

#[test]
fn a_crawl_requests_at_most_so_many_pages() {
    let (sandbox, server) = (Sandbox::new(), site(|home| home));
    let ran = crawl(&sandbox, &server, &["--max-pages", "4"]);
    // The home page, `/a` and the first two links on `/a`. The limit excludes all other pages that were found.
    assert_eq!(pages(&server, 0), ["/", "/a", "/b", "/c"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("4 pages visited\n"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("not complete; the notes above say why\n"), "{}", ran.stderr);

    let (sandbox, server) = (Sandbox::new(), site(|home| home));
    let ran = crawl(&sandbox, &server, &["--max-pages", "8"]);
    assert_eq!((pages(&server, 0).len(), ran.status), (8, 0), "{}", ran.stderr);
}

#[test]
fn a_crawl_that_reached_its_time_is_continued() {
    let is_fast = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_fast);
    // The response arrives after the crawl's time limit, but the request was sent before it.
    let slow = |home: Responder| -> Responder {
        let fast = ok_with(HTML, "<title>Trees</title><p>All about trees <a href=/a>/a</a>");
        let late: Responder = Box::new(move |stream| {
            thread::sleep(Duration::from_millis(1_200));
            home(stream)
        });
        either(flag, late, fast)
    };
    let (sandbox, server) = (Sandbox::new(), site(slow));
    let ran = crawl(&sandbox, &server, &["--max-time", "1"]);
    assert_eq!((pages(&server, 0), ran.status), (vec!["/".to_owned()], 1), "{}", ran.stderr);
    let expected = "not complete: 1 pages are known, 2 URLs were found; run the same command again\n";
    assert!(ran.stderr.ends_with(expected), "{}", ran.stderr);

    is_fast.store(true, Ordering::SeqCst);
    let before = server.requested().len();
    let ran = crawl(&sandbox, &server, &["--max-time", "3600"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("7 pages visited, 1 known from the interrupted run\n")
            && ran.stderr.ends_with("\ncomplete\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(pages(&server, before), ["/a", "/b", "/c", "/d", "/e", "/f", "/g"]);
}

#[test]
fn a_page_that_was_too_long_is_read_again_with_a_higher_limit() {
    let long =
        format!("<title>Trees</title><p>All about trees {}<a href=/oak>Oak</a>", "&nbsp;".repeat(1_000));
    let content = Arc::new(Mutex::new(("\"a1\"", long)));
    let server = Server::start(vec![
        ("/robots.txt", ok("")),
        ("/", conditional(content)),
        ("/oak", ok_with(HTML, "<p>Oak")),
    ]);
    let sandbox = Sandbox::new();

    let ran = crawl(&sandbox, &server, &["--max-page-bytes", "1000"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("note: 1 page is longer than the limit of bytes\n"), "{}", ran.stderr);
    let check =
        ["check", "sitemap.xml", "--pages", "--state", "s", "--allow-private", "--max-page-bytes", "1000"];
    let ran = sandbox.run(&check);
    assert!(ran.stderr.contains("note: 1 page longer than what was read"), "{}", ran.stderr);

    let ran = crawl(&sandbox, &server, &["--max-page-bytes", "10000"]);
    assert_eq!((ran.status, ran.stderr.lines().last()), (0, Some("complete")), "{}", ran.stderr);
    assert!(server.requested().contains(&"/oak".to_owned()));
}
