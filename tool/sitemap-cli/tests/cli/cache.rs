//! `--cache`: unchanged documents are not downloaded again.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use crate::support::server::{Server, conditional, ok, ok_with, status};
use crate::support::{Ran, Sandbox, index, skip, urlset};

fn page(name: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/{name}</loc></url>\n"))
}

fn list(sandbox: &Sandbox, url: &str, more: &[&str]) -> Ran {
    sandbox.run(&[&["list", url, "--allow-private", "--cache", "cache"], more].concat())
}

/// Returns the paths of the documents in the cache.
fn documents(sandbox: &Sandbox) -> Vec<PathBuf> {
    let files = fs::read_dir(sandbox.path().join("cache")).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "document")).collect();
    files.sort();
    files
}

#[test]
fn an_unchanged_document_is_not_sent_again() {
    let content = Arc::new(Mutex::new(("\"1\"", page("old"))));
    let pages = Server::start(vec![
        ("/a.xml", conditional(Arc::clone(&content))),
        // A response without a validator can't be revalidated, and a response with `no-store` isn't stored.
        ("/b.xml", ok(page("b"))),
        ("/c.xml", ok_with("ETag: \"c\"\r\nCache-Control: private, no-store\r\n", page("c"))),
    ]);
    let children = ["/a.xml", "/b.xml", "/c.xml"].map(|path| pages.url(path));
    let front = Server::start(vec![
        ("/sitemap.xml", ok(index(&children.each_ref().map(String::as_str)))),
        ("/moved.xml", status(301, format!("Location: {}\r\n", pages.url("/a.xml")))),
    ]);
    let (sandbox, url) = (Sandbox::new(), front.url("/sitemap.xml"));
    let lines =
        |first: &str| format!("https://example.com/{first}\nhttps://example.com/b\nhttps://example.com/c\n");
    let ran = list(&sandbox, &url, &[]);
    assert_eq!((ran.status, ran.stdout), (0, lines("old")));
    assert_eq!(ran.stderr, "cache: 0 sitemaps unchanged, 1 stored\n");
    let ran = list(&sandbox, &url, &[]);
    assert_eq!((ran.status, ran.stdout), (0, lines("old")));
    assert_eq!(ran.stderr, "cache: 1 sitemap unchanged, 0 stored\n");
    *content.lock().unwrap() = ("\"2\"", page("new"));
    let ran = list(&sandbox, &url, &[]);
    assert_eq!((ran.status, ran.stdout), (0, lines("new")));
    assert_eq!(ran.stderr, "cache: 0 sitemaps unchanged, 1 stored\n");
    assert_eq!(documents(&sandbox).len(), 1);
    // The tag is sent only to the URL that returned it, not to the URL that redirects there.
    for expected in ["cache: 0 sitemaps unchanged, 1 stored\n", "cache: 1 sitemap unchanged, 0 stored\n"] {
        assert_eq!(list(&sandbox, &front.url("/moved.xml"), &[]).stderr, expected);
    }
    assert_eq!(
        front.headers("If-None-Match"),
        ["/moved.xml none", "/moved.xml none", "/sitemap.xml none", "/sitemap.xml none", "/sitemap.xml none"]
    );
    assert_eq!(
        pages.headers("If-None-Match"),
        [
            "/a.xml \"1\"",
            "/a.xml \"1\"",
            "/a.xml \"2\"",
            "/a.xml none",
            "/a.xml none",
            "/b.xml none",
            "/b.xml none",
            "/b.xml none",
            "/c.xml none",
            "/c.xml none",
            "/c.xml none"
        ]
    );
}

#[test]
fn a_date_counts_if_it_is_older_than_the_response() {
    const OLD: &str =
        "Last-Modified: Sat, 21 Nov 2026 10:00:00 GMT\r\nDate: Sat, 21 Nov 2026 10:00:01 GMT\r\n";
    const NOW: &str =
        "Last-Modified: Sat, 21 Nov 2026 10:00:00 GMT\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\n";

    let server =
        Server::start(vec![("/old.xml", ok_with(OLD, page("a"))), ("/now.xml", ok_with(NOW, page("b")))]);
    let sandbox = Sandbox::new();
    for path in ["/old.xml", "/old.xml", "/now.xml", "/now.xml"] {
        assert_eq!(list(&sandbox, &server.url(path), &[]).status, 0);
    }
    assert_eq!(
        server.headers("If-Modified-Since"),
        ["/now.xml none", "/now.xml none", "/old.xml Sat, 21 Nov 2026 10:00:00 GMT", "/old.xml none"]
    );
}

#[test]
fn a_damaged_document_is_removed_and_the_run_fails() {
    let content = Arc::new(Mutex::new(("\"1\"", page("a"))));
    let server = Server::start(vec![("/a.xml", conditional(content))]);
    let front = Server::start(vec![("/sitemap.xml", ok(index(&[&server.url("/a.xml")])))]);
    for command in ["list", "check", "stats"] {
        let (sandbox, url) = (Sandbox::new(), front.url("/sitemap.xml"));
        let args = [command, &url, "--allow-private", "--cache", "cache", "--allow", "all"];
        let args = if command == "check" { &args[..] } else { &args[..5] };
        assert_eq!(sandbox.run(args).status, 0);
        let whole = fs::read(&documents(&sandbox)[0]).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for damaged in [&flipped[..], &whole[..whole.len() / 2], &whole[..20], b""] {
            let path = documents(&sandbox)[0].clone();
            fs::write(&path, damaged).unwrap();
            let ran = sandbox.run(args);
            assert_eq!(ran.status, 2, "{}", ran.stderr);
            let name = path.file_name().unwrap().to_str().unwrap();
            let message = format!(
                "error: `cache/{name}` of the cache was damaged and has been removed; run the command again\n"
            );
            assert!(ran.stderr.contains(&message), "{}", ran.stderr);
            let ran = sandbox.run(args);
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            assert_eq!(fs::read(&documents(&sandbox)[0]).unwrap(), whole);
        }
    }
}

#[test]
fn a_folder_that_is_not_a_cache_of_this_version_is_refused() {
    let server = Server::start(vec![("/a.xml", ok_with("ETag: \"1\"\r\n", page("a")))]);
    let url = server.url("/a.xml");
    for (name, content, message) in [
        (
            "cache/sitemap-cache",
            "2\n",
            "the cache `cache` has version 2, and this program reads version 1; remove the folder, or name another one",
        ),
        (
            "cache/sitemap-cache",
            "\u{0}x",
            "the cache `cache` is damaged: its file `sitemap-cache` has no version; remove the folder, or name another \
             one",
        ),
        ("cache/thesis.doc", "x", "the folder `cache` is not a cache and not empty; name another folder"),
        ("cache", "x", "cannot write the cache `cache`: file exists; name another folder"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write(name, content);
        let ran = list(&sandbox, &url, &[]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert_eq!(ran.stderr, format!("error: cannot read `{url}`: {message}\n"));
        assert_eq!(sandbox.read(name), content);
    }
    assert_eq!(server.requested(), Vec::<String>::new());
}

#[test]
fn a_cache_that_cannot_be_written_is_refused() {
    let content = Arc::new(Mutex::new(("\"1\"", page("a"))));
    let server = Server::start(vec![("/a.xml", conditional(content))]);
    let (sandbox, url) = (Sandbox::new(), server.url("/a.xml"));
    assert_eq!(list(&sandbox, &url, &[]).status, 0);
    let cache = sandbox.path().join("cache");
    let change = |attribute| Command::new("chattr").arg(attribute).arg(&cache).output();
    if !change("+i").is_ok_and(|done| done.status.success()) {
        return skip("`chattr +i` needs Linux, root and a file system with attributes");
    }
    let ran = list(&sandbox, &url, &[]);
    change("-i").unwrap();
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        format!(
            "error: cannot read `{url}`: cannot write the cache `cache`: operation not permitted; name another folder\n"
        )
    );
    assert_eq!(list(&sandbox, &url, &[]).stderr, "cache: 1 sitemap unchanged, 0 stored\n");
}

#[test]
fn a_full_cache_forgets_what_was_not_used_for_the_longest_time() {
    let tagged = |name: &str| ok_with("ETag: \"1\"\r\n", page(name));
    let server = Server::start(vec![
        ("/a.xml", tagged("a")),
        ("/b.xml", tagged("b")),
        ("/c.xml", tagged("c")),
        ("/large.xml", ok_with("ETag: \"1\"\r\n", urlset(&"\n".repeat(5_000)))),
    ]);
    let sandbox = Sandbox::new();
    let get = |path: &str, limit: u64| {
        let limit = limit.to_string();
        let stderr = list(&sandbox, &server.url(path), &["--cache-max-bytes", &limit]).stderr;
        stderr.lines().find(|line| line.starts_with("cache: ")).unwrap().to_owned()
    };
    get("/a.xml", 1 << 20);
    let one = documents(&sandbox)[0].clone();
    let size = fs::metadata(&one).unwrap().len();
    fs::File::options().append(true).open(&one).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    get("/b.xml", 1 << 20);
    // The limit has room for two documents and a tenth to spare, so the third document removes the oldest.
    let limit = size * 5 / 2;
    assert_eq!(
        get("/c.xml", limit),
        format!("cache: 0 sitemaps unchanged, 1 stored, 1 old one removed at the limit of {limit} bytes")
    );
    assert_eq!((documents(&sandbox).len(), one.exists()), (2, false));
    assert_eq!(get("/large.xml", limit), "cache: 0 sitemaps unchanged, 0 stored, 1 could not be stored");
    assert_eq!(documents(&sandbox).len(), 2);
}

#[test]
fn two_runs_use_one_cache_at_the_same_time() {
    let responders: Vec<_> = vec![("/child/*", ok_with("ETag: \"1\"\r\n", page("x")))];
    let pages = Server::start(responders);
    let children: Vec<_> = (0..60).map(|number| pages.url(&format!("/child/{number}.xml"))).collect();
    let children: Vec<_> = children.iter().map(String::as_str).collect();
    let front = Server::start(vec![("/sitemap.xml", ok(index(&children)))]);
    let (sandbox, url) = (Sandbox::new(), front.url("/sitemap.xml"));
    // The limit is so small that the runs remove each other's documents.
    let args = ["list", &url, "--allow-private", "--cache", "cache", "--cache-max-bytes", "4000"];
    let runs: Vec<_> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..4).map(|_| scope.spawn(|| sandbox.run(&args))).collect();
        started.into_iter().map(|run| run.join().unwrap()).collect()
    });
    for ran in runs {
        assert_eq!((ran.status, ran.stdout), (0, "https://example.com/x\n".repeat(60)), "{}", ran.stderr);
    }
    let names: Vec<_> =
        fs::read_dir(sandbox.path().join("cache")).unwrap().map(|file| file.unwrap().file_name()).collect();
    let unfinished = names.iter().filter(|name| name.to_string_lossy().starts_with(".unfinished-"));
    assert_eq!(unfinished.count(), 0, "{names:?}");
}

#[test]
fn a_server_that_changes_a_document_between_two_answers_is_believed() {
    // The server responds that nothing has changed, but its response is about a different document.
    let server = Server::start(vec![("/a.xml", {
        let (first, second, liar) = (
            ok_with("ETag: \"1\"\r\n", page("one")),
            ok_with("ETag: \"2\"\r\n", page("two")),
            status(304, "ETag: \"2\"\r\n"),
        );
        let asked = Mutex::new(0);
        Box::new(move |stream| {
            let mut asked = asked.lock().unwrap();
            *asked += 1;
            match *asked {
                1 => first(stream),
                2 => liar(stream),
                _ => second(stream),
            }
        })
    })]);
    let (sandbox, url) = (Sandbox::new(), server.url("/a.xml"));
    assert_eq!(list(&sandbox, &url, &[]).stdout, "https://example.com/one\n");
    assert_eq!(list(&sandbox, &url, &[]).stdout, "https://example.com/two\n");
}

#[test]
fn the_documents_of_two_users_are_told_apart_by_tags_only() {
    const DATED: &str =
        "Last-Modified: Sat, 21 Nov 2026 10:00:00 GMT\r\nDate: Sat, 21 Nov 2026 10:00:09 GMT\r\n";
    let server = Server::start(vec![
        ("/dated.xml", ok_with(DATED, page("a"))),
        ("/tagged.xml", ok_with("ETag: \"1\"\r\n", page("a"))),
        (
            "/twice.xml",
            ok_with("ETag: \"1\"\r\nCache-Control: private\r\nCache-Control: No-Store\r\n", page("a")),
        ),
    ]);
    let sandbox = Sandbox::new();
    for (path, more, stored) in [
        ("/dated.xml", &["--header", "Accept-Language: de"][..], ""),
        ("/dated.xml", &["--auth", "a:1"], ""),
        ("/dated.xml", &[], "cache: 0 sitemaps unchanged, 1 stored\n"),
        ("/tagged.xml", &["--auth", "a:1"], "cache: 0 sitemaps unchanged, 1 stored\n"),
        ("/twice.xml", &[], ""),
    ] {
        let ran = list(&sandbox, &server.url(path), more);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, stored), "{path} {more:?}");
    }
}

#[test]
fn a_tag_that_is_too_long_is_not_stored() {
    let tag = format!("ETag: \"{}\"\r\n", "x".repeat(66_000));
    let server = Server::start(vec![("/a.xml", ok_with(tag, page("a")))]);
    let sandbox = Sandbox::new();
    for _ in 0..2 {
        let ran = list(&sandbox, &server.url("/a.xml"), &[]);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (0, "cache: 0 sitemaps unchanged, 0 stored, 1 could not be stored\n")
        );
    }
}
