//! Several child sitemaps are downloaded at the same time.

use std::fs;
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::support::server::{Responder, Server, ok, status};
use crate::support::{Sandbox, index, urlset};

/// A gate that opens once `count` has been called this many times.
#[derive(Clone)]
struct Gate(Arc<(Mutex<usize>, Condvar)>);

impl Gate {
    fn new(times: usize) -> Self {
        Self(Arc::new((Mutex::new(times), Condvar::new())))
    }

    fn count(&self) {
        let mut left = self.0.0.lock().unwrap();
        *left = left.saturating_sub(1);
        self.0.1.notify_all();
    }

    fn wait(&self) {
        let left = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(left, |left| *left > 0).unwrap());
    }
}

fn sitemap(name: &str) -> Responder {
    ok(urlset(&format!("<url><loc>https://example.com/{name}</loc></url>\n")))
}

#[test]
fn the_order_is_that_of_the_index_whatever_arrives_first() {
    let last = Gate::new(1);
    let (first_waits, last_counts) = (last.clone(), last);
    let (a, c) = (sitemap("a"), sitemap("c"));
    let pages = Server::start(vec![
        // The first child is answered only after the last one was requested.
        (
            "/a.xml",
            Box::new(move |stream| {
                first_waits.wait();
                a(stream)
            }),
        ),
        ("/b.xml", sitemap("b")),
        (
            "/c.xml",
            Box::new(move |stream| {
                last_counts.count();
                c(stream)
            }),
        ),
    ]);
    let children = ["/a.xml", "/b.xml", "/c.xml"].map(|path| pages.url(path));
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children.each_ref().map(String::as_str))))]);
    let url = front.url("/sitemap.xml");
    let listed = Sandbox::new().stdout(&["list", &url, "--allow-private"]);
    assert_eq!(listed, "https://example.com/a\nhttps://example.com/b\nhttps://example.com/c\n");
}

#[test]
fn a_slow_child_does_not_hold_up_the_others() {
    const OTHERS: usize = 600;

    let gate = Gate::new(OTHERS);
    let (slow_waits, others_count) = (gate.clone(), gate);
    let (slow, page) = (sitemap("slow"), sitemap("x"));
    let pages = Server::start(vec![
        // The first child is answered only after all others were requested.
        (
            "/slow.xml",
            Box::new(move |stream| {
                slow_waits.wait();
                slow(stream)
            }),
        ),
        (
            "/child/*",
            Box::new(move |stream| {
                others_count.count();
                page(stream)
            }),
        ),
    ]);
    let mut children = vec![pages.url("/slow.xml")];
    children.extend((0..OTHERS).map(|number| pages.url(&format!("/child/{number}.xml"))));
    let children: Vec<_> = children.iter().map(String::as_str).collect();
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children)))]);
    let url = front.url("/sitemap.xml");
    let listed = Sandbox::new().stdout(&["list", &url, "--allow-private"]);
    assert_eq!(listed, format!("https://example.com/slow\n{}", "https://example.com/x\n".repeat(OTHERS)));
}

#[test]
fn as_many_children_are_under_way_as_jobs() {
    const JOBS: usize = 3;

    let gate = Gate::new(JOBS);
    let meeting = gate.clone();
    let page = sitemap("x");
    // No child is answered before three children have been requested.
    let pages = Server::start(vec![(
        "/child/*",
        Box::new(move |stream| {
            meeting.count();
            meeting.wait();
            page(stream)
        }),
    )]);
    let children: Vec<_> = (0..9).map(|number| pages.url(&format!("/child/{number}.xml"))).collect();
    let children: Vec<_> = children.iter().map(String::as_str).collect();
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children)))]);
    let url = front.url("/sitemap.xml");
    let listed = Sandbox::new().stdout(&["list", &url, "--allow-private", "--jobs", &JOBS.to_string()]);
    assert_eq!(listed, "https://example.com/x\n".repeat(9));
}

#[test]
fn a_check_requests_children_at_the_same_time_and_each_once() {
    let gate = Gate::new(4);
    let missing = status(404, "");
    let pages = Server::start(vec![(
        "/child/*",
        Box::new(move |stream| {
            gate.count();
            gate.wait();
            missing(stream)
        }),
    )]);
    let children: Vec<_> = (0..4).map(|number| pages.url(&format!("/child/{number}.xml"))).collect();
    let children: Vec<_> = children.iter().map(String::as_str).collect();
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children)))]);
    let ran = Sandbox::new().run(&["check", &front.url("/sitemap.xml"), "--allow-private"]);
    assert_eq!((ran.status, ran.stdout.matches("error[child-missing]").count()), (1, 4), "{}", ran.stdout);
    // The check also requests robots.txt, which could allow an index on another origin.
    let children = pages.requested().iter().filter(|path| path.starts_with("/child/")).count();
    assert_eq!(children, 4);
}

/// Returns a responder whose text contains the URL of its own server, which isn't known yet.
fn with_base(
    base: &Arc<OnceLock<String>>,
    text: impl Fn(&str) -> String + Send + Sync + 'static,
) -> Responder {
    let base = Arc::clone(base);
    Box::new(move |stream| ok(text(base.get().unwrap()))(stream))
}

#[test]
fn a_check_removes_children_without_findings_from_the_disk() {
    const OTHERS: usize = 40;

    for (threads, most) in [("1", 3), ("2", 6)] {
        let (base, is_last, may_end) = (Arc::new(OnceLock::new()), Gate::new(1), Gate::new(1));
        let (last_counts, last_waits) = (is_last.clone(), may_end.clone());
        let last = with_base(&base, |base| urlset(&format!("<url><loc>{base}/last</loc></url>\n")));
        let server = Server::start(vec![
            (
                "/sitemap.xml",
                with_base(&base, |base| {
                    let child = |name: String| format!("{base}/{name}.xml");
                    let mut urls = vec![child("fragment".into()), child("version".into())];
                    urls.extend((0..OTHERS).map(|number| child(format!("child-{number}"))));
                    urls.push(child("last".into()));
                    index(&urls.iter().map(String::as_str).collect::<Vec<_>>())
                }),
            ),
            (
                "/fragment.xml",
                with_base(&base, |base| urlset(&format!("<url><loc>{base}/#top</loc></url>\n"))),
            ),
            (
                "/version.xml",
                with_base(&base, |base| {
                    let link = |tag: &str| {
                        format!("<xhtml:link rel=\"alternate\" hreflang=\"{tag}\" href=\"{base}/{tag}\"/>")
                    };
                    let urls = format!("<url><loc>{base}/en</loc>{}{}</url>\n", link("en"), link("de"));
                    urlset(&urls).replace("<urlset ", "<urlset xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" ")
                }),
            ),
            (
                "/child-*",
                // Each child lists a different page, because repeated pages would be a finding.
                {
                    let number = Mutex::new(0);
                    with_base(&base, move |base| {
                        let mut number = number.lock().unwrap();
                        *number += 1;
                        urlset(&format!("<url><loc>{base}/{number}</loc></url>\n"))
                    })
                },
            ),
            (
                "/last.xml",
                Box::new(move |stream| {
                    last_counts.count();
                    last_waits.wait();
                    last(stream)
                }),
            ),
        ]);
        base.set(server.url("")).unwrap();
        let sandbox = Sandbox::new();
        let temporary = sandbox.path().join("tmp");
        fs::create_dir(&temporary).unwrap();
        // With one job, all other files have been downloaded when the last child is requested.
        let mut command =
            sandbox.command(&["check", &server.url("/sitemap.xml"), "--allow-private", "--jobs", "1"]);
        command.args(["--threads", threads]).env("TMPDIR", &temporary);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        is_last.wait();
        let start = Instant::now();
        let files = || {
            let folders = fs::read_dir(&temporary).unwrap().flatten();
            folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten()).count()
        };
        // The files that must remain: the index, two files with findings, and those that the threads are still
        // checking.
        while files() > most {
            assert!(start.elapsed() < Duration::from_secs(60), "{} files are on the disk", files());
            std::thread::sleep(Duration::from_millis(2));
        }
        may_end.count();
        let output = child.wait_with_output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        // The report shows lines from both files.
        assert!(stdout.contains(&format!("<url><loc>{}/#top</loc></url>\n", server.url(""))), "{stdout}");
        assert!(stdout.contains("hreflang=\"de\""), "{stdout}");
    }
}

#[test]
fn no_more_children_are_requested_than_files_may_be_read() {
    let pages = Server::start(vec![("/child/*", sitemap("x"))]);
    let children: Vec<_> = (0..9).map(|number| pages.url(&format!("/child/{number}.xml"))).collect();
    let children: Vec<_> = children.iter().map(String::as_str).collect();
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children)))]);
    let url = front.url("/sitemap.xml");
    let ran = Sandbox::new().run(&["list", &url, "--allow-private", "--max-files", "4"]);
    assert_eq!((ran.status, ran.stdout.lines().count()), (2, 3), "{}", ran.stderr);
    assert_eq!(pages.requested().len(), 3);
}

#[test]
fn a_host_without_patience_is_asked_less_often_than_it_has_children() {
    let pages = Server::start(vec![("/child/*", status(429, ""))]);
    let children: Vec<_> = (0..60).map(|number| pages.url(&format!("/child/{number}.xml"))).collect();
    let children: Vec<_> = children.iter().map(String::as_str).collect();
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children)))]);
    let ran = Sandbox::new().run(&["list", &front.url("/sitemap.xml"), "--allow-private", "--retries", "0"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("in a row with status 429, too many requests"), "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("because 60 sitemaps could not be read; see the errors above\n"),
        "{}",
        ran.stderr
    );
    // At most 20 requests in a row, and the requests that were already in progress.
    assert!(pages.requested().len() <= 36, "{}", pages.requested().len());
}

#[test]
fn repeated_requests_are_counted() {
    let attempts = Mutex::new(0);
    let (failure, page) = (status(503, "Retry-After: 0\r\n"), sitemap("x"));
    let server = Server::start(vec![(
        "/sitemap.xml",
        Box::new(move |stream| {
            let mut attempts = attempts.lock().unwrap();
            *attempts += 1;
            if *attempts == 1 { failure(stream) } else { page(stream) }
        }),
    )]);
    let ran = Sandbox::new().run(&["list", &server.url("/sitemap.xml"), "--allow-private"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "https://example.com/x\n"));
    assert_eq!(ran.stderr, "1 request for sitemaps repeated\n");
}

#[test]
fn headers_go_only_to_the_host_on_the_command_line() {
    let pages = Server::start(vec![("/a.xml", sitemap("a"))]);
    let front = Server::start(vec![("/sitemap.xml", ok(index(&[&pages.url("/a.xml")])))]);
    let url = front.url("/sitemap.xml");
    for command in ["list", "stats"] {
        let sent = ["--header", "X-Stage: secret", "--user-agent", "acmebot/2.0", "--allow-private"];
        let ran = Sandbox::new().run(&[&[command, &url][..], &sent].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(!ran.stderr.contains("secret") && !ran.stdout.contains("secret"));
    }
    assert_eq!(front.headers("X-Stage"), ["/sitemap.xml secret"; 2]);
    assert_eq!(pages.headers("X-Stage"), ["/a.xml none"; 2]);
    assert_eq!(pages.headers("User-Agent"), ["/a.xml acmebot/2.0"; 2]);
}
