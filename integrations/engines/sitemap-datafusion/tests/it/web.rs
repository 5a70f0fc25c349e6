//! Tests of tables of sitemaps on a site.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::Sandbox;

const XMLNS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// A site with files. Each connection has its own thread.
struct Server {
    base: String,
    /// The maximum number of requests that were handled at the same time.
    most: Arc<AtomicUsize>,
}

impl Server {
    /// Starts a server. It replaces `BASE` in files with the site's URL.
    fn start(files: impl IntoIterator<Item = (String, String)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let files = files.into_iter().map(|(path, file)| (path, file.replace("BASE", &base)));
        let files: Arc<BTreeMap<String, String>> = Arc::new(files.collect());
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let highest = Arc::clone(&most);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (files, now, most) = (Arc::clone(&files), Arc::clone(&now), Arc::clone(&highest));
                thread::spawn(move || answer(&stream.unwrap(), &files, &now, &most));
            }
        });
        Self { base, most }
    }

    async fn table(&self, sandbox: &Sandbox, path: &str) {
        sandbox.run(&create(&format!("{}{path}", self.base), "OPTIONS (allow_private 'true')")).await;
    }
}

fn answer(mut stream: &TcpStream, files: &BTreeMap<String, String>, now: &AtomicUsize, most: &AtomicUsize) {
    let mut lines = BufReader::new(stream).lines();
    loop {
        let Some(Ok(first)) = lines.next() else { return };
        while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
        let requests = now.fetch_add(1, Ordering::SeqCst) + 1;
        most.fetch_max(requests, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(20));
        now.fetch_sub(1, Ordering::SeqCst);
        let file = files.get(first.split(' ').nth(1).unwrap());
        let status = if file.is_some() { "200 OK" } else { "404 Not Found" };
        let body = file.map_or("", String::as_str);
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    }
}

fn create(url: &str, options: &str) -> String {
    format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{url}' {options}")
}

fn index(paths: impl IntoIterator<Item = String>) -> String {
    let sitemaps = paths.into_iter().map(|path| format!("<sitemap><loc>BASE{path}</loc></sitemap>"));
    format!("<sitemapindex xmlns=\"{XMLNS}\">{}</sitemapindex>", sitemaps.collect::<String>())
}

fn urlset(path: &str) -> String {
    let urls = (0..10).map(|number| format!("<url><loc>BASE{path}/{number}</loc></url>"));
    format!("<urlset xmlns=\"{XMLNS}\">{}</urlset>", urls.collect::<String>())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_files_of_an_index_are_requested_a_few_at_a_time() {
    let names = |number| format!("/sitemap-{number}.xml");
    let files = (0..40).map(|number| (names(number), urlset(&format!("/part-{number}"))));
    let server = Server::start(files.chain([("/sitemap.xml".to_owned(), index((0..40).map(names)))]));
    let sandbox = Sandbox::new(2);
    server.table(&sandbox, "/sitemap.xml").await;
    assert_eq!(sandbox.number("SELECT count(*) FROM pages").await, 400);
    assert_eq!(sandbox.number("SELECT count(DISTINCT loc) FROM pages").await, 400);
    let found = sandbox.text("SELECT DISTINCT section FROM pages WHERE loc LIKE '%/part-7/%'").await;
    assert!(found.contains("| 7       |"), "{found}");
    let most = server.most.load(Ordering::SeqCst);
    assert!((2..=16).contains(&most), "{most} requests at the same time");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sitemaps_of_a_robots_txt_are_one_table() {
    let server = Server::start([
        ("/robots.txt".to_owned(), "Sitemap: BASE/index.xml\nsitemap: BASE/b.xml\n".to_owned()),
        ("/index.xml".to_owned(), index(["/a.xml".to_owned(), "/b.xml".to_owned()])),
        ("/a.xml".to_owned(), urlset("/a")),
        ("/b.xml".to_owned(), urlset("/b")),
    ]);
    let sandbox = Sandbox::new(2);
    server.table(&sandbox, "/robots.txt").await;
    // A file that is listed in both robots.txt and the index counts once.
    assert_eq!(sandbox.number("SELECT count(*) FROM pages").await, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_missing_or_an_index_is_an_error_and_not_a_smaller_count() {
    let server = Server::start([
        ("/gone.xml".to_owned(), index(["/none.xml".to_owned()])),
        ("/nested.xml".to_owned(), index(["/gone.xml".to_owned()])),
        ("/robots.txt".to_owned(), "User-agent: *\n".to_owned()),
    ]);
    let sandbox = Sandbox::new(2);
    for (path, message) in [
        ("/gone.xml", "/none.xml` in `"),
        ("/nested.xml", "/gone.xml` is an index inside an index, which the protocol does not allow"),
    ] {
        server.table(&sandbox, path).await;
        let error = sandbox.error("SELECT count(*) FROM pages").await;
        assert!(error.contains(message), "{error}");
        sandbox.run("DROP TABLE pages").await;
    }
    for (path, message) in [
        ("/none.xml", "the server answers with the status 404"),
        ("/robots.txt", "/robots.txt` names no sitemap; write the URL of the sitemap"),
    ] {
        let url = format!("{}{path}", server.base);
        let error = sandbox.error(&create(&url, "OPTIONS (allow_private 'true')")).await;
        assert!(error.contains(message), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_leads_to_no_private_address_unless_told() {
    let server = Server::start([("/sitemap.xml".to_owned(), urlset(""))]);
    let sandbox = Sandbox::new(1);
    let url = format!("{}/sitemap.xml", server.base);
    let error = sandbox.error(&create(&url, "")).await;
    assert!(error.contains("127.0.0.1"), "{error}");
    assert_eq!(server.most.load(Ordering::SeqCst), 0);
    let url_with_password = url.replace("http://", "http://ann:secret@");
    let error = sandbox.error(&create(&url_with_password, "")).await;
    assert!(error.contains("has a user name or password") && !error.contains("secret"), "{error}");
    for (options, message) in [
        ("OPTIONS (allow_private 'yes')", "`allow_private` is \"yes\"; use `true` or `false`"),
        (
            "OPTIONS (gzip true)",
            "`gzip` is not an option of a sitemap on a site; its only option is `allow_private`",
        ),
    ] {
        let error = sandbox.error(&create(&url, options)).await;
        assert!(error.contains(message), "{error}");
    }
}
