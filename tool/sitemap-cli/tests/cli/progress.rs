//! What a terminal shows while sitemaps are read and pages are requested.
#![cfg(target_os = "linux")]

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};

use crate::support::server::{Responder, Server, ok};
use crate::support::{Sandbox, index, skip, urlset};

/// Returns `true` if `script` can run commands in a terminal.
fn has_script() -> bool {
    let is_there = Command::new("script").arg("--version").output().is_ok_and(|done| done.status.success());
    if !is_there {
        skip("`script` of util-linux is not installed");
    }
    is_there
}

/// A gate that holds responses back until it is open.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    /// Makes a responder wait until the gate is open.
    fn before(&self, last: Responder) -> Responder {
        let Self(gate) = self.clone();
        Box::new(move |stream| {
            drop(gate.1.wait_while(gate.0.lock().unwrap(), |open| !*open).unwrap());
            last(stream)
        })
    }
}

/// Makes a responder wait for more than a second.
#[cfg(feature = "pages")]
fn after_a_second(last: Responder) -> Responder {
    Box::new(move |stream| {
        std::thread::sleep(std::time::Duration::from_millis(1_200));
        last(stream)
    })
}

/// Runs the command in a terminal, with stdout redirected to the file `out`. Opens the gate once `label` is shown, and
/// waits for the end. Returns everything that was shown.
fn wait_for(sandbox: &Sandbox, args: &str, label: &str, gate: &Gate) -> String {
    let line = format!("{} {args} > out", env!("CARGO_BIN_EXE_sitemap"));
    let mut child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(sandbox.path())
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut shown, mut chunk) = (String::new(), [0; 1_024]);
    let mut terminal = child.stdout.take().unwrap();
    while !shown.contains(label) {
        let len = terminal.read(&mut chunk).unwrap();
        assert_ne!(len, 0, "{shown:?}");
        shown.push_str(&String::from_utf8_lossy(&chunk[..len]));
    }
    gate.open();
    while terminal.read(&mut chunk).unwrap_or(0) > 0 {}
    child.wait().unwrap();
    shown
}

#[test]
fn a_terminal_shows_how_many_files_are_read() {
    if !has_script() {
        return;
    }
    for command in ["list", "check"] {
        let gate = Gate::default();
        let page = urlset("<url><loc>https://example.com/</loc></url>\n");
        // The last file is answered only after the label was shown.
        let pages = Server::start(vec![("/a.xml", ok(page.clone())), ("/b.xml", gate.before(ok(page)))]);
        let children = [pages.url("/a.xml"), pages.url("/b.xml")];
        let front =
            Server::start(vec![("/sitemap.xml", ok(index(&children.each_ref().map(String::as_str))))]);
        let sandbox = Sandbox::new();
        let args = format!("{command} {} --allow-private", front.url("/sitemap.xml"));
        let label = if command == "list" { "reading files 2 of 3" } else { "checking files 2 of 3" };
        wait_for(&sandbox, &args, label, &gate);
        assert!(!sandbox.read("out").contains(" of 3"));
    }
}

#[cfg(feature = "pages")]
#[test]
fn a_terminal_shows_how_many_pages_are_requested() {
    use crate::support::server::ok_with;

    if !has_script() {
        return;
    }
    let html = |body: &str| ok_with("Content-Type: text/html\r\n", format!("<p>All about trees {body}"));
    for (args, label) in [
        // The sample consists of two of the 40 listed pages. The page that can't exist isn't part of the sample.
        ("check sitemap.xml --pages --sample 2", "requesting pages 2 of 2"),
        ("crawl HOST/ --sitemap home.xml --state s", "crawling pages 2 of 3"),
    ] {
        let gate = Gate::default();
        let server = Server::start(vec![
            ("/robots.txt", ok("")),
            ("/", html("<a href=/one>One</a> <a href=/two>Two</a>")),
            ("/two", gate.before(html("two"))),
            ("/no-such-page-*", gate.before(html("none"))),
            ("/*", html("any")),
        ]);
        let sandbox = Sandbox::new();
        let entry = |path: &str| format!("<url><loc>{}</loc></url>\n", server.url(path));
        sandbox.write(
            "sitemap.xml",
            urlset(&(0..40).map(|page| entry(&format!("/{page}"))).collect::<String>()),
        );
        sandbox.write("home.xml", urlset(&entry("/")));
        let args = args.replace("HOST", &server.url(""));
        wait_for(&sandbox, &format!("{args} --allow-private"), label, &gate);
    }
}

#[cfg(feature = "pages")]
#[test]
fn a_terminal_shows_the_rate_and_the_time_left() {
    use crate::support::server::ok_with;

    if !has_script() {
        return;
    }
    let gate = Gate::default();
    let html = |body: &str| ok_with("Content-Type: text/html\r\n", format!("<p>All about trees {body}"));
    let server = Server::start(vec![
        ("/robots.txt", ok("")),
        // The first estimate is shown after a second.
        ("/one", after_a_second(html("one"))),
        ("/two", gate.before(html("two"))),
        ("/*", html("none")),
    ]);
    let sandbox = Sandbox::new();
    let entries =
        ["/one", "/two"].map(|path| format!("<url><loc>{}</loc></url>\n", server.url(path))).concat();
    sandbox.write("sitemap.xml", urlset(&entries));
    let shown = wait_for(&sandbox, "check sitemap.xml --pages --allow-private", " left", &gate);
    let (_, line) = shown.rsplit_once("requesting pages 1 of 2, ").unwrap_or_else(|| panic!("{shown:?}"));
    let (rate, left) = line.split_once(", ").unwrap();
    // The rate depends on the machine.
    assert!(rate.ends_with("/min") || rate.ends_with("/s"), "{shown:?}");
    assert!(left.contains(" s left"), "{shown:?}");
}
