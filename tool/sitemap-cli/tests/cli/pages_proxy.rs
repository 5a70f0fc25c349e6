//! Pages that are requested through a proxy.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::support::server::{Server, ok, ok_with, status};
use crate::support::{Sandbox, urlset};

const HTML: &str = "Content-Type: text/html\r\n";

/// Makes a command use this proxy and no other.
fn with_proxy(command: &mut Command, proxy: &Server, no_proxy: &str) {
    without_proxy(command);
    command.env("http_proxy", proxy.url("")).env("no_proxy", no_proxy);
}

fn without_proxy(command: &mut Command) {
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
}

#[test]
fn pages_are_requested_through_the_proxy_unless_no_proxy_names_their_host() {
    let page = |name: &str| ok_with(HTML, format!("<title>{name}</title><p>All about the {name}"));
    // A request to a proxy contains the whole URL in its first line. Only the proxy knows the host `trees.test`.
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
            "error[page-missing]: http://trees.test/elm: the page answers with status 404",
            "error[page-redirected]: http://trees.test/old: the page redirects permanently (status 301) to \"http://trees.test/oak\"",
            "error[page-blocked]: http://trees.test/cart: line 2 of robots.txt disallows \"/cart\"",
        ],
        "{stdout}{stderr}"
    );
    assert!(stderr.contains("5 pages visited, 1 blocked by robots.txt\n"), "{stderr}");

    let mut asked = proxy.requested();
    asked.sort();
    // The page that it redirects to is requested twice.
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

/// Starts a SOCKS5 proxy (RFC 1928) that connects every host to the same server. Returns its port, and the hosts that
/// clients asked for.
fn socks(server: &Server) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let target = server.url("").replace("http://", "");
    let (asked, hosts) = channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (asked, target) = (asked.clone(), target.clone());
            thread::spawn(move || {
                let mut greeting = [0; 2];
                stream.read_exact(&mut greeting).unwrap();
                stream.read_exact(&mut vec![0; greeting[1].into()]).unwrap();
                stream.write_all(&[5, 0]).unwrap();
                // The version, the command, a reserved byte, and the address type: 3 is a name, 1 an IPv4 address.
                let mut request = [0; 5];
                stream.read_exact(&mut request).unwrap();
                assert_eq!(request[..4], [5, 1, 0, 3]);
                let mut host = vec![0; usize::from(request[4]) + 2];
                stream.read_exact(&mut host).unwrap();
                host.truncate(request[4].into());
                asked.send(String::from_utf8(host).unwrap()).unwrap();
                stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
                let mut server = TcpStream::connect(target).unwrap();
                let (mut to_client, mut from_server) =
                    (stream.try_clone().unwrap(), server.try_clone().unwrap());
                thread::spawn(move || std::io::copy(&mut from_server, &mut to_client));
                // The client may close the connection at any time.
                let _ = std::io::copy(&mut stream, &mut server);
            });
        }
    });
    (port, hosts)
}

#[test]
fn pages_are_requested_through_a_socks_proxy() {
    let server = Server::start(vec![
        ("/robots.txt", ok("User-agent: *\nDisallow: /cart\n")),
        ("/oak", ok_with(HTML, "<title>Oak</title><p>The oak is a tree with acorns")),
    ]);
    let (port, hosts) = socks(&server);
    let sandbox = Sandbox::new();
    // Only the proxy knows the host.
    let urls = ["oak", "cart"].map(|path| format!("<url><loc>http://trees.test/{path}</loc></url>\n"));
    sandbox.write("sitemap.xml", urlset(&urls.concat()));
    let mut command = sandbox.command(&["check", "sitemap.xml", "--pages"]);
    without_proxy(&mut command);
    let output = command.env("ALL_PROXY", format!("socks5h://127.0.0.1:{port}")).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("2 pages visited, 1 blocked by robots.txt\n"), "{stderr}");
    assert!(server.requested().contains(&"/oak".to_owned()));
    assert_eq!(hosts.try_iter().find(|host| host != "trees.test"), None);
}

#[test]
fn no_request_goes_past_a_proxy_that_cannot_be_used() {
    let server = Server::start(vec![("/sitemap.xml", ok(urlset("")))]);
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset(&format!("<url><loc>{}</loc></url>\n", server.url("/oak"))));
    let (sitemap, home) = (server.url("/sitemap.xml"), server.url("/"));
    for args in [
        &["check", "sitemap.xml", "--pages"][..],
        &["crawl", &home, "--state", "s"],
        &["list", &sitemap],
        &["doctor", &sitemap],
    ] {
        let mut command = sandbox.command(args);
        without_proxy(&mut command);
        let command = command.arg("--allow-private").env("ALL_PROXY", "quic://user:secret@127.0.0.1:9");
        let output = command.output().unwrap();
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_ne!(output.status.code(), Some(0), "{args:?}: {printed}");
        let why = "`ALL_PROXY` is not the URL of a proxy that can be used; write `http://HOST:PORT` or \
                   `socks5://HOST:PORT`";
        assert!(printed.contains(why) && !printed.contains("secret"), "{args:?}: {printed}");
    }
    // Reading files doesn't require a proxy.
    let mut command = sandbox.command(&["list", "sitemap.xml"]);
    without_proxy(&mut command);
    let output = command.env("ALL_PROXY", "quic://127.0.0.1:9").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{}\n", server.url("/oak")));
    assert!(server.requested().is_empty());
}
