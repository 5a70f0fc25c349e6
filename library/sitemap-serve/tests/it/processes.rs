//! Runs three server processes on one storage while crawlers fetch the set through a load balancer. The processes are
//! restarted, killed or slowed down in turn, even in the middle of a commit.

use std::collections::VecDeque;
use std::env;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{self, Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::post;
use sitemap_core::publish::files::content_digest;
use sitemap_core::{Directory, Replacement, Site, Storage};
use sitemap_object_store::ObjectStorage;
use sitemap_serve::{BoxError, LiveSitemap};
use sitemap_tests::{Hooked, Operation, OperationKind};
use tokio::sync::Notify;

use crate::support::{Answer, Server};

/// The storage of a server process: a directory's path or a bucket's URL.
const PLACE: &str = "SITEMAP_TEST_PLACE";
/// The word that a server process prints before its port.
const PORT: &str = "listening on port ";
const SECTIONS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
/// The number of pages in a section.
const PAGES: u32 = 50;
/// This file exists only during a commit.
const JOURNAL: &str = ".sitemap-journal.jsonl";
/// The number of refreshes in eight hours, at one every ten minutes.
const REFRESHES: u32 = 48;

fn open(place: &str) -> Arc<dyn Storage> {
    if !place.starts_with("s3://") {
        return Arc::new(Directory::open(place).unwrap().durable(false));
    }
    let (endpoint, _) = s3_bucket().unwrap();
    let options = [
        ("aws_endpoint", endpoint.as_str()),
        ("aws_allow_http", "true"),
        ("aws_access_key_id", "test"),
        ("aws_secret_access_key", "not a secret"),
        ("aws_region", "us-east-1"),
    ];
    Arc::new(ObjectStorage::open_with(place, options).unwrap())
}

/// Returns the endpoint and bucket of the S3 server in `SITEMAP_TEST_S3`.
fn s3_bucket() -> Option<(String, String)> {
    let url = env::var("SITEMAP_TEST_S3").ok()?;
    let (endpoint, bucket) =
        url.rsplit_once('/').expect("SITEMAP_TEST_S3 must be an endpoint, `/` and a bucket");
    Some((endpoint.to_owned(), bucket.to_owned()))
}

/// Adds the pages of one generation. The first section is the same in all generations. The others change in every
/// generation, in every second one, in every third one, and so on.
fn fill(run: &mut Replacement, generation: u32) -> Result<(), BoxError> {
    for (section, every) in SECTIONS.into_iter().zip(0..) {
        let version = generation.checked_div(every).unwrap_or_default();
        run.section(section)?.add_all((0..PAGES).map(|id| format!("/{section}/{version}/{id}")))?;
    }
    Ok(())
}

/// Serves a live set until its standard input ends, if the test below started this process. Otherwise does nothing.
#[test]
fn serves_as_a_child() {
    let Ok(place) = env::var(PLACE) else { return };
    let site = Site::new("https://example.com").unwrap();
    // The number of renames after which the process kills itself. Zero means that it stays alive.
    let until_death = Arc::new(AtomicU32::new(0));
    let hook = {
        let until_death = Arc::clone(&until_death);
        move |operation: &Operation<'_>| {
            let is_rename = matches!(operation.kind, OperationKind::Rename | OperationKind::RenameIf);
            if is_rename
                && until_death.load(Ordering::Relaxed) > 0
                && until_death.fetch_sub(1, Ordering::Relaxed) == 1
            {
                process::abort();
            }
            Ok(())
        }
    };
    let live = LiveSitemap::on(Hooked::new(open(&place), hook), LiveSitemap::options(site));
    let [held, released] = [(); 2].map(|()| Arc::new(Notify::new()));
    let refresh = {
        let (live, held, released) = (live.clone(), Arc::clone(&held), Arc::clone(&released));
        let until_death = Arc::clone(&until_death);
        move |Path((how, generation)): Path<(String, u32)>| async move {
            let done = live
                .refresh_async(async |run| {
                    if how == "hold" {
                        held.notify_one();
                        released.notified().await;
                    }
                    fill(run, generation)?;
                    if how == "die" {
                        process::abort();
                    }
                    if let Some(rename) = how.strip_prefix("die-") {
                        until_death.store(rename.parse()?, Ordering::Relaxed);
                    }
                    Ok(())
                })
                .await;
            match done {
                Ok(_) => StatusCode::OK,
                Err(error) if error.is_overtaken() => StatusCode::CONFLICT,
                Err(error) => panic!("{error}"),
            }
        }
    };
    let router = Router::new()
        .route("/refresh/{how}/{generation}", post(refresh))
        .route("/held", post(move || async move { held.notified().await }))
        .route("/release", post(move || async move { released.notify_one() }))
        .fallback_service(live.service());
    let server = Server::start(router);
    println!("{PORT}{}", server.address.port());
    io::stdout().flush().unwrap();
    io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

/// A server process that ends when this value is dropped.
struct Instance {
    child: Child,
    server: Server,
}

impl Instance {
    fn start(place: &str) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "processes::serves_as_a_child", "--nocapture"])
            .env(PLACE, place)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            // The test harness prints the test's name before it on the same line.
            line.split_once(PORT).map(|(_, port)| port.parse::<u16>().unwrap())
        });
        // Keep reading, so that the harness can print its last lines.
        thread::spawn(move || lines.for_each(drop));
        let port = port.expect("the process must print its port");
        Self { child, server: Server::at(([127, 0, 0, 1], port).into()) }
    }

    fn refresh(&self, how: &str, generation: u32) -> u16 {
        self.server.send("POST", &format!("/refresh/{how}/{generation}"), &["Content-Length: 0"]).status
    }

    /// Makes the process kill itself during a refresh, and waits until it has ended.
    fn refresh_and_die(mut self, how: &str, generation: u32) {
        let request =
            format!("POST /refresh/{how}/{generation} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
        let mut stream = TcpStream::connect(self.server.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        // If the process does not die, it sends a response, and the test fails here.
        assert_eq!(stream.read(&mut [0]).unwrap_or_default(), 0, "{how} {generation}");
        // Don't use `wait`: it would close the standard input, and the process would end by itself.
        let _open = self.child.stdin.take();
        assert!(!self.child.wait().unwrap().success());
    }

    fn post(&self, path: &str) {
        assert_eq!(self.server.send("POST", path, &["Content-Length: 0"]).status, 200);
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The load balancer. Sends each request to the next running instance.
struct Balancer {
    instances: Vec<Option<Instance>>,
    next: usize,
    requests: u32,
}

impl Balancer {
    fn get(&mut self, path: &str) -> Answer {
        self.requests += 1;
        loop {
            self.next = (self.next + 1) % self.instances.len();
            if let Some(instance) = &self.instances[self.next] {
                return instance.server.get(path, &[]);
            }
        }
    }
}

/// A crawler that has fetched an index and fetches its files one at a time.
struct Crawler {
    index: String,
    left: VecDeque<String>,
    /// How many events to wait before fetching each file.
    pace: u32,
    events: u32,
}

impl Crawler {
    /// Fetches the index. After that, the crawler fetches one file every `pace` events.
    fn start(balancer: &mut Balancer, pace: u32) -> Self {
        let index = balancer.get("/sitemap.xml");
        assert_eq!(index.status, 200, "{index:?}");
        assert!(index.text().ends_with("</sitemapindex>\n"));
        let locs = index.text().split("<loc>https://example.com").skip(1);
        let left: VecDeque<_> = locs.map(|rest| rest.split('<').next().unwrap().to_owned()).collect();
        assert_eq!(left.len(), SECTIONS.len());
        Self { index: index.text().to_owned(), left, pace, events: 0 }
    }

    /// Fetches the next file if it is time for it. The file must be complete, and the version that the index lists.
    /// Returns `false` when there are no files left.
    fn step(&mut self, balancer: &mut Balancer) -> bool {
        self.events += 1;
        if !self.events.is_multiple_of(self.pace) {
            return true;
        }
        let Some(path) = self.left.pop_front() else { return false };
        let file = balancer.get(&path);
        assert_eq!(file.status, 200, "{path} of {}", self.index);
        assert_eq!(file.header("content-length"), file.body.len().to_string());
        assert!(
            file.text().ends_with("</urlset>\n") && file.text().matches("<url>").count() == PAGES as usize
        );
        let (_, digest) = path.trim_end_matches(".xml").rsplit_once('-').unwrap();
        assert!(digest.len() >= 8 && content_digest(&file.body).starts_with(digest), "{path}");
        true
    }
}

/// Refreshes the set as often as in a few hours. Meanwhile, instances are killed, or refresh at the same time. A new
/// crawler starts after each refresh, and all crawlers continue after each event.
fn refreshes_restarts_and_slow_crawlers(place: &str, has_lock: bool) {
    let start = || Some(Instance::start(place));
    let mut balancer = Balancer { instances: vec![start(), start(), start()], next: 0, requests: 0 };
    assert_eq!(balancer.get("/sitemap.xml").status, 503, "there is no set yet");
    let mut crawlers: Vec<Crawler> = Vec::new();
    let crawl = |balancer: &mut Balancer, crawlers: &mut Vec<Crawler>| {
        crawlers.retain_mut(|crawler| crawler.step(balancer));
    };
    let storage = open(place);
    let (mut killed, mut overtaken, mut in_commit) = (0, 0, 0);
    for generation in 1..=REFRESHES {
        let turn = generation as usize;
        let (one, other) = (turn % 3, (turn + 1) % 3);
        match generation % 4 {
            // An instance is killed. The others serve and refresh the set without it.
            0 => {
                balancer.instances[one] = None;
                killed += 1;
                crawl(&mut balancer, &mut crawlers);
                assert_eq!(balancer.instances[other].as_ref().unwrap().refresh("now", generation), 200);
                crawl(&mut balancer, &mut crawlers);
                balancer.instances[one] = start();
            }
            // An instance dies during a refresh: the first time while it writes files, and then before one of the
            // renames in its commit. A commit has at least four renames: the journal, a file, the index and the
            // manifest.
            1 if generation > 1 => {
                let how =
                    if generation > 9 { format!("die-{}", 1 + generation / 4 % 4) } else { "die".to_owned() };
                balancer.instances[one].take().unwrap().refresh_and_die(&how, generation);
                killed += 1;
                in_commit += u32::from(storage.metadata(JOURNAL).unwrap().is_some());
                crawl(&mut balancer, &mut crawlers);
                balancer.instances[one] = start();
                assert_eq!(balancer.instances[other].as_ref().unwrap().refresh("now", generation), 200);
            }
            // Two instances refresh at the same time. If there is a lock, the first to start wins. Otherwise, the first
            // to finish wins.
            2 => {
                let slow = balancer.instances[one].take().unwrap();
                thread::scope(|scope| {
                    let slow = &slow;
                    let held = scope.spawn(|| slow.refresh("hold", generation));
                    slow.post("/held");
                    crawl(&mut balancer, &mut crawlers);
                    let quick = balancer.instances[other].as_ref().unwrap().refresh("now", generation + 1000);
                    crawl(&mut balancer, &mut crawlers);
                    slow.post("/release");
                    let expected = if has_lock { (200, 409) } else { (409, 200) };
                    assert_eq!((held.join().unwrap(), quick), expected);
                    overtaken += 1;
                });
                balancer.instances[one] = Some(slow);
            }
            _ => assert_eq!(balancer.instances[one].as_ref().unwrap().refresh("now", generation), 200),
        }
        // The slowest crawler takes most of the test to finish.
        let events = [1, 4, 16][turn % 3];
        crawlers.push(Crawler::start(&mut balancer, events));
        crawl(&mut balancer, &mut crawlers);
    }
    while !crawlers.is_empty() {
        crawl(&mut balancer, &mut crawlers);
    }
    println!(
        "{REFRESHES} refreshes, {overtaken} of two instances at once; {killed} instances killed, {in_commit} of them \
         in a commit; {} requests",
        balancer.requests
    );
    assert!(in_commit >= 4, "{in_commit}");
}

#[test]
fn three_processes_on_a_directory_serve_every_file_of_every_index() {
    let folder = tempfile::tempdir().unwrap();
    refreshes_restarts_and_slow_crawlers(folder.path().to_str().unwrap(), true);
}

#[test]
fn three_processes_on_a_bucket_serve_every_file_of_every_index() {
    let Some((_, bucket)) = s3_bucket() else {
        let reason = "SITEMAP_TEST_S3 names no bucket; run the test under `dev/ci/with-s3`";
        assert!(env::var("CI").as_deref() != Ok("true"), "skipped with CI=true: {reason}");
        // The test harness captures `println!` and hides it if the test passes.
        let _ = writeln!(io::stderr(), "skipped: {reason}");
        return;
    };
    refreshes_restarts_and_slow_crawlers(&format!("s3://{bucket}/processes/{}", process::id()), false);
}
