//! `sitemap check`.

use serde_json::Value;

use crate::support::{Sandbox, gzip, index, urlset};

const HELP: &str =
    "help: `--explain RULE` explains a rule, and `--allow RULE` or `sitemap.toml` switches it off\n";
const GOOD: &str = "<url><loc>https://example.com/</loc></url>\n";

#[test]
fn findings_look_like_those_of_rustc() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "sitemap.xml",
        urlset(
            "  <url><loc>https://example.com/a?b=1&c</loc></url>\n\
             \t<url><loc>https://example.com/日本</loc><changefreq>Daily</changefreq></url>\n",
        ),
    );
    let ran = sandbox.run(&["check", "sitemap.xml"]);
    assert_eq!(
        ran.stdout,
        "\
error[ampersand-raw]: https://example.com/a?b=1&c: an `&` is not escaped, found \"&\"
 --> sitemap.xml:3:38
  |
3 |   <url><loc>https://example.com/a?b=1&c</loc></url>
  |                                      ^
  = help: write `&amp;`
  = source: sitemaps.org

error[changefreq-case]: https://example.com/%E6%97%A5%E6%9C%AC: a change frequency is not in lower case, found \"Daily\"
 --> sitemap.xml:4:52
  |
4 |  <url><loc>https://example.com/日本</loc><changefreq>Daily</changefreq></url>
  |                                                      ^^^^^
  = help: write the change frequency in lower case
  = source: sitemaps.org XML schema

1  error    ampersand-raw
1  error    changefreq-case

2 errors in 1 file with 2 pages
"
    );
    assert_eq!(ran.stderr, HELP);
    assert_eq!(ran.status, 1);
}

#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    let sandbox = Sandbox::new();
    let entries = |numbers: std::ops::Range<u32>| -> String {
        numbers.map(|n| format!("<url><loc>https://example.com/{n}</loc></url>\n")).collect()
    };
    let mut urls = vec!["https://example.com/missing.xml".to_owned()];
    for file in 0..20 {
        // Each file repeats pages of the previous file, and adds a mistake of its own.
        let wrong = format!("<url><loc>https://example.com/a b{file}</loc><priority>2</priority></url>\n");
        sandbox.write(&format!("{file}.xml"), urlset(&(entries(file * 900..file * 900 + 1_000) + &wrong)));
        urls.push(format!("https://example.com/{file}.xml"));
    }
    sandbox.write("nested.xml", index(&["https://example.com/3.xml", "https://example.com/sitemap.xml"]));
    urls.insert(7, "https://example.com/nested.xml".to_owned());
    sandbox.write("sitemap.xml", index(&urls.iter().map(String::as_str).collect::<Vec<_>>()));
    for format in ["human", "json", "sarif", "github", "junit", "markdown"] {
        let check = |threads| {
            let ran = sandbox.run(&["check", "sitemap.xml", "--format", format, "--threads", threads]);
            (ran.stdout, ran.stderr, ran.status)
        };
        let expected = check("1");
        assert!(expected.0.len() > 1_000 && expected.2 == 1, "{format}: {expected:?}");
        for threads in ["2", "8"] {
            assert_eq!(check(threads), expected, "{format}, {threads}");
        }
    }
}

#[test]
fn a_good_file_has_no_findings() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset(GOOD));
    let ran = sandbox.run(&["check", "sitemap.xml"]);
    assert_eq!((ran.stderr.as_str(), ran.status), ("", 0));
    assert_eq!(ran.stdout, "no findings in 1 file with 1 page\n");
}

#[test]
fn warnings_fail_when_strict() {
    let sandbox = Sandbox::new();
    let input = urlset("<url><loc>https://example.com/</loc>text</url>\n");
    let ran = sandbox.run_with(&["check", "-"], input.as_bytes());
    assert!(ran.stdout.starts_with("warning[text-stray]: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n --> <stdin>:3:"), "{}", ran.stdout);
    assert_eq!(ran.status, 0);
    let ran = sandbox.run_with(&["check", "-", "--strict"], input.as_bytes());
    assert!(ran.stdout.starts_with("error[text-stray]: "), "{}", ran.stdout);
    assert_eq!(ran.status, 1);
}

#[test]
fn a_check_that_cannot_run_ends_with_2() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["check", "missing.xml"]);
    assert_eq!(ran.stderr, "error: cannot read `missing.xml`: no such file or directory\n");
    assert_eq!(ran.status, 2);
    let ran = sandbox.run(&["check", "."]);
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.stderr,
        "error: folder `.` contains no sitemap (subfolders are not searched); give the path of a sitemap or its \
         folder\n"
    );
    sandbox.write("sitemap.xml", urlset(GOOD));
    assert_eq!(sandbox.run(&["check", "sitemap.xml", "--at", "/sitemap.xml"]).status, 2);
}

#[test]
fn scope_is_by_where_the_file_is_served() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset(GOOD));
    let at = |url: &str| sandbox.run(&["check", "sitemap.xml", "--at", url]);
    assert_eq!(at("https://example.com/sitemap.xml").status, 0);
    let ran = at("https://example.com/shop/sitemap.xml");
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.starts_with("note[scope-unknown]: "), "{}", ran.stdout);
    // The robots.txt in the folder is that of the host.
    sandbox.write("robots.txt", "User-agent: *\n");
    let ran = at("https://example.com/shop/sitemap.xml");
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.starts_with("error[out-of-scope]: "), "{}", ran.stdout);
    // If `--at` is the URL of a folder, the file name is appended.
    assert_eq!(at("https://example.com/").status, 0);
    assert_eq!(at("https://example.com/shop/").status, 1);
    sandbox.write("robots.txt", "Sitemap: https://example.com/shop/sitemap.xml\n");
    assert!(at("https://example.com/shop/sitemap.xml").stdout.starts_with("no findings in "));
    let ran = at("https://example.org/shop/sitemap.xml");
    assert!(ran.stdout.starts_with("note[scope-unknown]: "), "{}", ran.stdout);
}

#[test]
fn indexes_and_folders_are_followed() {
    let sandbox = Sandbox::new();
    sandbox
        .write("set/sitemap.xml", index(&["https://example.com/a.xml.gz", "https://example.com/lost.xml"]))
        .write("set/a.xml.gz", gzip(urlset("<url><loc>/relative</loc></url>\n").as_bytes()))
        .write("set/b.xml", urlset(GOOD));
    let ran = sandbox.run(&["check", "set"]);
    assert!(ran.stdout.contains("error[child-missing]"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains(
            " --> set/a.xml.gz:3:11\n  |\n3 | <url><loc>/relative</loc></url>\n  |           ^^^^^^^^^\n"
        ),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.ends_with("\n\n2 errors in 2 files with 1 page\n"), "{}", ran.stdout);
    assert_eq!(ran.stderr, format!("note: 1 file in `set` is not listed by its `sitemap.xml`\n{HELP}"));
    assert_eq!(ran.status, 1);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_also_if_nobody_reads_the_output() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset("<url><loc>/relative</loc></url>\n"));
    let run = |more: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = sandbox.command(&[&["check", "sitemap.xml"], more].concat());
        let output = command.stdout(writer).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(run(&[]).0, Some(1));
    let (status, stderr) = run(&["--also", "json=missing/report.json"]);
    assert_eq!(status, Some(2));
    assert!(
        stderr.ends_with("error: cannot write `missing/report.json`: no such file or directory\n"),
        "{stderr}"
    );
}

#[test]
fn long_lines_are_cut() {
    let sandbox = Sandbox::new();
    let pages: String =
        (0..5_000).map(|n| format!("<url><loc>https://example.com/{n}</loc></url>")).collect();
    let bad = "<url><loc>https://example.com/x</loc><priority>7</priority></url>";
    sandbox.write("sitemap.xml", urlset(&format!("{pages}{bad}{}\n", &pages.replace("com/", "com/y"))));
    let ran = sandbox.run(&["check", "sitemap.xml"]);
    assert_eq!(
        ran.stdout.lines().skip(2).take(3).collect::<Vec<_>>(),
        [
            "  |",
            "3 | …//example.com/x</loc><priority>7</priority></url><url><loc>https://example.com/y0</loc></url><…",
            "  |                                 ^",
        ]
    );
}

#[test]
fn encodings_show_their_lines() {
    let sandbox = Sandbox::new();
    let text = urlset("<url><loc>https://example.com/é</loc><priority>7</priority></url>\n");
    let latin: Vec<u8> =
        text.replace("UTF-8", "ISO-8859-1").chars().map(|ch| u8::try_from(u32::from(ch)).unwrap()).collect();
    let wide: Vec<u8> =
        "\u{FEFF}".chars().chain(text.chars()).flat_map(|ch| (ch as u16).to_le_bytes()).collect();
    for bytes in [latin, wide] {
        let ran = sandbox.run_with(&["check", "-"], &bytes);
        assert!(
            ran.stdout.contains("3 | <url><loc>https://example.com/é</loc><priority>7</priority></url>\n"),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn of_many_findings_the_first_are_shown() {
    let sandbox = Sandbox::new();
    let pages: String = (0..2_000)
        .map(|n| format!("<url><loc>https://example.com/{n}</loc><priority>7</priority></url>\n"))
        .collect();
    sandbox.write("sitemap.xml", urlset(&pages));
    let ran = sandbox.run(&["check", "sitemap.xml"]);
    assert_eq!(ran.stdout.matches("error[priority-invalid]").count(), 10);
    assert!(
        ran.stdout.ends_with(
            "\n\n2,000  error    priority-invalid\n\n\
             and 1,990 more of `priority-invalid`; see them with `--max-findings 0`\n\
             2,000 errors in 1 file with 2,000 pages\n"
        ),
        "{}",
        ran.stdout
    );
    let all = sandbox.run(&["check", "sitemap.xml", "--max-findings", "0"]);
    assert_eq!(all.stdout.matches("error[priority-invalid]").count(), 2_000);
}

#[test]
fn colours_on_request_only() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset("<url><loc>/a</loc></url>\n"));
    assert!(!sandbox.run(&["check", "sitemap.xml"]).stdout.contains('\x1b'));
    let ran = sandbox.run(&["check", "sitemap.xml", "--color", "always"]);
    assert!(ran.stdout.starts_with("\x1b[1;31merror[loc-relative]\x1b[0m"), "{}", ran.stdout);
}

#[test]
fn notes_of_an_engine_on_request() {
    let sandbox = Sandbox::new();
    let feed = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>a</title><link>https://example.com/</link>\
                <description>a</description><item><link>https://example.com/1</link></item></channel></rss>";
    let found = |more: &[&str]| sandbox.run_with(&[&["check", "-"], more].concat(), feed.as_bytes()).stdout;
    assert!(!found(&[]).contains("[feed-unsupported]"));
    assert!(found(&["--engine", "yandex", "--engine", "google"]).contains("[feed-unsupported]"));
}

#[test]
fn as_json() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset("<url><loc>/a</loc></url>\n"));
    let ran = sandbox.run(&["check", "sitemap.xml", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let file = &report["files"][0];
    assert_eq!((file["name"].as_str(), file["kind"].as_str()), (Some("sitemap.xml"), Some("urlset")));
    let finding = &file["findings"][0];
    assert_eq!(finding["rule"], "loc-relative");
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(3), Some(11)));
    assert_eq!(report["summary"]["errors"], 1);
    assert_eq!(ran.status, 1);
}

#[test]
fn as_sarif() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a b.xml",
        urlset("<url><loc>/a</loc></url>\n<url><loc>/b</loc><priority>7</priority></url>\n"),
    );
    let ran = sandbox.run(&["check", "a b.xml", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b.xml");
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 3);
        assert!(place["region"]["startColumn"].as_u64().unwrap() >= 1);
    }
}
