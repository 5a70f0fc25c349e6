//! Tests which files in a folder the command reads.

use crate::support::{Sandbox, index, urlset};

const INDEX_NOW: [&str; 4] = ["notify", "--key", "0123abcd", "--dry-run"];

fn page(path: &str) -> String {
    urlset(&format!("<url><loc>https://example.com{path}</loc></url>\n"))
}

/// Publishes these pages, one per file, with digests in the file names.
fn build(sandbox: &Sandbox, out: &str, pages: &str) {
    let to_out =
        ["build", "--base", "https://example.com", "--names", "digest", "--max-urls", "1", "--out", out];
    let ran = sandbox.run_with(&to_out, pages.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
fn the_generation_before_is_not_read() {
    let sandbox = Sandbox::new();
    build(&sandbox, "old", "/\n/c\n");
    for pages in ["/\n/c\n", "/\n/d\n", "/\n/e\n"] {
        build(&sandbox, "new", pages);
    }
    let files = std::fs::read_dir(sandbox.path().join("new")).unwrap();
    let files = files.filter(|file| file.as_ref().unwrap().file_name().to_str().unwrap().starts_with('s'));
    assert_eq!(files.count(), 4, "the folder must contain the index, two children and one older child");

    assert_eq!(sandbox.stdout(&["list", "new"]), "https://example.com/\nhttps://example.com/e\n");
    let ran = sandbox.run(&["diff", "old", "new"]);
    assert_eq!(ran.stdout, "+ https://example.com/e\n- https://example.com/c\n");
    assert_eq!(ran.stderr, "1 added, 1 removed, 0 changed, 1 unchanged\n");
    let sent = sandbox.stdout(&[&INDEX_NOW[..], &["old", "new"]].concat());
    assert!(sent.contains(r#""urlList":["https://example.com/e","https://example.com/c"]"#), "{sent}");
    let stats = sandbox.stdout(&["stats", "new"]);
    assert!(stats.contains("\n  3 files, 2 pages, "), "{stats}");
    let ran = sandbox.run(&["check", "new"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("no findings in 3 files with 2 pages\n", 0));
    assert_eq!(ran.stderr, "note: 1 file in `new` is not listed by its `sitemap.xml`\n");
}

#[test]
fn orphans_are_not_read() {
    let sandbox = Sandbox::new();
    sandbox
        .write("set/sitemap.xml", index(&["https://example.com/sitemap-a-1.xml"]))
        .write("set/sitemap-a-1.xml", page("/a"))
        .write("set/sitemap-b-1.xml", page("/b"))
        .write("set/sitemap-2.xml", page("/2"))
        .write("set/pom.xml", "<project/>");
    assert_eq!(sandbox.stdout(&["list", "set"]), "https://example.com/a\n");
    let ran = sandbox.run(&["check", "set/", "--format", "json"]);
    assert!(!ran.stdout.contains("sitemap-b-1.xml"), "{}", ran.stdout);
    assert!(
        ran.stderr.starts_with("note: 2 files in `set/` are not listed by its `sitemap.xml`\n"),
        "{}",
        ran.stderr
    );
    // If `sitemap.xml` is a urlset, it is the whole set.
    sandbox.write("set/sitemap.xml", page("/"));
    assert_eq!(sandbox.stdout(&["list", "set"]), "https://example.com/\n");
}

#[test]
fn further_indexes_belong_to_the_set() {
    let sandbox = Sandbox::new();
    for number in 1..=4 {
        let name = if number == 1 { "sitemap.xml".to_owned() } else { format!("sitemap-{number}.xml") };
        sandbox
            .write(&format!("set/{name}"), index(&[&format!("https://example.com/sitemap-a-{number}.xml")]))
            .write(&format!("set/sitemap-a-{number}.xml"), page(&format!("/{number}")));
    }
    sandbox
        .write("set/sitemap-other.xml", index(&["https://example.com/sitemap-b-1.xml"]))
        .write("set/sitemap-b-1.xml", page("/b"));
    let listed = || sandbox.stdout(&["list", "set"]).replace("https://example.com/", "").replace('\n', " ");
    assert_eq!(listed(), "1 2 3 4 ");
    assert!(sandbox.run(&["check", "set"]).stderr.starts_with("note: 2 files in "));
    // According to the manifest, the fourth index belongs to an older set, which a set keeps for crawlers.
    for line in [
        "{\"kept\":\"sitemap-4.xml\",\"since\":1700000000,\"changes\":1}\n",
        "{\"kept\":\"sitemap-4.xml\"}\n",
    ] {
        sandbox.write("set/.sitemap-manifest.jsonl", line);
        assert_eq!(listed(), "1 2 3 ");
    }
}

#[test]
fn all_sitemaps_of_a_folder_without_an_entry_point_are_read() {
    let sandbox = Sandbox::new();
    sandbox
        .write("set/news.xml", page("/news"))
        .write("set/blog-sitemap.txt", "https://example.com/blog\n")
        .write("set/index.xml", index(&["https://example.com/shop.xml"]))
        .write("set/shop.xml", page("/shop"))
        .write("set/pom.xml", "<project/>");
    let pages = "https://example.com/shop\nhttps://example.com/blog\nhttps://example.com/news\n";
    assert_eq!(sandbox.stdout(&["list", "set"]), pages);
    let ran = sandbox.run(&["check", "set"]);
    assert_eq!(ran.stdout, "no findings in 4 files with 3 pages\n", "{}", ran.stderr);
}

#[test]
fn an_index_in_a_folder_that_lists_itself_is_read_once() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "set/sitemap.xml",
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>\
         <sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>",
    );
    sandbox.write(
        "set/a.xml",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
    );
    let ran = sandbox.run(&["check", "set", "--format", "json"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("1 warning in 2 files with 1 page"), "{}", ran.stderr);
    let ran = sandbox.run(&["check", "set"]);
    assert!(ran.stdout.starts_with("warning[index-loop]: "), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches(" --> ").count(), 1, "{}", ran.stdout);
    let sarif = sandbox.run(&["check", "set", "--format", "sarif"]).stdout;
    assert_eq!(sarif.matches("{\"location\":{\"uri\":\"set/sitemap.xml\"}}").count(), 1, "{sarif}");
    assert_eq!(sandbox.run(&["list", "set"]).stdout, "https://example.com/1\n");
}
