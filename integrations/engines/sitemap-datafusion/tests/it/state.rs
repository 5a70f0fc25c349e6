//! Tests of tables of what crawls and checks found out about pages.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_pages::facts::{PageFacts, Response};
use sitemap_pages::state::{RunKind, State};
use sitemap_pages::visit::{Blocked, Failure, FailureKind, Hop, Outcome, Validators, Visit};

use crate::support::Sandbox;

/// The first second of 2026.
const START: Duration = Duration::from_hours(490_896);

fn day(number: u32) -> SystemTime {
    UNIX_EPOCH + START + Duration::from_hours(24) * number
}

fn url(name: &str) -> String {
    format!("https://example.com/{name}")
}

fn page(name: &str, status: u16, headers: &[(&str, &str)], html: &str) -> Outcome {
    let url = url(name);
    let headers = [&[("content-type", "text/html; charset=utf-8")], headers].concat();
    let body = html.as_bytes();
    let response = Response { requested: &url, url: &url, status, headers: &headers, body, is_cut: false };
    let validators = Validators { etag: Some(format!("\"{name}\"")), last_modified: None };
    Outcome::Page { facts: PageFacts::of(&response).into(), validators }
}

/// Creates a state with these visits of a crawl, and returns its path.
fn crawled(sandbox: &Sandbox, runs: &[&[(&str, Outcome)]]) -> PathBuf {
    let path = PathBuf::from(sandbox.out()).join("site.state");
    let state = State::create_or_open(&path).unwrap();
    for (number, visits) in (1..).zip(runs) {
        let run = state.begin_run(RunKind::Crawl, day(number)).unwrap();
        for (name, outcome) in *visits {
            let hops = match *name {
                "old" => vec![Hop { url: url("old"), status: 301, location: Some(url("new")) }],
                _ => Vec::new(),
            };
            let visit = Visit { url: url(name), at: day(number), hops, outcome: outcome.clone() };
            state.store(&run, &visit).unwrap();
        }
        state.finish_run(&run).unwrap();
    }
    path
}

async fn table(sandbox: &Sandbox) {
    let out = sandbox.out();
    sandbox.run(&format!("CREATE EXTERNAL TABLE evidence STORED AS STATE LOCATION '{out}site.state'")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_says_how_a_page_answered() {
    let sandbox = Sandbox::new(2);
    let blocked = Blocked::Rule { line: 2, pattern: "/cart".to_owned() };
    crawled(
        &sandbox,
        &[&[
            ("cart", Outcome::Blocked(blocked)),
            ("gone", page("gone", 404, &[], "")),
            ("old", page("new", 200, &[], "<title>New")),
            ("slow", Outcome::Failed(Failure::new(FailureKind::Timeout, "no answer within 30 s"))),
        ]],
    );
    table(&sandbox).await;
    let found = sandbox.text("SELECT loc, status, outcome, failure, message, url FROM evidence").await;
    assert_eq!(
        found,
        "+--------------------------+--------+---------+---------+----------------------------------------+--------------------------+\n\
         | loc                      | status | outcome | failure | message                                | url                      |\n\
         +--------------------------+--------+---------+---------+----------------------------------------+--------------------------+\n\
         | https://example.com/cart |        | blocked |         | line 2 of robots.txt disallows `/cart` | https://example.com/cart |\n\
         | https://example.com/gone | 404    | page    |         |                                        | https://example.com/gone |\n\
         | https://example.com/old  | 200    | page    |         |                                        | https://example.com/new  |\n\
         | https://example.com/slow |        | failed  | timeout | no answer within 30 s                  | https://example.com/slow |\n\
         +--------------------------+--------+---------+---------+----------------------------------------+--------------------------+"
    );
    let found = sandbox.text("SELECT loc, redirects FROM evidence WHERE redirects IS NOT NULL").await;
    let row = "| https://example.com/old | [{url: https://example.com/old, status: 301, location: https://example.com/new}] |";
    assert!(found.contains(row) && found.lines().count() == 5, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_says_what_a_page_states() {
    let sandbox = Sandbox::new(2);
    let canonical = "<html lang=de><title>Tee</title><link rel=canonical href=/tee>";
    let several = "<link rel=canonical href=/a><link rel=canonical href=/b>";
    let agents = "<meta name=googlebot content=noindex><meta name=bingbot content=none>";
    let body = "<!doctype html><p>Text<meta name=robots content=noindex>";
    crawled(
        &sandbox,
        &[&[
            ("a", page("a", 200, &[("X-Robots-Tag", "noindex")], canonical)),
            ("b", page("b", 200, &[], &format!("<meta name=robots content=none>{several}"))),
            ("c", page("c", 200, &[], agents)),
            ("d", page("d", 200, &[("X-Robots-Tag", "unavailable_after: 2026-11-22")], body)),
        ]],
    );
    table(&sandbox).await;
    let found = sandbox
        .text("SELECT split_part(loc, '/', 4) AS page, title, language, canonical, noindex, noindex_agents, unavailable_after, content_type FROM evidence")
        .await;
    for row in [
        "| a    | Tee   | de       | https://example.com/tee | header  |                      |                      | text/html    |",
        "| b    |       |          |                         | meta    |                      |                      | text/html    |",
        "| c    |       |          |                         |         | [bingbot, googlebot] |                      | text/html    |",
        "| d    |       |          |                         |         |                      | 2026-11-22T00:00:00Z | text/html    |",
    ] {
        assert!(found.contains(row), "{row}\n{found}");
    }
    let found = sandbox.text("SELECT etag, body_digest FROM evidence WHERE loc LIKE '%/c'").await;
    // XXH3-128 of the body, as `xxhsum -H2` prints it.
    assert!(found.contains("| \"c\"  | fd64608782111f4d16a347bc7c86b91b |"), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_has_the_dates_of_a_page() {
    let sandbox = Sandbox::new(2);
    let of = |name: &'static str, text: &str| (name, page(name, 200, &[], &format!("<p>{name} {text}")));
    let not_modified = Outcome::NotModified(Box::default());
    let first = ["ash", "elm", "fir", "oak"].map(|name| of(name, "grows"));
    let second = [of("ash", "grows"), ("elm", not_modified), of("fir", "grows"), of("oak", "burns")];
    crawled(&sandbox, &[&first, &second]);
    table(&sandbox).await;
    let found = sandbox
        .text("SELECT split_part(loc, '/', 4) AS page, status, outcome, first_seen, visited, changed, unchanged_until, content_since, run, run_kind FROM evidence WHERE loc NOT LIKE '%/ash'")
        .await;
    for row in [
        "| elm  | 200    | not-modified | 2026-01-02T00:00:00Z | 2026-01-03T00:00:00Z |                      |                      | 2026-01-02T00:00:00Z | 2   | crawl    |",
        "| fir  | 200    | page         | 2026-01-02T00:00:00Z | 2026-01-03T00:00:00Z |                      |                      | 2026-01-02T00:00:00Z | 2   | crawl    |",
        "| oak  | 200    | page         | 2026-01-02T00:00:00Z | 2026-01-03T00:00:00Z | 2026-01-03T00:00:00Z | 2026-01-02T00:00:00Z | 2026-01-03T00:00:00Z | 2   | crawl    |",
    ] {
        assert!(found.contains(row), "{row}\n{found}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_may_read_a_state_several_times_with_threads_and_leaves_it_as_it_is() {
    let sandbox = Sandbox::with_memory(3, 64);
    let names: Vec<String> = (0..5_000).map(|number| format!("{number:04}")).collect();
    let gone = page("x", 410, &[], "");
    let visits: Vec<(&str, Outcome)> = names.iter().map(|name| (&**name, gone.clone())).collect();
    let path = crawled(&sandbox, &[&visits]);
    let before = fs::read(&path).unwrap();
    table(&sandbox).await;
    assert_eq!(sandbox.number("SELECT count(*) FROM evidence").await, 5_000);
    assert_eq!(sandbox.number("SELECT sum(status) FROM evidence").await, 2_050_000);
    let pairs = "SELECT count(*) FROM evidence AS one JOIN evidence AS other ON one.url = other.loc";
    assert_eq!(sandbox.number(pairs).await, 5_000);
    sandbox.run("SET datafusion.optimizer.prefer_hash_join = false").await;
    assert_eq!(sandbox.number(pairs).await, 5_000);
    assert_eq!(sandbox.number("SELECT count(*) FROM (SELECT loc FROM evidence LIMIT 7)").await, 7);
    assert!(fs::read(&path).unwrap() == before, "the file has changed");
    // A scan that ends early closes the state a moment later, and then a crawl can use it.
    let closed = (0..1_000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        State::open(&path).is_ok()
    });
    assert!(closed, "the state is still open");
}

#[tokio::test(flavor = "multi_thread")]
async fn evidence_can_be_written_as_parquet() {
    let sandbox = Sandbox::new(2);
    crawled(
        &sandbox,
        &[&[("old", page("new", 200, &[], "<title>New")), ("gone", page("gone", 404, &[], ""))]],
    );
    table(&sandbox).await;
    let out = sandbox.out();
    let copy = format!("COPY (SELECT * FROM evidence) TO '{out}evidence.parquet' STORED AS PARQUET");
    assert_eq!(sandbox.number(&copy).await, 2);
    sandbox
        .run(&format!("CREATE EXTERNAL TABLE kept STORED AS PARQUET LOCATION '{out}evidence.parquet'"))
        .await;
    assert_eq!(
        sandbox.text("SELECT * FROM kept ORDER BY loc").await,
        sandbox.text("SELECT * FROM evidence ORDER BY loc").await
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_that_is_in_use_or_damaged_is_an_error() {
    let sandbox = Sandbox::new(2);
    let names: Vec<String> = (0..300).map(|number| format!("{number:04}")).collect();
    let gone = page("x", 410, &[], "");
    let visits: Vec<(&str, Outcome)> = names.iter().map(|name| (&**name, gone.clone())).collect();
    let path = crawled(&sandbox, &[&visits]);
    table(&sandbox).await;
    let state = State::open(&path).unwrap();
    let error = sandbox.error("SELECT loc FROM evidence").await;
    assert!(
        error.contains(&format!("is in use by process {}; wait until it ends", std::process::id())),
        "{error}"
    );
    drop(state);

    // The URL of a page is in its key and twice in its row.
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(5).position(|bytes| bytes == b"/0250").unwrap();
    bytes[at + 1..at + 5].copy_from_slice(b"9999");
    fs::write(&path, bytes).unwrap();
    let error = sandbox.error("SELECT count(*) FROM evidence").await;
    assert!(error.contains("site.state` is damaged: "), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_table_of_a_state_cannot_have_is_an_error_when_it_is_created() {
    let sandbox = Sandbox::new(1);
    sandbox.write("pages.csv", "loc\n");
    let out = sandbox.out();
    let create = |location: &str, more: &str| {
        format!("CREATE EXTERNAL TABLE evidence STORED AS STATE LOCATION '{location}'{more}")
    };
    for (statement, message) in [
        (create(&format!("{out}none.state"), ""), "there is no state `".to_owned()),
        (
            create(&format!("{out}pages.csv"), ""),
            format!("`{out}pages.csv` is not an SQLite database; name the file of a state"),
        ),
        (create(&out, ""), "is a folder; name the file of a state".to_owned()),
        (
            create("s3://bucket/site.state", ""),
            "a state is read from a file of this machine; download `s3://bucket/site.state`".to_owned(),
        ),
        (
            create(&out, " OPTIONS (base 'x')"),
            "`base` is not an option of a table of a state, which has no options".to_owned(),
        ),
    ] {
        let error = sandbox.error(&statement).await;
        assert!(error.contains(&message), "{error}");
    }
}
