//! Servers and runs that stop halfway: each ends with a clear message, and nothing is half-written.

use std::fs;
use std::io::Write as _;
use std::sync::Mutex;

use crate::support::server::{Responder, Server, ok, status, truncated};
use crate::support::{Sandbox, index, urlset};

const PAGE: &str = "<url><loc>https://example.com/</loc></url>\n";

/// Responds with one responder after the other, and then always with the last one.
fn one_after_the_other(responders: Vec<Responder>) -> Responder {
    let asked = Mutex::new(0);
    Box::new(move |stream| {
        let number = {
            let mut asked = asked.lock().unwrap();
            *asked += 1;
            (*asked).min(responders.len())
        };
        responders[number - 1](stream)
    })
}

#[test]
fn a_host_that_always_answers_429_ends_the_run() {
    let server = Server::start(vec![("/a.xml", status(429, "Retry-After: 0\r\n"))]);
    let url = server.url("/a.xml");
    for command in ["list", "check", "stats"] {
        let ran = Sandbox::new().run(&[command, &url, "--allow-private", "--retries", "1"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert_eq!(
            ran.stderr,
            format!(
                "1 request for sitemaps repeated\nerror: cannot read `{url}`: status 429: too many requests; try again in \
                 0 seconds (requested 2 times)\n"
            )
        );
    }
    assert_eq!(server.requested().len(), 6);
    // A pause that is longer than the time for a file is not waited for.
    let server = Server::start(vec![("/a.xml", status(429, "Retry-After: 3600\r\n"))]);
    let url = server.url("/a.xml");
    let ran = Sandbox::new().run(&["list", &url, "--allow-private"]);
    assert_eq!(
        (ran.status, ran.stderr),
        (
            2,
            format!("error: cannot read `{url}`: status 429: too many requests; try again in 3600 seconds\n")
        )
    );
}

#[test]
fn a_check_without_an_answer_for_a_child_is_incomplete() {
    let hangs: Responder = Box::new(|stream| {
        std::thread::sleep(std::time::Duration::from_secs(30));
        ok("")(stream)
    });
    let drops: Responder = Box::new(|_| Ok(()));
    let pages = Server::start(vec![
        ("/429.xml", status(429, "Retry-After: 0\r\n")),
        ("/503.xml", status(503, "")),
        ("/hangs.xml", hangs),
        ("/drops.xml", drops),
        ("/404.xml", status(404, "")),
    ]);
    let host = pages.url("").replace("http://", "");
    for (path, why) in [
        ("/429.xml", "status 429: too many requests; try again in 0 seconds".to_owned()),
        ("/503.xml", "status 503: the server is unavailable; try again later".to_owned()),
        ("/hangs.xml", "no complete response after 5 s; allow more with `--timeout`".to_owned()),
        ("/drops.xml", format!("`{host}` ended the connection before the response was complete")),
    ] {
        let url = pages.url(path);
        let front = Server::start(vec![("/sitemap.xml", ok(index(&[&url, &pages.url("/404.xml")])))]);
        let front = front.url("/sitemap.xml");
        let args = ["check", &front, "--allow-private", "--retries", "0", "--timeout", "5"];
        let sandbox = Sandbox::new();
        let ran = sandbox.run(&[&args[..], &["--write-baseline", "known.json"]].concat());
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error: cannot read `{url}`: {why}\n")), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("`known.json` is not written, because the result is incomplete\n"),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.ends_with(
                "error: the result is incomplete, because 1 sitemap could not be read; see the errors above\n"
            ),
            "{}",
            ran.stderr
        );
        // A sitemap that does not exist is a finding.
        assert_eq!(ran.stdout.matches("error[child-missing]").count(), 1, "{}", ran.stdout);
        assert!(!sandbox.path().join("known.json").exists());
    }
}

#[test]
fn a_check_of_a_host_that_was_given_up_is_incomplete() {
    let pages = Server::start(vec![("/a.xml", status(429, "Retry-After: 3600\r\n"))]);
    let urls = [pages.url("/a.xml"), pages.url("/b.xml")];
    let front = Server::start(vec![("/sitemap.xml", ok(index(&urls.each_ref().map(String::as_str))))]);
    let ran = Sandbox::new().run(&["check", &front.url("/sitemap.xml"), "--allow-private", "--jobs", "1"]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(!ran.stdout.contains("child-missing"), "{}", ran.stdout);
    assert!(
        ran.stderr.ends_with(
            "error: the result is incomplete, because 2 sitemaps could not be read; see the errors above\n"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_child_that_is_replaced_while_it_is_sent_is_asked_for_again() {
    // The server states the length of the new file, and sends the old one.
    let (old, new) = (truncated("<urlset>"), ok(urlset(PAGE)));
    let pages = Server::start(vec![("/a.xml", one_after_the_other(vec![old, new]))]);
    let front =
        Server::start(vec![("/sitemap.xml", ok(index(&[&pages.url("/first.xml"), &pages.url("/a.xml")])))]);
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["list", &front.url("/sitemap.xml"), "--allow-private", "--jobs", "1"]);
    // The first child is missing, so the result is incomplete, but the host has answered.
    assert_eq!((ran.status, ran.stdout.as_str()), (2, "https://example.com/\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("1 request for sitemaps repeated\n"), "{}", ran.stderr);
}

#[test]
fn a_child_that_is_cut_off_is_not_a_whole_result() {
    // The server states the length of the old file, and sends the start of the new, longer one.
    let long = urlset(&PAGE.repeat(3));
    let len = long.len() - 40;
    let cut: Responder = Box::new(move |stream| {
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n{long}"
        )
    });
    let pages = Server::start(vec![("/a.xml", cut), ("/b.xml", truncated("<urlset>"))]);
    for (path, message) in [("/a.xml", "cannot read all of"), ("/b.xml", "before the response was complete")]
    {
        let front = Server::start(vec![("/sitemap.xml", ok(index(&[&pages.url(path)])))]);
        let url = front.url("/sitemap.xml");
        let ran = Sandbox::new().run(&["list", &url, "--allow-private", "--retries", "0"]);
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
        assert!(ran.stderr.contains("error: the result is incomplete"), "{}", ran.stderr);
        // Such a set is also not compared.
        let ran = Sandbox::new().run(&["diff", &url, &url, "--allow-private", "--retries", "0"]);
        assert_eq!(ran.status, 2, "{}", ran.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let stuck: Responder = Box::new(|stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 1000\r\n\r\n<urlset>")?;
        stream.flush()?;
        std::thread::sleep(Duration::from_secs(60));
        Ok(())
    });
    let tagged = crate::support::server::ok_with("ETag: \"1\"\r\n", urlset(PAGE));
    let pages = Server::start(vec![("/a.xml", tagged), ("/stuck.xml", stuck)]);
    let children = [pages.url("/a.xml"), pages.url("/stuck.xml")];
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children.each_ref().map(String::as_str))))]);
    let sandbox = Sandbox::new();
    let temporary = sandbox.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    // The shell that runs the tests may ignore signals, which the command would inherit.
    let child = Command::new("env")
        .args(["--default-signal=TERM", env!("CARGO_BIN_EXE_sitemap"), "list", &front.url("/sitemap.xml")])
        .args(["--allow-private", "--cache", "cache"])
        .env("TMPDIR", &temporary)
        .current_dir(sandbox.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let stored = || {
        let names = fs::read_dir(sandbox.path().join("cache")).into_iter().flatten().flatten();
        names.filter(|name| name.path().extension().is_some_and(|end| end == "document")).count()
    };
    while !pages.requested().contains(&"/stuck.xml".to_owned()) || stored() == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "the second child is not requested");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "interrupted by SIGTERM\n");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    let left: Vec<_> =
        fs::read_dir(sandbox.path().join("cache")).unwrap().flatten().map(|file| file.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with('.')), "{left:?}");
}
