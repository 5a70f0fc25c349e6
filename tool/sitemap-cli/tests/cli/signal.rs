//! Signals that end a run.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_core::{Directory, Storage as _};

use crate::support::{Sandbox, skip};

const SIGNALS: [(&str, i32); 3] = [("HUP", 1), ("INT", 2), ("TERM", 15)];

const TO_OUT: [&str; 7] = ["build", "--base", "https://example.com", "--threads", "1", "--out", "out"];

/// Starts the command. The shell that runs the tests may ignore signals, and the command would inherit that. So `env`
/// sets how signals are handled.
fn start(sandbox: &Sandbox, signals: &str, args: &[&str]) -> Child {
    start_in(sandbox, signals, &std::env::temp_dir(), args)
}

/// Starts the command in the same way, but creates its temporary folders in this folder.
fn start_in(sandbox: &Sandbox, signals: &str, temporary: &Path, args: &[&str]) -> Child {
    Command::new("env")
        .arg(signals)
        .arg(env!("CARGO_BIN_EXE_sitemap"))
        .env("TMPDIR", temporary)
        .args(args)
        .current_dir(sandbox.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

const DEFAULT: &str = "--default-signal=HUP,INT,TERM";

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

/// Waits until a condition is true. Panics if that takes more than a minute.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until the process catches a signal. The thread that reacts to signals starts when all handlers are installed.
/// A signal that arrives while the library is installing a handler may be lost.
fn wait_until_caught(number: i32, child: &Child) {
    wait_until("the thread for signals", || {
        let threads = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
        let name = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("comm"));
        threads.flatten().any(|thread| name(thread).is_ok_and(|name| name == "signals\n"))
    });
    wait_until("the command catches signals", || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
    });
}

/// Waits until the process ends, and returns its output and status. Leaves its standard input open.
fn ended(mut child: Child) -> (String, String, ExitStatus) {
    let stdin = child.stdin.take();
    let (mut out, mut err) = (String::new(), String::new());
    let status = child.wait().unwrap();
    child.stdout.unwrap().read_to_string(&mut out).unwrap();
    child.stderr.unwrap().read_to_string(&mut err).unwrap();
    drop(stdin);
    (out, err, status)
}

fn files(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(sandbox.path().join("out")).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn has_temporary_file(sandbox: &Sandbox) -> bool {
    files(sandbox).into_keys().any(|name| name.contains(".tmp"))
}

/// This many pages ensure that part of the first file has been written.
fn pages() -> String {
    (0..20_000).map(|n| format!("/new/{n}\n")).collect()
}

fn with_old_set() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run_with(&TO_OUT, b"/old\n").status, 0);
    sandbox
}

fn assert_interrupted(child: Child, signal: &str, number: i32) {
    let (stdout, stderr, status) = ended(child);
    assert_eq!(
        (stdout.as_str(), stderr.as_str(), status.code()),
        (
            "",
            format!("interrupted by SIG{signal}; the published set is unchanged\n").as_str(),
            Some(128 + number)
        )
    );
}

#[test]
fn a_run_that_waits_for_input_ends_and_cleans_up() {
    for (signal, number) in SIGNALS {
        for from_pipe_file in [false, true] {
            let sandbox = with_old_set();
            let old = files(&sandbox);
            let (child, _open) = if from_pipe_file {
                assert!(Command::new("mkfifo").arg(sandbox.path().join("pipe")).status().unwrap().success());
                let child = start(&sandbox, DEFAULT, &[&TO_OUT, &["posts=pipe"][..]].concat());
                // Waits until the command opens the pipe.
                let mut pipe = File::options().write(true).open(sandbox.path().join("pipe")).unwrap();
                pipe.write_all(pages().as_bytes()).unwrap();
                (child, Some(pipe))
            } else {
                let mut child = start(&sandbox, DEFAULT, &TO_OUT);
                child.stdin.as_mut().unwrap().write_all(pages().as_bytes()).unwrap();
                (child, None)
            };
            wait_until("a temporary file", || has_temporary_file(&sandbox));
            send(signal, &child);
            assert_interrupted(child, signal, number);
            assert_eq!(files(&sandbox), old);
        }
    }
}

#[test]
fn a_run_that_has_written_nothing_ends() {
    for (signal, number) in SIGNALS {
        // NDJSON is read completely before the first page is written.
        let sandbox = with_old_set();
        let old = files(&sandbox);
        let mut child = start(&sandbox, DEFAULT, &TO_OUT);
        child.stdin.as_mut().unwrap().write_all(b"{\"loc\":\"/new\"}\n").unwrap();
        wait_until_caught(number, &child);
        send(signal, &child);
        assert_interrupted(child, signal, number);
        assert_eq!(files(&sandbox), old);
    }
}

#[test]
fn a_move_to_buckets_leaves_no_temporary_folder() {
    for (signal, number) in SIGNALS {
        let sandbox = with_old_set();
        let temporary = sandbox.path().join("temporary");
        fs::create_dir(&temporary).unwrap();
        let old = fs::read(sandbox.path().join("out/sitemap.xml")).unwrap();
        // As long as the set is locked, the command waits and tries again.
        let lock = Directory::open(sandbox.path().join("out")).unwrap().lock().unwrap();
        let args = ["rebucket", "--base", "https://example.com", "--out", "out", "--buckets", "2"];
        let child = start_in(&sandbox, DEFAULT, &temporary, &args);
        let is_empty = || fs::read_dir(&temporary).unwrap().next().is_none();
        wait_until("a temporary folder", || !is_empty());
        wait_until_caught(number, &child);
        send(signal, &child);
        let (_, stderr, status) = ended(child);
        assert!(!status.success() && is_empty(), "{stderr}");
        assert_eq!(fs::read(sandbox.path().join("out/sitemap.xml")).unwrap(), old);
        drop(lock);
    }
}

#[test]
fn shard_commands_end() {
    for (signal, number) in SIGNALS {
        for command in [&["shard", "write", "--buckets", "2"][..], &["shard", "commit"]] {
            let sandbox = with_old_set();
            let old = files(&sandbox);
            let args = [command, &["--base", "https://example.com", "--out", "out"]].concat();
            let child = start(&sandbox, DEFAULT, &args);
            wait_until_caught(number, &child);
            send(signal, &child);
            assert_interrupted(child, signal, number);
            assert_eq!(files(&sandbox), old);
        }
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let sandbox = with_old_set();
    let mut child = start(&sandbox, "--ignore-signal=HUP", &TO_OUT);
    child.stdin.as_mut().unwrap().write_all(pages().as_bytes()).unwrap();
    wait_until("a temporary file", || has_temporary_file(&sandbox));
    send("HUP", &child);
    drop(child.stdin.take());
    let (stdout, stderr, status) = ended(child);
    assert_eq!((stdout.as_str(), status.code()), ("Sitemap: https://example.com/sitemap.xml\n", Some(0)));
    assert!(stderr.ends_with("20,000 URLs in 1 file, 0 invalid records skipped\n"), "{stderr}");
}

/// Runs the command under `strace`, which sends it a signal when it renames its nth file.
fn traced(sandbox: &Sandbox, signal: &str, when: &str, args: &[&str]) -> Option<(String, ExitStatus)> {
    let calls = "rename,renameat,renameat2";
    let output = Command::new("env")
        .args([DEFAULT, "strace", "-f", "-o", "trace", "-e", &format!("trace={calls}")])
        .args(["-e", &format!("inject={calls}:signal=SIG{signal}:when={when}")])
        .arg(env!("CARGO_BIN_EXE_sitemap"))
        .args(args)
        .current_dir(sandbox.path())
        .output();
    let is_traced =
        fs::read_to_string(sandbox.path().join("trace")).is_ok_and(|trace| trace.contains("rename"));
    if !is_traced {
        skip(&format!("`strace` cannot trace the command: {output:?}"));
        return None;
    }
    let output = output.unwrap();
    Some((String::from_utf8(output.stderr).unwrap(), output.status))
}

#[test]
fn a_signal_during_the_commit_lets_it_finish() {
    for (signal, _) in SIGNALS {
        let sandbox = Sandbox::new();
        sandbox.write("pages.txt", (0..200).map(|n| format!("/{n}\n")).collect::<String>());
        let args = [&TO_OUT, &["--max-urls", "1", "pages.txt"][..]].concat();
        // The first renamed file is the journal.
        let Some((stderr, status)) = traced(&sandbox, signal, "1", &args) else { return };
        assert_eq!(status.code(), Some(0), "{stderr}");
        assert!(
            stderr.starts_with(&format!(
                "SIG{signal} received while the new set replaces the old one; finishing (a second signal ends the run \
                 at once, and the next run finishes)\n"
            )),
            "{stderr}"
        );
        assert!(stderr.ends_with("200 URLs in 200 files, 0 invalid records skipped\n"), "{stderr}");
        // The index, the children and the manifest.
        assert_eq!(files(&sandbox).len(), 202);
    }
}

#[test]
fn a_second_signal_ends_the_run_and_the_next_run_finishes() {
    let sandbox = Sandbox::new();
    sandbox.write("pages.txt", (0..2_000).map(|n| format!("/{n}\n")).collect::<String>());
    let args = [&TO_OUT, &["--max-urls", "1", "pages.txt"][..]].concat();
    let Some((stderr, status)) = traced(&sandbox, "TERM", "1+400", &args) else { return };
    assert_eq!(status.code(), Some(128 + 15), "{stderr}");
    assert!(files(&sandbox).contains_key(".sitemap-journal.jsonl"));
    // Any run first completes the publication that was interrupted.
    let ran = sandbox.run_with(&TO_OUT, b"/bad\nftp://bad\n");
    assert_eq!(ran.status, 2);
    assert_eq!(files(&sandbox).len(), 2_002);
    assert_eq!(sandbox.stdout(&["list", "out"]).lines().count(), 2_000);
}

/// An object store that contains the files of a folder. It doesn't respond to requests for files with pages.
#[cfg(feature = "object-store")]
fn serve_without_pages(folder: std::path::PathBuf) -> String {
    use std::io::{BufRead as _, BufReader};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let mut unanswered = Vec::new();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            // A killed client may leave a connection with an incomplete request.
            let head = BufReader::new(&stream).lines().map_while(Result::ok);
            let head: Vec<_> = head.take_while(|line| !line.is_empty()).collect();
            let Some((method, path)) = head.first().and_then(|request| request.split_once(' ')) else {
                continue;
            };
            let name = path.split(['?', ' ']).next().unwrap().rsplit('/').next().unwrap().to_owned();
            if name.starts_with("sitemap-pages-") {
                unanswered.push(stream);
                continue;
            }
            let (status, body) = match fs::read(folder.join(&name)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let mut answer = format!(
                "HTTP/1.1 {status}\r\nETag: \"1\"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n\
                 Content-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            )
            .into_bytes();
            if method == "GET" {
                answer.extend(body);
            }
            let _ = stream.write_all(&answer);
        }
    });
    format!("http://{address}")
}

#[cfg(feature = "object-store")]
#[test]
fn fetched_files_of_an_object_store_are_removed() {
    let sandbox = Sandbox::new();
    for (folder, pages) in [("old", "/1\n/2\n"), ("new", "/1\n/3\n")] {
        let to = ["build", "--base", "https://example.com", "--buckets", "1", "--out", folder];
        assert_eq!(sandbox.run_with(&to, pages.as_bytes()).status, 0);
    }
    let endpoint = serve_without_pages(sandbox.path().join("new"));
    for (signal, number) in SIGNALS {
        let temporary = tempfile::tempdir().unwrap();
        let child = Command::new("env")
            .arg(DEFAULT)
            .arg(env!("CARGO_BIN_EXE_sitemap"))
            .args(["diff", "old", "s3://sitemaps/new"])
            .env("TMPDIR", temporary.path())
            .envs([
                ("AWS_ENDPOINT", endpoint.as_str()),
                ("AWS_ALLOW_HTTP", "true"),
                ("AWS_ACCESS_KEY_ID", "test"),
                ("AWS_SECRET_ACCESS_KEY", "test"),
                ("AWS_REGION", "us-east-1"),
            ])
            .current_dir(sandbox.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let count = || fs::read_dir(temporary.path()).unwrap().count();
        wait_until("the command fetches files", || count() == 1);
        wait_until_caught(number, &child);
        send(signal, &child);
        let (_, stderr, status) = ended(child);
        assert_eq!((stderr, status.code()), (format!("interrupted by SIG{signal}\n"), Some(128 + number)));
        assert_eq!(count(), 0);
    }
}
