//! The test cases. Each case is a function.

use std::io::Read as _;

use flate2::read::GzDecoder;

use crate::{Guide, Process, Response};

const SITE: &str = "https://www.example.com";

/// Returns the URLs in a document, in document order.
fn urls(response: &Response) -> Vec<String> {
    let pieces = response.text().split("<loc>").skip(1);
    pieces.map(|piece| piece.split("</loc>").next().unwrap_or_default().to_owned()).collect()
}

/// Returns the path of a section's child sitemap.
fn child(process: &Process, section: &str) -> String {
    let index = process.get("/sitemap.xml");
    let prefix = format!("{SITE}/sitemap-{section}-1-");
    let child = urls(&index).into_iter().find(|url| url.starts_with(&prefix));
    child.unwrap_or_else(|| panic!("{} has no {prefix}", index.text()))[SITE.len()..].to_owned()
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn an_index_lists_children_that_list_the_pages(process: &mut Process) {
    let index = process.get("/sitemap.xml");
    assert_eq!((index.status, index.header("content-type")), (200, Some("application/xml")));
    assert!(index.text().ends_with("</sitemapindex>\n"), "{}", index.text());
    assert_eq!(urls(&index).len(), 2);
    let pages = process.get(&child(process, "pages"));
    assert_eq!((pages.status, pages.header("content-type")), (200, Some("application/xml")));
    assert_eq!(urls(&pages), ["/", "/about"].map(|path| SITE.to_owned() + path));
    let posts = process.get(&child(process, "posts"));
    assert_eq!(urls(&posts), ["tea", "biscuits"].map(|slug| format!("{SITE}/posts/{slug}")));
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn head_has_the_headers_of_get(process: &mut Process) {
    let (get, head) = (process.get("/sitemap.xml"), process.ask("HEAD", "/sitemap.xml", &[]));
    assert_eq!(head.status, 200);
    assert_eq!(get.header("content-length"), Some(get.body.len().to_string().as_str()));
    for name in ["content-length", "content-type", "etag", "last-modified", "cache-control"] {
        assert!(get.header(name).is_some(), "{name}");
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn a_client_that_has_the_file_gets_304(process: &mut Process) {
    let path = child(process, "posts");
    let etag = process.get(&path).header("etag").expect("an entity tag").to_owned();
    assert!(etag.starts_with('"'), "the entity tag is not strong: {etag}");
    for method in ["GET", "HEAD"] {
        let response = process.ask(method, &path, &[("If-None-Match", &etag)]);
        assert_eq!((response.status, response.header("etag")), (304, Some(etag.as_str())));
    }
    assert_eq!(process.ask("GET", &path, &[("If-None-Match", "\"other\"")]).status, 200);
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn a_file_is_compressed_for_clients_that_accept_gzip(process: &mut Process) {
    let plain = process.get("/sitemap.css");
    assert_eq!((plain.status, plain.header("content-encoding")), (200, None));
    let packed = process.ask("GET", "/sitemap.css", &[("Accept-Encoding", "gzip")]);
    assert_eq!((packed.status, packed.header("content-encoding")), (200, Some("gzip")));
    let mut text = String::new();
    GzDecoder::new(&packed.body[..]).read_to_string(&mut text).expect("a whole gzip file");
    assert!(text == plain.text());
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn a_range_gets_206(process: &mut Process) {
    let path = child(process, "posts");
    let whole = process.get(&path);
    let part = process.ask("GET", &path, &[("Range", "bytes=0-4")]);
    assert_eq!((part.status, part.text()), (206, "<?xml"));
    let range = format!("bytes 0-4/{}", whole.body.len());
    assert_eq!(part.header("content-range"), Some(range.as_str()));
    assert_eq!(part.header("etag"), whole.header("etag"));
    let after = process.ask("GET", &path, &[("Range", "bytes=1000000-")]);
    assert_eq!(after.status, 416);
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn a_client_that_begins_with_http2_gets_it(process: &mut Process) {
    assert_eq!(process.get_with_http2("/sitemap.xml"), "2 200");
    assert_eq!(process.get_with_http2(&child(process, "posts")), "2 200");
    assert_eq!(process.get_with_http2("/none"), "2 404");
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn other_methods_are_refused_for_files_of_the_set(process: &mut Process) {
    let response = process.ask("POST", "/sitemap.xml", &[]);
    assert_eq!((response.status, response.header("allow")), (405, Some("GET, HEAD")));
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn robots_txt_has_the_rules_of_the_application_and_the_sitemap(process: &mut Process) {
    let robots = process.get("/robots.txt");
    assert_eq!(robots.status, 200);
    assert_eq!(
        robots.text(),
        "User-agent: *\nDisallow: /admin/\n\nSitemap: https://www.example.com/sitemap.xml\n"
    );
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn pages_and_unknown_addresses_are_left_to_the_application(process: &mut Process) {
    for (path, text) in [("/", "Home"), ("/about", "About"), ("/posts/tea", "tea")] {
        let page = process.get(path);
        assert_eq!(page.status, 200, "{path}");
        assert!(page.text().contains(text), "{path}: {}", page.text());
    }
    for path in ["/none", "/none/none", "/sitemap-none-1.xml", "/.sitemap-manifest.jsonl"] {
        let page = process.get(path);
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text().contains("no such page"), "{path}: {}", page.text());
    }
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn a_post_that_is_added_wakes_the_refreshes(process: &mut Process) {
    let (etag, path) = (process.get("/sitemap.xml"), child(process, "posts"));
    let etag = etag.header("etag").expect("an entity tag").to_owned();
    let added = process.ask("POST", "/posts/cups", &[]);
    assert_eq!(added.status, 202);
    // The interval is ten minutes, so only a wake-up can change the set during the test.
    process.until("new set", |process| {
        let index = process.ask("GET", "/sitemap.xml", &[("If-None-Match", &etag)]);
        (index.status == 200).then_some(())
    });
    let posts = process.get(&child(process, "posts"));
    assert_eq!(urls(&posts), ["tea", "biscuits", "cups"].map(|slug| format!("{SITE}/posts/{slug}")));
    assert_eq!(process.get(&path).status, 200, "a crawler with the old index finds its files");
}

/// # Panics
///
/// Panics if a response is not as expected.
pub fn a_restart_keeps_the_set(process: &mut Process) {
    a_post_that_is_added_wakes_the_refreshes(process);
    let (index, path) = (process.get("/sitemap.xml"), child(process, "posts"));
    process.restart();
    // No request gets 503, not even the first.
    assert_eq!(process.get("/sitemap.xml").text(), index.text());
    assert_eq!(urls(&process.get(&path)).len(), 3);
}

/// # Panics
///
/// Panics if the application fails or does not exit.
pub fn an_interrupt_stops_the_server_and_the_refreshes(process: &mut Process) {
    // The shutdown waits for the refreshes. If a refresh never ended, the application would not exit.
    assert!(process.end_with("INT").success());
}

/// # Panics
///
/// Panics if the application fails or does not exit.
pub fn the_signal_of_service_managers_stops_the_server_and_the_refreshes(process: &mut Process) {
    assert!(process.end_with("TERM").success());
}

/// # Panics
///
/// Panics if the connection stays open.
pub fn a_connection_that_sends_its_headers_slowly_is_closed(process: &mut Process) {
    process.send_only("GET / HTTP/1.1\r\nHost: www.exam");
    assert_eq!(process.get("/about").status, 200);
}

/// # Panics
///
/// Panics if the connection stays open.
pub fn a_connection_that_sends_nothing_is_closed(process: &mut Process) {
    process.send_only("");
    assert_eq!(process.get("/about").status, 200);
}

/// # Panics
///
/// Panics if the connection stays open.
pub fn a_connection_that_only_begins_http2_is_closed(process: &mut Process) {
    // The preface and an empty SETTINGS frame.
    process.send_only("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
    assert_eq!(process.get("/about").status, 200);
}

/// # Panics
///
/// Panics if a command prints something other than the guide shows.
pub fn the_commands_of_the_guide_print_what_it_shows(process: &mut Process) {
    let guide = match process.example() {
        "actix" => "actix-web",
        // These are sections of the axum guide and have the same pages.
        "leptos" | "loco" => "axum",
        other => other,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let address = process.address().to_string();
    Guide::read(guide).expect_the_output(folder.path(), |command| {
        command.replace("127.0.0.1:3000", &address).replace("127.0.0.1:8000", &address)
    });
}
