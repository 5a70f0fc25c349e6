//! `check --pages --from-dir` reads pages from files before a server serves them.

use crate::support::{Ran, Sandbox};

/// Writes a site with two pages for each fault that can be found in a folder, and one page without a fault.
fn site(sandbox: &Sandbox, at: &str) {
    let page = |path: &str, html: &str| sandbox.write(&format!("public/{path}"), html);
    page("index.html", "<title>Trees</title><p>All about trees");
    page("oak.html", "<title>Oak</title><p>The oak is a tree with acorns");
    page("fir/index.html", "<title>Fir</title><p>The fir is a tree with cones");
    page("draft.html", "<title>Yew</title><meta name=robots content=noindex><p>A draft about yews");
    page(
        "old.html",
        "<title>Elm</title><meta http-equiv=refresh content='0; url=oak.html'><p>The elm has moved",
    );
    page("copy.html", "<title>Ash</title><link rel=canonical href=oak.html><p>The ash is a copy");
    page("broken.html", "<title>Yew</title><link rel=canonical href=gone.html><p>The canonical is gone");
    page(
        "away.html",
        "<title>Box</title><link rel=canonical href=https://other.example/box><p>The box is there",
    );
    page(
        "de/eiche.html",
        "<title>Eiche</title><link rel=alternate hreflang=en href=../oak.html><p>Die Eiche",
    );
    page("tree list.pdf", "%PDF-1.4 trees");
    page("oak.webp", "RIFF");
    let paths = [
        "",
        "oak",
        "fir/",
        "draft.html",
        "old.html",
        "copy.html",
        "broken.html",
        "away.html",
        "de/eiche.html",
        "tree%20list.pdf",
        "oak.webp",
        "ash.html?v=1",
    ];
    let lines: Vec<String> = paths.iter().map(|path| format!("{at}{path}\n")).collect();
    sandbox.write("public/sitemap.txt", lines.concat());
}

/// Returns the findings about pages, with their lines.
fn findings(ran: &Ran) -> Vec<String> {
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let place = |line: &str| line.rsplit(':').nth(1).unwrap_or_default().to_owned();
    lines
        .windows(2)
        .filter(|pair| pair[0].contains("[page-"))
        .map(|pair| format!("{} {}", place(pair[1]), pair[0]))
        .collect()
}

/// Checks the site.
fn check(sandbox: &Sandbox, options: &[&str]) -> Ran {
    let check = ["check", "public/sitemap.txt", "--pages", "--from-dir", "public"];
    sandbox.run(&[&check[..], options].concat())
}

const FINDINGS: [&str; 9] = [
    "4 error[page-noindex]: https://trees.example/draft.html: the page has `noindex` in `<meta name=\"robots\">`",
    "5 warning[page-refresh]: https://trees.example/old.html: the page refreshes to \"https://trees.example/oak.html\" after 0 s",
    "6 error[page-canonical-elsewhere]: https://trees.example/copy.html: the page names \"https://trees.example/oak.html\" as its canonical",
    "7 error[page-canonical-broken]: https://trees.example/broken.html: the page names \"https://trees.example/gone.html\" as its canonical, which cannot \
     be indexed (missing)",
    "8 error[page-canonical-elsewhere]: https://trees.example/away.html: the page names \"https://other.example/box\" as its canonical",
    "9 error[page-hreflang-no-return]: https://trees.example/de/eiche.html: the page names a language version that does not link back, \
     \"https://trees.example/oak.html\" for \"en\"",
    "9 warning[page-hreflang-no-self]: https://trees.example/de/eiche.html: the page names its language version \"https://trees.example/oak.html\" for \"en\", \
     but not itself",
    "11 warning[page-not-a-page]: https://trees.example/oak.webp: the URL has the content type \"image/webp\"",
    "12 error[page-missing]: https://trees.example/ash.html?v=1: the folder `public` has no file for the page",
];

#[test]
fn the_findings_are_those_that_files_can_show() {
    let sandbox = Sandbox::new();
    site(&sandbox, "https://trees.example/");
    let ran = check(&sandbox, &[]);
    assert_eq!(findings(&ran), FINDINGS, "{}", ran.stderr);
    assert_eq!(
        ran.stderr,
        "14 pages looked up in `public` for `https://trees.example/`\n\
         note: what only a server can answer was not checked, such as redirects, headers, failures and soft 404s\n\
         help: `--explain RULE` explains a rule, and `--allow RULE` or `sitemap.toml` switches it off\n"
    );
    assert!(
        ran.stdout.contains("\n1  error    page-canonical-broken, because 1 page cannot be indexed\n")
            && ran.stdout.ends_with("\n6 errors, 3 warnings in 1 file with 12 pages\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.status, 1);
}

#[test]
fn the_folder_is_at_the_url_that_the_option_names() {
    let sandbox = Sandbox::new();
    site(&sandbox, "https://trees.example/wood/");
    for at in ["https://trees.example/wood/", "https://trees.example/wood/sitemap.txt"] {
        let ran = check(&sandbox, &["--at", at]);
        let expected = FINDINGS.map(|finding| finding.replace("trees.example/", "trees.example/wood/"));
        assert_eq!(findings(&ran), expected, "{at}: {}", ran.stderr);
        assert!(ran.stderr.contains("in `public` for `https://trees.example/wood/`\n"), "{}", ran.stderr);
    }
    // Without `--at`, the pages would be in the folder `public/wood`.
    let ran = check(&sandbox, &["--max-findings", "0"]);
    assert_eq!(findings(&ran).len(), 12, "{}", ran.stdout);
    assert!(
        findings(&ran).iter().all(|finding| finding.contains("has no file for the page")),
        "{}",
        ran.stdout
    );
}

#[test]
fn patterns_select_the_pages_to_list_and_to_check() {
    let sandbox = Sandbox::new();
    site(&sandbox, "https://trees.example/");
    let patterns = ["--include", "/*.html", "--exclude", "o*", "--exclude", "{copy,broken,away}.html"];
    assert_eq!(
        sandbox.stdout(&[&["list", "public/sitemap.txt"], &patterns[..]].concat()),
        "https://trees.example/draft.html\nhttps://trees.example/ash.html?v=1\n"
    );
    let ran = check(&sandbox, &patterns);
    assert_eq!(findings(&ran), [FINDINGS[0], FINDINGS[8]], "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("note: 10 entries excluded by `--include` or `--exclude`\n2 pages looked up"),
        "{}",
        ran.stderr
    );
    let ran = sandbox.run(&["check", "public/sitemap.txt", "--include", "*.html"]);
    assert!(ran.stderr.contains("has no effect without `--pages` or `--moved-to <NEW>`"), "{}", ran.stderr);
}

#[test]
fn pages_that_are_served_from_elsewhere_are_counted_as_not_checked() {
    let sandbox = Sandbox::new();
    sandbox.write("public/oak.html", "<title>Oak</title><p>The oak is a tree with acorns");
    sandbox.write("public/sitemap.txt", "https://trees.example/oak\nhttps://www.trees.example/oak\n");
    let ran = check(&sandbox, &[]);
    assert_eq!(
        ran.stderr,
        "error: the listed pages are of 2 hosts, so the URL of `public` is not known; name it with `--at`\n"
    );
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let ran = check(&sandbox, &["--at", "https://trees.example/"]);
    let warning = "warning: 1 page not checked, because `public` is served at another URL\n";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    assert_eq!(findings(&ran), [""; 0], "{}", ran.stdout);
}

#[test]
fn the_robots_txt_of_the_folder_counts() {
    let sandbox = Sandbox::new();
    sandbox.write("public/cart/index.html", "<title>Cart</title><p>What you want to buy");
    sandbox.write("public/sitemap.txt", "https://trees.example/cart/\n");
    sandbox.write("public/robots.txt", "User-agent: *\nAllow: /\n\nUser-agent: acmebot\nDisallow: /cart\n");
    assert_eq!(findings(&check(&sandbox, &[])), [""; 0]);
    let blocked =
        ["1 error[page-blocked]: https://trees.example/cart/: line 5 of robots.txt disallows \"/cart\""];
    assert_eq!(findings(&check(&sandbox, &["--user-agent", "acmebot/2.0"])), blocked);
    // A host's robots.txt is only at its root.
    sandbox.write("public/sitemap.txt", "https://trees.example/wood/cart/\n");
    let at = ["--at", "https://trees.example/wood/", "--user-agent", "acmebot"];
    assert_eq!(findings(&check(&sandbox, &at)), [""; 0]);
}

#[test]
fn a_state_shows_that_a_date_is_newer_than_the_content() {
    let sandbox = Sandbox::new();
    let oak = "<title>Oak</title><p>The oak is a tree with acorns";
    sandbox.write("public/oak.html", oak);
    let list = |date: &str| {
        sandbox.write(
            "public/sitemap.xml",
            crate::support::urlset(&format!(
                "<url><loc>https://trees.example/oak</loc><lastmod>{date}</lastmod></url>\n"
            )),
        )
    };
    let run = |epoch: &str| {
        let args = ["check", "public", "--pages", "--from-dir", "public", "--state", "site.state"];
        let output = sandbox.command(&args).env("SOURCE_DATE_EPOCH", epoch).output().unwrap();
        Ran {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            status: output.status.code().unwrap(),
        }
    };
    list("2026-03-01");
    assert_eq!(findings(&run("1773000000")), [""; 0]);
    // According to its date, the page has changed, but the file is the same.
    list("2026-04-01");
    let ran = run("1776000000");
    assert_eq!(
        findings(&ran),
        [
            "3 warning[page-lastmod-unfounded]: https://trees.example/oak: the content has not changed since 2026-03-08, but the `lastmod` is 2026-04-01"
        ],
        "{}",
        ran.stderr
    );
    sandbox.write("public/oak.html", oak.replace("acorns", "acorns and lobed leaves"));
    assert_eq!(
        findings(&run("1777000000")),
        [
            "3 warning[page-lastmod-old]: https://trees.example/oak: the content changed between 2026-04-12 and 2026-04-24, but the `lastmod` is 2026-04-01"
        ]
    );
    list("2026-04-24");
    assert_eq!(findings(&run("1778000000")), [""; 0]);
}

#[test]
fn a_folder_that_is_none_and_options_that_need_a_server_are_errors() {
    let sandbox = Sandbox::new();
    site(&sandbox, "https://trees.example/");
    let ran = sandbox.run(&["check", "public/sitemap.txt", "--pages", "--from-dir", "dist"]);
    assert_eq!(ran.stderr, "error: `dist` is not a folder; name one with `--from-dir`\n");
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    for other in [&["--sample", "5"][..], &["--state", "s", "--offline"]] {
        let ran = check(&sandbox, other);
        assert_eq!(ran.status, 2, "{other:?}");
        assert!(ran.stderr.contains("'--from-dir <FOLDER>' cannot be used with"), "{}", ran.stderr);
    }
}

/// Returns a line of an access log.
fn line(ip: &str, time: &str, target: &str, status: u16, agent: &str) -> String {
    format!("{ip} - - [{time}] \"GET {target} HTTP/1.1\" {status} 512 \"-\" \"{agent}\"\n")
}

/// Writes a state file with two pages that changed on 2026-04-24, and files with crawlers' IP addresses.
fn with_changes(sandbox: &Sandbox) {
    sandbox.write("public/sitemap.txt", "https://trees.example/wood/oak\nhttps://trees.example/wood/elm\n");
    for (epoch, more) in [("1776000000", ""), ("1777000000", " and lobed leaves")] {
        sandbox.write("public/wood/oak.html", format!("<title>Oak</title><p>The oak has acorns{more}"));
        sandbox.write("public/wood/elm.html", format!("<title>Elm</title><p>The elm has samaras{more}"));
        let args = ["check", "public", "--pages", "--from-dir", "public", "--state", "site.state"];
        let output = sandbox.command(&args).env("SOURCE_DATE_EPOCH", epoch).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    sandbox.write("google.json", r#"{"prefixes": [{"ipv4Prefix": "66.249.64.0/27"}]}"#);
    sandbox.write("bing.json", r#"{"prefixes": [{"ipv4Prefix": "157.55.39.0/24"}]}"#);
}

const REPORT: [&str; 5] = ["report", "--state", "site.state", "--out", "report.html"];

#[test]
fn a_report_shows_how_soon_crawlers_come_back() {
    let sandbox = Sandbox::new();
    with_changes(&sandbox);
    let google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    let log = [
        line("66.249.64.1", "01/Apr/2026:00:00:00 +0000", "/wood/oak", 200, google),
        // A forged user agent, an error, and a browser.
        line("192.0.2.1", "24/Apr/2026:12:00:00 +0000", "/wood/oak", 200, google),
        line("66.249.64.1", "25/Apr/2026:12:00:00 +0000", "/wood/oak", 503, google),
        line("66.249.64.1", "25/Apr/2026:13:00:00 +0000", "/wood/oak", 200, "Mozilla/5.0"),
        "segfault\n".to_owned(),
        line("66.249.64.1", "27/Apr/2026:05:06:40 +0200", "/wood/oak", 304, google),
    ];
    sandbox.write("access.log", log.concat());
    sandbox.write(
        "access.log.1.gz",
        crate::support::gzip(
            line("157.55.39.9", "01/May/2026:00:00:00 +0000", "/wood/oak", 200, "bingbot/2.0").as_bytes(),
        ),
    );
    let options = [
        "--access-log",
        "access.log",
        "access.log.1.gz",
        "--crawler-ranges",
        "google=google.json",
        "--crawler-ranges",
        "bing=bing.json",
    ];
    let ran = sandbox.run(&[&REPORT[..], &options].concat());
    assert_eq!(
        (ran.stderr.as_str(), ran.status),
        (
            "warning: `access.log`: 1 line is not a request; the first: line 5 is not a request in the format \
             `combined`: the time is missing or not valid, found `segfault`; check the format of the log\n\
             4 requests of verified crawlers in 2 logs\n\
             2 pages in `report.html`\n",
            0
        )
    );
    let html = sandbox.read("report.html");
    assert!(html.contains("in logs from 2026-04-01 to 2026-05-01."), "{html}");
    assert!(
        html.contains(
            "https://trees.example/wood/</th><td>2</td><td>1</td><td>1</td><td>3.0</td><td>3.0</td>"
        ),
        "{html}"
    );
}

#[test]
fn mistakes_about_access_logs_are_explained() {
    let sandbox = Sandbox::new();
    with_changes(&sandbox);
    sandbox.write("access.log", "kernel: out of memory\n");
    sandbox.write("page.json", "<!DOCTYPE html>");
    let error = |options: &[&str]| {
        let ran = sandbox.run(&[&REPORT[..], options].concat());
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        ran.stderr
    };
    let google = "google=google.json";
    assert_eq!(
        error(&["--access-log", "access.log", "--crawler-ranges", google]),
        "error: `access.log`: the format of the log is not known, found `kernel: out of memory\\n`; \
         name one of `combined`, `json`, `cloudfront` and `alb`\n"
    );
    assert_eq!(
        error(&["--access-log", "access.log", "--crawler-ranges", "gogle=google.json"]),
        "error: `google.json`: the crawlers `gogle` are not known; use `google`, `google-special` or `bing`\n"
    );
    assert!(
        error(&["--access-log", "access.log", "--crawler-ranges", "google=page.json"])
            .starts_with("error: `page.json`: the ranges of `google` are not JSON (")
    );
    assert!(
        error(&["--access-log", "none.log", "--crawler-ranges", google]).contains("cannot read `none.log`")
    );
    assert!(error(&["--access-log", "access.log"]).contains("--crawler-ranges"));
    assert!(error(&["--crawler-ranges", google]).contains("--access-log"));
    assert!(
        error(&["--access-log", "access.log", "--crawler-ranges", "google.json"])
            .contains("no name and file; write both, such as `google=common-crawlers.json`")
    );
    assert!(
        error(&["--access-log", "access.log", "--crawler-ranges", google, "--log-format", "iis"])
            .contains("[possible values: combined, json, cloudfront, alb]")
    );
    // With the wrong format, no line can be parsed.
    let ran = sandbox.run(
        &[&REPORT[..], &["--access-log", "access.log", "--crawler-ranges", google, "--log-format", "alb"]]
            .concat(),
    );
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains("warning: no request came from a crawler; check that"), "{}", ran.stderr);
    assert!(sandbox.read("report.html").contains("The logs cover no change of a page."));
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let sandbox = Sandbox::new();
    site(&sandbox, "https://trees.example/");
    let one = check(&sandbox, &["--threads", "1"]);
    assert_eq!(findings(&one), FINDINGS, "{}", one.stderr);
    for threads in ["2", "7"] {
        let ran = check(&sandbox, &["--threads", threads]);
        assert_eq!((ran.stdout, ran.stderr), (one.stdout.clone(), one.stderr.clone()), "{threads}");
    }
}
