//! What a terminal shows while sitemaps are read.
#![cfg(target_os = "linux")]

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};

use crate::support::server::{Server, ok};
use crate::support::{Sandbox, index, skip, urlset};

#[test]
fn a_terminal_shows_how_many_files_are_read() {
    let is_there = Command::new("script").arg("--version").output().is_ok_and(|done| done.status.success());
    if !is_there {
        return skip("`script` of util-linux is not installed");
    }
    for command in ["list", "check"] {
        let open = Arc::new((Mutex::new(false), Condvar::new()));
        let gate = Arc::clone(&open);
        let page = urlset("<url><loc>https://example.com/</loc></url>\n");
        let last = ok(page.clone());
        let pages = Server::start(vec![
            ("/a.xml", ok(page)),
            (
                "/b.xml",
                Box::new(move |stream| {
                    drop(gate.1.wait_while(gate.0.lock().unwrap(), |open| !*open).unwrap());
                    last(stream)
                }),
            ),
        ]);
        let children = [pages.url("/a.xml"), pages.url("/b.xml")];
        let front =
            Server::start(vec![("/sitemap.xml", ok(index(&children.each_ref().map(String::as_str))))]);
        let sandbox = Sandbox::new();
        let binary = env!("CARGO_BIN_EXE_sitemap");
        let line = format!("{binary} {command} {} --allow-private > out", front.url("/sitemap.xml"));
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
        let label = if command == "list" { "reading files 2 of 3" } else { "checking files 2 of 3" };
        while !shown.contains(label) {
            let len = terminal.read(&mut chunk).unwrap();
            assert_ne!(len, 0, "{shown:?}");
            shown.push_str(&String::from_utf8_lossy(&chunk[..len]));
        }
        // The last file arrives only now.
        *open.0.lock().unwrap() = true;
        open.1.notify_all();
        while terminal.read(&mut chunk).unwrap_or(0) > 0 {}
        child.wait().unwrap();
        assert!(!sandbox.read("out").contains(" of 3"));
    }
}
