//! The script that tells search engines about changes, `sitemap apply --changes` followed by
//! `sitemap notify --changes --state`, with processes killed at random moments.
//!
//! The test runs the script from the guide, and restarts it wherever it was interrupted. In the end, each changed page
//! must have reached the endpoint, and never twice within ten minutes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use sitemap_read::SitemapReader;

use crate::support::place::{Place, Random};
use crate::support::trials;

#[test]
fn on_a_folder_each_change_reaches_the_endpoint_although_processes_are_killed() {
    run(&Place::folder(), trials(200));
}

#[cfg(feature = "object-store")]
#[test]
fn in_a_bucket_each_change_reaches_the_endpoint_although_processes_are_killed() {
    if let Some(place) = Place::bucket("cli-chain") {
        run(&place, trials(100));
    }
}

fn run(place: &Place, moments: u32) {
    let endpoint = Endpoint::start();
    let mut script =
        Script { place, endpoint: &endpoint, random: Random(0xC4A1), pause: Duration::ZERO, kills: 0 };
    let pages: String = (0..40).map(|id| format!("/{id}\n")).collect();
    place.sandbox.write("pages.txt", pages);
    let start = Instant::now();
    assert!(place.start("build", &["--buckets", "4", "pages.txt"]).wait().unwrap().success());
    script.pause = start.elapsed();

    // For each changed page, the number of URLs that the endpoint had received before the change.
    let mut changed: BTreeMap<String, usize> = BTreeMap::new();
    let mut before = pages_of(place);
    let mut id = 0;
    while script.kills < moments {
        id += 1;
        assert!(id < 50 * moments, "only {} of {id} rounds were killed", script.kills);
        place.sandbox.write("changes.ndjson", changes(&mut script.random, id));
        let received = endpoint.received().len();
        script.apply();
        let after = pages_of(place);
        let urls: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for url in urls.into_iter().filter(|url| before.get(*url) != after.get(*url)) {
            changed.insert(url.clone(), received);
        }
        before = after;
        script.notify();
        script.ten_minutes_later();
    }
    // A killed run may already have renamed the file, so the last changes may need a second run.
    for _ in 0..2 {
        script.pause = Duration::MAX;
        script.notify();
        script.ten_minutes_later();
    }

    let received = endpoint.received();
    println!("{id} rounds, {moments} processes killed, {} URLs received", received.len());
    assert!(changed.len() > 20, "{changed:?}");
    for (url, first) in changed {
        assert!(received[first..].contains(&url), "{url} has changed after {first} URLs were received");
    }
}

/// Runs the steps of the guide. Some of the processes are killed and started again.
struct Script<'p> {
    place: &'p Place,
    endpoint: &'p Endpoint,
    random: Random,
    /// The maximum time before a process is killed.
    pause: Duration,
    /// The number of processes that were killed before they ended.
    kills: u32,
}

impl Script<'_> {
    /// Applies the changes, as often as needed until a process ends without being killed.
    fn apply(&mut self) {
        while !self.ends(|place| place.start("apply", &["--changes", "changed", "changes.ndjson"])) {}
    }

    /// Sends the changed pages. If the process is killed, the next call sends the same file again.
    fn notify(&mut self) {
        let path = |name: &str| self.place.sandbox.path().join(name);
        let (changed, sending) = (path("changed"), path("sending"));
        if !sending.exists() && changed.exists() {
            fs::rename(&changed, &sending).unwrap();
        }
        if !sending.exists() {
            fs::write(&sending, "").unwrap();
        }
        let url = self.endpoint.url.clone();
        let has_ended = self.ends(|place| {
            let to = ["--key", "0123abcd", "--endpoint", &url, "--allow-private"];
            let from = ["--changes", "sending", "--state", "sent"];
            place.start_other(&[&["notify"][..], &to, &from].concat())
        });
        // Data sent by a killed process may still arrive.
        self.endpoint.wait();
        if has_ended {
            fs::remove_file(sending).unwrap();
        }
    }

    /// Starts a process, and kills it after a random time. Returns `true` if it had already ended. If the process
    /// fails, so does the test.
    fn ends(&mut self, start: impl Fn(&Place) -> std::process::Child) -> bool {
        let mut child = start(self.place);
        if self.pause == Duration::MAX || self.random.below(3) == 0 {
            assert!(child.wait().unwrap().success());
            return true;
        }
        thread::sleep(self.pause * self.random.below(1000) / 800);
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if status.success() {
            return true;
        }
        // A process that fails by itself has an exit code. A killed process has none.
        assert_eq!(status.code(), None);
        self.kills += 1;
        false
    }

    /// Checks that no URL was received twice since the last call. Then makes the state of `notify` ten minutes older.
    fn ten_minutes_later(&self) {
        let mut received = self.endpoint.period();
        let all = received.len();
        received.sort_unstable();
        received.dedup();
        assert_eq!(received.len(), all, "a URL was sent twice within ten minutes");
        let Ok(text) = fs::read_to_string(self.place.sandbox.path().join("sent")) else { return };
        let mut earlier = String::new();
        for line in text.split_inclusive('\n') {
            // A killed process may leave an incomplete last line.
            let Ok(mut line) = serde_json::from_str::<Value>(line) else {
                earlier += line;
                continue;
            };
            line["sent"] = line["sent"].as_u64().unwrap().saturating_sub(600).into();
            writeln!(earlier, "{line}").unwrap();
        }
        self.place.sandbox.write("sent", earlier);
    }
}

/// An IndexNow endpoint, which accepts every request, one at a time.
struct Endpoint {
    url: String,
    received: Arc<Mutex<Vec<String>>>,
    /// The number of URLs received up to the end of the last period.
    seen: Mutex<usize>,
}

impl Endpoint {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/indexnow", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let of_thread = Arc::clone(&received);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                // A killed process may have sent only part of a request, which doesn't count as received.
                let Some(body) = body_of(&stream) else { continue };
                if let Ok(body) = serde_json::from_str::<Value>(&body) {
                    let urls = body["urlList"].as_array().unwrap().iter();
                    of_thread.lock().unwrap().extend(urls.map(|url| url.as_str().unwrap().to_owned()));
                }
                let _ =
                    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            }
        });
        Self { url, received, seen: Mutex::new(0) }
    }

    fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }

    /// Returns the URLs received since the last call.
    fn period(&self) -> Vec<String> {
        let received = self.received();
        let mut seen = self.seen.lock().unwrap();
        let period = received[*seen..].to_vec();
        *seen = received.len();
        period
    }

    /// Waits until all earlier connections have been answered.
    fn wait(&self) {
        let address = self.url.trim_start_matches("http://").trim_end_matches("/indexnow");
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"POST /none HTTP/1.1\r\nContent-Length: 0\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    }
}

/// Reads a request and returns its body, or `None` if the connection ends too early.
fn body_of(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
    let mut body = vec![0; length.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}

/// Returns lines with changes that no other round makes.
fn changes(random: &mut Random, round: u32) -> String {
    let date = format!("2026-01-{:02}T{:02}:{:02}:00Z", round / 1440 + 1, round / 60 % 24, round % 60);
    let mut lines = String::new();
    for _ in 0..=random.below(4) {
        let url = format!("https://example.com/{}", random.below(50));
        match random.below(4) {
            0 => writeln!(lines, "{{\"op\":\"remove\",\"loc\":\"{url}\"}}").unwrap(),
            _ => writeln!(lines, "{{\"op\":\"upsert\",\"loc\":\"{url}\",\"lastmod\":\"{date}\"}}").unwrap(),
        }
    }
    lines
}

/// Returns the set's pages and their dates.
fn pages_of(place: &Place) -> BTreeMap<String, String> {
    let index = place.bytes("sitemap.xml");
    let mut reader = SitemapReader::from_slice(&index);
    let mut pages = BTreeMap::new();
    while let Some(item) = reader.next().unwrap() {
        let file = place.bytes(item.loc().as_str().rsplit('/').next().unwrap());
        for entry in SitemapReader::from_slice(&file).into_entries() {
            let entry = entry.unwrap();
            let date = entry.lastmod().map(|date| date.to_string()).unwrap_or_default();
            pages.insert(entry.loc().to_string(), date);
        }
    }
    pages
}
