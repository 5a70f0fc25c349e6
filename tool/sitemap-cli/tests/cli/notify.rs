//! `sitemap notify`, tested with an endpoint that returns given responses.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::support::{Ran, Sandbox, index, urlset};

/// An endpoint that answers each request with the next response from a list.
struct Endpoint {
    url: String,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    fn start(responses: &[&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/indexnow", listener.local_addr().unwrap());
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let (responses, seen) = (responses.to_vec(), Arc::clone(&bodies));
        thread::spawn(move || {
            for response in responses {
                let (mut stream, _) = listener.accept().unwrap();
                let body = body_of(&stream);
                // The body must be stored before the response is sent, because the command may end immediately after
                // that.
                seen.lock().unwrap().push(body);
                write!(stream, "HTTP/1.1 {response}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    .unwrap();
            }
        });
        Self { url, bodies }
    }

    fn bodies(&self) -> Vec<String> {
        self.bodies.lock().unwrap().clone()
    }

    fn notify(&self, sandbox: &Sandbox, more: &[&str]) -> Ran {
        let to = ["notify", "--key", KEY, "--endpoint", &self.url, "--allow-private"];
        sandbox.run(&[&to, more].concat())
    }
}

/// Reads a request and returns its body.
fn body_of(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0);
    }
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("post /indexnow http/1.1\r\n"), "{head}");
    let is_hub = head.contains("content-type: application/x-www-form-urlencoded\r\n");
    assert!(is_hub || head.contains("content-type: application/json; charset=utf-8\r\n"), "{head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    String::from_utf8(body).unwrap()
}

const KEY: &str = "0123abcd-XYZ";

const OLD: &str = "<url><loc>https://example.com/same</loc><lastmod>2026-01-01</lastmod></url>\n\
                   <url><loc>https://example.com/gone</loc></url>\n\
                   <url><loc>https://example.com/dated</loc><lastmod>2026-01-01</lastmod></url>\n\
                   <url><loc>https://example.com/weighed</loc><priority>0.1</priority></url>\n";

const NEW: &str = "<url><loc>https://example.com/weighed</loc><priority>0.9</priority></url>\n\
                   <url><loc>https://example.com/dated</loc><lastmod>2026-01-31</lastmod></url>\n\
                   <url><loc>https://example.com/new</loc></url>\n\
                   <url><loc>https://example.com/new</loc></url>\n\
                   <url><loc>https://example.com/same</loc><lastmod>2026-01-01</lastmod></url>\n";

const CHANGED: &str = concat!(
    r#"{"host":"example.com","key":"0123abcd-XYZ","urlList":["https://example.com/dated","#,
    r#""https://example.com/new","https://example.com/gone"]}"#
);

fn two() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("old.xml", urlset(OLD)).write("new.xml", urlset(NEW));
    sandbox
}

#[test]
fn pages_that_were_added_removed_or_have_another_date_are_sent() {
    for (response, message) in
        [("200 OK", "received"), ("202 Accepted", "received; the key is not checked yet")]
    {
        let endpoint = Endpoint::start(&[response]);
        let ran = endpoint.notify(&two(), &["old.xml", "new.xml"]);
        assert_eq!(ran, Ran { stdout: String::new(), stderr: format!("3 URLs: {message}\n"), status: 0 });
        assert_eq!(endpoint.bodies(), [CHANGED]);
    }
}

const FEED: &str = "https://example.com/sitemap-changes.atom";

const TOLD: &str = "hub.mode=publish&hub.url=https%3A%2F%2Fexample.com%2Fsitemap-changes.atom";

#[test]
fn a_hub_is_told_of_the_feed() {
    // The hub fails once, and asks for a retry without a wait.
    let hub = Endpoint::start(&["503 Service Unavailable\r\nRetry-After: 0", "204 No Content"]);
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["notify", "--hub", &hub.url, "--feed", FEED, "--allow-private"]);
    let stderr = format!("status 503: waiting 0 s\n`{}` is told of the feed\n", hub.url);
    assert_eq!(ran, Ran { stdout: String::new(), stderr, status: 0 });
    assert_eq!(hub.bodies(), [TOLD, TOLD]);

    let hub = Endpoint::start(&["404 Not Found"]);
    let ran = sandbox.run(&["notify", "--hub", &hub.url, "--feed", FEED, "--allow-private"]);
    let stderr = format!(
        "error: hub `{}` did not accept the feed: status 404; check the URLs of the hub and the feed\n",
        hub.url
    );
    assert_eq!(ran, Ran { stdout: String::new(), stderr, status: 2 });

    let ran = sandbox.run(&["notify", "--hub", &hub.url, "--feed", FEED, "--dry-run"]);
    assert_eq!((ran.stdout, ran.status), (format!("{TOLD}\n"), 0));
}

#[test]
fn search_engines_and_a_hub_can_be_told_in_one_run() {
    let (endpoint, hub) = (Endpoint::start(&["200 OK"]), Endpoint::start(&["202 Accepted"]));
    let ran = endpoint.notify(&two(), &["old.xml", "new.xml", "--hub", &hub.url, "--feed", FEED]);
    assert_eq!(ran.stderr, format!("3 URLs: received\n`{}` is told of the feed\n", hub.url));
    assert_eq!((endpoint.bodies(), hub.bodies()), (vec![CHANGED.to_owned()], vec![TOLD.to_owned()]));
    let ran = endpoint.notify(&two(), &["--hub", &hub.url, "--feed", FEED]);
    assert_eq!(
        (ran.stderr.lines().next(), ran.status),
        (Some("error: no pages to send; name the old and the new set, or give `--changes`"), 2)
    );
}

#[test]
fn a_dry_run_prints_what_would_be_sent() {
    let endpoint = Endpoint::start(&[]);
    let ran = endpoint.notify(&two(), &["old.xml", "new.xml", "--dry-run"]);
    assert_eq!(ran, Ran { stdout: format!("{CHANGED}\n"), stderr: String::new(), status: 0 });
}

#[test]
fn without_a_change_nothing_is_sent() {
    let endpoint = Endpoint::start(&[]);
    let ran = endpoint.notify(&two(), &["old.xml", "old.xml"]);
    assert_eq!((ran.stderr.as_str(), ran.status), ("no page has changed; nothing sent\n", 0));
}

#[test]
fn a_refusal_is_reported() {
    for (response, reason) in [
        ("400 x", "status 400: the request is malformed; check the endpoint"),
        ("403 x", "status 403: the key is refused; serve a file that contains exactly the key"),
        (
            "422 x",
            "status 422: a URL is not on the host, or the key is malformed; check the URLs and the key",
        ),
        ("301 x\r\nLocation: /elsewhere", "status 301: unexpected response; check the endpoint"),
        (
            "429 x\r\nRetry-After: 1000",
            "status 429: too many requests; try again later; the next wait is 1000 s; allow more with `--max-wait`",
        ),
    ] {
        let endpoint = Endpoint::start(&[response]);
        let ran = endpoint.notify(&two(), &["old.xml", "new.xml"]);
        let url = &endpoint.url;
        assert_eq!(
            ran.stderr,
            format!("error: `{url}` did not accept 3 URLs: {reason}; 0 of 3 URLs were accepted\n")
        );
        assert_eq!(ran.status, 2);
        assert_eq!(endpoint.bodies().len(), 1);
    }
}

#[test]
fn after_too_many_requests_it_waits() {
    let endpoint = Endpoint::start(&["429 x\r\nRetry-After: 0", "429 x", "200 OK"]);
    let ran = endpoint.notify(&two(), &["old.xml", "new.xml"]);
    assert_eq!(ran.stderr, "status 429: waiting 0 s\nstatus 429: waiting 2 s\n3 URLs: received\n");
    assert_eq!(ran.status, 0);
    assert_eq!(endpoint.bodies(), [CHANGED, CHANGED, CHANGED]);
}

#[test]
fn patience_has_an_end() {
    let again = "503 x\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT";
    let endpoint = Endpoint::start(&[again; 6]);
    let ran = endpoint.notify(&two(), &["old.xml", "new.xml"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("status 503: unexpected response; check the endpoint; 0 of 3"),
        "{}",
        ran.stderr
    );
    assert_eq!(endpoint.bodies().len(), 6);

    let endpoint = Endpoint::start(&["429 x"]);
    let ran = endpoint.notify(&two(), &["old.xml", "new.xml", "--max-wait", "0"]);
    assert!(ran.stderr.contains("the next wait is 1 s; allow more with `--max-wait`"), "{}", ran.stderr);
}

#[test]
fn ten_thousand_urls_are_a_request() {
    let sandbox = Sandbox::new();
    let pages: String = (0..10_001).map(|n| format!("https://example.com/{n}\n")).collect();
    sandbox
        .write("old.txt", "https://example.com/0\n")
        .write("new.txt", format!("{pages}https://example.com/x\n"));
    let endpoint = Endpoint::start(&["200 OK", "202 Accepted"]);
    let ran = endpoint.notify(&sandbox, &["old.txt", "new.txt"]);
    assert_eq!(ran.stderr, "10000 URLs: received\n1 URL: received; the key is not checked yet\n",);
    let counts: Vec<_> = endpoint.bodies().iter().map(|body| body.matches("https://").count()).collect();
    assert_eq!(counts, [10_000, 1]);

    let endpoint = Endpoint::start(&["200 OK", "403 Forbidden"]);
    let ran = endpoint.notify(&sandbox, &["old.txt", "new.txt"]);
    assert!(
        ran.stderr.ends_with("contains exactly the key; 10000 of 10001 URLs were accepted\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.status, 2);
}

#[test]
fn private_addresses_are_refused() {
    let endpoint = Endpoint::start(&["200 OK"]);
    let ran = two().run(&["notify", "--key", KEY, "--endpoint", &endpoint.url, "old.xml", "new.xml"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("allow it with `--allow-private`; 0 of 3"), "{}", ran.stderr);
    assert_eq!(endpoint.bodies(), [""; 0]);
}

#[test]
fn pages_of_several_hosts_are_sent_apart() {
    let sandbox = Sandbox::new();
    sandbox
        .write("old.txt", "https://example.com/0\n")
        .write("new.txt", "https://example.com/0\nhttps://example.com/1\nhttps://other.example/2\n");
    let endpoint = Endpoint::start(&[]);
    let ran = endpoint.notify(&sandbox, &["old.txt", "new.txt"]);
    assert_eq!(
        ran.stderr,
        "error: page `https://other.example/2` is not on host `example.com`; send the pages of each host in \
         requests of their own\n"
    );
    let more = ["old.txt", "new.txt", "--prefix", "https://other.example/", "--dry-run"];
    let ran = endpoint.notify(&sandbox, &more);
    assert!(ran.stdout.ends_with("\"urlList\":[\"https://other.example/2\"]}\n"), "{}", ran.stdout);
}

#[test]
fn the_place_of_the_key() {
    let endpoint = Endpoint::start(&[]);
    let located = |location: &str| {
        let more = ["old.xml", "new.xml", "--dry-run", "--key-location", location];
        endpoint.notify(&two(), &more)
    };
    let ran = located("https://example.com/key.txt");
    assert!(
        ran.stdout.contains(r#""keyLocation":"https://example.com/key.txt","urlList""#),
        "{}",
        ran.stdout
    );
    let refused = |location: &str| located(location).stderr;
    assert_eq!(
        refused("https://other.example/key.txt"),
        "error: `--key-location`: key file `https://other.example/key.txt` is not on the host of the pages; put \
         it on `example.com`\n"
    );
    assert!(refused("key.txt").starts_with("error: `--key-location`: `loc` must be an absolute URL"));
    assert!(
        refused("https://example.com/shop/key.txt").contains(" is outside the directory of the key file ")
    );
}

#[test]
fn bad_options() {
    for (more, message) in [
        (
            ["--key", "short", "old.xml", "new.xml"],
            "error: `--key`: \"short\" is not an IndexNow key; use 8 to 128 of the characters `a-z A-Z 0-9 -`\n",
        ),
        (
            ["--key", KEY, "-", "-"],
            "error: both sets are standard input; give a path or URL for one of them\n",
        ),
        (
            ["--key", KEY, "old.xml", "missing.xml"],
            "error: cannot read `missing.xml`: no such file or directory\n",
        ),
    ] {
        let ran = two().run(&[&["notify"], &more[..]].concat());
        assert_eq!((ran.stderr.as_str(), ran.status), (message, 2));
    }
    let ran = two().run(&["notify", "--key", KEY, "--endpoint", "ftp://a/", "old.xml", "new.xml"]);
    assert_eq!(ran.stderr, "error: `--endpoint` is `ftp://a/`; give an http or https URL\n");
}

#[test]
fn pages_of_unreadable_files_do_not_count_as_removed() {
    let sandbox = two();
    sandbox.write("index.xml", index(&["https://example.com/new.xml", "https://example.com/lost.xml"]));
    let endpoint = Endpoint::start(&[]);
    for more in [["old.xml", "index.xml"], ["index.xml", "old.xml"]] {
        let ran = endpoint.notify(&sandbox, &more);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("the result is incomplete"), "{}", ran.stderr);
    }
}

#[test]
fn files_that_two_manifests_have_in_common_are_left_out() {
    let sandbox = Sandbox::new();
    for (folder, pages) in [("old", "/1\n/2\n/3\n/4\n"), ("new", "/1\n/2\n/3\n/5\n")] {
        let out = ["build", "--base", "https://example.com", "--out", folder, "--max-urls", "2"];
        assert_eq!(sandbox.run_with(&out, pages.as_bytes()).status, 0);
    }
    // Changes a URL in a file, but not the file's digest in the manifest. The command sends the new URL only if it
    // reads the file.
    let first = sandbox.read("new/sitemap-pages-1.xml").replace("/1<", "/one<");
    sandbox.write("new/sitemap-pages-1.xml", first);
    let endpoint = Endpoint::start(&[]);
    let urls = |more: &[&str]| {
        let ran = endpoint.notify(&sandbox, &[&["old", "new", "--dry-run"], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout.split("\"urlList\":").nth(1).unwrap().trim_end().to_owned()
    };
    assert_eq!(urls(&["--since-manifest"]), r#"["https://example.com/5","https://example.com/4"]}"#);
    assert_eq!(
        urls(&[]),
        r#"["https://example.com/one","https://example.com/5","https://example.com/1","https://example.com/4"]}"#
    );

    let manifest = sandbox.read("new/.sitemap-manifest.jsonl");
    let cut = manifest.lines().next().unwrap().to_owned() + "\n";
    sandbox.write("new/.sitemap-manifest.jsonl", cut);
    let ran = endpoint.notify(&sandbox, &["old", "new", "--since-manifest"]);
    assert_eq!(
        ran.stderr,
        "error: `new/.sitemap-manifest.jsonl` is damaged or of another version; compare the whole sets by leaving out \
         `--since-manifest`\n"
    );
    let ran = endpoint.notify(&sandbox, &["old", "missing", "--since-manifest"]);
    assert_eq!(
        ran.stderr,
        "error: cannot read `missing/.sitemap-manifest.jsonl`: no such file or directory\n"
    );
}

#[test]
fn listed_changes_are_sent_at_most_once_in_ten_minutes() {
    let sandbox = Sandbox::new();
    let line = |op: &str, page: &str| format!("{{\"op\":\"{op}\",\"loc\":\"https://example.com/{page}\"}}\n");
    sandbox.write("changed", line("upsert", "a") + &line("remove", "b") + &line("upsert", "a"));
    let body = |pages: &str| format!(r#"{{"host":"example.com","key":"0123abcd-XYZ","urlList":[{pages}]}}"#);
    let to_state = ["--changes", "changed", "--state", "sent"];

    let endpoint = Endpoint::start(&["200 OK"]);
    let dry = endpoint.notify(&sandbox, &[&to_state[..], &["--dry-run"]].concat());
    let both = body(r#""https://example.com/a","https://example.com/b""#);
    assert_eq!(dry, Ran { stdout: format!("{both}\n"), stderr: String::new(), status: 0 });
    let ran = endpoint.notify(&sandbox, &to_state);
    assert_eq!((ran.stderr.as_str(), ran.status), ("2 URLs: received\n", 0));
    assert_eq!(endpoint.bodies(), [both]);

    // Only `c` is new. `a` has changed again, so it is held back.
    sandbox.write("changed", line("upsert", "a") + &line("upsert", "c"));
    let endpoint = Endpoint::start(&["200 OK"]);
    let ran = endpoint.notify(&sandbox, &to_state);
    assert!(
        ran.stderr.starts_with(
            "1 URL: received\n1 URL held back, sent less than ten minutes ago; run the command again in "
        ),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.status, endpoint.bodies()), (0, vec![body(r#""https://example.com/c""#)]));

    // Ten minutes later, `a` is sent without another change.
    let state = sandbox.read("sent");
    assert_eq!(state.lines().count(), 3);
    assert_eq!(state.matches(",\"waits\":true}").count(), 1);
    let earlier = state.split("\"sent\":").map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
    sandbox.write("sent", earlier.collect::<Vec<_>>().join("\"sent\":1"));
    sandbox.write("changed", "");
    let endpoint = Endpoint::start(&["200 OK"]);
    let ran = endpoint.notify(&sandbox, &to_state);
    assert_eq!((ran.stderr.as_str(), ran.status), ("1 URL: received\n", 0));
    assert_eq!(endpoint.bodies(), [body(r#""https://example.com/a""#)]);
}

#[test]
fn the_urls_of_a_refused_request_wait() {
    let sandbox = two();
    let endpoint = Endpoint::start(&["403 x"]);
    let ran = endpoint.notify(&sandbox, &["old.xml", "new.xml", "--state", "sent"]);
    assert!(
        ran.stderr.ends_with("0 of 3 URLs were accepted; a later run sends the others again\n"),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.status, sandbox.read("sent").matches("\"sent\":0,\"waits\":true").count()), (2, 3));
    // The URLs were not accepted, so they can be sent again immediately.
    let endpoint = Endpoint::start(&["200 OK"]);
    let ran = endpoint.notify(&sandbox, &["old.xml", "new.xml", "--state", "sent"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, "3 URLs: received\n"));
}

#[test]
fn a_listed_change_needs_a_url() {
    for (text, message) in [
        ("{\"op\":\"remove\"}\n", "changed:1: column 15: missing field `loc`"),
        ("{\"loc\":\"/a\"}\n", "changed:1: `loc` must be an absolute URL"),
        ("{\"loc\":\"https://exa", "changed:1: the input is cut off in this line"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("changed", text);
        let ran = sandbox.run(&["notify", "--key", KEY, "--changes", "changed"]);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    let ran = Sandbox::new().run(&["notify", "--key", KEY]);
    assert!(ran.stderr.contains("<OLD>"), "{}", ran.stderr);
}
