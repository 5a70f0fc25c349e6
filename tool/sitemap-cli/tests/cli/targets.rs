//! Targets that aren't sitemaps themselves: a robots.txt, a site's usual paths, and an index without its child
//! sitemaps.

use crate::support::server::{Server, ok, ok_with, status};
use crate::support::{Sandbox, index, urlset};

const PAGE: &str = "<url><loc>https://example.com/</loc></url>\n";

/// An index with a date.
const DATED: &str = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
    <sitemap><loc>https://example.com/sitemap-a-1.xml</loc><lastmod>2026-01-31</lastmod></sitemap>\n\
    <sitemap><loc>https://example.com/sitemap-b-1.xml</loc></sitemap>\n\
    </sitemapindex>\n";

#[test]
fn an_index_is_checked_without_its_children() {
    let sandbox = Sandbox::new();
    // Both children are missing, but only a check that follows the index can detect this.
    sandbox.write("sitemap.xml", DATED);
    let ran = sandbox.run(&["check", "sitemap.xml"]);
    assert_eq!((ran.status, ran.stdout.matches("error[child-missing]").count()), (1, 2), "{}", ran.stdout);
    for target in ["sitemap.xml", "."] {
        let ran = sandbox.run(&["check", target, "--no-follow"]);
        assert_eq!(ran.status, 0, "{}", ran.stdout);
        assert!(
            ran.stderr.starts_with("2 child sitemaps not checked, because of `--no-follow`\n"),
            "{}",
            ran.stderr
        );
    }
    // Mistakes in the index itself are still found.
    sandbox.write("sitemap.xml", DATED.replace("2026-01-31", "2026-02-30"));
    assert_eq!(sandbox.run(&["check", "sitemap.xml", "--no-follow"]).status, 1);
}

#[test]
fn an_index_of_the_network_is_checked_with_one_request() {
    let server = Server::start(vec![("/a.xml", ok(urlset(PAGE)))]);
    let front = Server::start(vec![("/sitemap.xml", ok(index(&[&server.url("/a.xml")])))]);
    let url = front.url("/sitemap.xml");
    let ran = Sandbox::new().run(&["check", &url, "--no-follow", "--allow-private"]);
    assert!(ran.stderr.contains("1 child sitemap not checked, because of `--no-follow`\n"), "{}", ran.stderr);
    assert!(!server.requested().contains(&"/a.xml".to_owned()));
}

#[test]
fn the_sitemaps_of_an_index_are_listed_and_not_read() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", DATED);
    let list = |more: &[&str]| sandbox.stdout(&[&["list", "sitemap.xml", "--sitemaps"], more].concat());
    assert_eq!(list(&[]), "https://example.com/sitemap-a-1.xml\nhttps://example.com/sitemap-b-1.xml\n");
    assert_eq!(
        list(&["--format", "csv"]),
        "loc,lastmod\nhttps://example.com/sitemap-a-1.xml,2026-01-31\nhttps://example.com/sitemap-b-1.xml,\n"
    );
    assert_eq!(
        list(&["--format", "ndjson"]),
        "{\"loc\":\"https://example.com/sitemap-a-1.xml\",\"lastmod\":\"2026-01-31\"}\n\
         {\"loc\":\"https://example.com/sitemap-b-1.xml\"}\n"
    );
    assert_eq!(list(&["--since", "2026"]), "https://example.com/sitemap-a-1.xml\n");
    assert_eq!(list(&["--section", "b"]), "https://example.com/sitemap-b-1.xml\n");
    // If a set consists of a single file, that file is listed itself.
    sandbox.write("sitemap.xml", urlset(PAGE));
    assert_eq!(list(&[]), "sitemap.xml\n");
}

#[test]
fn an_index_that_cannot_be_read_to_its_end_is_not_a_whole_list() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", DATED.replace("</sitemapindex>", ""));
    let ran = sandbox.run(&["list", "sitemap.xml", "--sitemaps"]);
    assert_eq!((ran.status, ran.stdout.lines().count()), (2, 2), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: cannot read `sitemap.xml`: "), "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("because 1 sitemap could not be read; see the errors above\n"),
        "{}",
        ran.stderr
    );
    let ran = sandbox.write("page.xml", "<html></html>").run(&["list", "page.xml", "--sitemaps"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
}

#[test]
fn a_robots_txt_is_a_target_of_every_command() {
    let pages = Server::start(vec![("/a.xml", ok(urlset(PAGE)))]);
    let robots = format!("Sitemap: {}\nSitemap: /relative.xml\n", pages.url("/a.xml"));
    let sandbox = Sandbox::new();
    sandbox.write("robots.txt", &robots);
    let found = format!(
        "1 `Sitemap:` line of `robots.txt` left out: no http or https URL\nfound `{}` in `robots.txt`\n",
        pages.url("/a.xml")
    );
    let ran = sandbox.run(&["list", "robots.txt", "--allow-private"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("https://example.com/\n", found.as_str()));
    let ran = sandbox.run(&["list", "robots.txt", "--sitemaps", "--allow-private"]);
    assert_eq!(ran.stdout, format!("{}\n", pages.url("/a.xml")));
    let ran = sandbox.run(&["diff", "robots.txt", &pages.url("/a.xml"), "--allow-private"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = sandbox.run(&["check", "robots.txt", "--allow-private"]);
    // The page and its sitemap are on different hosts. The rule depends on whether this machine has a network.
    assert!(ran.stdout.contains("out-of-scope]") || ran.stdout.contains("scope-unknown]"), "{}", ran.stdout);
    let ran = sandbox.run(&["stats", "robots.txt", "--allow-private"]);
    assert_eq!((ran.status, ran.stdout.contains("a.xml")), (0, true), "{}", ran.stdout);

    let site = Server::start(vec![("/robots.txt", ok(format!("Sitemap: {}\n", pages.url("/a.xml"))))]);
    let ran = Sandbox::new().run(&["list", &site.url("/robots.txt"), "--allow-private"]);
    assert_eq!(ran.stdout, "https://example.com/\n");
    assert_eq!(ran.stderr, format!("found `{}` in `{}`\n", pages.url("/a.xml"), site.url("/robots.txt")));
}

#[test]
fn a_robots_txt_on_disk_leads_to_the_files_next_to_it() {
    let sandbox = Sandbox::new();
    sandbox.write("public/robots.txt", "Sitemap: https://example.com/sitemap.xml\n");
    sandbox.write("public/sitemap.xml", urlset(PAGE));
    let ran = sandbox.run(&["list", "public/robots.txt"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "https://example.com/\n"));
    assert_eq!(
        ran.stderr,
        "found `public/sitemap.xml` for `https://example.com/sitemap.xml` in `public/robots.txt`\n"
    );
}

#[test]
fn a_robots_txt_without_sitemaps_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("robots.txt", "User-agent: *\nDisallow:\n");
    let ran = sandbox.run(&["check", "robots.txt"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (2, "error: `robots.txt` lists no sitemap; give the path or URL of a sitemap\n")
    );
    let server = Server::start(vec![("/robots.txt", ok("")), ("/no/robots.txt", status(404, ""))]);
    let url = server.url("/robots.txt");
    let ran = sandbox.run(&["check", &url, "--allow-private"]);
    assert_eq!(
        (ran.status, ran.stderr),
        (
            2,
            format!(
                "error: `{url}` lists no sitemap; give the URL of a sitemap, or look at the usual paths with \
                 `--probe`\n"
            )
        )
    );
    let url = server.url("/no/robots.txt");
    let ran = sandbox.run(&["check", &url, "--allow-private"]);
    assert_eq!((ran.status, ran.stderr), (2, format!("error: cannot read `{url}`: status 404: not found\n")));
}

#[test]
fn a_probe_finds_sitemaps_that_robots_txt_does_not_list() {
    let page = |name: &str| ok(urlset(&format!("<url><loc>https://example.com/{name}</loc></url>\n")));
    let listed = Server::start(vec![
        ("/robots.txt", ok("Sitemap: /sitemap.xml\n")),
        ("/sitemap.xml", page("a")),
        // A web page with status 200 is not a sitemap. A sitemap that is found twice is listed once.
        ("/sitemap_index.xml", ok_with("Content-Type: text/html\r\n", "<!doctype html><title>Oops</title>")),
        ("/sitemap-index.xml", status(301, "Location: /sitemap.xml\r\n")),
        ("/wp-sitemap.xml", page("b")),
        ("/sitemap.xml.gz", status(500, "")),
        ("/sitemap.txt", ok("https://example.com/c\n")),
    ]);
    for target in ["/", "/robots.txt"] {
        let url = listed.url(target);
        let args = ["list", &url, "--probe", "--allow-private", "--retries", "0"];
        let ran = Sandbox::new().run(&args);
        assert_eq!(ran.stdout, "https://example.com/a\nhttps://example.com/b\nhttps://example.com/c\n");
        assert_eq!(
            ran.stderr,
            format!(
                "warning: line 1 of `{0}/robots.txt` has no absolute URL, found \"/sitemap.xml\"\n\
                 found `{0}/sitemap.xml` in `{0}/robots.txt`\n\
                 found `{0}/wp-sitemap.xml` at a usual path\n\
                 warning: cannot read `{0}/sitemap.xml.gz`: the server responds with status 500\n\
                 found `{0}/sitemap.txt` at a usual path\n",
                listed.url("")
            )
        );
    }
    let without = Server::start(vec![("/wp-sitemap.xml", page("b"))]);
    let ran = Sandbox::new().run(&["list", &without.url("/"), "--probe", "--allow-private"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "https://example.com/b\n"), "{}", ran.stderr);
}

#[test]
fn a_robots_txt_that_lists_itself_is_read_once() {
    let site = Server::start(vec![
        ("/robots.txt", ok("Disallow: /\nSITEMAP:/Maps/A.xml\nSitemap: /robots.txt\n")),
        ("/Maps/A.xml", ok(urlset(PAGE))),
    ]);
    let ran = Sandbox::new().run(&["list", &site.url("/"), "--allow-private"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "https://example.com/\n"), "{}", ran.stderr);
    assert_eq!(
        ran.stderr.replace(&site.url(""), "HOST"),
        "warning: line 2 of `HOST/robots.txt` has no absolute URL, found \"/Maps/A.xml\"\n\
         warning: line 3 of `HOST/robots.txt` has no absolute URL, found \"/robots.txt\"\n\
         warning: `HOST/robots.txt` lists a robots.txt as a sitemap; left out\n\
         found `HOST/Maps/A.xml` in `HOST/robots.txt`\n"
    );
    assert_eq!(site.requested(), ["/robots.txt", "/Maps/A.xml"]);
}

#[test]
fn a_list_without_some_child_sitemaps_is_incomplete() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "sitemap.xml",
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <sitemap><loc>ftp://example.com/a.xml</loc></sitemap>\
         <sitemap><loc>https://example.com/b.xml</loc></sitemap></sitemapindex>",
    );
    sandbox.write("b.xml", urlset(PAGE));
    let ran = sandbox.run(&["list", "sitemap.xml"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, "https://example.com/\n"), "{}", ran.stderr);
    let error = "error: cannot read all of `sitemap.xml`: 1 child sitemap without a valid URL; ";
    assert!(ran.stderr.contains(error), "{}", ran.stderr);
}
