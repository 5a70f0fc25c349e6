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
fn changes_are_applied_to_a_set_with_buckets() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "build", &["--gzip"], "/a\n/b\n/c\n").status, 0);
    let change = "{\"op\":\"remove\",\"loc\":\"/a\"}\n";
    let ran = run(&sandbox, "apply", &[], change);
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.stderr,
        "error: section `pages` of the published set has no hash buckets; run `sitemap rebucket --buckets N` once\n"
    );
    let ran = run(&sandbox, "rebucket", &["--buckets", "1"], "");
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (0, "1 file read, 1 file written\nthe set has 3 URLs in 1 file\n")
    );
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
         1 file read, 1 file written\n\
         the set has 3 URLs in 1 file\n"
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
         1 file read, 0 files written\n\
         no page has changed, so nothing was published\n"
    );
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
