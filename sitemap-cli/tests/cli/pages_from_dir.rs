//! `check --pages --from-dir`: the pages are files that no server serves yet.

use crate::support::{Ran, Sandbox};

/// Writes a site with two pages of each fault that a folder can show, and a page without a fault.
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

/// Returns the findings about pages, each with its line.
fn findings(ran: &Ran) -> Vec<String> {
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let place = |line: &str| line.rsplit(':').nth(1).unwrap_or_default().to_owned();
    lines
        .windows(2)
        .filter(|pair| pair[0].contains("[page-"))
        .map(|pair| format!("{} {}", place(pair[1]), pair[0]))
        .collect()
}

/// Runs a check of the site.
fn check(sandbox: &Sandbox, options: &[&str]) -> Ran {
    let check = ["check", "public/sitemap.txt", "--pages", "--from-dir", "public"];
    sandbox.run(&[&check[..], options].concat())
}

const FINDINGS: [&str; 9] = [
    "4 error[page-noindex]: the page has `noindex` in `<meta name=\"robots\">`",
    "5 warning[page-refresh]: the page refreshes to \"https://trees.example/oak.html\" after 0 s",
    "6 error[page-canonical-elsewhere]: the page names \"https://trees.example/oak.html\" as its canonical",
    "7 error[page-canonical-broken]: the page names \"https://trees.example/gone.html\" as its canonical, which cannot \
     be indexed (missing)",
    "8 error[page-canonical-elsewhere]: the page names \"https://other.example/box\" as its canonical",
    "9 error[page-hreflang-no-return]: the page names a language version that does not link back, \
     \"https://trees.example/oak.html\" for \"en\"",
    "9 warning[page-hreflang-no-self]: the page names its language version \"https://trees.example/oak.html\" for \"en\", \
     but not itself",
    "11 warning[page-not-a-page]: the URL has the content type \"image/webp\"",
    "12 error[page-missing]: the folder `public` has no file for the page",
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
         6 errors, 3 warnings in 1 file with 12 pages\n\
         help: `--explain RULE` explains a rule, and `--allow RULE` or `sitemap.toml` switches it off\n"
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
    // Without it, the pages would be in the folder `public/wood`.
    let ran = check(&sandbox, &["--max-findings", "0"]);
    assert_eq!(findings(&ran).len(), 12, "{}", ran.stdout);
    assert!(
        findings(&ran).iter().all(|finding| finding.contains("has no file for the page")),
        "{}",
        ran.stdout
    );
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
    let blocked = ["1 error[page-blocked]: line 5 of robots.txt disallows \"/cart\""];
    assert_eq!(findings(&check(&sandbox, &["--user-agent", "acmebot/2.0"])), blocked);
    // The robots.txt of a host is at its root only.
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
    // The date says that the page changed, and the file is the same.
    list("2026-04-01");
    let ran = run("1776000000");
    assert_eq!(
        findings(&ran),
        [
            "3 warning[page-lastmod-unfounded]: the content has not changed since 2026-03-08, but the `lastmod` is 2026-04-01"
        ],
        "{}",
        ran.stderr
    );
    sandbox.write("public/oak.html", oak.replace("acorns", "acorns and lobed leaves"));
    assert_eq!(
        findings(&run("1777000000")),
        [
            "3 warning[page-lastmod-old]: the content changed between 2026-04-12 and 2026-04-24, but the `lastmod` is 2026-04-01"
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
