//! `sitemap build --from-dir`.

use std::process::Command;

use crate::support::{Ran, Sandbox};

fn build(sandbox: &Sandbox, more: &[&str]) -> Ran {
    let args = ["build", "--base", "https://example.com/docs", "--out", "out", "--from-dir", "site"];
    sandbox.run(&[&args, more].concat())
}

#[test]
fn html_files_become_pages() {
    let sandbox = Sandbox::new();
    sandbox
        .write("site/index.html", "<title>Home</title>")
        .write("site/b.html", "<!doctype html><head><meta name=robots content=index></head>")
        .write("site/a/index.htm", "<title>A</title>")
        .write("site/a/x y & z.HTML", "<body>")
        .write("site/a/menu.html", "<ul><li>Home</ul>")
        .write("site/a/empty.html", "")
        .write("site/.hidden/c.html", "<title>C</title>")
        .write("site/.hidden.html", "<title>H</title>")
        .write("site/style.css", "")
        .write("site/draft.html", "<meta name=ROBOTS content='noarchive, NoIndex'>")
        .write("site/none.html", "<meta content=none name=robots>")
        .write("site/copy.html", "<link rel=canonical href=/docs/b.html>")
        .write("site/old.html", "<meta http-equiv=refresh content='0;url=b.html'>");
    let ran = build(&sandbox, &["--lastmod", "none"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.status),
        ("Sitemap: https://example.com/docs/sitemap.xml\n", 0),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.starts_with(
            "skipped 2 files marked `noindex`, such as `draft.html`\n\
             skipped 1 file redirecting to another page: `old.html` (https://example.com/docs/b.html)\n\
             skipped 1 file naming another page as canonical: `copy.html` (https://example.com/docs/b.html)\n\
             skipped 1 file without content: `a/empty.html`\n\
             skipped 1 file without `<html>`, `<head>` and doctype: `a/menu.html`\n"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!(
        sandbox.read("out/sitemap.xml"),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         <url><loc>https://example.com/docs/b.html</loc></url>\n\
         <url><loc>https://example.com/docs/</loc></url>\n\
         <url><loc>https://example.com/docs/a/</loc></url>\n\
         <url><loc>https://example.com/docs/a/x%20y%20&amp;%20z.HTML</loc></url>\n\
         </urlset>\n"
    );
}

#[test]
fn dates_are_those_of_the_files() {
    let sandbox = Sandbox::new();
    sandbox.write("site/index.html", "<title>a</title>");
    let file = std::fs::File::options().write(true).open(sandbox.path().join("site/index.html")).unwrap();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    file.set_modified(time).unwrap();
    build(&sandbox, &[]);
    assert_eq!(
        sandbox.entries("out", "ndjson"),
        "{\"loc\":\"https://example.com/docs/\",\"lastmod\":\"2023-11-14T22:13:20Z\"}\n"
    );
}

#[test]
fn dates_are_those_of_the_last_commits() {
    let sandbox = Sandbox::new();
    let git = |date: &str, args: &[&str]| git(&sandbox, date, args);
    git("", &["init", "-q"]);
    sandbox.write("site/a.html", "<title>1").write("site/ü b.html", "<title>1");
    git("", &["add", "."]);
    git("2024-01-01T00:00:00Z", &["commit", "-q", "-m", "one"]);
    sandbox.write("site/a.html", "<title>2");
    git("", &["add", "."]);
    git("2025-06-01T12:00:00+02:00", &["commit", "-q", "-m", "two"]);
    sandbox.write("site/c.html", "<title>3");
    let ran = build(&sandbox, &["--lastmod", "git"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.starts_with("1 file is in no commit and has no `lastmod`\n"), "{}", ran.stderr);
    assert_eq!(
        sandbox.entries("out", "csv"),
        "loc,lastmod,changefreq,priority\n\
         https://example.com/docs/a.html,2025-06-01T10:00:00Z,,\n\
         https://example.com/docs/c.html,,,\n\
         https://example.com/docs/%C3%BC%20b.html,2024-01-01T00:00:00Z,,\n"
    );
}

#[test]
fn a_shallow_clone_has_only_the_dates_of_its_own_commits() {
    let sandbox = Sandbox::new();
    let git = |date: &str, args: &[&str]| git(&sandbox, date, args);
    git("", &["init", "-q", "origin"]);
    sandbox.write("origin/site/a.html", "<title>1").write("origin/site/b.html", "<title>1");
    git("", &["-C", "origin", "add", "."]);
    for date in ["2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"] {
        sandbox.write("origin/site/a.html", format!("<title>{date}"));
        git(date, &["-C", "origin", "commit", "-q", "-a", "-m", "one"]);
    }
    let origin = format!("file://{}", sandbox.path().join("origin").display());
    git("", &["clone", "-q", "--depth", "2", &origin, "clone"]);
    let ran = sandbox.run(&[
        "build",
        "--base",
        "https://example.com",
        "--out",
        "out",
        "--from-dir",
        "clone/site",
        "--lastmod",
        "git",
    ]);
    let warning =
        "warning: 1 file is older than the shallow clone and has no `lastmod`; run `git fetch --unshallow`\n";
    assert!(ran.stderr.starts_with(warning), "{}", ran.stderr);
    assert_eq!(
        sandbox.entries("out", "csv"),
        "loc,lastmod,changefreq,priority\n\
         https://example.com/a.html,2026-01-01T00:00:00Z,,\n\
         https://example.com/b.html,,,\n"
    );
}

/// Runs git in a sandbox, with this commit date.
fn git(sandbox: &Sandbox, date: &str, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(sandbox.path()).args(args);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.com");
        command.env(format!("GIT_{who}_DATE"), date);
    }
    assert!(command.output().unwrap().status.success(), "{args:?}");
}

#[test]
fn a_folder_without_history_has_no_dates_from_git() {
    let sandbox = Sandbox::new();
    sandbox.write("site/a.html", "<title>a");
    let ran = build(&sandbox, &["--lastmod", "git"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.ends_with("error: `git` has no history of `site`; use `--lastmod mtime` or `none`\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_folder_without_pages_publishes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("site/a.txt", "");
    assert_eq!(
        build(&sandbox, &[]).stderr,
        "error: no page to publish, so an old set stays published; check the input\n"
    );
    let ran = sandbox.run(&["build", "--base", "https://example.com", "--out", "out", "--from-dir", "none"]);
    assert_eq!(ran.stderr, "error: cannot read `none`: no such file or directory\n");
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed() {
    let sandbox = Sandbox::new();
    sandbox.write("site/a/b.html", "<title>b");
    std::os::unix::fs::symlink("..", sandbox.path().join("site/a/up")).unwrap();
    std::os::unix::fs::symlink("b.html", sandbox.path().join("site/a/c.html")).unwrap();
    build(&sandbox, &["--lastmod", "none"]);
    assert_eq!(
        sandbox.stdout(&["list", "out"]),
        "https://example.com/docs/a/b.html\nhttps://example.com/docs/a/c.html\n"
    );
}

/// Runs `build` on the folder `site` for the root of a host.
fn build_root(sandbox: &Sandbox, base: &str, more: &[&str]) -> Ran {
    let args = ["build", "--base", base, "--out", "out", "--from-dir", "site"];
    sandbox.run(&[&args, more].concat())
}

/// What `build` lists is right for `check --pages --from-dir`, and what it doesn't list is named.
#[test]
fn build_and_check_agree_about_a_folder() {
    let sandbox = Sandbox::new();
    let link = |url: &str| format!("<title>{url}</title><link rel=canonical href={url}>");
    for (path, html) in [
        ("index.html", link("https://wood.test/")),
        ("oak/index.html", link("https://wood.test/oak")),
        ("elm/index.html", link("https://wood.test/trees/elm/")),
        ("Ash/index.html", link("https://wood.test/ash/")),
        ("yew/index.html", link("https://wood.../yew/")),
        ("fir.html", link("fir.html?utm_source=a")),
        ("box.html", link("https://wood.test/oak")),
        ("cart/index.html", "<title>Cart</title>".to_owned()),
        ("old.html", "<title>Old</title><meta http-equiv=refresh content='0; url=/oak'>".to_owned()),
        ("404/index.html", "<title>Not found</title>".to_owned()),
        ("item/404/index.html", "<title>Item 404</title>".to_owned()),
        ("_next/static/part.html", "<title>Part</title>".to_owned()),
    ] {
        sandbox.write(&format!("site/{path}"), html);
    }
    sandbox.write("site/robots.txt", "User-agent: *\nDisallow: /cart\n");
    let ran = build_root(&sandbox, "https://wood.test", &["--skipped", "skipped.csv"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let skipped = "skipped 1 file disallowed by robots.txt: `cart/index.html` (line 2 of robots.txt disallows \"/cart\")\n\
                   skipped 1 file redirecting to another page: `old.html` (https://wood.test/oak)\n\
                   skipped 1 file naming another page as canonical: `box.html` (https://wood.test/oak)\n\
                   skipped 2 files naming a canonical URL that has no file, such as `Ash/index.html` (https://wood.test/ash/)\n\
                   skipped 1 file naming a canonical URL on another host: `yew/index.html` (https://wood.../yew/)\n\
                   skipped 1 file served for missing pages: `404/index.html`\n\
                   skipped 1 file of a web framework: `_next/static/part.html`\n";
    assert!(ran.stderr.starts_with(skipped), "{}", ran.stderr);
    assert_eq!(
        sandbox.stdout(&["list", "out"]),
        "https://wood.test/fir.html?utm_source=a\n\
         https://wood.test/\n\
         https://wood.test/item/404/\n\
         https://wood.test/oak\n"
    );
    let check = sandbox.run(&["check", "out", "--pages", "--from-dir", "site"]);
    assert_eq!((check.status, check.stdout.contains("[page-")), (0, false), "{}", check.stdout);
    let csv = sandbox.read("skipped.csv");
    assert_eq!(csv.lines().count(), 1 + 8, "{csv}");
    assert!(
        csv.starts_with(
            "file,reason,detail\r\nbox.html,naming another page as canonical,https://wood.test/oak\r\n"
        ),
        "{csv}"
    );
    assert!(
        csv.contains(
            "elm/index.html,naming a canonical URL that has no file,https://wood.test/trees/elm/\r\n"
        ),
        "{csv}"
    );
}

#[test]
fn a_base_url_with_another_host_than_the_canonical_urls_is_an_error() {
    let sandbox = Sandbox::new();
    for page in ["oak", "elm", "fir"] {
        let html = format!("<title>{page}</title><link rel=canonical href=https://wood.test/{page}/>");
        sandbox.write(&format!("site/{page}/index.html"), html);
    }
    sandbox.write("site/contact.html", "<title>Contact</title>");
    let error = "error: 3 of 3 canonical URLs in the pages are on `https://wood.test`, not under `--base \
                 https://www.wood.test/`; write `--base https://wood.test/`, or correct the canonical URLs\n";
    for more in [&[][..], &["--lastmod", "content", "--state", "state"]] {
        let ran = build_root(&sandbox, "https://www.wood.test", more);
        assert!(ran.stderr.ends_with(error), "{}", ran.stderr);
        assert_eq!(ran.status, 2);
    }
    assert!(!sandbox.path().join("out/sitemap.xml").exists());
    assert_eq!(build_root(&sandbox, "https://wood.test", &[]).status, 0);
}

#[test]
fn patterns_select_the_files_of_a_folder() {
    let sandbox = Sandbox::new();
    for path in ["index", "blog/oak", "blog/drafts/elm", "drafts/fir", "de/blog/ulme"] {
        sandbox.write(&format!("site/{path}.html"), "<title>a</title>");
    }
    let listed = |more: &[&str]| {
        let ran = build_root(&sandbox, "https://wood.test", &[more, &["--max-shrink", "off"]].concat());
        (ran.stderr.lines().next().unwrap_or_default().to_owned(), sandbox.stdout(&["list", "out"]))
    };
    let (first, urls) = listed(&["--exclude", "drafts/", "--exclude", "/de/**"]);
    assert_eq!(
        first,
        "skipped 3 files excluded by `--include` or `--exclude`, such as `blog/drafts/elm.html`"
    );
    assert_eq!(urls, "https://wood.test/\nhttps://wood.test/blog/oak.html\n");
    let (_, urls) = listed(&["--include", "blog/**", "--exclude", "drafts/"]);
    assert_eq!(urls, "https://wood.test/blog/oak.html\nhttps://wood.test/de/blog/ulme.html\n");
    sandbox.write("sitemap.toml", "[build]\ninclude = [\"/blog/*\"]\n");
    assert_eq!(listed(&[]).1, "https://wood.test/blog/oak.html\n");
    let ran = build_root(&sandbox, "https://wood.test", &["--include", "a["]);
    assert!(ran.stderr.contains("`a[` is not a pattern"), "{}", ran.stderr);
}

/// Returns the names and the bytes of the files that crawlers read.
fn published(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| !name.starts_with('.'))
        .collect();
    files.sort();
    files
}

#[test]
fn two_builds_of_one_folder_are_equal_byte_for_byte() {
    let sandbox = Sandbox::new();
    for page in 0..250 {
        sandbox.write(&format!("site/{page}.html"), format!("<title>{page}</title>"));
    }
    let built = |out: &str, time: u64, options: &[&str]| {
        let args = ["build", "--base", "https://wood.test", "--from-dir", "site", "--lastmod", "none"];
        let mut command =
            sandbox.command(&[&args[..], &["--out", out, "--max-urls", "100"], options].concat());
        let output = command.env("SOURCE_DATE_EPOCH", "1700000000").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // The files of the first build are older.
        for file in std::fs::read_dir(sandbox.path().join("site")).unwrap() {
            let file = std::fs::File::options().write(true).open(file.unwrap().path()).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(time)).unwrap();
        }
        published(&sandbox.path().join(out))
    };
    for (number, options) in
        [&["--threads", "1"][..], &["--gzip"], &["--buckets", "3"], &["--gzip", "--html-page"]]
            .iter()
            .enumerate()
    {
        let one = built(&format!("one-{number}"), 1_600_000_000, options);
        let two = built(&format!("two-{number}"), 1_650_000_000, options);
        assert!(one.len() > 3 && one == two, "{options:?}");
    }
    assert!(sandbox.read("one-0/sitemap.xml").contains("<lastmod>2023-11-14T22:13:20Z</lastmod>"));
}
