//! Pages that are requested through a proxy.

use std::process::Command;

use crate::support::server::{Server, ok, ok_with, status};
use crate::support::{Sandbox, urlset};

const HTML: &str = "Content-Type: text/html\r\n";

/// Lets a command use a proxy, and no other one.
fn with_proxy(command: &mut Command, proxy: &Server, no_proxy: &str) {
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY"] {
        command.env_remove(name);
    }
    command.env("http_proxy", proxy.url("")).env("no_proxy", no_proxy);
}

#[test]
fn pages_are_requested_through_the_proxy_unless_no_proxy_names_their_host() {
    let page = |name: &str| ok_with(HTML, format!("<title>{name}</title><p>All about the {name}"));
    // The first line of a request to a proxy has the whole URL. Only the proxy knows the host `trees.test`.
    let proxy = Server::start(vec![
        ("http://trees.test/robots.txt", ok("User-agent: *\nDisallow: /cart\n")),
        ("http://trees.test/oak", page("oak")),
        ("http://trees.test/elm", status(404, HTML)),
        ("http://trees.test/old", status(301, "Location: http://trees.test/oak\r\n")),
    ]);
    let direct = Server::start(vec![("/robots.txt", ok("")), ("/fir", page("fir"))]);
    let sandbox = Sandbox::new();
    let urls = ["oak", "elm", "old", "cart"].map(|path| format!("http://trees.test/{path}"));
    let entries: String = urls
        .iter()
        .chain([&direct.url("/fir")])
        .map(|url| format!("<url><loc>{url}</loc></url>\n"))
        .collect();
    sandbox.write("sitemap.xml", urlset(&entries));

    let mut command = sandbox.command(&["check", "sitemap.xml", "--pages", "--allow-private"]);
    with_proxy(&mut command, &proxy, "127.0.0.1");
    let output = command.output().unwrap();
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let rules: Vec<&str> = stdout.lines().filter(|line| line.contains("[page-")).collect();
    assert_eq!(
        rules,
        [
            "error[page-missing]: the page answers with status 404",
            "error[page-redirected]: the page redirects permanently (status 301) to \"http://trees.test/oak\"",
            "error[page-blocked]: line 2 of robots.txt disallows \"/cart\"",
        ],
        "{stdout}{stderr}"
    );
    assert!(stderr.contains("5 pages visited, 1 blocked by robots.txt\n"), "{stderr}");

    let mut asked = proxy.requested();
    asked.sort();
    // The redirect leads to a page that is requested twice.
    let expected = ["elm", "no-such-page-", "oak", "oak", "old", "robots.txt"];
    let expected = expected.map(|path| format!("http://trees.test/{path}"));
    assert_eq!(asked.len(), expected.len(), "{asked:?}");
    for (asked, expected) in asked.iter().zip(&expected) {
        assert!(asked.starts_with(expected), "{asked} {expected}");
    }
    let direct = direct.requested();
    assert!(direct.contains(&"/fir".to_owned()), "{direct:?}");
    assert!(direct.iter().all(|path| path.starts_with('/')), "{direct:?}");
}

#[test]
fn a_proxy_gets_its_own_credentials_and_the_page_gets_none() {
    let proxy = Server::start(vec![("http://trees.test/*", ok_with(HTML, "<title>Oak</title><p>An oak"))]);
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset("<url><loc>http://trees.test/oak</loc></url>\n"));
    let mut command = sandbox.command(&["check", "sitemap.xml", "--pages"]);
    with_proxy(&mut command, &proxy, "");
    command.env("http_proxy", proxy.url("").replace("http://", "http://user:secret@"));
    let output = command.output().unwrap();
    assert!(!String::from_utf8(output.stderr).unwrap().contains("secret"));
    // `user:secret` in base 64.
    let sent = proxy.headers("Proxy-Authorization");
    assert!(sent.contains(&"http://trees.test/oak Basic dXNlcjpzZWNyZXQ=".to_owned()), "{sent:?}");
    assert!(proxy.headers("Authorization").iter().all(|header| header.ends_with(" none")));
}
