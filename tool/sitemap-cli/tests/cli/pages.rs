//! `check --pages`, `crawl` and `report`, tested with a site on this machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::server::{Server, either, ok, ok_with, status};
use crate::support::{Ran, Sandbox, urlset};

const HTML: &str = "Content-Type: text/html\r\n";

/// Starts a site with one page of each kind.
fn site() -> Server {
    Server::start(vec![
        ("/robots.txt", ok("User-agent: *\nDisallow: /cart\n")),
        (
            "/",
            ok_with(HTML, "<title>Home</title><p>All about trees <a href=/oak>Oak</a> <a href=/new>New</a>"),
        ),
        ("/oak", ok_with(HTML, "<title>Oak</title><p>The oak is a tree with acorns")),
        ("/new", ok_with(HTML, "<title>New</title><p>A page that no sitemap lists")),
        ("/draft", ok_with(HTML, "<meta name=robots content=noindex><title>Draft</title><p>Not yet")),
        ("/old", status(301, "Location: /oak\r\n")),
    ])
}

/// Writes a sitemap that lists these paths of a server.
fn list(sandbox: &Sandbox, server: &Server, paths: &[&str]) {
    let entries: String =
        paths.iter().map(|path| format!("<url><loc>{}</loc></url>\n", server.url(path))).collect();
    sandbox.write("sitemap.xml", urlset(&entries));
}

/// Runs the command, and replaces the server's host with `HOST`.
fn run(sandbox: &Sandbox, server: &Server, args: &[&str]) -> Ran {
    let mut ran = sandbox.run(args);
    let host = server.url("");
    ran.stdout = ran.stdout.replace(&host, "HOST");
    ran.stderr = ran.stderr.replace(&host, "HOST");
    ran
}

/// Returns the titles of the findings, such as `error[page-missing]: …`.
fn titles(ran: &Ran) -> Vec<&str> {
    let is_title = |line: &&str| line.contains("[page-");
    ran.stdout.lines().filter(is_title).collect()
}

#[test]
fn a_check_of_pages_reports_what_they_say_and_a_table() {
    let (sandbox, server) = (Sandbox::new(), site());
    list(&sandbox, &server, &["/", "/oak", "/draft", "/gone", "/old", "/cart"]);
    let ran = run(&sandbox, &server, &["check", "sitemap.xml", "--pages", "--allow-private"]);
    assert_eq!(
        titles(&ran),
        [
            "error[page-noindex]: HOST/draft: the page has `noindex` in `<meta name=\"robots\">`",
            "error[page-missing]: HOST/gone: the page answers with status 404",
            "error[page-redirected]: HOST/old: the page redirects permanently (status 301) to \"HOST/oak\"",
            "error[page-blocked]: HOST/cart: line 2 of robots.txt disallows \"/cart\"",
        ],
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("| <url><loc>HOST/gone</loc></url>\n"), "the line of the sitemap is shown");
    // The column widths depend on the port.
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let last = ran.stdout.lines().rev().filter(|line| !line.is_empty());
    let table: Vec<String> = last.take(4).map(words).collect();
    assert_eq!(
        table,
        [
            "4 errors in 1 file with 6 pages",
            "all 6 2 1 1 1 1",
            "HOST/ 6 2 1 1 1 1",
            "section pages indexable redirected missing blocked noindex",
        ]
    );
    assert!(ran.stderr.contains("6 pages visited, 1 blocked by robots.txt\ncontent: "), "{}", ran.stderr);
    assert_eq!(ran.status, 1);
}

#[test]
fn a_state_answers_again_without_requests() {
    let (sandbox, server) = (Sandbox::new(), site());
    list(&sandbox, &server, &["/", "/gone"]);
    let first = run(
        &sandbox,
        &server,
        &["check", "sitemap.xml", "--pages", "--allow-private", "--state", "site.state"],
    );
    assert_eq!(titles(&first).len(), 1);
    let requests = server.requested().len();
    let offline =
        ["check", "sitemap.xml", "--pages", "--offline", "--allow-private", "--state", "site.state"];
    let again = run(&sandbox, &server, &offline);
    assert_eq!((&again.stdout, again.status), (&first.stdout, 1));
    assert_eq!(server.requested().len(), requests);
}

/// Starts a site whose pages have moved from `/a/` to `/b/`.
fn moved_site() -> Server {
    Server::start(vec![
        ("/a/oak.html", status(301, "Location: /b/oak\r\n")),
        ("/a/elm.html", status(302, "Location: /b/elm\r\n")),
        ("/a/fir.html", ok_with(HTML, "<title>Fir</title><p>The old page about the fir")),
        ("/a/yew.html", status(301, "Location: /a/yew\r\n")),
        ("/a/yew", status(301, "Location: /b/yew\r\n")),
        ("/b/oak", ok_with(HTML, "<title>Oak</title><p>The oak is a tree with acorns")),
        ("/b/elm", ok_with(HTML, "<title>Elm</title><p>The elm is a tree with wings")),
        ("/b/yew", ok_with(HTML, "<title>Yew</title><p>The yew is a tree with needles")),
    ])
}

#[test]
fn a_move_is_checked_and_what_is_wrong_is_listed() {
    let (sandbox, server) = (Sandbox::new(), moved_site());
    let paths = ["/a/oak.html", "/a/elm.html", "/a/fir.html", "/a/yew.html", "/a/ash.html", "/a/box.html"];
    list(&sandbox, &server, &paths);
    let new = ["oak", "elm", "fir", "yew", "trees/ash"];
    sandbox.write("new.txt", new.map(|name| server.url(&format!("/b/{name}\n"))).concat());
    let args = ["check", "sitemap.xml", "--moved-to", "new.txt", "--moved-csv", "moved.csv", "--state", "s"];
    let ran = run(&sandbox, &server, &[&args[..], &["--allow-private"]].concat());
    let is_title = |line: &&str| line.contains("[move-");
    let titles: Vec<_> = ran.stdout.lines().filter(is_title).collect();
    assert_eq!(
        titles,
        [
            "error[move-temporary]: HOST/a/elm.html: the old URL redirects temporarily (status 302) to \"HOST/b/elm\"",
            "error[move-not-redirected]: HOST/a/fir.html: the old URL answers with status 200 and does not redirect",
            "error[move-chain]: HOST/a/yew.html: the old URL redirects in several steps: 301 to \"HOST/a/yew\", 301 to \"HOST/b/yew\"",
            "error[move-missing]: HOST/a/ash.html: the old URL answers with status 404 and does not redirect",
            "error[move-missing]: HOST/a/box.html: the old URL answers with status 404 and does not redirect",
        ],
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("1 of 6 old URLs in order; the new set lists 5 pages\n"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("[page-"), "{}", ran.stdout);
    assert_eq!(ran.status, 1);
    let table = sandbox.read("moved.csv").replace(&server.url(""), "HOST");
    assert_eq!(
        table,
        "old,status,target,problem,suggestion\r\n\
         HOST/a/elm.html,302,HOST/b/elm,move-temporary,HOST/b/elm\r\n\
         HOST/a/fir.html,200,,move-not-redirected,HOST/b/fir\r\n\
         HOST/a/yew.html,301,HOST/b/yew,move-chain,HOST/b/yew\r\n\
         HOST/a/ash.html,404,,move-missing,HOST/b/trees/ash\r\n\
         HOST/a/box.html,404,,move-missing,\r\n"
    );

    let requests = server.requested().len();
    let again = run(&sandbox, &server, &[&args[..], &["--offline", "--allow-private"]].concat());
    assert_eq!((again.stdout, again.status), (ran.stdout, 1));
    assert_eq!(server.requested().len(), requests);
}

#[test]
fn a_move_with_all_faults_breaks_all_rules() {
    let page =
        |name: &str, head: &str| ok_with(HTML, format!("<title>{name}</title>{head}<p>About the {name}"));
    let moved = |target: &str| status(301, format!("Location: {target}\r\n"));
    let server = Server::start(vec![
        ("/robots.txt", ok("User-agent: *\nDisallow: /a/cart\n")),
        ("/", page("woods", "")),
        ("/a/good", moved("/b/good")),
        ("/b/good", page("good", "")),
        ("/a/stays", page("stays", "")),
        ("/a/temporary", status(307, "Location: /b/good\r\n")),
        ("/a/chain", moved("/a/good")),
        ("/a/loop", moved("/a/pool")),
        ("/a/pool", moved("/a/loop")),
        ("/a/failing", status(503, HTML)),
        ("/a/gone", status(410, HTML)),
        ("/a/unlisted", moved("/b/unlisted")),
        ("/b/unlisted", page("unlisted", "")),
        ("/a/draft", moved("/b/draft")),
        ("/b/draft", page("draft", "<meta name=robots content=noindex>")),
        ("/a/home/*", moved("/")),
    ]);
    let sandbox = Sandbox::new();
    let paths = [
        "good",
        "missing",
        "stays",
        "temporary",
        "chain",
        "loop",
        "failing",
        "cart",
        "unlisted",
        "draft",
        "gone",
    ];
    let homes = ["home/1", "home/2", "home/3", "home/4", "home/5"];
    let paths: Vec<String> = paths.iter().chain(&homes).map(|path| format!("/a/{path}")).collect();
    list(&sandbox, &server, &paths.iter().map(String::as_str).collect::<Vec<_>>());
    sandbox.write("new.txt", ["/b/good\n", "/b/draft\n", "/\n"].map(|path| server.url(path)).concat());
    let args = [
        "--moved-to",
        "new.txt",
        "--allow-private",
        "--retries",
        "0",
        "--format",
        "json",
        "--max-findings",
        "0",
    ];
    let ran = sandbox.run(&[&["check", "sitemap.xml"], &args[..]].concat());

    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let findings = report["files"][0]["findings"].as_array().unwrap().iter().map(|finding| {
        // The entries begin in line 3.
        let entry = usize::try_from(finding["line"].as_u64().unwrap()).unwrap() - 3;
        format!("{} {}", paths[entry], finding["rule"].as_str().unwrap())
    });
    let found: Vec<String> = findings.filter(|line| line.contains(" move-")).collect();
    let expected = [
        "/a/missing move-missing",
        "/a/stays move-not-redirected",
        "/a/temporary move-temporary",
        "/a/chain move-chain",
        "/a/loop move-loop",
        "/a/failing move-failing",
        "/a/cart move-blocked",
        "/a/unlisted move-not-listed",
        "/a/draft move-target-broken",
        "/a/gone move-gone",
    ];
    let homes = homes.map(|path| format!("/a/{path} move-to-home"));
    let expected: Vec<String> = expected.map(str::to_owned).into_iter().chain(homes).collect();
    assert_eq!(found, expected, "{}", ran.stdout);
    for rule in sitemap_read::Rule::ALL.iter().filter(|rule| rule.id().starts_with("move-")) {
        assert!(found.iter().any(|line| line.ends_with(rule.id())), "{rule}");
    }
}

#[test]
fn a_move_without_faults_succeeds() {
    let (sandbox, server) = (Sandbox::new(), moved_site());
    list(&sandbox, &server, &["/a/oak.html", "/b/elm"]);
    sandbox.write("new.txt", ["/b/oak\n", "/b/elm\n"].map(|path| server.url(path)).concat());
    let ran = sandbox.run(&[
        "check",
        "sitemap.xml",
        "--moved-to",
        "new.txt",
        "--moved-csv",
        "m",
        "--allow-private",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    assert!(ran.stderr.contains("2 of 2 old URLs in order; the new set lists 2 pages\n"), "{}", ran.stderr);
    assert_eq!(sandbox.read("m"), "old,status,target,problem,suggestion\r\n");
}

#[test]
fn a_new_set_that_cannot_be_read_is_an_error_before_any_request() {
    let (sandbox, server) = (Sandbox::new(), moved_site());
    list(&sandbox, &server, &["/a/oak.html"]);
    sandbox.write("empty.xml", urlset(""));
    for (args, expected) in [
        (&["--moved-to", "none.xml"][..], "cannot read `none.xml`"),
        (
            &["--moved-to", "empty.xml"],
            "the new set `empty.xml` lists no pages; name the sitemap of the new site",
        ),
        (&["--moved-to", "sitemap.xml", "--pages"], "cannot be used with"),
        (&["--pages", "--moved-csv", "m"], "cannot be used with"),
        (&["--moved-csv", "m"], "--moved-to <NEW>"),
    ] {
        let ran = sandbox.run(&[&["check", "sitemap.xml", "--allow-private"], args].concat());
        assert_eq!((ran.stdout.as_str(), ran.status), ("", 2), "{args:?}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    assert!(server.requested().is_empty() && !sandbox.path().join("m").exists());
}

#[test]
fn options_that_cannot_work_are_errors() {
    let (sandbox, server) = (Sandbox::new(), site());
    list(&sandbox, &server, &["/"]);
    let error = |args: &[&str]| {
        let ran = sandbox.run(&[&["check", "sitemap.xml", "--pages"], args].concat());
        assert_eq!((ran.stdout.as_str(), ran.status), ("", 2));
        ran.stderr.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(error(&["--header", "Accept"]), "error: a `--header` has no colon; write `NAME: VALUE`");
    assert!(error(&["--offline", "--state", "none"]).contains("`none`"));
    assert!(server.requested().is_empty());
}

#[test]
fn a_crawl_finds_pages_that_are_not_listed_and_pages_without_links() {
    let (sandbox, server) = (Sandbox::new(), site());
    list(&sandbox, &server, &["/", "/oak", "/draft"]);
    let home = server.url("/");
    let crawl = ["crawl", &home, "--state", "site.state", "--sitemap", "sitemap.xml", "--allow-private"];
    let ran = run(&sandbox, &server, &crawl);
    assert_eq!((ran.status, ran.stderr.lines().last()), (0, Some("complete")), "{}", ran.stderr);

    let offline = ["check", "sitemap.xml", "--pages", "--offline", "--state", "site.state"];
    let ran = run(&sandbox, &server, &offline);
    assert_eq!(
        titles(&ran),
        [
            "warning[page-unlisted]: the page \"HOST/new\" is linked and can be indexed, but is not listed",
            "error[page-noindex]: HOST/draft: the page has `noindex` in `<meta name=\"robots\">`",
        ],
        "{}",
        ran.stdout
    );

    let ran = run(&sandbox, &server, &["report", "--state", "site.state", "--out", "report.html"]);
    assert_eq!((ran.stderr.as_str(), ran.status), ("3 pages in `report.html`\n", 0));
    let html = sandbox.read("report.html");
    assert!(html.contains("<code>page-unlisted</code>") && html.contains("<code>page-noindex</code>"));
}

#[test]
fn a_set_is_built_from_a_crawl() {
    let (sandbox, server) = (Sandbox::new(), site());
    list(&sandbox, &server, &["/", "/draft"]);
    let home = server.url("/");
    let build = ["build", "--base", &home, "--out", "public", "--from-state", "site.state"];
    let crawl = ["crawl", &home, "--state", "site.state", "--sitemap", "sitemap.xml", "--allow-private"];

    let limited = run(&sandbox, &server, &[&crawl[..], &["--max-depth", "0"]].concat());
    assert_eq!(limited.status, 1);
    let ran = run(&sandbox, &server, &build);
    assert_eq!(
        (ran.stderr.as_str(), ran.status),
        (
            "warning: search engines cannot reach `HOST/`; give the public URL with `--base`\nerror: the crawl in \
             `site.state` is not complete: 2 pages are deeper than the limit; run `sitemap crawl` again, or publish \
             what it found with `--allow-incomplete`\n",
            2
        )
    );
    assert!(!sandbox.path().join("public").exists());

    assert_eq!(run(&sandbox, &server, &crawl).status, 0);
    let ran = run(&sandbox, &server, &build);
    assert!(ran.stderr.contains("\nleft out 1 page that cannot be indexed: 1 noindex\n"), "{}", ran.stderr);
    assert_eq!(ran.status, 0);
    let sitemap = sandbox.read("public/sitemap.xml").replace(&server.url(""), "HOST");
    let locs: Vec<&str> = sitemap.lines().filter(|line| line.starts_with("<url>")).collect();
    assert_eq!(
        locs,
        ["<url><loc>HOST/</loc></url>", "<url><loc>HOST/new</loc></url>", "<url><loc>HOST/oak</loc></url>",]
    );
}

#[test]
fn a_set_that_is_built_from_crawls_has_true_dates() {
    let tree = |name: &str, verb: &str| {
        let menu = "<ul><li><a href=/>All about trees</a></ul>";
        ok_with(HTML, format!("<title>{name}</title>{menu}<h1>{name}</h1><p>The {name} {verb}"))
    };
    let links = ["ash", "elm", "fir", "oak"].map(|name| format!("<a href=/{name}>{name}</a> ")).concat();
    let is_edited = Arc::new(AtomicBool::new(false));
    let server = Server::start(vec![
        ("/", ok_with(HTML, format!("<title>Trees</title><p>All about trees {links}"))),
        ("/ash", tree("ash", "bends")),
        ("/elm", either(Arc::clone(&is_edited), tree("elm", "grows"), tree("elm", "burns"))),
        ("/fir", tree("fir", "stands")),
        ("/oak", tree("oak", "splits")),
    ]);
    let (sandbox, home) = (Sandbox::new(), server.url("/"));
    let dates = |day: u64| {
        let crawl = ["crawl", &home, "--state", "site.state", "--allow-private"];
        let mut command = sandbox.command(&crawl);
        let output = command.env("SOURCE_DATE_EPOCH", (day * 86_400).to_string()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().last()), (Some(0), Some("complete")), "{stderr}");
        let build = ["build", "--base", &home, "--out", "public", "--from-state", "site.state"];
        assert_eq!(run(&sandbox, &server, &build).status, 0);
        let sitemap = sandbox.read("public/sitemap.xml").replace(&server.url(""), "HOST");
        assert_eq!(sitemap.matches("<url>").count(), 5, "{sitemap}");
        sitemap.lines().filter(|line| line.contains("lastmod")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(dates(20_454).is_empty(), "nobody knows when the pages changed");
    is_edited.store(true, Ordering::SeqCst);
    let edited = ["<url><loc>HOST/elm</loc><lastmod>2026-01-02T00:00:00Z</lastmod></url>"];
    assert_eq!(dates(20_455), edited);
    assert_eq!(dates(20_456), edited, "the date is carried over");
}

#[test]
fn a_crawl_that_reaches_nothing_is_an_error() {
    let (sandbox, server) = (Sandbox::new(), Server::start(vec![]));
    let home = server.url("/");
    let ran = run(&sandbox, &server, &["crawl", &home, "--state", "site.state", "--allow-private"]);
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.stderr.lines().last(),
        Some("error: cannot crawl `HOST/`: it answers with status 404; check the URL"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_crawl_of_a_home_page_that_redirects_to_another_host_is_an_error() {
    let (sandbox, server) = (Sandbox::new(), site());
    let other = Server::start(vec![("/", status(301, format!("Location: {}\r\n", server.url("/"))))]);
    let ran = run(&sandbox, &server, &["crawl", &other.url("/"), "--allow-private", "--state", "site.state"]);
    assert_eq!(
        ran.stderr.lines().last(),
        Some(
            format!(
                "error: cannot crawl `{}`: it redirects to another site, `HOST/`; crawl that URL",
                other.url("/")
            )
            .as_str()
        )
    );
    assert_eq!(ran.status, 2);
}

#[test]
fn a_crawl_with_limits_says_that_it_is_not_complete() {
    let (sandbox, server) = (Sandbox::new(), site());
    list(&sandbox, &server, &["/"]);
    let home = server.url("/");
    let crawl =
        ["crawl", &home, "--state", "s", "--sitemap", "sitemap.xml", "--allow-private", "--max-depth", "0"];
    let ran = run(&sandbox, &server, &crawl);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("note: 2 pages are deeper than the limit\n"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("not complete; the notes above say why\n"));
}

#[test]
fn a_report_needs_listed_pages() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["report", "--state", "none", "--out", "report.html"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("", 2));
    assert!(ran.stderr.contains("`none`"), "{}", ran.stderr);
    assert!(!sandbox.path().join("report.html").exists());
}

#[test]
fn a_site_without_a_sitemap_has_a_report_about_what_its_links_lead_to() {
    let links = ["/oak", "/gone", "/draft", "/cart", "/old"]
        .map(|path| format!("<a href={path}>{path}</a> "))
        .concat();
    let server = Server::start(vec![
        ("/robots.txt", ok("User-agent: *\nDisallow: /cart\n")),
        ("/", ok_with(HTML, format!("<title>Home</title><p>All about trees {links}"))),
        ("/oak", ok_with(HTML, "<title>Oak</title><p>The oak is a tree with acorns")),
        ("/draft", ok_with(HTML, "<meta name=robots content=noindex><title>Draft</title><p>Not yet")),
        ("/old", status(301, "Location: /oak\r\n")),
    ]);
    let sandbox = Sandbox::new();
    let home = server.url("/");
    let ran = run(&sandbox, &server, &["crawl", &home, "--state", "site.state", "--allow-private"]);
    assert_eq!((ran.status, ran.stderr.lines().last()), (0, Some("complete")), "{}", ran.stderr);
    let report = ["report", "--state", "site.state", "--out", "report.html", "--csv", "findings.csv"];
    let ran = run(&sandbox, &server, &report);
    assert_eq!((ran.stderr.as_str(), ran.status), ("6 pages in `report.html`\n", 0));
    let html = sandbox.read("report.html").replace(&server.url(""), "HOST");
    for text in [
        "<p>6 pages crawled, 1 finding, as of",
        "<p class=note>No sitemap of the site is known, so the report is about the pages that the crawl found by links.</p>",
        "a linked page does not exist</summary>\n<p>Remedy: restore the page or remove the links to it.",
        "the page answers with status 404 <span class=quiet>linked from HOST/</span>",
        "indexable</th><td>2</td>",
        "noindex</th><td>1</td>",
        "redirected</th><td>1</td>",
        "404</th><td>1</td>",
        "blocked by robots.txt</th><td>1</td>",
    ] {
        assert_eq!(html.matches(text).count(), 1, "{text}\n{html}");
    }
    // These pages don't need an entry, so nothing is wrong with them.
    assert!(
        !html.contains("page-noindex") && !html.contains("page-redirected") && !html.contains("page-blocked")
    );
    let csv = sandbox.read("findings.csv").replace(&server.url(""), "HOST");
    assert_eq!(
        csv,
        "severity,rule,url,message,file,line,linked_from\r\n\
         error,page-missing,HOST/gone,the page answers with status 404,,,HOST/\r\n"
    );
}

#[test]
fn a_report_about_an_incomplete_crawl_says_so() {
    let (sandbox, server) = (Sandbox::new(), site());
    let home = server.url("/");
    let crawl = ["crawl", &home, "--state", "site.state", "--allow-private", "--max-depth", "0"];
    assert_eq!(run(&sandbox, &server, &crawl).status, 1);
    let ran = run(&sandbox, &server, &["report", "--state", "site.state", "--out", "report.html"]);
    assert_eq!((ran.stderr.as_str(), ran.status), ("1 page in `report.html`\n", 0));
    let note = "<p class=note>The crawl is not complete: 2 pages are deeper than the limit. Pages can be missing from \
                the report.</p>";
    let html = sandbox.read("report.html");
    assert!(html.contains(note), "{html}");
}

#[test]
fn all_findings_of_a_sitemap_are_written_as_csv() {
    let (sandbox, server) = (Sandbox::new(), site());
    list(&sandbox, &server, &["/", "/gone", "/draft"]);
    let check = ["check", "sitemap.xml", "--pages", "--state", "s", "--allow-private"];
    assert_eq!(run(&sandbox, &server, &check).status, 1);
    let report = ["report", "--state", "s", "--out", "report.html", "--csv", "findings.csv"];
    assert_eq!(run(&sandbox, &server, &report).status, 0);
    let csv = sandbox.read("findings.csv").replace(&server.url(""), "HOST");
    assert_eq!(
        csv,
        "severity,rule,url,message,file,line,linked_from\r\n\
         error,page-missing,HOST/gone,the page answers with status 404,sitemap.xml,4,\r\n\
         error,page-noindex,HOST/draft,\"the page has `noindex` in `<meta name=\"\"robots\"\">`\",sitemap.xml,5,\r\n"
    );
    let ran = run(&sandbox, &server, &["report", "--state", "s", "--out", "report.html", "--csv", "s"]);
    assert_eq!(
        (ran.stderr.as_str(), ran.status),
        ("error: `s` is the state; write the findings to another file\n", 2)
    );
}

/// An escape sequence that colours terminal output, and a character that reverses the text direction.
const ESCAPE: &str = "\u{1b}[31mred";
const OVERRIDE: &str = "\u{202e}";

#[test]
fn texts_of_a_site_cannot_control_a_terminal() {
    let page =
        |name: &str, head: String| ok_with(HTML, format!("{head}<title>{name}</title><p>The {name} page"));
    let both = format!("{ESCAPE}{OVERRIDE}");
    let location = |value: &str| status(301, format!("Location: {value}\r\n"));
    let paths = [
        "/",
        "/canonical",
        "/canonicals",
        "/relative",
        "/expiry",
        "/header",
        "/refresh",
        "/moved",
        "/lost",
        "/broken",
        "/blocked%E2%80%AE",
    ];
    let links = paths.map(|path| format!("<a href={path}>{path}</a> ")).concat();
    let links = format!("{links}<a href='/named-{both}'>{both}</a>");
    let server = Server::start(vec![
        (
            "/robots.txt",
            ok(format!("User-agent: *\nDisallow: /blocked{OVERRIDE}\nDisallow: /{both}\n#{both}\n")),
        ),
        ("/", page("Home", links)),
        ("/canonical", page("one", format!("<link rel=canonical href='https://other.test/{both}'>"))),
        ("/canonicals", page("two", format!("<link rel=canonical href='http://[{both}'>"))),
        ("/relative", page("three", format!("<link rel=canonical href='mailto:{both}'>"))),
        ("/expiry", page("four", format!("<meta name=robots content='unavailable_after: {both}'>"))),
        ("/header", ok_with(format!("{HTML}X-Robots-Tag: unavailable_after: {OVERRIDE}\r\n"), "<p>Five")),
        ("/refresh", page("six", format!("<meta http-equiv=refresh content='0; url=/lost?{both}'>"))),
        ("/moved", location(&format!("/{OVERRIDE}"))),
        ("/lost", location(&format!("http://[{OVERRIDE}"))),
        // The header is invalid, which makes the response invalid too.
        ("/broken", location(ESCAPE)),
    ]);
    let sandbox = Sandbox::new();
    list(&sandbox, &server, &paths);
    let home = server.url("/");
    let with_state =
        |args: &[&'static str]| [args, &["--state", "s", "--retries", "0", "--allow-private"]].concat();
    let check = ["check", "sitemap.xml", "--pages"];
    let mut commands: Vec<Vec<&str>> = ["human", "markdown", "github", "json", "sarif"]
        .map(|format| with_state(&[&check[..], &["--format", format, "--color", "never"]].concat()))
        .into();
    commands.push([&with_state(&["crawl"])[..], &[&home, "--sitemap", "sitemap.xml"]].concat());
    commands.push(vec!["report", "--state", "s", "--out", "report.html", "--csv", "findings.csv"]);
    for command in &commands {
        let ran = sandbox.run(command);
        let is_harmless = |text: &str| !text.contains(['\u{1b}', '\u{202e}']);
        assert!(is_harmless(&ran.stdout) && is_harmless(&ran.stderr), "{command:?}: {ran:?}");
    }
    let csv = sandbox.read("findings.csv");
    assert!(!csv.contains(['\u{1b}', '\u{202e}']), "{csv:?}");
    // The messages are in the report, with the special characters escaped.
    for rule in ["canonical-broken", "canonical-invalid", "expiry-invalid", "refresh", "failing", "blocked"] {
        assert!(csv.contains(&format!(",page-{rule},")), "{rule}: {csv}");
    }
    for text in
        [r"mailto:\u{1b}[31mred\u{202e}", r#"redirects to ""http://[\u{202e}"""#, r#"""/blocked\u{202e}"""#]
    {
        assert!(csv.contains(text), "{text}: {csv}");
    }
}

#[test]
fn the_reason_why_a_site_cannot_be_crawled_cannot_control_a_terminal() {
    let other = Server::start(Vec::new());
    let to = |location: String| status(301, format!("Location: {location}\r\n"));
    for (path, robots, home, why) in [
        (
            "/%E2%80%AE",
            ok(format!("User-agent: *\nDisallow: /{OVERRIDE}\n")),
            ok(""),
            r"line 2 of robots.txt disallows `/\u{202e}`",
        ),
        (
            "/",
            ok(""),
            to(format!("http://[{OVERRIDE}")),
            r#"redirects to "http://[\u{202e}", which is not a URL"#,
        ),
        ("/", ok(""), to(other.url("/") + OVERRIDE), "/%E2%80%AE`; crawl that URL"),
        (
            "/",
            ok(""),
            to(format!("mailto:{OVERRIDE}")),
            "`mailto:%E2%80%AE`, which is not an http or https URL",
        ),
    ] {
        let server = Server::start(vec![("/robots.txt", robots), ("/", home)]);
        let sandbox = Sandbox::new();
        let ran =
            sandbox.run(&["crawl", &server.url(path), "--state", "s", "--allow-private", "--retries", "0"]);
        assert!(!ran.stderr.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.stderr);
        assert!(ran.stderr.contains(why), "{why}: {:?}", ran.stderr);
    }
}
