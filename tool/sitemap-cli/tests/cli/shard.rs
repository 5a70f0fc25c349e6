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

/// Returns rows with their hash buckets, in the order that writers expect.
fn sorted(sandbox: &Sandbox, rows: &[String], buckets: &str) -> Vec<(u32, String)> {
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let ran = sandbox.run_with(&["shard", "bucket", "--buckets", buckets], text.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let mut rows: Vec<(u32, String)> = ran
        .stdout
        .lines()
        .map(|line| {
            let (bucket, row) = line.split_once('\t').unwrap();
            (bucket.parse().unwrap(), row.to_owned())
        })
        .collect();
    rows.sort();
    rows
}

fn lines<'a>(rows: impl IntoIterator<Item = &'a (u32, String)>) -> String {
    rows.into_iter().map(|(_, row)| format!("{row}\n")).collect()
}

#[test]
fn one_commit_publishes_the_shards_of_two_writers() {
    let sandbox = Sandbox::new();
    let pages: Vec<String> = (0..100).map(|n| format!("/{n}\t2026-01-31\t\\N\t0.{}", n % 10)).collect();
    let rows = sorted(&sandbox, &pages, "4");
    let mut printed = String::new();
    for parity in [0, 1] {
        let own = lines(rows.iter().filter(|(bucket, _)| bucket % 2 == parity));
        let more = ["--section", "posts", "--buckets", "4", "--format", "tsv", "--gzip"];
        let ran = write(&sandbox, &more, &own);
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
        sandbox.stdout(&["list", "out", "--format", "csv"]).lines().skip(1).map(ToOwned::to_owned).collect();
    let mut expected: Vec<String> =
        (0..100).map(|n| format!("https://example.com/{n},2026-01-31,,0.{}", n % 10)).collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
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
fn rows_out_of_order_are_reported() {
    let sandbox = Sandbox::new();
    for (rows, message) in [
        (
            "/b\n/a\n",
            "<stdin>:2: row \"/a\" of hash bucket 0 comes after \"/b\" of hash bucket 0; sort the rows by \
             `crc32(loc) % 1`, then by the bytes of `loc`",
        ),
        ("/Z\n/a\n\n/B\n", "<stdin>:4: row \"/B\" of hash bucket 0 comes after \"/a\" of hash bucket 0"),
    ] {
        let ran = write(&sandbox, &["--buckets", "1", "--format", "tsv"], rows);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    let mut rows = sorted(&sandbox, &(0..9).map(|n| format!("/{n}")).collect::<Vec<_>>(), "3");
    rows.reverse();
    let ran = write(&sandbox, &["--buckets", "3", "--format", "tsv"], &lines(&rows));
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.starts_with("error: <stdin>:2: row "), "{}", ran.stderr);
    assert!(ran.stderr.contains("; sort the rows by `crc32(loc) % 3`"), "{}", ran.stderr);
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
    assert!(ran.stderr.ends_with("\nskipped: 1 in total\n"), "{}", ran.stderr);
    // Invalid rows are skipped anywhere, even in the first line, and even if they contain no loc.
    let ran = write(&Sandbox::new(), &skipping, "\\N\t2026\n/a\n\\N\n");
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains("<stdin>:1: `loc` is missing\n"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("skipped: 2 in total\n"), "{}", ran.stderr);
    let ran = write(&Sandbox::new(), &["--buckets", "1"], "{\"loc\":\"/a\",\"lastMod\":\"2026\"}\n");
    assert!(ran.stderr.contains("<stdin>:1: column 21: unknown field `lastMod`"), "{}", ran.stderr);
}

#[test]
fn extensions_are_declared_for_all_or_refused() {
    let row = "{\"loc\":\"/a\",\"images\":[{\"loc\":\"https://example.com/1.jpg\"}]}\n";
    let ran = write(&Sandbox::new(), &["--buckets", "1"], row);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("<stdin>:1: page \"https://example.com/a\" has the undeclared extensions "),
        "{}",
        ran.stderr
    );
    let sandbox = Sandbox::new();
    let rows = write(&sandbox, &["--buckets", "1", "--extensions", "images,news"], row);
    assert_eq!(rows.status, 0, "{}", rows.stderr);
    assert_eq!(commit(&sandbox, &[], &rows.stdout).status, 0);
    assert!(sandbox.stdout(&["list", "out", "--format", "ndjson"]).contains("1.jpg"));
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
        let ran = sandbox.run_with(&["shard", "bucket", "--buckets", "1000"], rows.as_bytes());
        assert_eq!(ran.stderr, "");
        ran.stdout.split('\t').next().unwrap().to_owned()
    };
    assert_eq!(bucket("{\"priority\":0.5,\"loc\":\"/t\\u0065a\"}\n"), bucket("/tea\t2026-01-31\n"));
    let ran = sandbox.run_with(&["shard", "bucket", "--buckets", "9"], b"/a\n{\"lok\":\"/b\"}\n");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("<stdin>:2: "), "{}", ran.stderr);
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
