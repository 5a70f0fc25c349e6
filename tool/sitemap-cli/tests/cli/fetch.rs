//! Targets that are URLs, on well-behaved and misbehaving servers.

use crate::support::server::{Server, endless, ok, ok_with, silent, slow, status, truncated};
use crate::support::{Ran, Sandbox, gzip, index, urlset};

const PAGE: &str = "<url><loc>https://example.com/</loc></url>\n";

/// Runs `sitemap list URL --allow-private` with additional arguments.
fn list(server: &Server, path: &str, more: &[&str]) -> Ran {
    let url = server.url(path);
    let mut args = vec!["list", &url, "--allow-private"];
    args.extend(more);
    Sandbox::new().run(&args)
}

/// Returns the message of a run that can't read the URL.
fn refused(server: &Server, path: &str, more: &[&str]) -> String {
    let ran = list(server, path, more);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    let message = ran.stderr.strip_prefix(&format!("error: cannot read `{}`: ", server.url(path)));
    message.unwrap_or(&ran.stderr).trim_end().to_owned()
}

#[test]
fn a_sitemap_and_what_its_index_lists() {
    let server = Server::start(vec![
        ("/b.xml.gz", ok_with("Content-Type: application/gzip\r\n", gzip(urlset(PAGE).as_bytes()))),
        (
            "/c.xml",
            ok_with("Content-Type: text/html\r\nContent-Encoding: gzip\r\n", gzip(urlset(PAGE).as_bytes())),
        ),
    ]);
    let children = [server.url("/b.xml.gz"), server.url("/c.xml"), server.url("/d.xml")];
    let listed = index(&children.each_ref().map(String::as_str));
    let front = Server::start(vec![("/sitemap.xml", ok(listed))]);
    let ran = list(&front, "/sitemap.xml", &[]);
    assert_eq!(ran.stdout, "https://example.com/\nhttps://example.com/\n");
    assert_eq!(
        ran.stderr,
        format!(
            "error: cannot read `{}`: status 404: not found\n\
             error: the result is incomplete, because 1 sitemap could not be read; see the errors above\n",
            server.url("/d.xml")
        )
    );
    assert_eq!(ran.status, 2);
}

#[test]
fn a_site_is_found_by_its_robots_txt() {
    let pages = Server::start(vec![("/a.xml", ok(urlset(PAGE)))]);
    let robots = format!("User-agent: *\nSitemap: {} # main\n", pages.url("/a.xml"));
    let site = Server::start(vec![("/robots.txt", ok(robots))]);
    let ran = list(&site, "/", &[]);
    assert_eq!(ran.stdout, "https://example.com/\n");
    assert_eq!(ran.stderr, format!("found `{}` in `{}`\n", pages.url("/a.xml"), site.url("/robots.txt")));

    let silent_site = Server::start(vec![("/sitemap_index.xml", ok(urlset(PAGE)))]);
    let ran = list(&silent_site, "", &[]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("https://example.com/\n", 0));
    assert_eq!(
        silent_site.requested(),
        ["/robots.txt", "/sitemap.xml", "/sitemap_index.xml", "/sitemap_index.xml"]
    );

    let nothing = Server::start(vec![]);
    let ran = list(&nothing, "/", &[]);
    assert_eq!(
        ran.stderr,
        format!(
            "`{}`: status 404: not found; trying the usual paths\n\
             error: no sitemap found for `{}`; give the URL of a sitemap\n",
            nothing.url("/robots.txt"),
            nothing.url("/")
        )
    );

    // Some servers return their home page for any path.
    let page = Server::start(vec![("/robots.txt", ok("<!doctype html><title>Home</title>"))]);
    let ran = list(&page, "/", &[]);
    let warning = format!("warning: `{}` is a web page, not a robots.txt\n", page.url("/robots.txt"));
    assert!(ran.stderr.starts_with(&warning), "{}", ran.stderr);
}

#[test]
fn private_addresses_are_refused_also_after_a_redirect() {
    let server = Server::start(vec![("/", ok(urlset(PAGE)))]);
    let url = server.url("/sitemap.xml");
    let ran = Sandbox::new().run(&["list", &url]);
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.stderr,
        format!(
            "error: cannot read `{url}`: `127.0.0.1` is on this machine or a private network; allow it with \
             `--allow-private`\n"
        )
    );
    // A host name is refused because of its IP address. The test doesn't compare the address, because it depends on the
    // system.
    let url = url.replace("127.0.0.1", "localhost");
    let ran = Sandbox::new().run(&["list", &url]);
    assert!(ran.stderr.contains(": `localhost` ("), "{}", ran.stderr);
    assert!(ran.stderr.contains(") is on this machine or a private network; "), "{}", ran.stderr);
    assert_eq!(server.requested(), Vec::<String>::new());
}

#[test]
fn redirects_are_followed_five_times() {
    let server = Server::start(vec![
        ("/old.xml", status(301, "Location: /new.xml\r\n")),
        ("/new.xml", ok(urlset(PAGE))),
        ("/loop.xml", status(302, "Location: /loop.xml\r\n")),
        ("/file.xml", status(307, "Location: file:///etc/passwd\r\n")),
        ("/nowhere.xml", status(308, "")),
        ("/0.xml", status(302, "Location: /1.xml\r\n")),
        ("/1.xml", status(302, "Location: /2.xml\r\n")),
        ("/2.xml", status(302, "Location: /3.xml\r\n")),
        ("/3.xml", status(302, "Location: /4.xml\r\n")),
        ("/4.xml", status(302, "Location: /5.xml\r\n")),
        ("/5.xml", status(302, "Location: /6.xml\r\n")),
    ]);
    assert_eq!(list(&server, "/old.xml", &[]).stdout, "https://example.com/\n");
    let looped = format!("the redirects lead back to `{}`", server.url("/loop.xml"));
    assert_eq!(refused(&server, "/loop.xml", &[]), looped);
    let long = format!("there are more than 5 redirects, the last one to `{}`", server.url("/6.xml"));
    assert_eq!(refused(&server, "/0.xml", &[]), long);
    let host = server.url("").replace("http://", "");
    assert_eq!(
        refused(&server, "/file.xml", &[]),
        format!("`{host}` redirects to `file:///etc/passwd`, which is not an http or https URL")
    );
    assert_eq!(
        refused(&server, "/nowhere.xml", &[]),
        format!("`{host}` redirects with status 308 and without a `Location`")
    );
}

#[test]
fn refusals_say_what_to_do() {
    let server = Server::start(vec![
        ("/401.xml", status(401, "")),
        ("/410.xml", status(410, "")),
        ("/429.xml", status(429, "Retry-After: 120\r\n")),
        ("/500.xml", status(500, "")),
        ("/503.xml", status(503, "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n")),
        ("/brotli.xml", ok_with("Content-Encoding: br\r\n", "x")),
    ]);
    for (path, message) in [
        (
            "/401.xml",
            "status 401: the server asks for credentials; give them with `--auth`, `--bearer-file` or `--bearer-env`",
        ),
        ("/404.xml", "status 404: not found"),
        ("/410.xml", "status 410: not found"),
        ("/429.xml", "status 429: too many requests; try again in 120 seconds"),
        ("/500.xml", "the server responds with status 500"),
        ("/503.xml", "status 503: the server is unavailable; try again after Fri, 31 Dec 1999 23:59:59 GMT"),
    ] {
        assert_eq!(refused(&server, path, &["--retries", "0"]), message);
    }
    let host = server.url("").replace("http://", "");
    assert_eq!(
        refused(&server, "/brotli.xml", &[]),
        format!("`{host}` sent a body that does not have the encoding that `Content-Encoding` names")
    );
}

#[test]
fn a_web_page_in_place_of_a_sitemap_is_reported_as_one() {
    let page = "<!doctype html><html><body>Please log in</body></html>";
    let server = Server::start(vec![("/sitemap.xml", ok_with("Content-Type: application/xml\r\n", page))]);
    let message = refused(&server, "/sitemap.xml", &[]);
    assert!(message.starts_with("the document is a web page, perhaps an error page"), "{message}");
}

#[test]
fn endless_and_too_long_answers_end_at_the_limit() {
    let server = Server::start(vec![("/endless.xml", endless()), ("/long.xml", ok(vec![b' '; 200_000]))]);
    for path in ["/endless.xml", "/long.xml"] {
        assert_eq!(
            refused(&server, path, &["--max-bytes", "100000"]),
            "more than 100000 bytes; allow more with `--max-bytes`"
        );
    }
}

#[test]
fn slow_and_silent_servers_end_at_the_timeout() {
    let server = Server::start(vec![("/slow.xml", slow()), ("/silent.xml", silent())]);
    for path in ["/slow.xml", "/silent.xml"] {
        assert_eq!(
            refused(&server, path, &["--timeout", "1"]),
            "no complete response after 1 s; allow more with `--timeout`"
        );
    }
}

#[test]
fn a_body_that_ends_too_early_is_an_error() {
    let server = Server::start(vec![("/cut.xml", truncated("<urlset>"))]);
    let host = server.url("").replace("http://", "");
    assert_eq!(
        refused(&server, "/cut.xml", &[]),
        format!("`{host}` ended the connection before the response was complete")
    );
}

#[test]
fn a_gzip_bomb_stops_at_the_readers_limits() {
    let mut bomb = b"<urlset>".to_vec();
    bomb.resize(8_000_000, b' ');
    let bomb = gzip(&bomb);
    let twice = gzip(&bomb);
    let server = Server::start(vec![("/bomb.xml", ok(bomb)), ("/twice.xml.gz", ok(twice))]);
    for path in ["/bomb.xml", "/twice.xml.gz"] {
        let message = refused(&server, path, &[]);
        assert!(message.starts_with("the document exceeds the limit `expansion`"), "{message}");
    }
}

#[test]
fn an_unreachable_server() {
    let ran = Sandbox::new().run(&["list", "http://127.0.0.1:9/", "--allow-private"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("`127.0.0.1:9` refused the connection"), "{}", ran.stderr);
    let ran = Sandbox::new().run(&["list", "http://nowhere.invalid/sitemap.xml"]);
    assert_eq!(
        ran.stderr,
        "error: cannot read `http://nowhere.invalid/sitemap.xml`: `nowhere.invalid` has no address\n"
    );
}

#[test]
fn a_set_is_checked_over_http() {
    let pages = Server::start(vec![]);
    let listed = index(&[&pages.url("/a.xml")]);
    let server = Server::start(vec![("/sitemap.xml", ok(listed))]);
    let ran = Sandbox::new().run(&["check", &server.url("/sitemap.xml"), "--allow-private"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("error[child-missing]"), "{}", ran.stdout);
    assert!(ran.stdout.contains("status 404"), "{}", ran.stdout);
}

#[test]
fn each_range_of_addresses_needs_its_own_option() {
    let sandbox = Sandbox::new();
    for (url, option, message) in [
        (
            "http://169.254.169.254/",
            "--allow-private",
            "`169.254.169.254` is a link-local address or a metadata service; allow it with `--allow-link-local`",
        ),
        (
            "http://[fd00:ec2::254]/",
            "--allow-private",
            "`[fd00:ec2::254]` is a link-local address or a metadata service; allow it with `--allow-link-local`",
        ),
        (
            "http://127.0.0.1:9/",
            "--allow-link-local",
            "`127.0.0.1` is on this machine or a private network; allow it with `--allow-private`",
        ),
        (
            "http://0.0.0.0:9/",
            "--allow-private",
            "`0.0.0.0` is reserved, so no site can be there; use another address",
        ),
        (
            "http://224.0.0.1/",
            "--allow-link-local",
            "`224.0.0.1` is reserved, so no site can be there; use another address",
        ),
    ] {
        let ran = sandbox.run(&["list", url, option]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{url}");
        assert!(ran.stderr.contains(message), "{url}: {}", ran.stderr);
    }
}
