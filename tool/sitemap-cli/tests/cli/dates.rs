//! `sitemap build --lastmod content`.

use rusqlite::Connection;

use crate::support::{Ran, Sandbox};

const DAY: u64 = 86_400;

/// Writes ten pages. The pages with these numbers get a different text.
fn write(sandbox: &Sandbox, menu: &str, footer: &str, edited: &[u32]) {
    let trees = ["ash", "elm", "fir", "oak", "yew", "pine", "lime", "beech", "birch", "maple"];
    for (number, tree) in (0..).zip(trees) {
        let verb = if edited.contains(&number) { "burns" } else { "grows" };
        let html = format!(
            "<!doctype html><html lang=en><title>{tree} | Trees</title><body><ul><li><a href=/>{menu}</a></ul>\
             <h1>{tree}</h1><p>The {tree} {verb}.</p><div>{footer}</div></body></html>"
        );
        sandbox.write(&format!("site/{number}.html"), html);
    }
}

fn build(sandbox: &Sandbox, day: u64) -> Ran {
    build_with(sandbox, day, "https://example.com", &["--lastmod", "content", "--state", "site.state"])
}

fn build_with(sandbox: &Sandbox, day: u64, base: &str, more: &[&str]) -> Ran {
    let args = ["build", "--base", base, "--out", "out", "--from-dir", "site"];
    let output = sandbox
        .command(&[&args, more].concat())
        .env("SOURCE_DATE_EPOCH", (day * DAY).to_string())
        .output()
        .unwrap();
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap(),
    }
}

/// Runs a build. Returns the first line on stderr and the dates in the set.
fn built(sandbox: &Sandbox, day: u64) -> (String, Vec<String>) {
    let ran = build(sandbox, day);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let dates = sandbox.entries("out", "ndjson");
    let dates = dates.lines().filter_map(|line| {
        let (loc, date) =
            line.strip_prefix("{\"loc\":\"https://example.com/")?.split_once("\",\"lastmod\":\"")?;
        Some(format!("{loc} {}", date.strip_suffix("T00:00:00Z\"}")?))
    });
    (ran.stderr.lines().next().unwrap_or_default().to_owned(), dates.collect())
}

fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn only_edits_of_the_content_move_dates() {
    let sandbox = Sandbox::new();
    write(&sandbox, "Home", "Built 2026-01-01 at 10:00", &[]);
    assert_eq!(
        built(&sandbox, 20_454),
        ("content of 10 pages: 10 new, 0 changed, 0 unchanged".to_owned(), vec![])
    );

    write(&sandbox, "All trees", "Built 2026-01-01 at 10:00", &[]);
    assert_eq!(
        built(&sandbox, 20_455),
        ("content of 10 pages: 0 new, 0 changed, 10 unchanged".to_owned(), vec![])
    );

    write(&sandbox, "All trees", "Built 2026-01-03 at 17:25", &[]);
    assert_eq!(
        built(&sandbox, 20_456),
        ("content of 10 pages: 0 new, 0 changed, 10 unchanged".to_owned(), vec![])
    );

    write(&sandbox, "All trees", "Built 2026-01-04 at 09:00", &[1, 4, 7]);
    let dates = words(&["1.html 2026-01-04", "4.html 2026-01-04", "7.html 2026-01-04"]);
    assert_eq!(
        built(&sandbox, 20_457),
        ("content of 10 pages: 0 new, 3 changed, 7 unchanged".to_owned(), dates.clone())
    );

    sandbox.write("site/10.html", "<title>alder | Trees</title><p>The alder grows.</p>");
    assert_eq!(
        built(&sandbox, 20_458),
        ("content of 11 pages: 1 new, 0 changed, 10 unchanged".to_owned(), dates),
        "dates are carried over"
    );

    write(&sandbox, "All trees", "Built 2026-01-06 at 09:00", &[1, 4, 7, 9]);
    let dates = words(&["1.html 2026-01-04", "4.html 2026-01-04", "7.html 2026-01-04", "9.html 2026-01-06"]);
    assert_eq!(
        built(&sandbox, 20_459),
        ("content of 11 pages: 0 new, 1 changed, 10 unchanged".to_owned(), dates)
    );
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let sandbox = Sandbox::new();
    write(&sandbox, "Home", "Built 2026-01-01", &[]);
    build(&sandbox, 20_454);
    write(&sandbox, "Home", "Built 2026-01-02", &[2]);
    build(&sandbox, 20_455);
    let first = sandbox.read("out/sitemap.xml");
    assert_eq!(first.matches("<lastmod>2026-01-02T00:00:00Z</lastmod>").count(), 1);
    build(&sandbox, 20_455);
    assert_eq!(sandbox.read("out/sitemap.xml"), first);
    build(&sandbox, 20_459);
    assert_eq!(sandbox.read("out/sitemap.xml"), first);
}

#[test]
fn a_date_that_another_program_has_removed_is_an_error() {
    // The page that has changed, and one that hasn't.
    for page in ["2.html", "5.html"] {
        for change in ["DELETE FROM pages", "UPDATE pages SET key = CAST('elsewhere' AS BLOB)"] {
            let sandbox = Sandbox::new();
            write(&sandbox, "Home", "Footer", &[]);
            built(&sandbox, 20_454);
            write(&sandbox, "Home", "Footer", &[2]);
            assert_eq!(built(&sandbox, 20_455).1, ["2.html 2026-01-02"]);
            let published = sandbox.read("out/sitemap.xml");

            let state = Connection::open(sandbox.path().join("site.state")).unwrap();
            let of_page = format!("{change} WHERE key = CAST('https://example.com/{page}' AS BLOB)");
            assert_eq!(state.execute(&of_page, []).unwrap(), 1);
            drop(state);
            // The damage remains, so it is reported again.
            for day in [20_456, 20_457] {
                let ran = build(&sandbox, day);
                assert_eq!((&*ran.stdout, ran.status), ("", 2), "{}", ran.stderr);
                assert!(ran.stderr.starts_with("error: `site.state` is damaged: the "), "{}", ran.stderr);
                assert!(ran.stderr.ends_with("; restore the file, or start a new state\n"), "{}", ran.stderr);
            }
            assert_eq!(sandbox.read("out/sitemap.xml"), published);
        }
    }
}

#[test]
fn pages_that_are_not_listed_do_not_count() {
    let sandbox = Sandbox::new();
    write(&sandbox, "Home", "Footer", &[]);
    sandbox.write("site/draft.html", "<meta name=robots content=noindex>Draft");
    assert_eq!(built(&sandbox, 20_454).0, "content of 10 pages: 10 new, 0 changed, 0 unchanged");
}

#[test]
fn options_that_do_not_fit_are_errors() {
    let sandbox = Sandbox::new();
    write(&sandbox, "Home", "Footer", &[]);
    let error = |base: &str, more: &[&str]| {
        let ran = build_with(&sandbox, 20_454, base, more);
        assert_eq!(ran.status, 2);
        ran.stderr
    };
    assert!(error("https://example.com", &["--lastmod", "content"]).contains("--state <FILE>"));
    assert_eq!(
        error("https://example.com", &["--state", "site.state"]),
        "error: `--state` has no effect without `--lastmod content`; add it, or remove `--state`\n"
    );
    assert_eq!(build(&sandbox, 20_454).status, 0);
    assert_eq!(
        error("https://example.org", &["--lastmod", "content", "--state", "site.state"]),
        "error: `site.state` is the state of https://example.com/, not of https://example.org/; name another file\n"
    );
    assert_eq!(
        error("https://example.com", &["--lastmod", "content", "--state", "site/0.html"]),
        "error: `site/0.html` is not an SQLite database; name the file of a state\n"
    );
}

#[test]
fn the_time_of_the_build_must_be_a_number() {
    let sandbox = Sandbox::new();
    write(&sandbox, "Home", "Footer", &[]);
    let args = ["build", "--base", "https://example.com", "--out", "out", "--from-dir", "site"];
    let args = [&args[..], &["--lastmod", "content", "--state", "site.state"]].concat();
    let output = sandbox.command(&args).env("SOURCE_DATE_EPOCH", "yesterday").output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: `SOURCE_DATE_EPOCH` is \"yesterday\"; give a number of seconds since 1970\n"
    );
    assert!(!sandbox.path().join("site.state").exists());
}

#[test]
fn any_number_of_threads_gives_the_same_dates() {
    let mut found = Vec::new();
    for threads in ["1", "2", "7"] {
        let sandbox = Sandbox::new();
        let options = ["--lastmod", "content", "--state", "site.state", "--threads", threads];
        let run = |day| build_with(&sandbox, day, "https://example.com", &options);
        for page in 0..100 {
            let html =
                format!("<title>Page {page} | Trees</title><p>Home</p><p>The text of page {page}.</p>");
            sandbox.write(&format!("site/{page}.html"), html);
        }
        let html = "<link rel=canonical href=/0.html><title>Copy | Trees</title><p>Copy</p>";
        sandbox.write("site/copy.html", html);
        let first = run(20_454).stderr;
        for page in (0..100).step_by(9) {
            let html = format!("<title>Page {page} | Trees</title><p>Home</p><p>Another text of {page}.</p>");
            sandbox.write(&format!("site/{page}.html"), html);
        }
        let second = run(20_455).stderr;
        found.push((first, second, sandbox.read("out/sitemap.xml")));
    }
    let (first, second, sitemap) = &found[0];
    assert!(first.starts_with("content of 100 pages: 100 new, 0 changed, 0 unchanged\n"), "{first}");
    assert!(first.contains("skipped 1 file naming another page as canonical: `copy.html`"), "{first}");
    assert!(second.starts_with("content of 100 pages: 0 new, 12 changed, 88 unchanged\n"), "{second}");
    assert_eq!(sitemap.matches("<lastmod>2026-01-02T00:00:00Z</lastmod>").count(), 12);
    assert!(found.iter().all(|other| *other == found[0]));
}
