//! `sitemap shard`: writers, buckets and commits.

use std::fs;
use std::io::Write as _;
use std::process::{Child, ChildStdin, Stdio};

use crate::support::{Ran, Sandbox};

const SITE: [&str; 4] = ["--base", "https://example.com", "--out", "out"];

fn write(sandbox: &Sandbox, more: &[&str], stdin: &str) -> Ran {
    sandbox.run_with(&[&["shard", "write"], &SITE[..], more].concat(), stdin.as_bytes())
}

/// Starts `shard write` for one hash bucket. Returns the process and the pipe that it reads rows from.
fn started(sandbox: &Sandbox) -> (Child, ChildStdin) {
    let args = [&["shard", "write"], &SITE[..], &["--buckets", "1", "--format", "tsv"]].concat();
    let mut command = sandbox.command(&args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let rows = child.stdin.take().unwrap();
    (child, rows)
}

fn commit(sandbox: &Sandbox, more: &[&str], rows: &str) -> Ran {
    sandbox.run_with(&[&["shard", "commit"], &SITE[..], more].concat(), rows.as_bytes())
}

#[test]
fn one_commit_publishes_the_shards_of_two_writers() {
    let sandbox = Sandbox::new();
    let pages: String = (0..100).map(|n| format!("/{n}\t2026-01-31\t\\N\t0.{}\n", n % 10)).collect();
    let mut printed = String::new();
    for part in ["1/2", "2/2"] {
        let more = ["--section", "posts", "--buckets", "4", "--format", "tsv", "--gzip", "--part", part];
        let ran = write(&sandbox, &more, &pages);
        assert_eq!((ran.status, ran.stderr.as_str(), ran.stdout.lines().count()), (0, "", 2));
        printed.push_str(&ran.stdout);
    }
    assert!(!sandbox.path().join("out/sitemap.xml").exists());
    // Commits each row twice, from a folder laid out like an engine's output.
    sandbox.write("rows/part-0", &printed).write("rows/part-1", &printed).write("rows/_SUCCESS", "no row");
    let ran = commit(&sandbox, &["--expect-urls", "100", "rows"], "");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "Sitemap: https://example.com/sitemap.xml\n"));
    assert!(ran.stderr.contains("100 URLs in 4 files"), "{}", ran.stderr);
    let mut listed: Vec<String> =
        sandbox.entries("out", "csv").lines().skip(1).map(ToOwned::to_owned).collect();
    let mut expected: Vec<String> =
        (0..100).map(|n| format!("https://example.com/{n},2026-01-31,,0.{}", n % 10)).collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
}

#[test]
fn each_spelling_of_a_url_is_in_the_same_bucket() {
    let site = ["--base", "https://bücher.example", "--out", "out", "--buckets", "1000", "--format", "tsv"];
    let spellings = [
        ["/ä", "/книги/1", "/tea for two", "/%D0%B0"],
        [
            "https://BÜCHER.example/%C3%A4",
            "https://xn--bcher-kva.example/книги/1",
            "https://bücher.example:443/tea%20for%20two",
            "https://bücher.example/%D0%B0",
        ],
    ];
    let mut rows = Vec::new();
    for spelling in &spellings {
        let sandbox = Sandbox::new();
        let input = spelling.join("\n") + "\n";
        rows.push(sandbox.run_with(&[&["shard", "write"], &site[..]].concat(), input.as_bytes()).stdout);
        let bucket = ["shard", "bucket", "--base", "https://bücher.example", "--buckets", "1000"];
        let buckets = sandbox.run_with(&bucket, input.as_bytes()).stdout;
        for line in buckets.lines() {
            let cells: Vec<_> = line.split('\t').collect();
            assert!(cells[1].starts_with("https://xn--bcher-kva.example/"), "{line}");
            let file = format!("sitemap-pages-{:05}-1-", cells[0].parse::<u32>().unwrap());
            assert!(rows[0].contains(&file), "{file} {}", rows[0]);
        }
    }
    assert_eq!(rows[0], rows[1]);
    let sandbox = Sandbox::new();
    let ran = sandbox.run_with(
        &[&["shard", "write"], &site[..]].concat(),
        (spellings.concat().join("\n") + "\n").as_bytes(),
    );
    assert_eq!((ran.stdout, ran.stderr.as_str()), (rows.remove(0), "skipped: 4 duplicates in total\n"));
}

#[test]
fn rows_name_their_sections() {
    let sandbox = Sandbox::new();
    let ndjson =
        "{\"loc\":\"/a\",\"section\":\"posts\"}\n{\"loc\":\"/b\",\"section\":\"shop\"}\n{\"loc\":\"/c\"}\n";
    let ran = write(&sandbox, &["--buckets", "1"], ndjson);
    let tsv = "/c\n/b\t\t\t\tshop\n/a\t\t\t\tposts\n";
    let other = write(&sandbox, &["--buckets", "1", "--format", "tsv"], tsv);
    let sorted = |rows: &str| rows.lines().map(ToOwned::to_owned).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(sorted(&ran.stdout), sorted(&other.stdout));
    for section in ["posts", "shop", "pages"] {
        assert!(ran.stdout.contains(&format!("sitemap-{section}-00000-1-")), "{}", ran.stdout);
    }
    let ran = write(&sandbox, &["--buckets", "1"], "{\"loc\":\"/a\",\"section\":7}\n");
    assert_eq!(ran.stderr, "error: <stdin>:1: `section` is 7; write the name of a section\n");
    let ran = write(&sandbox, &["--buckets", "1"], "{\"loc\":\"/a\",\"section\":\"a/b\"}\n");
    assert!(ran.status == 2 && ran.stderr.contains("\"a/b\""), "{}", ran.stderr);
    for part in ["0/2", "3/2", "2"] {
        assert_eq!(write(&sandbox, &["--buckets", "1", "--part", part], "/a\n").status, 2);
    }
}

#[test]
fn both_formats_give_the_same_shards() {
    let sandbox = Sandbox::new();
    let tsv = write(
        &sandbox,
        &["--buckets", "1", "--format", "tsv"],
        "/a\t2026-01-31T10:00:00Z\tdaily\t0.8\n/b\n/c\t\t\t\n",
    );
    let ndjson = write(
        &sandbox,
        &["--buckets", "1"],
        "{\"loc\":\"/a\",\"lastmod\":\"2026-01-31T10:00:00Z\",\"changefreq\":\"daily\",\"priority\":0.8}\n\
         {\"loc\":\"/\\u0062\"}\n\n{\"loc\":\"/c\"}\n",
    );
    assert_eq!(tsv, ndjson);
    assert!(tsv.stdout.starts_with("{\"file\":\"sitemap-pages-00000-1-"), "{}", tsv.stdout);
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let sandbox = Sandbox::new();
    let mut rows: Vec<String> = (0..2000).map(|n| format!("/{n}\n")).collect();
    let more = ["--buckets", "7", "--format", "tsv"];
    let one = write(&sandbox, &more, &rows.concat());
    rows.reverse();
    assert_eq!(write(&sandbox, &more, &rows.concat()), one);
    assert_eq!(one.stdout.lines().count(), 7);
}

#[test]
fn a_bad_row_stops_the_run_or_is_counted() {
    let bad = "/a\n/b\t2026-02-30\n/c\n";
    let tsv = ["--buckets", "1", "--format", "tsv"];
    let ran = write(&Sandbox::new(), &tsv, bad);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: <stdin>:2: row \"/b\": `lastmod` names a day that its month does not have, found \"2026-02-30\"\n"
    );
    let skipping = [&tsv[..], &["--on-invalid", "skip"]].concat();
    let ran = write(&Sandbox::new(), &skipping, bad);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("\"urls\":2,"), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("skipped: <stdin>:2: row \"/b\": "), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("\nskipped: 1 invalid record in total\n"), "{}", ran.stderr);
    // Invalid rows are skipped anywhere, even in the first line, and even if they contain no loc.
    let ran = write(&Sandbox::new(), &skipping, "\\N\t2026\n/a\n\\N\n");
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains("<stdin>:1: `loc` is missing\n"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("skipped: 2 invalid records in total\n"), "{}", ran.stderr);
    let ran = write(&Sandbox::new(), &["--buckets", "1"], "{\"loc\":\"/a\",\"lastMod\":\"2026\"}\n");
    assert!(ran.stderr.contains("<stdin>:1: column 21: unknown field `lastMod`"), "{}", ran.stderr);
}

#[test]
fn extensions_are_declared_where_they_are_used() {
    let sandbox = Sandbox::new();
    let row = "{\"loc\":\"/a\",\"images\":[{\"loc\":\"https://example.com/1.jpg\"}]}\n";
    let rows = write(&sandbox, &["--buckets", "1"], row);
    assert_eq!((rows.status, rows.stderr.as_str()), (0, ""));
    assert_eq!(commit(&sandbox, &[], &rows.stdout).status, 0);
    assert!(sandbox.entries("out", "ndjson").contains("1.jpg"));
}

#[test]
fn a_commit_that_is_refused_leaves_the_old_set() {
    let sandbox = Sandbox::new();
    let buckets = ["--buckets", "1", "--format", "tsv"];
    let old = write(&sandbox, &buckets, "/a\n").stdout;
    assert_eq!(commit(&sandbox, &["-"], &old).status, 0);
    let index = sandbox.read("out/sitemap.xml");
    let new = write(&sandbox, &buckets, "/a\n/b\n").stdout;
    for (more, rows, message) in [
        (&["--expect-urls", "3"][..], new.clone(), "the shards have 2 URLs, but 3 are expected"),
        (&[], format!("{old}{new}"), "<stdin>:2: two rows describe the same shard with different content"),
        (&[], String::new(), "no page to publish"),
        (
            &[],
            "{}\n".to_owned(),
            "<stdin>:1: the line \"{}\" does not describe a shard; pass on each JSON object of a shard writer with all its members",
        ),
        (
            &[],
            new.replace("https://example.com/", "https://www.example.com/"),
            "was written for the site `https://www.example.com/`, but the commit is for `https://example.com/`; use \
             the same site for writers and commit",
        ),
        (&["missing"], String::new(), "cannot read `missing`: no such file or directory"),
    ] {
        let ran = commit(&sandbox, more, &rows);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
        assert_eq!(sandbox.read("out/sitemap.xml"), index);
    }
    let shard = new.split('"').nth(3).unwrap();
    fs::remove_file(sandbox.path().join("out").join(shard)).unwrap();
    let ran = commit(&sandbox, &[], &new);
    assert!(
        ran.stderr.contains(&format!("shard `{shard}` ("))
            && ran.stderr.contains("is missing; write its bucket"),
        "{}",
        ran.stderr
    );
    assert_eq!(sandbox.read("out/sitemap.xml"), index);
}

#[test]
fn json_rows_have_the_bucket_of_their_loc() {
    let sandbox = Sandbox::new();
    let bucket = |rows: &str| {
        let args = ["shard", "bucket", "--base", "https://example.com", "--buckets", "1000"];
        let ran = sandbox.run_with(&args, rows.as_bytes());
        assert_eq!(ran.stderr, "");
        ran.stdout.split('\t').take(2).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(bucket("{\"priority\":0.5,\"loc\":\"/t\\u0065a\"}\n"), bucket("/tea\t2026-01-31\n"));
    // A row without a URL goes to a writer, which reports it.
    assert_eq!(bucket("{\"lok\":\"/b\"}\n"), "0 ");
}

#[test]
fn a_bad_row_does_not_break_the_pipe_of_the_writing_program() {
    let sandbox = Sandbox::new();
    let (child, mut rows) = started(&sandbox);
    rows.write_all(b"/a\tsoon\n").unwrap();
    // Writes more than fits into a pipe's buffer.
    for _ in 0..1_000 {
        rows.write_all(&[b'x'; 4_096]).unwrap();
    }
    drop(rows);
    let ran = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(stderr.contains("found \"soon\""), "{stderr}");
}

#[test]
fn uncommitted_shards_are_removed_by_their_age() {
    let sandbox = Sandbox::new();
    let buckets = ["--buckets", "1", "--format", "tsv"];
    let uncommitted = write(&sandbox, &buckets, "/a\n").stdout;
    let rows = write(&sandbox, &buckets, "/a\n/b\n").stdout;
    let shard = sandbox.path().join("out").join(uncommitted.split('"').nth(3).unwrap());
    for (days, is_left) in [("1", true), ("0", false)] {
        assert_eq!(commit(&sandbox, &["--remove-uncommitted", days], &rows).status, 0);
        assert_eq!(shard.exists(), is_left);
    }
}

#[test]
fn a_writer_that_ends_after_the_commit_changes_nothing() {
    let sandbox = Sandbox::new();
    let (zombie, mut input) = started(&sandbox);
    input.write_all(b"/from-the-dead\n").unwrap();
    let rows = write(&sandbox, &["--buckets", "1", "--format", "tsv"], "/a\n").stdout;
    assert_eq!(commit(&sandbox, &[], &rows).status, 0);
    drop(input);
    let late = zombie.wait_with_output().unwrap();
    assert!(late.status.success());
    assert_eq!(sandbox.stdout(&["list", "out/sitemap.xml"]), "https://example.com/a\n");
    assert_eq!(String::from_utf8(late.stdout).unwrap().lines().count(), 1);
}
