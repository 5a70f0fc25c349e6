//! Lists of pages in place of sitemaps: CSV, TSV and NDJSON.

use crate::support::server::{Server, ok_with, status};
use crate::support::{Ran, Sandbox, gzip, urlset};

const IMAGE: &str = "<image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
                     <image:loc>https://shop.example/1.jpg</image:loc></image:image>";

/// Returns an old sitemap and a new one. The new one has another page, and another date.
fn two() -> Sandbox {
    let page = |path: &str, date: &str, more: &str| {
        format!("<url><loc>https://shop.example/{path}</loc><lastmod>{date}</lastmod>{more}</url>\n")
    };
    let sandbox = Sandbox::new();
    let old = [page("tea?a=1&amp;b=2", "2026-01-01", IMAGE), page("cups", "2026-01-01", "")];
    let new = [page("tea?a=1&amp;b=2", "2026-02-02", IMAGE), page("pots", "2026-01-01", "")];
    sandbox.write("old.xml", urlset(&old.concat())).write("new.xml", urlset(&new.concat()));
    sandbox
}

fn lines(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().collect()
}

#[test]
fn a_list_that_was_saved_is_an_old_set() {
    let sandbox = two();
    let changed = ["~ https://shop.example/tea?a=1&b=2", "    lastmod: 2026-01-01 -> 2026-02-02"];
    let moved = ["+ https://shop.example/pots", "- https://shop.example/cups"];
    for (name, format, has_dates) in [
        ("old.txt", "text", false),
        ("old.csv", "csv", true),
        ("old.ndjson", "ndjson", true),
        ("saved", "ndjson", true),
    ] {
        sandbox.write(name, sandbox.stdout(&["list", "old.xml", "--format", format]));
        let ran = sandbox.run(&["diff", name, "new.xml"]);
        let expected = if has_dates { [&changed[..], &moved].concat() } else { moved.to_vec() };
        assert_eq!(lines(&ran), expected, "{name}: {}", ran.stderr);
        let note =
            "note: values that one of the sets cannot have, such as dates in a text file, are not compared\n";
        assert_eq!(ran.stderr.contains(note), format != "ndjson", "{name}: {}", ran.stderr);
        let ran = sandbox.run(&["diff", name, "old.xml"]);
        assert_eq!((lines(&ran), ran.status), (vec![], 0), "{name}");
    }
    let list = sandbox.read("old.csv");
    let ran = sandbox.run_with(&["diff", "-", "old.xml"], list.as_bytes());
    assert_eq!((lines(&ran), ran.status), (vec![], 0), "{}", ran.stderr);
}

#[test]
fn a_listed_entry_names_its_sitemap_and_section() {
    let sandbox = two();
    sandbox.write("set/sitemap-posts-1.xml", urlset("<url><loc>https://shop.example/a</loc></url>\n"));
    let csv = sandbox.stdout(&["list", "set", "--format", "csv"]);
    assert_eq!(
        csv,
        "loc,lastmod,changefreq,priority,sitemap,section\n\
         https://shop.example/a,,,,set/sitemap-posts-1.xml,posts\n"
    );
    assert_eq!(
        sandbox.stdout(&["list", "set", "--format", "ndjson"]),
        "{\"loc\":\"https://shop.example/a\",\"sitemap\":\"set/sitemap-posts-1.xml\",\"section\":\"posts\"}\n"
    );
    for format in ["csv", "ndjson"] {
        let name = format!("pages.{format}");
        sandbox.write(&name, sandbox.stdout(&["list", "set", "--format", format]));
        let ran = sandbox.run(&["build", "--base", "https://shop.example", "--out", format, &name]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let built = sandbox.stdout(&["list", format]);
        assert_eq!(built, "https://shop.example/a\n");
    }
}

#[test]
fn findings_of_a_list_are_in_its_lines() {
    let sandbox = Sandbox::new();
    let text = "Address,Title\r\n\"https://shop.example/a\",\"two\nlines\"\r\nhttps://shop.example/#top,x\r\n/b,y\r\n";
    for (name, text) in [("a.csv", text.as_bytes().to_vec()), ("b.csv.gz", gzip(text.as_bytes()))] {
        sandbox.write(name, text);
        let ran = sandbox.run(&["check", name]);
        let places: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with(" --> ")).collect();
        assert_eq!(places, [format!(" --> {name}:4:1"), format!(" --> {name}:5:1")], "{}", ran.stdout);
        assert_eq!(ran.stderr.lines().next(), Some(&*format!("`{name}`: ignored the column `Title`")));
        assert_eq!(ran.status, 1);
        let json = sandbox.run(&["check", name, "--format", "json"]).stdout;
        assert!(json.contains("\"loc\":\"https://shop.example/#top\""), "{json}");
    }
    // A list may be longer than a sitemap.
    let pages: String = (0..50_001).map(|number| format!("https://shop.example/{number}\n")).collect();
    sandbox.write("long.csv", format!("url\n{pages}"));
    let ran = sandbox.run(&["check", "long.csv"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn a_table_is_never_a_text_sitemap() {
    let sandbox = Sandbox::new();
    sandbox.write("pages.txt", "URL,Last crawled\nhttps://shop.example/a,2026-01-01\n");
    assert_eq!(sandbox.run(&["list", "pages.txt"]).stdout, "https://shop.example/a\n");
    sandbox.write("pages.csv", "Ziel,Datum\nhttps://shop.example/a,2026-01-01\n");
    let ran = sandbox.run(&["list", "pages.csv"]);
    assert_eq!(
        ran.stderr,
        "error: cannot read `pages.csv`: pages.csv:1: no column has a known name for URLs among `Ziel`, `Datum`; name \
         it, as in `--column loc=Address`\n"
    );
    let columns = ["--column", "loc=Ziel", "--column", "lastmod=datum"];
    let ran = sandbox.run(&[&["list", "pages.csv", "--format", "csv"], &columns[..]].concat());
    assert_eq!(lines(&ran)[1], "https://shop.example/a,2026-01-01,,,pages.csv,pages");
    let build = ["build", "--base", "https://shop.example", "--out", "set", "pages.csv"];
    assert_eq!(sandbox.run(&build).status, 2);
    assert_eq!(sandbox.run(&[&build[..], &columns].concat()).status, 0);
    sandbox.write("cut.csv", "loc,lastmod\nhttps://shop.example/a,2026-01-01\nhttps://shop.example/b");
    assert_eq!(sandbox.run(&["list", "cut.csv"]).status, 2);
}

#[test]
fn sets_of_two_hosts_are_compared_by_path() {
    let sandbox = two();
    let text = sandbox.read("old.xml").replace("https://shop.example", "https://test.example:8443");
    sandbox.write("test.xml", text);
    assert_eq!(sandbox.run(&["diff", "test.xml", "old.xml"]).status, 1);
    let map = ["--map", "https://test.example:8443=https://shop.example"];
    for sets in [["test.xml", "old.xml"], ["old.xml", "test.xml"]] {
        let ran = sandbox.run(&[&["diff"], &sets[..], &map].concat());
        assert_eq!((ran.stdout.as_str(), ran.status), ("", 0), "{sets:?}");
    }
    // Findings that a baseline knows of the other host are known.
    let wrong = |host: &str| urlset(&format!("<url><loc>{host}/#a</loc></url>\n"));
    sandbox.write("sitemap.xml", wrong("https://test.example:8443"));
    sandbox.run(&["check", "sitemap.xml", "--write-baseline", "known.json"]);
    sandbox.write("sitemap.xml", wrong("https://shop.example"));
    let check = ["check", "sitemap.xml", "--strict", "--baseline", "known.json"];
    assert_eq!(sandbox.run(&check).status, 1);
    assert_eq!(sandbox.run(&[&check[..], &map].concat()).status, 0);
}

#[test]
fn a_list_is_a_change_for_each_of_its_pages() {
    let sandbox = Sandbox::new();
    sandbox.write("pages.csv", "url,note\n/a,x\n/b,y\n");
    let site = ["--base", "https://shop.example", "--out", "set"];
    let ran = sandbox.run(&[&["build", "pages.csv", "--buckets", "2"], &site[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for (name, text) in [("more.csv", "url\n/c\n"), ("more.ndjson", "{\"loc\":\"/d\"}\n{\"loc\":\"/e\"}\n")] {
        sandbox.write(name, text);
        let ran = sandbox.run(&[&["apply", name], &site[..]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let note = format!("`{name}` has no `op`, so each row adds or changes a page, and none is removed\n");
        assert!(ran.stderr.contains(&note), "{}", ran.stderr);
    }
    assert_eq!(sandbox.stdout(&["list", "set"]).lines().count(), 5);
    // The first line decides, so a later line without `op` is a mistake.
    sandbox.write("mixed.ndjson", "{\"op\":\"remove\",\"loc\":\"/a\"}\n{\"loc\":\"/b\"}\n");
    assert_eq!(sandbox.run(&[&["apply", "mixed.ndjson"], &site[..]].concat()).status, 2);
}

#[cfg(feature = "pages")]
#[test]
fn old_urls_of_an_export_move() {
    let server = Server::start(vec![
        ("/old/a", ok_with("Content-Type: text/html\r\n", "<title>a</title>")),
        ("/old/gone", status(410, "")),
        ("/old/lost", status(404, "")),
    ]);
    let sandbox = Sandbox::new();
    let url = |path: &str| server.url(path);
    sandbox
        .write(
            "export.csv",
            format!(
                "Top pages,Clicks\n{},1\n{},2\n{},3\n",
                url("/old/a"),
                url("/old/gone"),
                url("/old/lost")
            ),
        )
        .write("new.xml", urlset(&format!("<url><loc>{}</loc></url>\n", url("/old/a"))));
    let moved = ["--moved-to", "new.xml", "--moved-csv", "moved.csv", "--allow-private", "--retries", "0"];
    let ran = sandbox.run(&[&["check", "export.csv"], &moved[..]].concat());
    let titles: Vec<&str> =
        ran.stdout.lines().filter(|line| line.starts_with("error[") || line.starts_with("note[")).collect();
    assert_eq!(
        titles,
        [
            format!("note[move-gone]: {}: the old URL answers with status 410", url("/old/gone")),
            format!(
                "error[move-missing]: {}: the old URL answers with status 404 and does not redirect",
                url("/old/lost")
            ),
        ],
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("1 of 3 old URLs in order, 1 gone on purpose (status 410)"),
        "{}",
        ran.stderr
    );
    assert!(sandbox.read("moved.csv").contains("/old/gone,410,,move-gone,"), "{}", sandbox.read("moved.csv"));
}
