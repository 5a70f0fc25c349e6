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
        .write("site/a/index.htm", "")
        .write("site/a/x y & z.HTML", "")
        .write("site/.hidden/c.html", "")
        .write("site/.hidden.html", "")
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
            "left out 2 files that are marked `noindex`\n\
             left out 1 file that names another page as canonical\n\
             left out 1 file that redirects to another page\n"
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
    sandbox.write("site/index.html", "");
    let file = std::fs::File::options().write(true).open(sandbox.path().join("site/index.html")).unwrap();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    file.set_modified(time).unwrap();
    build(&sandbox, &[]);
    assert_eq!(
        sandbox.stdout(&["list", "out", "--format", "ndjson"]),
        "{\"loc\":\"https://example.com/docs/\",\"lastmod\":\"2023-11-14T22:13:20Z\"}\n"
    );
}

#[test]
fn dates_are_those_of_the_last_commits() {
    let sandbox = Sandbox::new();
    let git = |date: &str, args: &[&str]| git(&sandbox, date, args);
    git("", &["init", "-q"]);
    sandbox.write("site/a.html", "1").write("site/ü b.html", "1");
    git("", &["add", "."]);
    git("2024-01-01T00:00:00Z", &["commit", "-q", "-m", "one"]);
    sandbox.write("site/a.html", "2");
    git("", &["add", "."]);
    git("2025-06-01T12:00:00+02:00", &["commit", "-q", "-m", "two"]);
    sandbox.write("site/c.html", "");
    let ran = build(&sandbox, &["--lastmod", "git"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.starts_with("1 file is in no commit and has no `lastmod`\n"), "{}", ran.stderr);
    assert_eq!(
        sandbox.stdout(&["list", "out", "--format", "csv"]),
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
    sandbox.write("origin/site/a.html", "1").write("origin/site/b.html", "1");
    git("", &["-C", "origin", "add", "."]);
    for date in ["2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"] {
        sandbox.write("origin/site/a.html", date);
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
        sandbox.stdout(&["list", "out", "--format", "csv"]),
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
    sandbox.write("site/a.html", "");
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
    sandbox.write("site/a/b.html", "");
    std::os::unix::fs::symlink("..", sandbox.path().join("site/a/up")).unwrap();
    std::os::unix::fs::symlink("b.html", sandbox.path().join("site/a/c.html")).unwrap();
    build(&sandbox, &["--lastmod", "none"]);
    assert_eq!(
        sandbox.stdout(&["list", "out"]),
        "https://example.com/docs/a/b.html\nhttps://example.com/docs/a/c.html\n"
    );
}
