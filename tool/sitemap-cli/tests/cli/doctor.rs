//! `sitemap doctor`: reports the step at which a crawler fails.

use std::io::Write as _;
use std::sync::{Arc, Mutex};

use crate::support::server::{Responder, Server, ok, ok_with, silent, status, truncated};
use crate::support::{Ran, Sandbox, gzip, index, urlset};

const XML: &str = "Content-Type: application/xml\r\n";

fn doctor(url: &str, more: &[&str]) -> Ran {
    let ran = Sandbox::new().run(&[&["doctor", url, "--allow-private", "--retries", "0"], more].concat());
    assert_eq!(ran.stderr, "");
    ran
}

/// A sitemap that lists a page on its own server.
fn sitemap(server: &str) -> String {
    urlset(&format!("<url><loc>{server}/</loc></url>\n"))
}

/// Returns the output of a run that must fail at this step.
fn failed(server: &Server, path: &str, more: &[&str], step: &str) -> Vec<String> {
    let url = server.url(path);
    let ran = doctor(&url, more);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    let mut lines: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
    let last = lines.pop().unwrap();
    assert_eq!(
        last,
        format!("a crawler does not get `{url}`, because of the step `{step}`"),
        "{}",
        ran.stdout
    );
    lines
}

/// Returns a server with this document at `/sitemap.xml` and without a robots.txt.
fn serve(document: Responder) -> Server {
    Server::start(vec![("/sitemap.xml", document)])
}

#[test]
fn a_sound_sitemap_passes_every_step() {
    let server = Server::start(vec![
        (
            "/sitemap.xml",
            ok_with(
                XML,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n</sitemapindex>\n",
            ),
        ),
        ("/robots.txt", ok("User-agent: *\nDisallow: /cart\n")),
    ]);
    let url = server.url("/sitemap.xml");
    let ran = doctor(&url, &[]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[..8],
        [
            "ok    dns        the URL has an IP address",
            "ok    connection the server accepts the connection",
            "ok    robots.txt `Googlebot` is allowed, because no rule of robots.txt matches",
            "ok    redirects  none",
            "ok    status     200",
            "ok    type       application/xml",
            "ok    encoding   UTF-8",
            "ok    size       122 bytes",
        ],
        "{}",
        ran.stdout
    );
    assert_eq!(server.requested(), ["/robots.txt", "/sitemap.xml"]);
}

#[test]
fn pages_of_the_host_have_no_findings() {
    let document = Arc::new(Mutex::new(String::new()));
    let body = Arc::clone(&document);
    let server = serve(Box::new(move |stream| {
        let body = gzip(body.lock().unwrap().as_bytes());
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )?;
        stream.write_all(&body)
    }));
    *document.lock().unwrap() = sitemap(&server.url(""));
    let url = server.url("/sitemap.xml");
    let ran = doctor(&url, &[]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    for line in [
        "ok    robots.txt `Googlebot` is allowed, because robots.txt answered with status 404\n",
        "warn  type       `text/html` is not the type of a sitemap; send `application/xml`\n",
        "ok    encoding   UTF-8, a gzip file\n",
        "ok    parse      urlset with 1 page\n",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    assert!(ran.stdout.contains(&format!("\na crawler gets `{url}`, with ")), "{}", ran.stdout);
}

#[test]
fn rules_that_the_configuration_allows_are_no_findings() {
    let document = Arc::new(Mutex::new(String::new()));
    let body = Arc::clone(&document);
    let server = serve(Box::new(move |stream| ok_with(XML, body.lock().unwrap().clone())(stream)));
    let base = server.url("");
    *document.lock().unwrap() =
        urlset(&format!("<url><loc>{base}/#a</loc></url>\n<url><priority>0.5</priority></url>\n"));
    let sandbox = Sandbox::new();
    let url = server.url("/sitemap.xml");
    let findings = || {
        let ran = sandbox.run(&["doctor", &url, "--allow-private"]);
        let line = ran.stdout.lines().find(|line| line.contains(" findings ")).unwrap_or_default().to_owned();
        (ran.status, line)
    };
    assert_eq!(findings(), (1, "FAIL  findings   1 error, 1 warning".to_owned()));
    sandbox.write("sitemap.toml", "[check]\nallow = [\"loc-missing\"]\n");
    assert_eq!(findings(), (0, "warn  findings   1 warning, 1 finding allowed by `sitemap.toml`".to_owned()));
    sandbox.write(
        "sitemap.toml",
        "[[check.override]]\npath = \"sitemap.xml\"\nallow = [\"loc-missing\", \"loc-fragment\"]\n",
    );
    assert_eq!(findings(), (0, "ok    findings   none, 2 findings allowed by `sitemap.toml`".to_owned()));
}

#[test]
fn a_host_without_address() {
    let url = "http://nowhere.invalid/sitemap.xml";
    let ran = doctor(url, &[]);
    assert_eq!(
        (ran.status, ran.stdout),
        (
            1,
            format!(
                "FAIL  dns        `nowhere.invalid` has no address\n\
                 a crawler does not get `{url}`, because of the step `dns`\n"
            )
        )
    );
}

#[test]
fn an_address_that_needs_permission() {
    let url = "http://127.0.0.1:9/sitemap.xml";
    let ran = Sandbox::new().run(&["doctor", url]);
    assert_eq!(
        (ran.status, ran.stdout),
        (
            1,
            format!(
                "FAIL  dns        `127.0.0.1` is on this machine or a private network; allow it with \
                 `--allow-private`\n\
                 a crawler does not get `{url}`, because of the step `dns`\n"
            )
        )
    );
}

#[test]
fn a_port_that_nobody_listens_on() {
    let url = "http://127.0.0.1:9/sitemap.xml";
    let ran = doctor(url, &[]);
    assert_eq!(
        (ran.status, ran.stdout),
        (
            1,
            format!(
                "ok    dns        the URL has an IP address\n\
                 FAIL  connection `127.0.0.1:9` refused the connection\n\
                 a crawler does not get `{url}`, because of the step `connection`\n"
            )
        )
    );
}

#[test]
fn a_server_that_does_not_speak_tls() {
    let server = serve(ok(""));
    let url = server.url("/sitemap.xml").replace("http:", "https:");
    let ran = doctor(&url, &[]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("\nFAIL  tls        `127.0.0.1:"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("because of the step `tls`\n"), "{}", ran.stdout);
}

#[test]
fn a_robots_txt_that_forbids_or_fails() {
    let with = |robots: Responder| {
        Server::start(vec![("/robots.txt", robots), ("/sitemap.xml", ok_with(XML, urlset("")))])
    };
    let server = with(ok("User-agent: Googlebot\nDisallow: /*.xml\n"));
    let lines = failed(&server, "/sitemap.xml", &[], "robots.txt");
    assert_eq!(
        lines[2],
        "FAIL  robots.txt `Googlebot` is disallowed by line 2 of robots.txt, `Disallow: /*.xml`; allow the sitemap there"
    );
    // The file is not requested, although another crawler may fetch it.
    assert_eq!(server.requested(), ["/robots.txt"]);
    let ran = doctor(&server.url("/sitemap.xml"), &["--crawler", "bingbot"]);
    assert!(
        ran.stdout.contains("`bingbot` is allowed, because no rule of robots.txt matches\n"),
        "{}",
        ran.stdout
    );

    let lines = failed(&with(status(503, "")), "/sitemap.xml", &[], "robots.txt");
    assert_eq!(
        lines[2],
        "FAIL  robots.txt `Googlebot` is disallowed, because robots.txt answered with status 503; let the server answer \
         it, or answer 404 if there are no rules"
    );
    let server = with(truncated("User-agent: *\n"));
    let lines = failed(&server, "/sitemap.xml", &[], "robots.txt");
    let (robots, host) = (server.url("/robots.txt"), server.url("").replace("http://", ""));
    assert_eq!(
        lines[2],
        format!(
            "FAIL  robots.txt crawlers request nothing, because `{robots}` has no answer: `{host}` ended the connection \
             before the response was complete"
        )
    );
}

#[test]
fn redirects_that_lead_nowhere() {
    let server = Server::start(vec![
        ("/a.xml", status(302, "Location: /b.xml\r\n")),
        ("/b.xml", status(302, "Location: /a.xml\r\n")),
        ("/c.xml", status(301, "Location: /d.xml\r\n")),
    ]);
    let lines = failed(&server, "/a.xml", &[], "redirects");
    assert_eq!(lines[3], format!("FAIL  redirects  the redirects lead back to `{}`", server.url("/a.xml")));
    let lines = failed(&server, "/c.xml", &[], "status");
    assert_eq!(lines[3], format!("ok    redirects  301 to `{}`", server.url("/d.xml")));
}

#[test]
fn the_robots_txt_of_the_host_that_a_redirect_leads_to_counts() {
    let other =
        Server::start(vec![("/robots.txt", ok("User-agent: *\nDisallow: /\n")), ("/b.xml", ok(urlset("")))]);
    let server =
        Server::start(vec![("/a.xml", status(302, format!("Location: {}\r\n", other.url("/b.xml"))))]);
    let lines = failed(&server, "/a.xml", &[], "robots.txt");
    assert_eq!(
        lines[4],
        "FAIL  robots.txt `Googlebot` is disallowed by line 2 of robots.txt, `Disallow: /`; allow the sitemap there"
    );
}

#[test]
fn an_answer_that_does_not_come_or_is_cut_off() {
    let server = serve(silent());
    let lines = failed(&server, "/sitemap.xml", &["--timeout", "1"], "response");
    assert_eq!(lines[4], "FAIL  response   no complete response after 1 s; allow more with `--timeout`");
    let server = serve(truncated("<urlset>"));
    let host = server.url("").replace("http://", "");
    assert_eq!(
        failed(&server, "/sitemap.xml", &[], "response")[4],
        format!("FAIL  response   `{host}` ended the connection before the response was complete")
    );
}

#[test]
fn statuses_that_are_not_200() {
    for (number, message) in [
        (404, "status 404: not found"),
        (
            403,
            "status 403: the server denies access; allow this user agent or address there, or give another with `--user-agent`",
        ),
        (500, "the server responds with status 500"),
        (503, "status 503: the server is unavailable; try again later"),
    ] {
        let lines = failed(&serve(status(number, "")), "/sitemap.xml", &[], "status");
        assert_eq!(lines[4], format!("FAIL  status     {message}"));
    }
}

#[test]
fn a_body_with_another_encoding_or_size_than_it_should() {
    let server = serve(ok_with("Content-Encoding: br\r\n", "x"));
    let host = server.url("").replace("http://", "");
    assert_eq!(
        failed(&server, "/sitemap.xml", &[], "encoding")[4..],
        [
            "ok    status     200".to_owned(),
            format!(
                "FAIL  encoding   `{host}` sent a body that does not have the encoding that `Content-Encoding` names"
            )
        ]
    );
    let lines = failed(&serve(ok(vec![b' '; 2_000])), "/sitemap.xml", &["--max-bytes", "1000"], "size");
    assert_eq!(lines[5], "FAIL  size       more than 1000 bytes; allow more with `--max-bytes`");
}

#[test]
fn content_that_is_not_a_sitemap() {
    let server = serve(ok_with(XML, "<!doctype html><title>Log in</title>"));
    let lines = failed(&server, "/sitemap.xml", &[], "parse");
    assert!(lines[6].starts_with("FAIL  parse      the document is a web page"), "{lines:?}");
    let cut = urlset("<url><loc>https://example.com/</loc></url>\n").replace("</urlset>", "");
    let lines = failed(&serve(ok_with(XML, cut)), "/sitemap.xml", &[], "parse");
    assert!(lines[8].starts_with("FAIL  parse      "), "{lines:?}");
}

#[test]
fn the_first_findings_are_shown() {
    let entries: String = (0..9).map(|n| format!("<url><loc>ftp://example.com/{n}</loc></url>\n")).collect();
    let server = serve(ok_with(XML, urlset(&entries)));
    let lines = failed(&server, "/sitemap.xml", &[], "findings");
    assert!(lines[9].starts_with("FAIL  findings   9 errors"), "{lines:?}");
    assert!(lines[10].starts_with("                 3:11: error[loc-scheme]: "), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains("error[")).count(), 5);
    assert!(lines.last().unwrap().contains("more; see them with `sitemap check "), "{lines:?}");
}

#[test]
fn a_target_that_is_no_url_cannot_be_asked() {
    let ran = Sandbox::new().run(&["doctor", "sitemap.xml"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (2, "error: `sitemap.xml` is not a URL or a host; write it with `https://`\n")
    );
    let ran = Sandbox::new().run(&["doctor", "https://example.com/sitemap.xml", "--crawler", "a b"]);
    assert_eq!(ran.status, 2);
}

#[test]
fn a_redirect_to_a_url_that_the_crawler_may_not_fetch() {
    let server = Server::start(vec![
        ("/robots.txt", ok("User-agent: *\nDisallow: /private/\n")),
        ("/sitemap.xml", status(301, "Location: /private/sitemap.xml\r\n")),
        ("/private/sitemap.xml", ok_with(XML, urlset(""))),
    ]);
    let lines = failed(&server, "/sitemap.xml", &[], "robots.txt");
    let last = lines.last().unwrap();
    assert!(
        last.contains(&format!(
            "`Googlebot` at `{}` is disallowed by line 2",
            server.url("/private/sitemap.xml")
        )),
        "{last}"
    );
    assert_eq!(server.requested().iter().filter(|path| *path == "/robots.txt").count(), 1);
}

#[test]
fn options_without_an_effect_are_refused() {
    for option in [&["--cache", "kept"][..], &["--probe"]] {
        let ran = Sandbox::new().run(&[&["doctor", "https://example.com/sitemap.xml"], option].concat());
        assert_eq!(
            (ran.status, ran.stderr),
            (
                2,
                format!(
                    "error: `{}` has no effect on `sitemap doctor`, which goes the way of a crawler to this URL each \
                     time; remove it\n",
                    option[0]
                )
            )
        );
    }
}

/// Returns a server with an index of seven children. The last one is missing.
fn set() -> Server {
    let urls = Arc::new(Mutex::new(String::new()));
    let text = |urls: &Arc<Mutex<String>>, text: fn(&str) -> String| -> Responder {
        let urls = Arc::clone(urls);
        Box::new(move |stream| ok_with(XML, text(&urls.lock().unwrap()))(stream))
    };
    let children = |base: &str| {
        let urls: Vec<String> = (1..=7).map(|number| format!("{base}/{number}.xml")).collect();
        index(&urls.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let child = |base: &str| sitemap(base);
    let mut files = vec![
        ("/robots.txt", text(&urls, |base| format!("Sitemap: {base}/index.xml\n"))),
        ("/index.xml", text(&urls, children)),
    ];
    for path in ["/1.xml", "/2.xml", "/3.xml", "/4.xml", "/5.xml", "/6.xml"] {
        files.push((path, text(&urls, child)));
    }
    let server = Server::start(files);
    *urls.lock().unwrap() = server.url("");
    server
}

#[test]
fn a_sample_of_the_children_of_an_index_is_tried() {
    let server = set();
    let lines = failed(&server, "/index.xml", &[], "child");
    let children: Vec<String> = lines
        .iter()
        .filter_map(|line| line.split_once("child      ").or_else(|| line.split_once("                 ")))
        .map(|(_, text)| text.replace(&server.url(""), ""))
        .collect();
    assert_eq!(
        children,
        [
            "5 of 7 child sitemaps are tried",
            "`/1.xml`: urlset with 1 page",
            "`/2.xml`: urlset with 1 page",
            "`/4.xml`: urlset with 1 page",
            "`/5.xml`: urlset with 1 page",
            "`/7.xml`: status: status 404: not found",
        ],
        "{lines:#?}"
    );
}

#[test]
fn a_site_begins_at_its_robots_txt() {
    let server = set();
    let target = server.url("/robots.txt");
    for target in [target, server.url("/")] {
        let ran = Sandbox::new().run(&["doctor", &target, "--allow-private", "--retries", "0"]);
        let index = server.url("/index.xml");
        assert!(ran.stdout.contains(&format!("\n`{index}`\nok    redirects  none\n")), "{}", ran.stdout);
        let end = format!("a crawler does not get `{target}`, because of the step `child`\n");
        assert!(ran.stdout.ends_with(&end), "{}", ran.stdout);
        assert_eq!(ran.status, 1);
    }
    let empty = Server::start(vec![("/robots.txt", ok("User-agent: *\n"))]);
    let lines = failed(&empty, "/robots.txt", &[], "robots.txt");
    assert!(lines.last().unwrap().contains("lists no sitemap"), "{lines:#?}");
}

/// What robots.txt lists may list the pages of its host, for `doctor` as for `check`.
#[test]
fn the_findings_are_those_of_check() {
    let urls = Arc::new(Mutex::new(String::new()));
    let (of_robots, of_sitemap) = (Arc::clone(&urls), Arc::clone(&urls));
    let server = Server::start(vec![
        (
            "/robots.txt",
            Box::new(move |stream| {
                ok(format!("Sitemap: {}/a/sitemap.xml\n", of_robots.lock().unwrap()))(stream)
            }),
        ),
        (
            "/a/sitemap.xml",
            Box::new(move |stream| ok_with(XML, sitemap(&of_sitemap.lock().unwrap()))(stream)),
        ),
    ]);
    *urls.lock().unwrap() = server.url("");
    let url = server.url("/a/sitemap.xml");
    let doctor = doctor(&url, &[]);
    let check = Sandbox::new().run(&["check", &url, "--allow-private"]);
    assert_eq!(doctor.status, check.status, "{}{}", doctor.stdout, check.stdout);
}
