//! Mirrors a table while it is written, kills the mirror again and again, and compares the set with the table at the end.
//!
//! ```text
//! .ci/with-postgres cargo run -p sitemap-postgres --example mirror_under_writes -- --source slot --rounds 40
//! ```
//!
//! `--source outbox` mirrors through an outbox, and `--seconds N` runs for this time instead of a number of rounds. In each
//! round, one or two processes mirror the table, until they are killed with SIGKILL: at a random moment, or after they have
//! committed the set and before they tell the database.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use postgres::{Client, Config, NoTls};
use sitemap_core::publish::{PublisherBuilder, ShrinkLimit};
use sitemap_core::{Directory, Memory, Publisher, Site};
use sitemap_postgres::{Outbox, PostgresError, Slot, Table};
use sitemap_read::SitemapReader;
use sitemap_update::{Batch, Build, ChangeSource, Mirror};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// The number of rows at the start, and about how many there are later.
const ROWS: u64 = 5000;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).map(String::as_str)
    };
    let is_slot = match option("--source") {
        Some("slot") | None => true,
        Some("outbox") => false,
        Some(other) => return Err(format!("`{other}` is not a source; use `slot` or `outbox`").into()),
    };
    if let (Some(url), Some(folder)) = (option("--database"), option("--folder")) {
        return mirror(url, Path::new(folder), is_slot);
    }
    let Ok(url) = env::var("DATABASE_URL") else {
        return Err("`DATABASE_URL` is not set; run this program with `.ci/with-postgres`".into());
    };
    let rounds: u64 = option("--rounds").map_or(Ok(40), str::parse)?;
    let seconds: Option<u64> = option("--seconds").map(str::parse).transpose()?;
    let seed: u64 = option("--seed").map_or_else(|| Ok(fastrand::u64(..)), str::parse)?;
    let start = Instant::now();
    let is_over = |round| seconds.map_or(round >= rounds, |seconds| start.elapsed().as_secs() >= seconds);
    check(&url, is_slot, seed, is_over)
}

/// Writes, mirrors and kills until `is_over`, then compares.
fn check(url: &str, is_slot: bool, seed: u64, is_over: impl Fn(u64) -> bool) -> Result<()> {
    let source = if is_slot { "slot" } else { "outbox" };
    println!("source {source}, seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = tempfile::tempdir()?;
    let mut client = connect(url)?;
    client.batch_execute(&format!(
        "DROP TABLE IF EXISTS posts; DROP TABLE IF EXISTS queue; DROP PUBLICATION IF EXISTS sitemap;
         CREATE TABLE posts (id bigint PRIMARY KEY, slug text NOT NULL, updated_at timestamptz NOT NULL,
             is_public bool NOT NULL DEFAULT true);
         CREATE UNIQUE INDEX slugs ON posts (slug);
         ALTER TABLE posts REPLICA IDENTITY USING INDEX slugs;
         INSERT INTO posts SELECT id, 'post-' || id, '2026-01-01'::timestamptz FROM generate_series(1, {ROWS}) id"
    ))?;
    let build = Build::new(builder()?, 64, Memory::new());
    let storage = || Directory::open(folder.path());
    if is_slot {
        Slot::install(connect(url)?, site()?, table()?, "sitemap")?.publish(build, "posts", storage()?)?;
    } else {
        Outbox::install(connect(url)?, site()?, table()?, "queue")?.publish(build, "posts", storage()?)?;
    }

    let (is_stopped, written) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let (url, is_stopped, written) = (url.to_owned(), Arc::clone(&is_stopped), Arc::clone(&written));
            let seed = random.u64(..);
            thread::spawn(move || write(&url, seed, &is_stopped, &written))
        })
        .collect();
    let (mut round, mut after_commit) = (0, 0);
    while !is_over(round) {
        let processes = if random.u8(..4) == 0 { 2 } else { 1 };
        let mut children = Vec::new();
        for _ in 0..processes {
            children.push(start(url, folder.path(), source)?);
        }
        // A child says that it stops after its commit, or is killed at any moment.
        let time = Duration::from_millis(random.u64(10..600));
        let stopped: Vec<bool> = children.iter_mut().map(|child| wait(child, time)).collect::<Result<_>>()?;
        after_commit += stopped.into_iter().filter(|&is_stopped| is_stopped).count();
        round += 1;
    }
    is_stopped.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.join().map_err(|_| "a writer panicked")??;
    }

    let mirror = Mirror::new(builder()?);
    if is_slot {
        let mut slot = Slot::open(connect(url)?, site()?, table()?, "sitemap")?;
        while mirror.step(&mut slot, storage()?)?.is_some() {}
    } else {
        let mut outbox = Outbox::open(connect(url)?, site()?, table()?, "queue")?;
        while mirror.step(&mut outbox, storage()?)?.is_some() {}
    }
    let (rows, pages) = (rows(&mut client)?, pages(folder.path())?);
    let wrong: Vec<_> = rows.iter().filter(|row| pages.get(row.0) != Some(row.1)).take(5).collect();
    let more: Vec<_> = pages.keys().filter(|url| !rows.contains_key(*url)).take(5).collect();
    println!(
        "{} transactions, {round} rounds, {after_commit} killed between commit and acknowledgement, {} pages, {} rows",
        written.load(Ordering::SeqCst),
        pages.len(),
        rows.len()
    );
    if is_slot {
        client.batch_execute("SELECT pg_drop_replication_slot('sitemap')")?;
    }
    if !wrong.is_empty() || !more.is_empty() {
        return Err(format!("the set is not the table: missing or old {wrong:?}, too many {more:?}").into());
    }
    println!("the set equals the table");
    Ok(())
}

fn connect(url: &str) -> Result<Client> {
    Ok(Config::from_str(url)?.connect(NoTls)?)
}

fn site() -> Result<Site> {
    Ok(Site::new("https://example.com")?)
}

fn builder() -> Result<PublisherBuilder> {
    Ok(Publisher::builder(site()?).max_shrink(ShrinkLimit::OFF))
}

fn table() -> Result<Table> {
    Ok(Table::new("posts", "/posts/{slug}")?.lastmod("updated_at").filter("is_public"))
}

/// Writes random transactions until it is stopped.
fn write(url: &str, seed: u64, is_stopped: &AtomicBool, written: &AtomicU64) -> Result<()> {
    let (mut client, mut random) = (connect(url)?, fastrand::Rng::with_seed(seed));
    while !is_stopped.load(Ordering::SeqCst) {
        let mut transaction = client.transaction()?;
        let mut is_done = Ok(());
        for _ in 0..random.u8(1..6) {
            let (id, other) = (random.u64(1..=ROWS * 2), random.u64(1..=ROWS * 2));
            let seconds = random.u32(..30_000_000);
            let time = format!("'2026-01-01'::timestamptz + interval '{seconds} s'");
            let sql = match random.u8(..10) {
                0..=2 => {
                    format!("INSERT INTO posts VALUES ({id}, 'post-{other}', {time}) ON CONFLICT DO NOTHING")
                }
                3..=4 => format!("DELETE FROM posts WHERE id = {id}"),
                5 => format!("UPDATE posts SET is_public = NOT is_public WHERE id = {id}"),
                6 => format!(
                    "UPDATE posts SET slug = 'post-{other}' WHERE id = {id}
                         AND NOT EXISTS (SELECT FROM posts WHERE slug = 'post-{other}')"
                ),
                _ => format!("UPDATE posts SET updated_at = {time} WHERE id = {id}"),
            };
            is_done = transaction.batch_execute(&sql);
            if is_done.is_err() {
                break;
            }
        }
        // The writers may wait for each other, or take the same slug, and some transactions are taken back.
        if is_done.is_err() || random.u8(..20) == 0 {
            transaction.rollback()?;
        } else {
            transaction.commit()?;
            written.fetch_add(1, Ordering::SeqCst);
        }
        thread::sleep(Duration::from_millis(random.u64(..4)));
    }
    Ok(())
}

/// Starts a process that mirrors the table.
fn start(url: &str, folder: &Path, source: &str) -> Result<Child> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["--database", url, "--source", source, "--folder"]).arg(folder);
    Ok(command.stdout(Stdio::piped()).spawn()?)
}

/// Kills a process after some time, or when it says that it has committed and stops. Returns `true` in the second case. A
/// process that has ended by itself is an error.
fn wait(child: &mut Child, time: Duration) -> Result<bool> {
    let stdout = child.stdout.take().ok_or("the process has no output")?;
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(stdout).read_line(&mut line);
        // The other end is gone if the process was killed first.
        let _ = sender.send(read.is_ok() && line == "committed\n");
    });
    let said = receiver.recv_timeout(time).ok();
    child.kill()?;
    child.wait()?;
    match said {
        Some(false) => Err("the mirror ended by itself".into()),
        said => Ok(said == Some(true)),
    }
}

/// Mirrors the table until it is killed.
fn mirror(url: &str, folder: &Path, is_slot: bool) -> Result<()> {
    if is_slot {
        follow(Slot::open(connect(url)?, site()?, table()?, "sitemap")?.batch_size(50), folder)
    } else {
        follow(Outbox::open(connect(url)?, site()?, table()?, "queue")?.batch_size(20), folder)
    }
}

fn follow(source: impl ChangeSource<Error = PostgresError>, folder: &Path) -> Result<()> {
    let (mirror, mut source) = (Mirror::new(builder()?), Interrupted(source));
    loop {
        if mirror.step(&mut source, Directory::open(folder)?).map_err(|error| error.to_string())?.is_none() {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A source that sometimes stops before an acknowledgement, so that it is killed there.
struct Interrupted<S>(S);

impl<S: ChangeSource> ChangeSource for Interrupted<S> {
    type Token = S::Token;
    type Error = S::Error;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn peek(&mut self, position: Option<&str>) -> std::result::Result<Option<Batch<S::Token>>, S::Error> {
        self.0.peek(position)
    }

    fn acknowledge(&mut self, token: S::Token) -> std::result::Result<(), S::Error> {
        if fastrand::u8(..8) == 0 {
            println!("committed");
            loop {
                thread::park();
            }
        }
        self.0.acknowledge(token)
    }
}

/// Reads the table: each URL with its date.
fn rows(client: &mut Client) -> Result<BTreeMap<String, String>> {
    let query = "SELECT 'https://example.com/posts/' || slug,
        to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') FROM posts WHERE is_public";
    Ok(client.query(query, &[])?.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Reads the set as a crawler does: the index, then each child sitemap.
fn pages(folder: &Path) -> Result<BTreeMap<String, String>> {
    let index = std::fs::read(folder.join("sitemap.xml"))?;
    let (mut reader, mut pages) = (SitemapReader::from_slice(&index), BTreeMap::new());
    while let Some(item) = reader.next()? {
        let name = item.loc().as_str().trim_start_matches("https://example.com/").to_owned();
        for entry in SitemapReader::from_slice(&std::fs::read(folder.join(name))?).into_entries() {
            let entry = entry?;
            let date = entry.lastmod().map(|date| date.to_string().chars().take(19).collect());
            if pages.insert(entry.loc().to_string(), date.unwrap_or_default()).is_some() {
                return Err(format!("{} is listed twice", entry.loc()).into());
            }
        }
    }
    Ok(pages)
}
