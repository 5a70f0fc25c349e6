//! Servers and runs that stop halfway. Each run must end with a clear message, and leave nothing half-written.

use std::fs;
use std::io::Write as _;
use std::sync::Mutex;

use crate::support::server::{Responder, Server, ok, ok_with, status, truncated};
#[cfg(feature = "pages")]
use crate::support::server::{either, silent};
use crate::support::{Sandbox, index, urlset};

const PAGE: &str = "<url><loc>https://example.com/</loc></url>\n";

/// Uses the responders one after another, and keeps using the last one.
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
    // If a pause would exceed the time limit for a file, the command doesn't wait.
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
    // The server states the length of the new file, but sends the old file.
    let (old, new) = (truncated("<urlset>"), ok(urlset(PAGE)));
    let pages = Server::start(vec![("/a.xml", one_after_the_other(vec![old, new]))]);
    let front =
        Server::start(vec![("/sitemap.xml", ok(index(&[&pages.url("/first.xml"), &pages.url("/a.xml")])))]);
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["list", &front.url("/sitemap.xml"), "--allow-private", "--jobs", "1"]);
    // The first child is missing, so the result is incomplete. But the host has responded, so the second child is
    // requested too.
    assert_eq!((ran.status, ran.stdout.as_str()), (2, "https://example.com/\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("1 request for sitemaps repeated\n"), "{}", ran.stderr);
}

#[test]
fn a_child_that_is_cut_off_is_not_a_whole_result() {
    // The server states the length of the old file, but sends the start of the new file, which is longer.
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
        // A set that can't be read completely can't be compared either.
        let ran = Sandbox::new().run(&["diff", &url, &url, "--allow-private", "--retries", "0"]);
        assert_eq!(ran.status, 2, "{}", ran.stderr);
    }
}

#[cfg(feature = "pages")]
#[test]
fn a_site_with_a_fifth_of_bad_answers_gets_the_report_of_a_healthy_one() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    const HTML: &str = "Content-Type: text/html\r\n";
    let is_healthy = Arc::new(AtomicBool::new(false));
    let mut entries = Vec::new();
    let mut responders: Vec<(&'static str, Responder)> = vec![("/robots.txt", ok(""))];
    for number in 0..45 {
        let good = || match number % 9 {
            4 => status(404, HTML),
            7 => ok_with(HTML, format!("<meta name=robots content=noindex><title>Tree {number}</title>")),
            _ => ok_with(HTML, format!("<title>Tree {number}</title><p>The tree {number} is a tree")),
        };
        let bad: Option<Responder> = match number {
            3 | 4 => Some(status(503, "Retry-After: 1\r\n")),
            10 => Some(status(429, "Retry-After: 0\r\n")),
            16 | 17 => Some(truncated("<title>Tree")),
            25 | 31 => Some(Box::new(|_| Ok(()))),
            33 | 34 => Some(silent()),
            _ => None,
        };
        let path: &'static str = Box::leak(format!("/{number}").into_boxed_str());
        let responder = match bad {
            Some(bad) => either(Arc::clone(&is_healthy), one_after_the_other(vec![bad, good()]), good()),
            None => good(),
        };
        responders.push((path, responder));
        entries.push(path);
    }
    let server = Server::start(responders);
    let sandbox = Sandbox::new();
    let entry = |path: &&str| format!("<url><loc>{}</loc></url>\n", server.url(path));
    sandbox.write("sitemap.xml", urlset(&entries.iter().map(entry).collect::<String>()));
    let reports = |state: &str, phase: &[&str]| {
        let pages = ["check", "sitemap.xml", "--pages", "--state", state, "--format"];
        let mut command = sandbox.command(&[&pages[..], &["human"], phase].concat());
        let output = command.env("SOURCE_DATE_EPOCH", "1700000000").output().unwrap();
        let json = sandbox.run(&[&pages[..], &["json", "--offline"]].concat()).stdout;
        assert_eq!(sandbox.run(&["report", "--state", state, "--out", "report.html"]).status, 0);
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (texts, json, sandbox.read("report.html"))
    };
    // On a slow machine, correct responses may time out too.
    let patient = ["--allow-private", "--retries", "10", "--page-timeout", "2"];
    let ([bad, numbers], bad_json, bad_page) = reports("bad", &patient);
    is_healthy.store(true, Ordering::SeqCst);
    let ([good, _], good_json, good_page) = reports("good", &["--allow-private", "--page-timeout", "60"]);
    assert!(good.contains("page-missing") && good.contains("page-noindex"), "{good}");
    assert_eq!(bad, good, "{numbers}");
    assert_eq!(bad_json, good_json);
    assert!(bad_page == good_page);
    assert!(numbers.contains(" repeated\n"), "{numbers}");
}

/// A zstd frame may request a window of 128 MiB, the maximum that the decoder accepts (RFC 8878, section 3.1.1.1.2).
/// Memory is used only for the part of the body that is read: at most 10 MiB per page.
#[cfg(all(feature = "pages", target_os = "linux"))]
#[test]
fn a_zstd_frame_with_a_large_window_takes_no_more_memory_than_what_is_read() {
    use std::process::Stdio;
    use std::sync::{Arc, Condvar};

    // One gibibyte, in blocks of 128 KiB that repeat a single byte.
    let block = [&((128_u32 << 10) << 3 | 1 << 1).to_le_bytes()[..3], b"a"].concat();
    let bomb = [&[0x28, 0xB5, 0x2F, 0xFD, 0, 17 << 3][..], &block.repeat(8 * 1024)].concat();
    let headers = "Content-Type: text/html\r\nContent-Encoding: zstd\r\n";
    let process = Arc::new((Mutex::new(None::<u32>), Condvar::new()));
    let peak = Arc::new(Mutex::new(String::new()));
    let (known, seen) = (Arc::clone(&process), Arc::clone(&peak));
    // The page that can't exist is requested after all other pages.
    let last: Responder = Box::new(move |stream| {
        let pid = known.1.wait_while(known.0.lock().unwrap(), |pid| pid.is_none()).unwrap().unwrap();
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        *seen.lock().unwrap() = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap().to_owned();
        self::status(404, "")(stream)
    });
    let mut responders: Vec<(&'static str, Responder)> = vec![("/no-such-page-*", last)];
    let paths = ["/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h"];
    responders.extend(paths.map(|path| (path, ok_with(headers, bomb.clone()))));
    let server = Server::start(responders);
    let sandbox = Sandbox::new();
    let entry = |path: &&str| format!("<url><loc>{}</loc></url>\n", server.url(path));
    sandbox.write("sitemap.xml", urlset(&paths.iter().map(entry).collect::<String>()));
    let args = ["check", "sitemap.xml", "--pages", "--allow-private", "--jobs", "8"];
    let child = sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    *process.0.lock().unwrap() = Some(child.id());
    process.1.notify_all();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("8 pages visited, 8 longer than what was read\n"), "{stderr}");
    let peak = peak.lock().unwrap();
    let kibibytes: u64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    // Eight full windows would take one gibibyte.
    assert!(kibibytes < 512 << 10, "{peak}");
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
    let tagged = ok_with("ETag: \"1\"\r\n", urlset(PAGE));
    let pages = Server::start(vec![("/a.xml", tagged), ("/stuck.xml", stuck)]);
    let children = [pages.url("/a.xml"), pages.url("/stuck.xml")];
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children.each_ref().map(String::as_str))))]);
    let sandbox = Sandbox::new();
    let temporary = sandbox.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    // The shell that runs the tests may ignore signals, and the command would inherit that.
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
