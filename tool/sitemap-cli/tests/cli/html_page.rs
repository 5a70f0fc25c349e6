//! `--html-page`: the page where visitors browse a set.

use crate::support::{Ran, Sandbox};

const SITE: [&str; 4] = ["--base", "https://example.com", "--out", "out"];

fn run(sandbox: &Sandbox, command: &[&str], more: &[&str], stdin: &str) -> Ran {
    let ran = sandbox.run_with(&[command, &SITE, more].concat(), stdin.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran
}

fn files(sandbox: &Sandbox) -> Vec<String> {
    let entries = std::fs::read_dir(sandbox.path().join("out")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    names
}

/// Returns the second line of the page, which names its languages.
fn root(sandbox: &Sandbox) -> String {
    sandbox.read("out/sitemap.html").lines().nth(1).unwrap().to_owned()
}

#[test]
fn a_build_writes_and_removes_the_page() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["build"], &["--html-page"], "/a\n");
    assert_eq!(files(&sandbox), ["sitemap.html", "sitemap.xml"]);
    assert_eq!(root(&sandbox), "<html lang=\"en\">");
    let ran = run(&sandbox, &["build"], &["--html-page", "--html-languages", "fr,de"], "/a\n");
    assert_eq!(root(&sandbox), "<html lang=\"en\" data-languages=\"fr de\">");
    assert_eq!(ran.stdout, "Sitemap: https://example.com/sitemap.xml\n");
    // A run that replaces only some sections doesn't change the page.
    run(&sandbox, &["build"], &["--keep-sections", "--section", "posts"], "/posts/a\n");
    assert_eq!(
        files(&sandbox),
        ["sitemap-pages-1.xml", "sitemap-posts-1.xml", "sitemap.html", "sitemap.xml"]
    );
    let ran = run(&sandbox, &["build"], &[], "/a\n");
    assert_eq!(files(&sandbox), ["sitemap.xml"]);
    assert!(ran.stderr.ends_with("\n3 old files removed; sections removed: `posts`\n"), "{}", ran.stderr);
}

#[test]
fn the_page_is_no_page_of_its_own_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("out/index.html", "<title>a</title>");
    for _ in 0..2 {
        run(&sandbox, &["build"], &["--html-page", "--from-dir", "out"], "");
        assert_eq!(sandbox.stdout(&["list", "out/sitemap.xml"]), "https://example.com/\n");
    }
}

#[test]
fn updates_keep_the_page() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["build"], &["--html-page", "--html-languages", "nl", "--buckets", "2"], "/a\n/b\n");
    let before = sandbox.read("out/sitemap.html");
    run(&sandbox, &["apply"], &[], "{\"op\":\"upsert\",\"loc\":\"/c\"}\n");
    run(&sandbox, &["rebucket"], &["--buckets", "3"], "");
    assert_eq!(sandbox.read("out/sitemap.html"), before);
    run(&sandbox, &["apply"], &["--html-page"], "{\"op\":\"upsert\",\"loc\":\"/d\"}\n");
    assert_eq!(root(&sandbox), "<html lang=\"en\">");
}

#[test]
fn a_commit_of_shards_writes_and_removes_the_page() {
    let sandbox = Sandbox::new();
    let written = run(&sandbox, &["shard", "write"], &["--buckets", "1", "--format", "tsv"], "/a\t\t\t\n");
    run(&sandbox, &["shard", "commit"], &["--html-page"], &written.stdout);
    assert!(files(&sandbox).contains(&"sitemap.html".to_owned()));
    run(&sandbox, &["shard", "commit"], &[], &written.stdout);
    assert!(!files(&sandbox).contains(&"sitemap.html".to_owned()));
}

#[test]
fn the_configuration_turns_the_page_on() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.toml", "[build]\nhtml-page = true\nhtml-languages = [\"es\", \"en\"]\n");
    run(&sandbox, &["build"], &[], "/a\n");
    assert_eq!(root(&sandbox), "<html lang=\"en\" data-languages=\"es en\">");
    run(&sandbox, &["build"], &["--html-page=false"], "/a\n");
    assert_eq!(files(&sandbox), ["sitemap.xml"]);
    let keys = sandbox.stdout(&["--no-config", "config", "--keys"]);
    assert!(keys.contains("# html-page = false\n"), "{keys}");
}
