//! The recent section of `sitemap apply --recent`, and how other commands read a set with such a section.

use std::fs;

use crate::support::{Ran, Sandbox};

fn run(sandbox: &Sandbox, command: &str, more: &[&str], stdin: &str) -> Ran {
    let to_out = [command, "--base", "https://example.com", "--out", "out"];
    sandbox.run_with(&[&to_out, more].concat(), stdin.as_bytes())
}

/// Publishes three pages in buckets, then changes one page and adds another.
fn start() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "build", &["--buckets", "3"], "/a\n/b\n/c\n").status, 0);
    assert_eq!(sandbox.run(&["list", "out"]).stderr, "");
    let copy = |name: &str| {
        fs::create_dir_all(sandbox.path().join("before")).unwrap();
        fs::copy(sandbox.path().join("out").join(name), sandbox.path().join("before").join(name)).unwrap();
    };
    for file in fs::read_dir(sandbox.path().join("out")).unwrap() {
        copy(file.unwrap().file_name().to_str().unwrap());
    }
    let changes =
        "{\"op\":\"upsert\",\"loc\":\"/b\",\"lastmod\":\"2026-01-31\"}\n{\"op\":\"upsert\",\"loc\":\"/d\"}\n";
    let ran = run(&sandbox, "apply", &["--recent", "--no-feed"], changes);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("the set has 4 URLs in 3 files\nthe recent section repeats 2 entries\n"),
        "{}",
        ran.stderr
    );
    sandbox
}

fn recent_file(sandbox: &Sandbox) -> Option<String> {
    let index = fs::read_to_string(sandbox.path().join("out/sitemap.xml")).unwrap();
    let (_, rest) = index.split_once("sitemap-recent-")?;
    Some(format!("sitemap-recent-{}", rest.split('<').next()?))
}

const NOTE: &str = "note: the recent section is left out, because its pages are also in other files\n";

#[test]
fn each_page_counts_once() {
    let sandbox = start();
    let all = "https://example.com/a\nhttps://example.com/b\nhttps://example.com/c\nhttps://example.com/d\n";
    let ran = sandbox.run(&["list", "out"]);
    let mut lines: Vec<&str> = ran.stdout.lines().collect();
    lines.sort_unstable();
    assert_eq!((lines.join("\n") + "\n", ran.stderr.as_str()), (all.to_owned(), NOTE));

    let ran = sandbox.run(&["stats", "out"]);
    assert!(ran.stdout.contains("  4 files, 4 pages, "), "{}", ran.stdout);
    assert!(!ran.stdout.contains("recent"), "{}", ran.stdout);
    assert_eq!(ran.stderr, NOTE);

    let ran = sandbox.run(&["check", "out"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let text = ran.stdout + &ran.stderr;
    assert!(text.contains("4 pages"), "{text}");

    // A file of the recent section is read like any other file if it is the target.
    let file = format!("out/{}", recent_file(&sandbox).unwrap());
    assert_eq!(sandbox.run(&["list", &file]).stdout, "https://example.com/b\nhttps://example.com/d\n");
}

#[test]
fn comparisons_ignore_the_section() {
    let sandbox = start();
    let diff = "~ https://example.com/b\n    lastmod: none -> 2026-01-31\n+ https://example.com/d\n";
    // With manifests, the sets are compared bucket by bucket. Without them, they are compared as a whole.
    for _ in 0..2 {
        let ran = sandbox.run(&["diff", "before", "out"]);
        let mut lines: Vec<&str> = ran.stdout.lines().collect();
        let mut expected: Vec<&str> = diff.lines().collect();
        lines.sort_unstable();
        expected.sort_unstable();
        assert_eq!(lines, expected);
        assert!(ran.stderr.ends_with("1 added, 0 removed, 1 changed, 2 unchanged\n"), "{}", ran.stderr);
        let ran = sandbox.run(&["notify", "--key", "8f3b-20a1", "--dry-run", "before", "out"]);
        let (_, urls) = ran.stdout.split_once("\"urlList\":[").unwrap();
        let mut urls: Vec<&str> = urls.trim_end_matches("]}\n").split(',').collect();
        urls.sort_unstable();
        assert_eq!(urls, ["\"https://example.com/b\"", "\"https://example.com/d\""]);
        let _ = fs::remove_file(sandbox.path().join("before/.sitemap-manifest.jsonl"));
    }
}

#[test]
fn a_run_without_the_option_removes_the_section() {
    let sandbox = start();
    let before = recent_file(&sandbox).unwrap();
    let ran = run(&sandbox, "rebucket", &["--buckets", "2"], "");
    assert!(ran.stderr.ends_with("the set has 4 URLs in 2 files\n"), "{}", ran.stderr);
    assert_eq!(recent_file(&sandbox), Some(before));
    let ran = run(&sandbox, "apply", &["--no-feed"], "{\"op\":\"remove\",\"loc\":\"/b\"}\n");
    let removed = "the recent section with 2 entries is removed; keep it with `--recent`\n";
    assert!(ran.stderr.ends_with(removed), "{}", ran.stderr);
    assert_eq!(recent_file(&sandbox), None);
    assert_eq!(sandbox.run(&["list", "out"]).stderr, "");
}

#[test]
fn a_page_with_two_dates_is_reported() {
    let sandbox = start();
    let path = sandbox.path().join("out").join(recent_file(&sandbox).unwrap());
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("2026-01-31", "2026-02-01")).unwrap();
    let ran = sandbox.run(&["check", "--strict", "out"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("recent-date-differs"), "{}", ran.stdout);
}

#[test]
fn the_name_of_the_section_is_reserved() {
    let sandbox = Sandbox::new();
    for more in [&["--section", "recent"][..], &["--section", "recent", "--buckets", "3"]] {
        let ran = run(&sandbox, "build", more, "/a\n");
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        assert!(
            ran.stderr.contains(
                "the section name \"recent\" is reserved for the section that repeats the last changes; use another \
                 name"
            ),
            "{}",
            ran.stderr
        );
    }
    let ran = run(&sandbox, "apply", &["--recent-entries", "5"], "");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("--recent"), "{}", ran.stderr);
}
