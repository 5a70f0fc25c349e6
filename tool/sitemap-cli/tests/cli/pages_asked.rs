//! Tests which hosts receive requests for pages, which headers they receive, and when a state file is used.

use crate::support::server::{Server, ok, ok_with};
use crate::support::{Ran, Sandbox, urlset};

const HTML: &str = "Content-Type: text/html\r\n";

fn site() -> Server {
    Server::start(vec![
        ("/", ok_with(HTML, "<title>Home</title><p>All about trees")),
        ("/oak", ok_with(HTML, "<title>Oak</title><p>The oak is a tree with acorns")),
    ])
}

/// Returns a urlset of these URLs.
fn listing(urls: &[String]) -> String {
    urlset(&urls.iter().map(|url| format!("<url><loc>{url}</loc></url>\n")).collect::<String>())
}

/// Runs `sitemap check sitemap.xml --pages --state s`.
fn check(sandbox: &Sandbox, more: &[&str]) -> Ran {
    sandbox.run(&[&["check", "sitemap.xml", "--pages", "--state", "s"], more].concat())
}

/// Asserts that a run couldn't start, and returns its message.
fn error(ran: &Ran) -> &str {
    assert_eq!((ran.stdout.as_str(), ran.status), ("", 2), "{}", ran.stderr);
    ran.stderr.trim_end().strip_prefix("error: ").unwrap()
}

#[test]
fn an_offline_check_leaves_the_state_as_it_is() {
    let (sandbox, server) = (Sandbox::new(), site());
    sandbox.write("sitemap.xml", listing(&[server.url("/"), server.url("/oak")]));
    assert_eq!(check(&sandbox, &["--allow-private"]).status, 0);

    sandbox.write("sitemap.xml", listing(&[server.url("/oak"), server.url("/elm"), server.url("/fir")]));
    let ran = check(&sandbox, &["--offline"]);
    assert!(
        ran.stderr.contains("2 pages not checked, because no answer of a server is known"),
        "{}",
        ran.stderr
    );
    let ran = sandbox.run(&["report", "--state", "s", "--out", "report.html"]);
    assert_eq!(ran.stderr, "2 pages in `report.html`\n");
}

#[test]
fn the_state_of_another_site_is_an_error() {
    let (sandbox, server, other) = (Sandbox::new(), site(), site());
    sandbox.write("sitemap.xml", listing(&[server.url("/")]));
    assert_eq!(check(&sandbox, &["--allow-private"]).status, 0);

    sandbox.write("sitemap.xml", listing(&[other.url("/"), other.url("/oak")]));
    let [known, listed] = [&server, &other].map(|server| server.url("").replace("http://", ""));
    let expected =
        format!("`s` is the state of `{known}`, not of `{listed}`; name another file with `--state`");
    assert_eq!(error(&check(&sandbox, &["--allow-private"])), expected);
    assert_eq!(error(&check(&sandbox, &["--offline"])), expected);
    let crawl = sandbox.run(&["crawl", &other.url("/"), "--state", "s", "--allow-private"]);
    assert_eq!(error(&crawl), expected);
    assert!(other.requested().is_empty());

    // It is enough if a single page belongs to the known site.
    sandbox.write("sitemap.xml", listing(&[server.url("/oak"), other.url("/")]));
    let ran = check(&sandbox, &["--offline"]);
    assert!(ran.stdout.contains("not checked\n"), "{}", ran.stderr);
}

#[test]
fn a_private_site_needs_a_permission_once() {
    let (sandbox, server) = (Sandbox::new(), site());
    sandbox.write("sitemap.xml", listing(&[server.url("/"), server.url("/oak")]));
    let why = "`127.0.0.1` is on this machine or a private network; allow it with `--allow-private`";
    assert_eq!(error(&check(&sandbox, &[])), format!("cannot request the pages: {why}"));
    let crawl = sandbox.run(&["crawl", &server.url("/"), "--state", "new"]);
    assert_eq!(error(&crawl), format!("cannot request the pages: {why}"));
    assert!(server.requested().is_empty() && !sandbox.path().join("new").exists());
}

#[test]
fn json_has_the_table_of_pages() {
    let (sandbox, server) = (Sandbox::new(), site());
    let urls = ["/", "/oak", "/trees/elm"].map(|path| server.url(path));
    sandbox.write("sitemap.xml", listing(&urls));
    check(&sandbox, &["--allow-private"]);
    sandbox.write("sitemap.xml", listing(&[&urls[..], &[server.url("/trees/fir")]].concat()));
    let ran = check(&sandbox, &["--offline", "--format", "json"]);
    let host = server.url("");
    let pages = format!(
        "\"pages\":{{\"causes\":{{}},\"cut\":0,\"sections\":[\
         {{\"pages\":2,\"section\":\"{host}/\",\"standings\":{{\"indexable\":2}}}},\
         {{\"pages\":2,\"section\":\"{host}/trees/\",\"standings\":{{\"missing\":1,\"not checked\":1}}}}\
         ],\"unchecked\":1}}}}\n"
    );
    assert!(ran.stdout.ends_with(&pages), "{}", ran.stdout);
    let ran = check(&sandbox, &["--offline", "--format", "sarif"]);
    assert!(ran.stdout.contains("\"unchecked\":1"), "{}", ran.stdout);
    let ran = check(&sandbox, &["--offline", "--format", "markdown"]);
    assert!(
        ran.stdout.contains("| section | pages | indexable | missing | not checked |\n"),
        "{}",
        ran.stdout
    );
    let ran = sandbox.run(&["check", "sitemap.xml", "--format", "json"]);
    assert!(!ran.stdout.contains("\"unchecked\""), "{}", ran.stdout);
}

#[test]
fn the_sitemap_is_requested_with_the_same_headers_and_other_hosts_get_none() {
    let (sandbox, other) = (Sandbox::new(), site());
    let pages = site();
    let sitemap = listing(&[pages.url("/"), other.url("/")]);
    let server = Server::start(vec![("/sitemap.xml", ok(sitemap.clone()))]);
    let sent = ["--header", "X-Stage: secret", "--user-agent", "acmebot/2.0", "--allow-private"];
    let url = server.url("/sitemap.xml");
    sandbox.run(&[&["check", &url, "--pages"], &sent[..]].concat());
    assert!(server.headers("X-Stage").contains(&"/sitemap.xml secret".to_owned()));
    assert!(server.headers("User-Agent").contains(&"/sitemap.xml acmebot/2.0".to_owned()));
    for server in [&pages, &other] {
        let headers = server.headers("X-Stage");
        assert!(headers.contains(&"/ none".to_owned()), "{headers:?}");
        assert!(headers.iter().all(|header| header.ends_with(" none")), "{headers:?}");
        assert!(server.headers("User-Agent").iter().all(|header| header.ends_with(" acmebot/2.0")));
    }

    // For a file, the headers are sent to the host of `--at`.
    let (pages, other) = (site(), site());
    sandbox.write("sitemap.xml", listing(&[other.url("/"), pages.url("/")]));
    sandbox
        .run(&[&["check", "sitemap.xml", "--pages", "--at", &pages.url("/sitemap.xml")], &sent[..]].concat());
    assert!(pages.headers("X-Stage").contains(&"/ secret".to_owned()));
    assert!(other.headers("X-Stage").iter().all(|header| header.ends_with(" none")));
}

#[test]
fn headers_and_states_that_cannot_work_are_errors() {
    let (sandbox, server) = (Sandbox::new(), site());
    sandbox.write("sitemap.xml", listing(&[server.url("/")])).write("empty", "");
    for (args, message) in [
        (&["--header", "User-Agent: x"][..], "`--header` cannot set `User-Agent`; use `--user-agent`"),
        (&["--header", "X Y: x"], "`X Y` is not the name of a header; use letters, digits and `-`"),
        (&["--state", "empty"], "`empty` is empty, so it is not a state; remove it to start a new one"),
        (&["--state", "nodir/x"], "there is no folder `nodir` for the state; create it, or check the path"),
        (&["--offline", "--state", "nodir/x"], "there is no state `nodir/x`; check the path"),
    ] {
        let ran = sandbox.run(&[&["check", "sitemap.xml", "--pages", "--allow-private"], args].concat());
        assert_eq!(error(&ran), message);
    }
    assert!(server.requested().is_empty());
}

#[test]
fn files_of_a_build_are_not_taken_for_answers() {
    let sandbox = Sandbox::new();
    sandbox.write("public/index.html", "<title>Home</title><p>All about trees");
    let build = ["build", "--base", "https://example.com/", "--out", "public", "--from-dir", "public"];
    let ran = sandbox.run(&[&build[..], &["--lastmod", "content", "--state", "s"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = sandbox.run(&["check", "public", "--pages", "--offline", "--state", "s"]);
    assert!(ran.stdout.contains("section               pages  not checked\n"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("1 page not checked, because no answer of a server is known"),
        "{}",
        ran.stderr
    );
}
