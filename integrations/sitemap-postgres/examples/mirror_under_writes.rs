//! Mirrors a table while others write to it, kills the mirror over and over, and finally compares the set with the
//! table. Also checks that every change of the set is in the file of changed pages.
//!
//! ```text
//! dev/ci/with-postgres cargo run -p sitemap-postgres --example mirror_under_writes -- --source slot --rounds 40
//! ```
//!
//! `--source outbox` mirrors through an outbox. `--seconds N` runs for N seconds instead of a number of rounds. In each
//! round, one or two processes mirror the table until they are killed with SIGKILL, either at a random moment, or after
//! they have committed the set but before they have acknowledged the batch. Of every four rounds, the first always
//! kills the process between commit and acknowledgement, and the second after the acknowledgement.

use std::collections::{BTreeMap, BTreeSet};
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
use sitemap_core::publish::feed::FeedChange;
use sitemap_core::publish::{SetOptions, ShrinkLimit};
use sitemap_core::{Directory, Memory, Site, SitemapSet};
use sitemap_postgres::{Outbox, PostgresError, Slot, Table};
use sitemap_read::SitemapReader;
use sitemap_update::{Batch, Build, ChangeSource, ChangedFile, Mirror, Update};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// The number of rows at the start. It stays roughly the same.
const ROWS: u64 = 5000;

/// The maximum time to wait until a process stops by itself.
const LONGEST: Duration = Duration::from_secs(120);

/// The moment when a process stops by itself and waits to be killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gate {
    /// Occasionally, between a commit and its acknowledgement.
    Sometimes,
    /// Between the first commit and its acknowledgement.
    Committed,
    /// After the first acknowledgement.
    Acknowledged,
}

impl Gate {
    const ALL: [(&str, Self); 3] = [
        ("sometimes", Self::Sometimes),
        ("committed", Self::Committed),
        ("acknowledged", Self::Acknowledged),
    ];
}

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
        let gate = option("--gate").and_then(|name| Gate::ALL.into_iter().find(|(other, _)| *other == name));
        let (Some((_, gate)), Some(changed)) = (gate, option("--changed")) else {
            return Err("`--gate` and `--changed` are missing".into());
        };
        return mirror(url, Path::new(folder), is_slot, gate, ChangedFile::new(changed));
    }
    let Ok(url) = env::var("DATABASE_URL") else {
        return Err("`DATABASE_URL` is not set; run this program with `dev/ci/with-postgres`".into());
    };
    let rounds: u64 = option("--rounds").map_or(Ok(40), str::parse)?;
    let seconds: Option<u64> = option("--seconds").map(str::parse).transpose()?;
    let seed: u64 = option("--seed").map_or_else(|| Ok(fastrand::u64(..)), str::parse)?;
    let start = Instant::now();
    let is_over = |round| seconds.map_or(round >= rounds, |seconds| start.elapsed().as_secs() >= seconds);
    check(&url, is_slot, seed, is_over)
}

/// Writes, mirrors and kills until `is_over` returns true, then compares the set with the table.
fn check(url: &str, is_slot: bool, seed: u64, is_over: impl Fn(u64) -> bool) -> Result<()> {
    let source = if is_slot { "slot" } else { "outbox" };
    println!("source {source}, seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = tempfile::tempdir()?;
    let mut client = connect(url)?;
    create_table(&mut client)?;
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
    // Each of the two processes has its own file, so that they can publish at the same time.
    let state = tempfile::tempdir()?;
    let files = ["one", "two"].map(|name| ChangedFile::new(state.path().join(name)));
    let (mut last, mut changed) = (pages(folder.path())?, BTreeSet::new());
    let (mut round, mut after_commit) = (0, 0);
    while !is_over(round) {
        let gate = match round % 4 {
            0 => Gate::Committed,
            1 => Gate::Acknowledged,
            _ => Gate::Sometimes,
        };
        let processes = if gate == Gate::Sometimes && random.u8(..2) == 0 { 2 } else { 1 };
        let mut children = Vec::new();
        for file in &files[..processes] {
            children.push(start(url, folder.path(), source, gate, file)?);
        }
        // A child either reports that it has stopped, or is killed at a random moment.
        let time = Duration::from_millis(random.u64(10..600));
        let time = if gate == Gate::Sometimes { time } else { LONGEST };
        let stopped: Vec<bool> = children.iter_mut().map(|child| wait(child, time)).collect::<Result<_>>()?;
        if gate != Gate::Sometimes && stopped != [true] {
            return Err(format!("the mirror did not get as far as `{gate:?}`").into());
        }
        if gate != Gate::Acknowledged {
            after_commit += stopped.into_iter().filter(|&is_stopped| is_stopped).count();
        }
        note_changes(&mut last, folder.path(), &mut changed)?;
        round += 1;
    }
    is_stopped.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.join().map_err(|_| "a writer panicked")??;
    }

    for file in &files {
        file.recover(&storage()?)?;
    }
    let mirror = Mirror::new(Update::new(&builder()?.storage(storage()?)).changed_file(files[0].clone()));
    if is_slot {
        let mut slot = Slot::open(connect(url)?, site()?, table()?, "sitemap")?;
        while mirror.step(&mut slot)?.is_some() {}
    } else {
        let mut outbox = Outbox::open(connect(url)?, site()?, table()?, "queue")?;
        while mirror.step(&mut outbox)?.is_some() {}
    }
    note_changes(&mut last, folder.path(), &mut changed)?;
    let mut listed = BTreeSet::new();
    for file in &files {
        let Some(taken) = file.take()? else { continue };
        listed.extend(taken.changes().iter().map(|change| match change {
            FeedChange::Upsert(loc, _) | FeedChange::Remove(loc) => loc.to_string(),
        }));
        taken.confirm()?;
    }
    let (rows, pages) = (rows(&mut client)?, last);
    let unlisted: Vec<_> = changed.difference(&listed).take(5).collect();
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
    if !unlisted.is_empty() {
        return Err(format!("changes of the set are not listed: {unlisted:?}").into());
    }
    println!("{} pages were changed, and {} are listed", changed.len(), listed.len());
    if after_commit == 0 {
        return Err("no process was killed between commit and acknowledgement".into());
    }
    Ok(())
}

fn create_table(client: &mut Client) -> Result<()> {
    client.batch_execute(&format!(
        "DROP TABLE IF EXISTS posts; DROP TABLE IF EXISTS queue; DROP PUBLICATION IF EXISTS sitemap;
         CREATE TABLE posts (id bigint PRIMARY KEY, slug text NOT NULL, updated_at timestamptz NOT NULL,
             is_public bool NOT NULL DEFAULT true);
         CREATE UNIQUE INDEX slugs ON posts (slug);
         ALTER TABLE posts REPLICA IDENTITY USING INDEX slugs;
         INSERT INTO posts SELECT id, 'post-' || id, '2026-01-01'::timestamptz FROM generate_series(1, {ROWS}) id"
    ))?;
    Ok(())
}

/// Adds the pages that have changed since the last call.
fn note_changes(
    last: &mut BTreeMap<String, String>,
    folder: &Path,
    changed: &mut BTreeSet<String>,
) -> Result<()> {
    let now = pages(folder)?;
    changed.extend(now.iter().filter(|page| last.get(page.0) != Some(page.1)).map(|page| page.0.clone()));
    changed.extend(last.keys().filter(|url| !now.contains_key(*url)).cloned());
    *last = now;
    Ok(())
}

fn connect(url: &str) -> Result<Client> {
    Ok(Config::from_str(url)?.connect(NoTls)?)
}

fn site() -> Result<Site> {
    Ok(Site::new("https://example.com")?)
}

fn builder() -> Result<SetOptions> {
    Ok(SitemapSet::builder(site()?).max_shrink(ShrinkLimit::OFF))
}

fn table() -> Result<Table> {
    Ok(Table::new("posts", "/posts/{slug}")?.lastmod("updated_at").filter("is_public"))
}

/// Writes random transactions until `is_stopped` is set.
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
        // The writers may deadlock or choose the same slug. Some other transactions are rolled back too.
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
fn start(url: &str, folder: &Path, source: &str, gate: Gate, file: &ChangedFile) -> Result<Child> {
    let gate = Gate::ALL.into_iter().find(|(_, other)| *other == gate).map_or("", |(name, _)| name);
    let mut command = Command::new(env::current_exe()?);
    command.args(["--database", url, "--source", source, "--gate", gate, "--folder"]).arg(folder);
    command.arg("--changed").arg(file.path());
    Ok(command.stdout(Stdio::piped()).spawn()?)
}

/// Kills a process after some time, or as soon as it reports that it has stopped. Returns `true` in the second case. It
/// is an error if the process has exited by itself.
fn wait(child: &mut Child, time: Duration) -> Result<bool> {
    let stdout = child.stdout.take().ok_or("the process has no output")?;
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(stdout).read_line(&mut line);
        // Sending fails if the process was killed first.
        let _ = sender.send(read.is_ok() && line == "stopped\n");
    });
    let said = receiver.recv_timeout(time).ok();
    child.kill()?;
    child.wait()?;
    match said {
        Some(false) => Err("the mirror ended by itself".into()),
        said => Ok(said == Some(true)),
    }
}

/// Mirrors the table until the process is killed.
fn mirror(url: &str, folder: &Path, is_slot: bool, gate: Gate, file: ChangedFile) -> Result<()> {
    let mirror = Mirror::new(Update::new(&builder()?.storage(Directory::open(folder)?)).changed_file(file));
    if is_slot {
        let slot = Slot::open(connect(url)?, site()?, table()?, "sitemap")?.batch_size(50);
        follow(&mirror, Interrupted(slot, gate))
    } else {
        let outbox = Outbox::open(connect(url)?, site()?, table()?, "queue")?.batch_size(20);
        follow(&mirror, Interrupted(outbox, gate))
    }
}

fn follow(mirror: &Mirror, mut source: impl ChangeSource<Error = PostgresError>) -> Result<()> {
    loop {
        if mirror.step(&mut source).map_err(|error| error.to_string())?.is_none() {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A source that stops before or after an acknowledgement, so that the process is killed there.
struct Interrupted<S>(S, Gate);

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
        match self.1 {
            Gate::Sometimes if fastrand::u8(..8) == 0 => stop(),
            Gate::Committed => stop(),
            Gate::Sometimes | Gate::Acknowledged => {}
        }
        self.0.acknowledge(token)?;
        if self.1 == Gate::Acknowledged {
            stop();
        }
        Ok(())
    }
}

/// Waits to be killed.
fn stop() {
    println!("stopped");
    loop {
        thread::park();
    }
}

/// Reads each URL and its date from the table.
fn rows(client: &mut Client) -> Result<BTreeMap<String, String>> {
    let query = "SELECT 'https://example.com/posts/' || slug,
        to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') FROM posts WHERE is_public";
    Ok(client.query(query, &[])?.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Reads the set as a crawler does: first the index, then each child sitemap.
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
