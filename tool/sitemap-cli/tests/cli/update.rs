//! `sitemap apply` and `sitemap rebucket`.

use crate::support::{Ran, Sandbox};

fn run(sandbox: &Sandbox, command: &str, more: &[&str], stdin: &str) -> Ran {
    let to_out = [command, "--base", "https://example.com", "--out", "out"];
    sandbox.run_with(&[&to_out, more].concat(), stdin.as_bytes())
}

fn listed(sandbox: &Sandbox) -> Vec<String> {
    let ran = sandbox.run(&["list", "out"]);
    let mut locs: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
    locs.sort();
    locs
}

#[test]
fn changes_are_applied_to_any_set() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "build", &["--gzip"], "/a\n/b\n/c\n").status, 0);
    let changes = "{\"op\":\"upsert\",\"loc\":\"/new\",\"lastmod\":\"2026-01-31\"}\n\
                   {\"op\":\"upsert\",\"loc\":\"/b\",\"priority\":0.5}\n\
                   {\"op\":\"upsert\",\"loc\":\"https://example.com/c\"}\n\
                   {\"op\":\"remove\",\"loc\":\"/a\"}\n\
                   {\"op\":\"remove\",\"loc\":\"/x\"}\n";
    let ran = run(&sandbox, "apply", &[], changes);
    assert_eq!(ran.status, 0);
    assert_eq!(
        ran.stderr,
        "1 page added, 1 changed, 1 removed, 1 unchanged, 1 unknown removal, 0 invalid changes skipped\n\
         unknown: https://example.com/x\n\
         the first update of section `pages` moved its pages to 1 hash bucket: 1 file read, 1 file written\n\
         1 file read, 1 file written\n\
         the set has 3 URLs in 1 file\n\
         the feed has 3 changes; add `Sitemap: https://example.com/sitemap-changes.atom` to robots.txt\n"
    );
    assert_eq!(
        listed(&sandbox),
        ["https://example.com/b", "https://example.com/c", "https://example.com/new"]
    );
    sandbox.write("changes.ndjson", changes);
    let ran = run(&sandbox, "apply", &["changes.ndjson"], "");
    assert_eq!(
        ran.stderr,
        "0 pages added, 0 changed, 0 removed, 3 unchanged, 2 unknown removals, 0 invalid changes skipped\n\
         unknown: https://example.com/a\n\
         unknown: https://example.com/x\n\
         1 file read, 0 files written\n\
         no page has changed, so nothing was published\n"
    );
}

#[test]
fn apply_keeps_the_dialect_and_the_size_of_files() {
    let sandbox = Sandbox::new();
    let options = ["--buckets", "1", "--dialect", "0.84", "--max-urls", "2"];
    assert_eq!(run(&sandbox, "build", &options, "/a\n/b\n/c\n").status, 0);
    let change = "{\"op\":\"upsert\",\"loc\":\"/d\"}\n{\"op\":\"upsert\",\"loc\":\"/e\"}\n";
    let ran = run(&sandbox, "apply", &[], change);
    assert!(ran.stderr.contains("the set has 5 URLs in 3 files"), "{}", ran.stderr);
    assert!(sandbox.read("out/sitemap.xml").contains("http://www.google.com/schemas/sitemap/0.84"));
}

#[test]
fn unknown_removals_are_printed_and_can_stop_the_run() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "build", &["--buckets", "1"], "/a\n/b\n").status, 0);
    let changes: String = (10..35).map(|id| format!("{{\"op\":\"remove\",\"loc\":\"/{id}\"}}\n")).collect();
    let ran = run(&sandbox, "apply", &["--on-unknown", "stop"], &changes);
    assert_eq!(ran.status, 2);
    let lines: String = (10..30).map(|id| format!("  https://example.com/{id}\n")).collect();
    assert_eq!(
        ran.stderr,
        format!(
            "error: the set does not list pages that are to be removed:\n{lines}  5 more\ncorrect the URLs, or leave out \
             `--on-unknown stop`\n"
        )
    );
    let ran = run(&sandbox, "apply", &[], &changes);
    assert!(ran.stderr.contains("unknown: https://example.com/29\nunknown: 5 more\n"), "{}", ran.stderr);
}

#[test]
fn removals_can_be_too_many_although_pages_are_added() {
    let sandbox = Sandbox::new();
    let pages: String = (0..1000).map(|id| format!("/posts/{id}\n")).collect();
    assert_eq!(run(&sandbox, "build", &["--buckets", "4"], &pages).status, 0);
    let change = |op, id| format!("{{\"op\":\"{op}\",\"loc\":\"/{id}\"}}\n");
    let changes: String = (0..1000)
        .map(|id| change("remove", format!("posts/{id}")) + &change("upsert", format!("post/{id}")))
        .collect();
    let ran = run(&sandbox, "apply", &["--max-removed", "30%"], &changes);
    assert_eq!(ran.status, 3);
    let replaced = pages.replace("posts", "post");
    let built = run(&sandbox, "build", &["--buckets", "4", "--max-removed", "30%"], &replaced);
    assert_eq!((built.status, &built.stderr), (3, &ran.stderr));
    assert_eq!(
        ran.stderr,
        "error: the new set would lose too many pages, so the old set stays published:\n\
         \x20 section `pages` would lose 1000 of 1000 pages\n\
         the limit is a loss of 30 %, from 100 pages on; check the input, or allow the loss for this run with \
         `--allow-shrink`\n"
    );
    assert_eq!(run(&sandbox, "apply", &["--max-removed", "30%", "--allow-shrink"], &changes).status, 0);
    assert_eq!(listed(&sandbox).len(), 1000);
}

#[test]
fn a_refused_build_leaves_no_files_and_old_ones_can_be_removed() {
    let sandbox = Sandbox::new();
    let files = || {
        let names = std::fs::read_dir(sandbox.path().join("out")).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let pages = |count: u32| (0..count).map(|id| format!("/{id}\n")).collect::<String>();
    assert_eq!(run(&sandbox, "build", &["--buckets", "4"], &pages(1000)).status, 0);
    let before = files();
    assert_eq!(run(&sandbox, "build", &["--buckets", "4"], &pages(10)).status, 3);
    assert_eq!(files(), before);

    let uncommitted = "sitemap-pages-00001-1-0123456789abcdef.xml";
    for (command, options) in [("build", ["--buckets", "4"]), ("rebucket", ["--buckets", "5"])] {
        sandbox.write(&format!("out/{uncommitted}"), "<urlset/>");
        let input = if command == "build" { pages(1000) } else { String::new() };
        assert_eq!(run(&sandbox, command, &options, &input).status, 0, "{command}");
        assert!(files().iter().any(|name| name == uncommitted), "{command}");
        let options = [&options[..], &["--remove-uncommitted", "0"]].concat();
        assert_eq!(run(&sandbox, command, &options, &input).status, 0, "{command}");
        assert!(!files().iter().any(|name| name == uncommitted), "{command}");
    }
}

#[test]
fn an_invalid_change_names_its_line() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "build", &[], "/a\n").status, 0);
    assert_eq!(run(&sandbox, "rebucket", &["--buckets", "3"], "").status, 0);
    for (line, message) in [
        ("[]", "the line is not a JSON object; write {\"op\":\"upsert\",\"loc\":…}"),
        ("{\"loc\":\"/b\"}", "`op` is missing; write "),
        ("{\"op\":\"delete\",\"loc\":\"/b\"}", "unknown `op` \"delete\"; write "),
        ("{\"op\":\"upsert\",\"loc\":\"/b\",\"lastmod\":\"2026-02-30\"}", "found \"2026-02-30\""),
        ("{\"op\":\"upsert\",\"loc\":\"/b\",\"lastmode\":\"2026\"}", "lastmode"),
        ("{\"op\":\"upsert\"}", "`loc`"),
        ("{\"op\":\"remove\",\"loc\":\"https://other.example/\"}", "other.example"),
    ] {
        let changes = format!("{{\"op\":\"upsert\",\"loc\":\"/c\"}}\n{line}\n");
        let ran = run(&sandbox, "apply", &[], &changes);
        assert_eq!(ran.status, 2, "{line}");
        assert!(
            ran.stderr.starts_with("error: <stdin>:2: ") && ran.stderr.contains(message),
            "{}",
            ran.stderr
        );
        assert_eq!(listed(&sandbox), ["https://example.com/a"]);
    }
    let changes = "{\"op\":\"upsert\",\"loc\":\"/c\"}\n[]\n";
    let ran = run(&sandbox, "apply", &["--on-invalid", "skip"], changes);
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains("0 unknown removals, 1 invalid change skipped\n"), "{}", ran.stderr);
    assert_eq!(listed(&sandbox), ["https://example.com/a", "https://example.com/c"]);
}

#[test]
fn the_last_changes_are_published_as_a_feed() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "build", &["--buckets", "2"], "/a\n/b\n/c\n").status, 0);
    let changes = "op,loc,lastmod\nupsert,/new,2026-01-31\nremove,/a,\nupsert,/b,2026-01-30T10:00:00+01:00\n";
    let ran = run(&sandbox, "apply", &["--hub", "https://hub.example/"], changes);
    assert!(
        ran.stderr.ends_with(
            "\nthe feed has 3 changes; add `Sitemap: https://example.com/sitemap-changes.atom` to robots.txt\n"
        ),
        "{}",
        ran.stderr
    );
    let feed = sandbox.read("out/sitemap-changes.atom");
    for line in [
        "<link rel=\"hub\" href=\"https://hub.example/\"/>",
        "<entry><id>https://example.com/b</id><title>https://example.com/b</title>\
         <updated>2026-01-30T09:00:00Z</updated><link href=\"https://example.com/b\"/></entry>",
        "<entry><id>https://example.com/new</id><title>https://example.com/new</title>\
         <updated>2026-01-31T00:00:00Z</updated><link href=\"https://example.com/new\"/></entry>",
    ] {
        assert!(feed.lines().any(|found| found == line), "{feed}");
    }
    assert_eq!(
        sandbox.stdout(&["list", "out/sitemap-changes.atom"]),
        "https://example.com/b\nhttps://example.com/new\n"
    );
    // The feed belongs to the set, so it isn't reported as an unlisted file.
    for target in ["out", "out/sitemap-changes.atom"] {
        let ran = sandbox.run(&["check", target]);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("ignored"), "{}{}", ran.stdout, ran.stderr);
    }

    // If the same changes are applied again, the feed stays the same.
    assert_eq!(run(&sandbox, "apply", &[], changes).status, 0);
    assert_eq!(sandbox.read("out/sitemap-changes.atom"), feed);
    let ran = run(&sandbox, "apply", &["--feed-entries", "2", "--feed-age", "1h"], "op,loc\nupsert,/d\n");
    assert!(
        ran.stderr
            .ends_with("\nthe feed has 2 changes; 2 changes did not fit; allow more with `--feed-entries`\n"),
        "{}",
        ran.stderr
    );

    // A full publication doesn't change the feed either, and prints the feed's line for robots.txt.
    let feed = sandbox.read("out/sitemap-changes.atom");
    let ran = run(&sandbox, "build", &["--buckets", "2"], "/a\n/b\n");
    assert_eq!(
        ran.stdout,
        "Sitemap: https://example.com/sitemap.xml\nSitemap: https://example.com/sitemap-changes.atom\n"
    );
    assert_eq!(sandbox.read("out/sitemap-changes.atom"), feed);
    assert_eq!(run(&sandbox, "apply", &["--no-feed"], "op,loc\nupsert,/e\n").status, 0);
    assert!(!sandbox.path().join("out/sitemap-changes.atom").exists());
    let ran = run(&sandbox, "apply", &["--hub", "ftp://hub.example/"], "");
    assert!(ran.stderr.contains("must be an `http` or `https` URL"), "{}", ran.stderr);
}

#[test]
fn changes_are_read_from_csv() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "build", &["--buckets", "3"], "/a\n/b\n/c\n").status, 0);
    let changes = "op,loc,lastmod,changefreq,priority\nupsert,/new,2026-01-31,daily,0.5\nremove,/a,,,\n\
                   upsert,\"https://example.com/b,1\",,,\nremove,/x,,,\n";
    sandbox.write("changes.csv", changes);
    let ran = run(&sandbox, "apply", &["changes.csv"], "");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with(
            "2 pages added, 0 changed, 1 removed, 0 unchanged, 1 unknown removal, 0 invalid changes skipped\n"
        ),
        "{}",
        ran.stderr
    );
    let found = sandbox.entries("out", "ndjson");
    let mut found: Vec<&str> = found.lines().collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "{\"loc\":\"https://example.com/b\"}",
            "{\"loc\":\"https://example.com/b,1\"}",
            "{\"loc\":\"https://example.com/c\"}",
            "{\"loc\":\"https://example.com/new\",\"lastmod\":\"2026-01-31\",\"changefreq\":\"daily\",\"priority\":0.5}",
        ]
    );
    // Both formats produce the same set, whatever the name of the input file.
    for (more, changes) in [
        (&[][..], "\u{FEFF}loc,op\n/b,remove\n"),
        (&[], "\"op\",\"loc\"\nremove,/c\n"),
        (&["--input-format", "csv", "changes.txt"], "op,loc\nremove,\"/b,1\"\n"),
        (&["--input-format", "ndjson", "changes.txt"], "{\"op\":\"upsert\",\"loc\":\"/z\"}\n"),
    ] {
        sandbox.write("changes.txt", changes);
        let ran = run(&sandbox, "apply", more, changes);
        assert_eq!(ran.status, 0, "{changes}: {}", ran.stderr);
    }
    assert_eq!(listed(&sandbox), ["https://example.com/new", "https://example.com/z"]);
}

#[test]
fn an_invalid_change_in_csv_names_its_line() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "build", &["--buckets", "3"], "/a\n").status, 0);
    for (changes, message) in [
        (
            "op,lastmod\nremove,\n",
            "1: no column has a known name for URLs among `op`, `lastmod`; name it, as in ",
        ),
        ("op,loc,lastmode\nupsert,/c,\n", "1: unknown column `lastmode`; did you mean `lastmod`?"),
        ("op,loc\nupsert,/c\ndelete,/b\n", "3: unknown `op` \"delete\"; write `upsert` or `remove`"),
        ("op,loc\nupsert,/c\n,/b\n", "3: `op` is missing; write `upsert` or `remove`"),
        (
            "op,loc\nupsert,/c\nupsert,/b,1\n",
            "3: columns in the row: 3, in the header: 2; write one value per column",
        ),
        ("op,loc\nupsert,/c\nupsert,\n", "3: `loc`"),
        ("op,loc,lastmod\nupsert,/c,\nupsert,/b,2026-02-30\n", "3: `lastmod`"),
        (
            "op,loc\nupsert,/c\nremove,https://other.example/\n",
            "3: page \"https://other.example/\" is not of the site of the set; correct its URL or leave it out",
        ),
        ("op,loc\nupsert,/c\nremove", "3: the input is cut off in this row, which has 1 of 2 columns; "),
        ("op,loc\nupsert,/c\nremove,\"/b\n", "3: the quote in this line is never closed; "),
    ] {
        let ran = run(&sandbox, "apply", &[], changes);
        assert_eq!(ran.status, 2, "{changes}");
        assert!(ran.stderr.starts_with(&format!("error: <stdin>:{message}")), "{changes}: {}", ran.stderr);
        assert_eq!(listed(&sandbox), ["https://example.com/a"]);
    }
    let changes = "op,loc\nupsert,/c\ndelete,/b\nremove,https://other.example/\n";
    let ran = run(&sandbox, "apply", &["--on-invalid", "skip"], changes);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr.starts_with("skipped: <stdin>:3: unknown `op` \"delete\"; ")
            && ran.stderr.contains("\nskipped: <stdin>:4: page ")
            && ran.stderr.contains(", 2 invalid changes skipped\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(listed(&sandbox), ["https://example.com/a", "https://example.com/c"]);
    let ran = run(&sandbox, "apply", &["."], "");
    assert_eq!(ran.stderr, "error: `.` is a folder; name the files with changes in it\n");
}

#[test]
fn changes_that_remove_most_pages_are_refused() {
    let sandbox = Sandbox::new();
    let pages: String = (0..200).map(|id| format!("/{id}\n")).collect();
    assert_eq!(run(&sandbox, "build", &[], &pages).status, 0);
    assert_eq!(run(&sandbox, "rebucket", &["--buckets", "3"], "").status, 0);
    let changes: String = (0..150).map(|id| format!("{{\"op\":\"remove\",\"loc\":\"/{id}\"}}\n")).collect();
    let ran = run(&sandbox, "apply", &[], &changes);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("  section `pages` would fall from 200 pages to 50\n"), "{}", ran.stderr);
    assert_eq!(listed(&sandbox).len(), 200);
    assert_eq!(run(&sandbox, "apply", &["--allow-shrink"], &changes).status, 0);
    assert_eq!(listed(&sandbox).len(), 50);
}

fn sitemaps(sandbox: &Sandbox, out: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(sandbox.path().join(out))
        .unwrap()
        .map(|entry| entry.unwrap())
        // The names of shards contain a section, a bucket, a number and a digest. Other files are left over from before
        // the set had buckets.
        .filter(|entry| entry.file_name().to_str().unwrap().split('-').count() == 5)
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_set_is_built_in_buckets_from_every_form_of_input() {
    let sandbox = Sandbox::new();
    let csv = "loc,lastmod\n/c,2026-01-31\n/a,2026-01-30\n/b,\n/d,\n";
    let ndjson = "{\"loc\":\"/c\",\"lastmod\":\"2026-01-31\"}\n{\"loc\":\"/a\",\"lastmod\":\"2026-01-30\"}\n\
                  {\"loc\":\"/b\",\"images\":[{\"loc\":\"https://example.com/b.png\"}]}\n{\"loc\":\"/d\"}\n";
    for (name, pages) in [("pages.csv", csv), ("pages.ndjson", ndjson), ("pages.txt", "/c\n/a\n/b\n/d\n")] {
        sandbox.write(name, pages);
        let build = |out: &str, more: &[&str]| {
            let start = ["build", "--base", "https://example.com", "--out", out, "--gzip"];
            let ran = sandbox.run(&[&start, more, &[name, &format!("shop={name}")]].concat());
            assert_eq!(ran.status, 0, "{}", ran.stderr);
        };
        let (direct, moved) = (format!("direct-{name}"), format!("moved-{name}"));
        build(&direct, &["--buckets", "3"]);
        build(&moved, &[]);
        for section in ["pages", "shop"] {
            let move_to =
                ["rebucket", "--base", "https://example.com", "--buckets", "3", "--section", section];
            assert_eq!(sandbox.run(&[&move_to[..], &["--out", &moved]].concat()).status, 0);
        }
        let files = sitemaps(&sandbox, &direct);
        assert!(files.len() >= 4 && files == sitemaps(&sandbox, &moved), "{files:?}");
    }
    sandbox.write("html/a.html", "<title>a</title>");
    sandbox.write("html/b.html", "<title>b</title>");
    let ran = run(&sandbox, "build", &["--from-dir", "html", "--buckets", "1"], "");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let change = "{\"op\":\"remove\",\"loc\":\"/a.html\"}\n";
    assert_eq!(run(&sandbox, "apply", &[], change).status, 0);
    assert_eq!(listed(&sandbox), ["https://example.com/b.html"]);
}

#[test]
fn a_build_in_buckets_reports_and_refuses_what_other_builds_do() {
    let sandbox = Sandbox::new();
    let pages = "/a\nftp://example.com/\nhttps://other.example/\n/b\n/a\n";
    let ran = run(&sandbox, "build", &["--buckets", "2"], pages);
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.stderr,
        "error: <stdin>:2: `loc` must be an `http` or `https` URL, found \"ftp://example.com/\"\n"
    );
    let ran = run(&sandbox, "build", &["--buckets", "2", "--on-invalid", "skip"], pages);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr.starts_with(
            "skipped: <stdin>:2: `loc` must be an `http` or `https` URL, found \"ftp://example.com/\"\n\
             skipped: <stdin>:3: `loc` \"https://other.example/\" is not under the base URL \
             `https://example.com/`; change `--base` or add `--also-list`\n\
             left out 1 duplicate\n"
        ) && ran.stderr.contains(", 2 invalid records skipped"),
        "{}",
        ran.stderr
    );
    assert_eq!(listed(&sandbox), ["https://example.com/a", "https://example.com/b"]);

    let pages: String = (0..200).map(|id| format!("/{id}\n")).collect();
    assert_eq!(run(&sandbox, "build", &["--buckets", "2"], &pages).status, 0);
    let ran = run(&sandbox, "build", &["--buckets", "2"], "/1\n");
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("section `pages` would fall from 200 pages to 1\n"), "{}", ran.stderr);
    assert_eq!(run(&sandbox, "build", &["--buckets", "2", "--keep-sections", "shop=-"], "/shop\n").status, 0);
    assert_eq!(listed(&sandbox).len(), 201);
    assert_eq!(run(&sandbox, "build", &["--buckets", "2", "--allow-shrink=empty"], "/1\n").status, 0);
    assert_eq!(listed(&sandbox), ["https://example.com/1"]);

    let ran = run(&sandbox, "build", &["--buckets", "2", "--names", "stable"], "/1\n");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("'--buckets <COUNT>' cannot be used with '--names <NAMES>'"),
        "{}",
        ran.stderr
    );
}

fn change(op: &str, page: u32, date: &str) -> String {
    format!("{{\"op\":\"{op}\",\"loc\":\"/{page}\",\"lastmod\":\"{date}\"}}\n")
}

/// Publishes a set with the pages 0 to 9 in two buckets.
fn ten() -> Sandbox {
    let sandbox = Sandbox::new();
    let pages: String = (0..10).map(|page| format!("/{page}\n")).collect();
    assert_eq!(run(&sandbox, "build", &["--buckets", "2"], &pages).status, 0);
    sandbox
}

#[test]
fn the_pages_that_changed_are_listed() {
    let sandbox = ten();
    let changes =
        change("upsert", 1, "2026-01-31") + &change("remove", 2, "2026-01-31") + &change("remove", 99, "");
    // `""` is not a date, so the last change gets none.
    let changes = changes.replace(",\"lastmod\":\"\"", "") + "{\"op\":\"upsert\",\"loc\":\"/3\"}\n";
    let first = "{\"op\":\"upsert\",\"loc\":\"https://example.com/1\",\"lastmod\":\"2026-01-31\"}\n";
    let second = "{\"op\":\"remove\",\"loc\":\"https://example.com/2\"}\n";
    assert_eq!(run(&sandbox, "apply", &["--changes", "changed"], &changes).status, 0);
    let listed = sandbox.read("changed");
    let mut lines: Vec<&str> = listed.split_inclusive('\n').collect();
    lines.sort_unstable();
    assert_eq!(lines, [second, first]);
    // Applying the same changes again has no effect. The file keeps its lines until someone moves it away.
    assert_eq!(run(&sandbox, "apply", &["--changes", "changed"], &changes).status, 0);
    assert_eq!((sandbox.read("changed"), sandbox.read("changed.pending")), (listed, String::new()));
    std::fs::rename(sandbox.path().join("changed"), sandbox.path().join("taken")).unwrap();
    assert_eq!(
        run(&sandbox, "apply", &["--changes", "changed"], &change("remove", 5, "2026-01-31")).status,
        0
    );
    assert_eq!(sandbox.read("changed"), second.replace('2', "5"));
}

/// If a run is killed after its commit, the next run lists the pages that it had announced.
#[test]
fn the_changes_of_a_killed_run_are_listed_by_the_next_one() {
    let sandbox = ten();
    let manifest = sandbox.read("out/.sitemap-manifest.jsonl");
    let digest = sitemap_core::publish::files::content_digest(manifest.as_bytes());
    let line = "{\"op\":\"remove\",\"loc\":\"https://example.com/2\"}\n";
    let none = |sandbox: &Sandbox| !sandbox.path().join("changed").exists();

    // The manifest hasn't changed, so the commit didn't happen.
    sandbox.write("changed.pending", format!("{digest}\n{line}"));
    assert_eq!(run(&sandbox, "apply", &["--changes", "changed"], "").status, 0);
    assert!(none(&sandbox));
    // The file of announced changes is cut off, so the commit hadn't started when the run was killed.
    sandbox.write("changed.pending", format!("other\n{line}{{\"op\":"));
    assert_eq!(run(&sandbox, "apply", &["--changes", "changed"], "").status, 0);
    assert!(none(&sandbox));
    // A different set has been published since the changes were announced.
    sandbox.write("changed.pending", format!("other\n{line}"));
    let ran = run(&sandbox, "apply", &["--changes", "changed"], "");
    assert!(
        ran.stderr.starts_with(
            "`changed` now also lists 1 change of an interrupted run; some may have had no effect\n"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!((sandbox.read("changed").as_str(), sandbox.read("changed.pending").as_str()), (line, ""));
}

#[test]
fn changes_that_are_refused_are_not_listed() {
    let sandbox = Sandbox::new();
    let pages: String = (0..300).map(|page| format!("/{page}\n")).collect();
    assert_eq!(run(&sandbox, "build", &["--buckets", "2"], &pages).status, 0);
    let removals: String = (0..200).map(|page| change("remove", page, "2026-01-31")).collect();
    assert_eq!(run(&sandbox, "apply", &["--changes", "changed"], &removals).status, 3);
    assert_eq!(
        run(&sandbox, "apply", &["--changes", "changed"], &change("remove", 7, "2026-01-31")).status,
        0
    );
    assert_eq!(sandbox.read("changed"), "{\"op\":\"remove\",\"loc\":\"https://example.com/7\"}\n");
}
