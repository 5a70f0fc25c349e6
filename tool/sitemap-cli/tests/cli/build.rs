//! `sitemap build` from lists of pages.

use std::fs;

use crate::support::{Ran, Sandbox};

const TO_OUT: [&str; 5] = ["build", "--base", "https://example.com", "--out", "out"];

fn build(sandbox: &Sandbox, more: &[&str], stdin: &str) -> Ran {
    sandbox.run_with(&[&TO_OUT, more].concat(), stdin.as_bytes())
}

/// Returns the message of a build that fails. The build must not write anything.
fn refused(more: &[&str], stdin: &str) -> String {
    let sandbox = Sandbox::new();
    let ran = build(&sandbox, more, stdin);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(!sandbox.path().join("out/sitemap.xml").exists());
    ran.stderr
}

#[test]
fn text_csv_and_ndjson_are_told_apart_by_their_first_line() {
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
                    <url><loc>https://example.com/</loc></url>\n\
                    <url><loc>https://example.com/a%20b</loc></url>\n\
                    </urlset>\n";
    for input in [
        "/\nhttps://example.com/a b\n",
        "\u{FEFF}\r\n/\r\n\r\n  /a b  \r\n",
        "lastmod,loc\n,/\n,/a b\n",
        "\"loc\"\n/\n\"/a b\"\n",
        "lastmod\tloc\n\t/\n\t /a b \n",
        "{\"loc\":\"/\"}\n\n{\"loc\":\"/a b\"}",
    ] {
        let sandbox = Sandbox::new();
        let ran = build(&sandbox, &[], input);
        assert_eq!(ran.stdout, "Sitemap: https://example.com/sitemap.xml\n", "{input:?}: {}", ran.stderr);
        assert_eq!(sandbox.read("out/sitemap.xml"), expected, "{input:?}");
    }
}

#[test]
fn all_columns_of_csv() {
    let sandbox = Sandbox::new();
    sandbox.write("pages.csv", "Priority,LOC,changefreq,lastmod\n0.80,/a,daily,2026-01-31\n,\"/b,c\",,\n");
    build(&sandbox, &["pages.csv"], "");
    assert_eq!(
        sandbox.entries("out", "csv"),
        "loc,lastmod,changefreq,priority\n\
         https://example.com/a,2026-01-31,daily,0.8\n\
         \"https://example.com/b,c\",,,\n"
    );
}

#[test]
fn all_columns_of_tsv() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "pages.tsv",
        "priority\tloc\tchangefreq\tlastmod\n0.80\t/a\tdaily\t2026-01-31\n\t\"/b,c\"\t\t\n",
    );
    build(&sandbox, &["pages.tsv"], "");
    assert_eq!(
        sandbox.entries("out", "csv"),
        "loc,lastmod,changefreq,priority\n\
         https://example.com/a,2026-01-31,daily,0.8\n\
         \"https://example.com/b,c\",,,\n"
    );
    let error = refused(&["--input-format", "tsv"], "loc,lastmod\n/a,\n");
    assert_eq!(error, "error: <stdin>:1: unknown column \"loc,lastmod\"; separate columns by tabs\n");
    let error = refused(&["--input-format", "tsv"], "loc\tlastmod\n\"/a\t");
    assert!(error.contains("<stdin>:2: the quote in this line is never closed"), "{error}");
}

#[test]
fn the_summary_and_the_files() {
    let sandbox = Sandbox::new();
    let pages: String = (1..=5).map(|n| format!("/{n}\n")).collect();
    let ran = build(&sandbox, &["--section", "posts", "--max-urls", "2", "--format", "text", "-"], &pages);
    assert_eq!(ran.stdout, "Sitemap: https://example.com/sitemap.xml\n");
    assert!(ran.stderr.contains("5 URLs in 3 files"), "{}", ran.stderr);
    assert_eq!(sandbox.read("out/sitemap-posts-3.txt"), "https://example.com/5\n");
    assert_eq!(
        sandbox.stdout(&["list", "out"]),
        (1..=5).map(|n| format!("https://example.com/{n}\n")).collect::<String>()
    );
}

#[test]
fn the_older_dialect_has_no_extensions() {
    let sandbox = Sandbox::new();
    build(&sandbox, &["--dialect", "0.84"], "/\n");
    assert!(sandbox.read("out/sitemap.xml").contains("http://www.google.com/schemas/sitemap/0.84"));
    assert_eq!(
        refused(&["--dialect", "0.84"], r#"{"loc":"/","images":[{"loc":"https://example.com/1.jpg"}]}"#),
        "error: dialect 0.84 has no extensions; leave out `--dialect 0.84` or remove the extensions from the input\n"
    );
}

#[test]
fn an_invalid_page_is_reported_with_its_line() {
    for (input, message) in [
        ("/\n\nftp://a/\n", "<stdin>:3: `loc` must be an `http` or `https` URL, found \"ftp://a/\""),
        (
            "https://other.example/\n",
            "<stdin>:1: `loc` \"https://other.example/\" is not under the base URL `https://example.com/`; change \
             `--base` or add `--also-list`",
        ),
        (
            "loc,priority\n/,0.5\n/,1.5\n",
            "<stdin>:3: sitemap priority must be between 0.0 and 1.0, found 1.5",
        ),
        (
            "loc,lastmod\n/\n",
            "<stdin>:2: columns in the row: 1, in the header: 2; write one value per column",
        ),
        (
            "{\"loc\":\"/\"}\n{\"loc\":1}\n",
            "<stdin>:2: column 8: invalid type: integer `1`, expected a string",
        ),
        (
            "{\"loc\":\"/\",\"videos\":[{\"thumbnail_loc\":\"https://example.com/\",\"title\":\"a\",\"description\":\"b\"}]}",
            "<stdin>:1: column 92: `video:video` has no `video:content_loc` or `video:player_loc`; add one",
        ),
    ] {
        assert_eq!(refused(&[], input), format!("error: {message}\n"));
    }
}

#[test]
fn input_that_is_cut_off_is_refused_also_if_invalid_pages_are_skipped() {
    let cut = |line: u32| {
        format!(
            "<stdin>:{line}: the input is cut off in this line; check that the program that writes the input has not \
             failed"
        )
    };
    let cut_row = |line: u32, found: u32, columns: u32| {
        format!(
            "<stdin>:{line}: the input is cut off in this row, which has {found} of {columns} columns; check that the \
             program that writes the input has not failed"
        )
    };
    let quote = |line: u32| {
        format!(
            "<stdin>:{line}: the quote in this line is never closed; close it, or check that the program that writes \
             the input has not failed"
        )
    };
    for (input, message) in [
        ("{\"loc\":\"/\"}\n{\"loc\":\"/a\"", cut(2)),
        ("{\"loc\":\"/\"}\n\n{\"loc\":\"/caf\u{e9}", cut(3)),
        ("{\"loc\":\"/\"}\n{", cut(2)),
        ("{\"loc\":\"/\"}\n{\"loc\":1,\"pri", cut(2)),
        ("loc,lastmod\n/,\n/a", cut_row(3, 1, 2)),
        ("loc,lastmod,priority\n/,,\n/a,2026-01-3", cut_row(3, 2, 3)),
        ("loc,lastmod\n/,\n\"/a", quote(3)),
        ("loc\n\"/a\n/b\n/c\n", quote(2)),
        ("loc,lastmod\n/,\n\"/a\"\"", quote(3)),
    ] {
        for on_invalid in ["stop", "skip"] {
            let found = refused(&["--on-invalid", on_invalid], input);
            assert_eq!(found, format!("error: {message}\n"), "{input:?}");
        }
    }
}

#[test]
fn a_last_line_without_a_line_break_is_accepted() {
    for input in ["{\"loc\":\"/\"}\n{\"loc\":\"/a\"}", "loc,lastmod\n/,\n/a,", "loc\n/\n\"/a\"", "/\n/a"] {
        let sandbox = Sandbox::new();
        assert_eq!(build(&sandbox, &[], input).status, 0, "{input:?}");
        assert_eq!(sandbox.stdout(&["list", "out"]), "https://example.com/\nhttps://example.com/a\n");
    }
    // A complete line is reported as invalid, not as a line that is cut off.
    let sandbox = Sandbox::new();
    let ran = build(&sandbox, &["--on-invalid", "skip"], "{\"loc\":\"/\"}\n{\"loc\":\"/a\"\n");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.starts_with("skipped: <stdin>:2: column 11: EOF while parsing"), "{}", ran.stderr);
}

#[test]
fn bad_input_as_a_whole() {
    for (input, message) in [
        (
            "hello\n",
            "`<stdin>` starts with \"hello\", which is neither NDJSON, nor CSV or TSV with a column `loc` or `url`, nor a \
             URL, nor a path with a leading `/`; name the format with `--input-format`",
        ),
        ("", "no page to publish, so an old set stays published; check the input"),
        ("loc,priorty\n", "<stdin>:1: unknown column `priorty`; did you mean `priority`?"),
        (
            "loc;lastmod\n/;2026-01-31\n",
            "<stdin>:1: unknown column \"loc;lastmod\"; separate columns by commas",
        ),
        ("loc,loc\n", "<stdin>:1: duplicate column `loc`; remove one of them"),
    ] {
        assert_eq!(refused(&[], input), format!("error: {message}\n"));
    }
    let ran = Sandbox::new().run(&["build", "--base", "example.com", "--out", "out"]);
    assert!(ran.stderr.starts_with("error: `--base`: "), "{}", ran.stderr);
    assert_eq!(ran.status, 2);
    assert_eq!(
        refused(&["missing.txt"], ""),
        "error: cannot read `missing.txt`: no such file or directory\n"
    );
    assert_eq!(refused(&["."], ""), "error: `.` is a folder; list its HTML files with `--from-dir`\n");
}

#[test]
fn bad_pages_are_skipped_and_counted_on_request() {
    let sandbox = Sandbox::new();
    let mut pages = "/\n".to_owned();
    pages.extend((0..25).map(|_| "ftp://a/\n"));
    let ran = build(&sandbox, &["--on-invalid", "skip"], &pages);
    assert_eq!(ran.status, 0);
    let mut lines = ran.stderr.lines();
    assert_eq!(
        lines.next(),
        Some("skipped: <stdin>:2: `loc` must be an `http` or `https` URL, found \"ftp://a/\"")
    );
    assert_eq!(lines.nth(19), Some("skipped: 5 more"));
    assert_eq!(sandbox.stdout(&["list", "out"]), "https://example.com/\n");
}

#[test]
fn an_old_set_stays_when_a_run_fails() {
    let sandbox = Sandbox::new();
    build(&sandbox, &[], "/old\n");
    assert_eq!(build(&sandbox, &[], "/new\nftp://a/\n").status, 2);
    assert_eq!(sandbox.stdout(&["list", "out"]), "https://example.com/old\n");
    let left = fs::read_dir(sandbox.path().join("out"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".tmp"));
    assert_eq!(left.count(), 0);
}

#[test]
fn other_hosts_on_request() {
    let sandbox = Sandbox::new();
    let ran = build(&sandbox, &["--also-list", "https://other.example/"], "/\nhttps://other.example/x\n");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(sandbox.stdout(&["list", "out"]), "https://example.com/\nhttps://other.example/x\n");
}

#[test]
#[cfg(unix)]
fn files_get_the_mode_that_is_asked_for() {
    use std::os::unix::fs::PermissionsExt as _;

    let sandbox = Sandbox::new();
    let ran = build(&sandbox, &["--mode", "640"], "/\n");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let permissions = fs::metadata(sandbox.path().join("out/sitemap.xml")).unwrap().permissions();
    assert_eq!(permissions.mode() & 0o777, 0o640);

    for mode in ["888", "1777", "rw", "-1", "00644", ""] {
        let error = refused(&[&format!("--mode={mode}")], "/\n");
        assert!(error.contains(&format!("invalid value '{mode}' for '--mode <MODE>'")), "{error}");
        assert!(error.contains("write three octal digits, like 644"), "{error}");
    }
}

#[test]
fn a_base_that_only_a_private_network_reaches_is_a_warning() {
    let ran = |base: &str| Sandbox::new().run_with(&["build", "--base", base, "--out", "out"], b"/\n");
    let warning =
        "warning: search engines cannot reach `http://localhost:8080/`; give the public URL with `--base`\n";
    let local = ran("http://localhost:8080");
    assert_eq!((local.status, local.stderr.contains(warning)), (0, true), "{}", local.stderr);
    assert!(!ran("https://example.com").stderr.contains("warning"));
}
