//! Kills checks and crawls of pages many times, and checks that the result is the same as for an undisturbed run. Also
//! kills them at arbitrary moments, even while they start or finish, and tests state files that are in use or damaged.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Output, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_pages::state::State;

use crate::support::{Ran, Sandbox, trials, urlset};

/// The number of times to kill a command at a request.
const KILLS: u32 = 50;
/// The number of pages for each such kill. There are so many that the killed runs don't reach the end.
const PAGES_FOR_EACH: u32 = 100;
const FEW: usize = 60;
/// The number of times to kill a command at an arbitrary moment.
const MOMENTS: u32 = 30;

const FROM_STATE: [&str; 3] = ["build", "--from-state", "site.state"];

/// A site that stops answering after a number of requests, so that the client can be killed at that point.
struct Site {
    port: u16,
    pages: usize,
    gate: Arc<Gate>,
    stopped: Receiver<()>,
}

/// Decides whether a request is answered.
struct Gate {
    plan: Mutex<Plan>,
    changed: Condvar,
}

#[derive(Clone, Copy)]
enum Plan {
    /// Answers all requests.
    Open,
    /// Answers this many requests, but never the request that every run needs before it can end.
    Closing(u32),
    /// Answers no request.
    Closed,
    /// Answers all requests, and signals when it has answered the request that every run needs before it can end.
    Ending,
}

impl Site {
    fn start(pages: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let gate = Arc::new(Gate { plan: Mutex::new(Plan::Open), changed: Condvar::new() });
        let (stop, stopped) = channel();
        let shared = Arc::clone(&gate);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (gate, stop) = (Arc::clone(&shared), stop.clone());
                thread::spawn(move || answer(&stream, (port, pages), &gate, &stop));
            }
        });
        Self { port, pages, gate, stopped }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn plan(&self, plan: Plan) {
        *self.gate.plan.lock().unwrap() = plan;
        self.gate.changed.notify_all();
    }

    /// Runs the command until the site has answered this many requests.
    fn run_until(&self, sandbox: &Sandbox, args: &[&str], requests: u64) -> Child {
        self.plan(Plan::Closing(u32::try_from(requests).unwrap()));
        let mut child = command(sandbox, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while self.stopped.recv_timeout(Duration::from_millis(100)).is_err() {
            assert_eq!(child.try_wait().unwrap(), None, "no run ends before all answers");
        }
        child
    }

    /// Runs the command until the site has answered this many requests, then kills it.
    fn kill(&self, sandbox: &Sandbox, args: &[&str], requests: u64) {
        let mut child = self.run_until(sandbox, args, requests);
        child.kill().unwrap();
        child.wait().unwrap();
        self.plan(Plan::Open);
    }

    /// Runs the command to its end. Once the site has answered this many requests, pauses the command while a function
    /// runs.
    fn pause(&self, sandbox: &Sandbox, args: &[&str], requests: u64, during: impl FnOnce(u32)) -> Ran {
        let child = self.run_until(sandbox, args, requests);
        during(child.id());
        self.plan(Plan::Open);
        ran(child.wait_with_output().unwrap())
    }
}

impl Gate {
    /// Waits until a request may be answered.
    fn pass(&self, is_last: bool, stop: &Sender<()>) {
        let mut plan = self.plan.lock().unwrap();
        match *plan {
            Plan::Open | Plan::Ending => return,
            Plan::Closing(more @ 1..) if !is_last => {
                *plan = Plan::Closing(more - 1);
                return;
            }
            Plan::Closing(_) => {
                *plan = Plan::Closed;
                stop.send(()).unwrap();
            }
            Plan::Closed => {}
        }
        while matches!(*plan, Plan::Closed) {
            plan = self.changed.wait(plan).unwrap();
        }
    }
}

fn answer(mut stream: &TcpStream, (port, pages): (u16, usize), gate: &Gate, stop: &Sender<()>) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.find(String::is_empty);
    let path = first.split(' ').nth(1).unwrap_or_default();
    // The request to answer last. A check requests a page that can't exist after all other pages. A crawl requests the
    // last page once it has read the page before it.
    let is_last = path.starts_with("/no-such-page-") || path == format!("/{}", pages - 1);
    let is_page_of_check = path != "/robots.txt" && path != "/sitemap.xml";
    if is_page_of_check {
        gate.pass(is_last, stop);
    }
    let (status, kind, body) = content(path, (port, pages));
    let len = body.len();
    // The client may have been killed.
    let _ = write!(
        stream,
        "HTTP/1.1 {status} x\r\nContent-Type: {kind}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n{body}"
    );
    if is_last && matches!(*gate.plan.lock().unwrap(), Plan::Ending) {
        stop.send(()).unwrap();
    }
}

fn content(path: &str, (port, pages): (u16, usize)) -> (u16, &'static str, String) {
    match path {
        "/robots.txt" => return (200, "text/plain", "User-agent: *\nDisallow: /7\n".to_owned()),
        "/sitemap.xml" => return (200, "text/xml", sitemap(port, pages)),
        "/" => return (200, "text/html", "<title>Home</title><p>All <a href=/0>pages</a>".to_owned()),
        _ => {}
    }
    let Some(number) = path[1..].parse::<usize>().ok().filter(|number| *number < pages) else {
        return (404, "text/html", "<title>Sorry</title><p>There is no such page".to_owned());
    };
    if number % 10 == 4 && number > 4 {
        return (410, "text/html", "<title>Gone</title><p>There was such a page".to_owned());
    }
    let head = match number % 10 {
        6 => "<meta name=robots content=noindex>".to_owned(),
        8 => format!("<link rel=canonical href=/{}>", number - 7),
        _ => String::new(),
    };
    let mut body =
        format!("<!doctype html>{head}<title>Page {number}</title><p>This is page {number}.</p><p>");
    for next in [number + 1, number + 2, 2 * number, 99_999] {
        write!(body, "<a href=/{next}>Page {next}</a> ").unwrap();
    }
    (200, "text/html", body)
}

fn sitemap(port: u16, pages: usize) -> String {
    let entry = |number| format!("<url><loc>http://127.0.0.1:{port}/{number}</loc></url>\n");
    urlset(&(0..pages).step_by(2).map(entry).collect::<String>())
}

fn command(sandbox: &Sandbox, args: &[&str]) -> std::process::Command {
    let mut command = sandbox.command(args);
    command.args(["--state", "site.state", "--allow-private"]).env("SOURCE_DATE_EPOCH", "1700000000");
    command
}

fn run(sandbox: &Sandbox, args: &[&str]) -> Ran {
    ran(command(sandbox, args).output().unwrap())
}

fn ran(output: Output) -> Ran {
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap(),
    }
}

/// Returns everything that a state file contains about pages, as text.
fn rows(sandbox: &Sandbox) -> Vec<String> {
    fn texts<T: std::fmt::Debug>(rows: impl Iterator<Item = T>) -> Vec<String> {
        rows.map(|row| format!("{row:?}")).collect()
    }
    let state = State::open(sandbox.path().join("site.state")).unwrap();
    state.verify().unwrap();
    [
        texts(state.runs()),
        texts(state.pages()),
        texts(state.contents()),
        texts(state.all_links()),
        texts(state.hosts()),
        texts(state.probes()),
        texts(state.listing()),
    ]
    .concat()
}

/// The reports about a state file: the one for people, the one for programs, and the HTML page.
fn reports(sandbox: &Sandbox) -> [String; 3] {
    let check = |format| {
        let found =
            run(sandbox, &["check", "sitemap.xml", "--pages", "--offline", "--format", format]).stdout;
        assert!(found.contains("page-noindex") && found.contains("page-missing"), "{found}");
        found
    };
    let output =
        sandbox.command(&["report", "--state", "site.state", "--out", "report.html"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    [check("human"), check("json"), sandbox.read("report.html")]
}

/// The random number generator from Marsaglia's "Xorshift RNGs".
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

/// A site that is too large for the killed runs.
fn large_site() -> Site {
    Site::start(usize::try_from(PAGES_FOR_EACH * (trials(KILLS) + 2)).unwrap())
}

/// Runs a command once without interruptions, and once in another folder where it is killed again and again. Compares
/// the results.
fn compare(site: &Site, args: &[&str], seed: u64) {
    let (whole, killed) = (Sandbox::new(), Sandbox::new());
    for sandbox in [&whole, &killed] {
        sandbox.write("sitemap.xml", sitemap(site.port, site.pages));
    }
    let expected = run(&whole, args);
    let (mut random, mut counts) = (seed, BTreeSet::new());
    let kills = trials(KILLS);
    for _ in 0..kills {
        // A killed run keeps all visits except the last 16 and the unfinished ones.
        site.kill(&killed, args, 24 + next(&mut random) % 40);
        counts.insert(State::open(killed.path().join("site.state")).unwrap().page_count());
    }
    // Most kills leave another number of pages behind.
    assert!(5 * counts.len() >= 4 * kills as usize, "{counts:?}");
    let found = run(&killed, args);
    assert!(found.stderr.contains("known from the interrupted run"), "{}", found.stderr);
    assert_eq!((&found.stdout, found.status), (&expected.stdout, expected.status), "{}", found.stderr);
    assert!(rows(&killed) == rows(&whole));
    assert!(reports(&killed) == reports(&whole));
}

#[test]
fn a_check_that_is_killed_again_and_again_ends_with_the_same_report() {
    compare(
        &large_site(),
        &["check", "sitemap.xml", "--pages", "--page-timeout", "3600"],
        88_172_645_463_325_252,
    );
}

#[test]
fn a_crawl_that_is_killed_again_and_again_ends_with_the_same_report() {
    let site = large_site();
    compare(&site, &["crawl", &site.url("/"), "--page-timeout", "3600"], 362_436_069_521_288_629);
}

/// Kills a command during each of its steps: while it opens the state, stores the listing, requests pages, compares
/// their content, commits, judges and prints. Whatever is left behind, the next run must end with the same report.
fn kill_at_any_moment(site: &Site, args: &[&str], mut random: u64) {
    let whole = Sandbox::new();
    whole.write("sitemap.xml", sitemap(site.port, site.pages));
    let start = Instant::now();
    run(&whole, args);
    let time = start.elapsed();
    let (expected_rows, expected) = (rows(&whole), reports(&whole));

    // Half of the kills happen at any time during a run. The other half happen after the last response.
    for number in 0..trials(MOMENTS) {
        let killed = Sandbox::new();
        killed.write("sitemap.xml", sitemap(site.port, site.pages));
        let is_late = number % 2 == 1;
        if is_late {
            site.plan(Plan::Ending);
        }
        let mut child = command(&killed, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let part = u32::try_from(next(&mut random) % 1_000).unwrap();
        if is_late {
            site.stopped.recv().unwrap();
            thread::sleep(time * part / 4_000);
        } else {
            thread::sleep(time * part / 1_000);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        site.plan(Plan::Open);

        run(&killed, args);
        // If a run had already finished when it was killed, the next run was a second run.
        let runs = State::open(killed.path().join("site.state")).unwrap().runs().count();
        assert!(runs == 2 || runs == 1 && rows(&killed) == expected_rows, "{runs} runs after kill {number}");
        assert!(reports(&killed) == expected, "kill {number}");
    }
}

#[test]
fn a_check_that_is_killed_at_any_moment_ends_with_the_same_report() {
    let args = ["check", "sitemap.xml", "--pages", "--page-timeout", "3600"];
    kill_at_any_moment(&Site::start(FEW), &args, 521_288_629_362_436_069);
}

#[test]
fn a_crawl_that_is_killed_at_any_moment_ends_with_the_same_report() {
    let site = Site::start(FEW);
    kill_at_any_moment(&site, &["crawl", &site.url("/"), "--page-timeout", "3600"], 123_456_789_362_436_069);
}

/// Runs any command that uses the state file.
fn run_any(sandbox: &Sandbox, args: &[&str]) -> Ran {
    match args[0] {
        "check" | "crawl" => run(sandbox, args),
        "report" => sandbox.run(&[args, &["--state", "site.state", "--out", "report.html"]].concat()),
        _ => sandbox.run(&[args, &["--base", "https://example.com", "--out", "out"]].concat()),
    }
}

#[test]
fn a_second_command_on_the_same_state_says_who_uses_it_and_the_first_one_ends() {
    let site = Site::start(FEW);
    let home = site.url("/");
    let check = ["check", "sitemap.xml", "--pages", "--page-timeout", "3600"];
    for first in [&check[..], &["crawl", &home, "--page-timeout", "3600"]] {
        let (whole, disturbed) = (Sandbox::new(), Sandbox::new());
        for sandbox in [&whole, &disturbed] {
            sandbox
                .write("sitemap.xml", sitemap(site.port, FEW))
                .write("site/index.html", "<title>Home</title>");
        }
        let expected = run(&whole, first);
        let found = site.pause(&disturbed, first, 5, |pid| {
            for second in [
                &check[..],
                &[&check[..], &["--offline"]].concat(),
                &["crawl", &home],
                &["report"],
                &FROM_STATE,
                &["build", "--from-dir", "site", "--lastmod", "content", "--state", "site.state"],
            ] {
                let ran = run_any(&disturbed, second);
                let message = format!("error: `site.state` is in use by process {pid}; wait until it ends\n");
                assert_eq!((&*ran.stdout, &*ran.stderr, ran.status), ("", &*message, 2), "{second:?}");
            }
        });
        assert_eq!((found.stdout, found.status), (expected.stdout, expected.status), "{}", found.stderr);
        for file in ["report.html", "out/sitemap.xml"] {
            assert!(!disturbed.path().join(file).exists(), "{file}");
        }
        assert_eq!(rows(&disturbed), rows(&whole));
        assert!(reports(&disturbed) == reports(&whole));
    }
}

/// Asserts that each command that reads a table reports the state file as damaged, with this text, and does nothing
/// else.
fn assert_damage_is_named(sandbox: &Sandbox, home: &str, (table, damaged): (&str, &[u8]), text: &str) {
    let check = ["check", "sitemap.xml", "--pages"];
    let commands =
        [&check[..], &[&check[..], &["--offline"]].concat(), &["crawl", home], &["report"], &FROM_STATE];
    // Links don't affect whether a page can be indexed, and a check requests only listed pages.
    let needs_links =
        |args: &[&str]| args[0] != "build" && (args[0] != "check" || args.contains(&"--offline"));
    for args in commands.into_iter().filter(|args| table != "links" || needs_links(args)) {
        // An error may leave a run unfinished, so each command starts with a fresh copy of the file.
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(sandbox.path().join(format!("site.state{end}")));
        }
        sandbox.write("site.state", damaged);
        let ran = run_any(sandbox, args);
        assert_eq!((&*ran.stdout, ran.status), ("", 2), "{args:?}: {}", ran.stderr);
        let last = ran.stderr.lines().last().unwrap();
        assert!(last.starts_with("error: `site.state` is damaged: the "), "{args:?}: {}", ran.stderr);
        assert!(last.contains(text), "{args:?}: {}", ran.stderr);
        for file in ["report.html", "out/sitemap.xml"] {
            assert!(!sandbox.path().join(file).exists(), "{file}");
        }
    }
}

/// Crawls a site to create a state file that all commands can use.
fn crawled(site: &Site, sandbox: &Sandbox) -> Vec<u8> {
    sandbox.write("sitemap.xml", sitemap(site.port, FEW));
    let ran = run(sandbox, &["crawl", &site.url("/")]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    std::fs::read(sandbox.path().join("site.state")).unwrap()
}

#[test]
fn a_damaged_row_is_named() {
    let (site, sandbox) = (Site::start(FEW), Sandbox::new());
    let mut bytes = crawled(&site, &sandbox);
    // A title, with its length in front. The row may also occur in unused parts of the file.
    let places = bytes.windows(8).enumerate().filter(|(_, text)| **text == *b"\x07Page 10");
    let places: Vec<usize> = places.map(|(at, _)| at + 1).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at] = b'p';
    }
    let home = site.url("/");
    let text = format!("row `{home}10` of `pages` does not have its digest");
    assert_damage_is_named(&sandbox, &home, ("pages", &bytes), &text);
}

#[test]
fn a_missing_row_is_an_error() {
    let (site, sandbox) = (Site::start(FEW), Sandbox::new());
    crawled(&site, &sandbox);
    let (home, path) = (site.url("/"), sandbox.path().join("site.state"));
    for table in ["pages", "content", "links"] {
        let state = rusqlite::Connection::open(&path).unwrap();
        let delete = format!("DELETE FROM {table} WHERE key = CAST('{home}10' AS BLOB)");
        assert_eq!(state.execute(&delete, []).unwrap(), 1, "{table}");
        drop(state);
        let damaged = std::fs::read(&path).unwrap();
        assert_damage_is_named(&sandbox, &home, (table, &damaged), &format!("table `{table}` has "));
        let _ = std::fs::remove_file(&path);
        crawled(&site, &sandbox);
    }
}
