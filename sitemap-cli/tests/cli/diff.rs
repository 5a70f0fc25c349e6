//! `sitemap diff`.

use crate::support::{Sandbox, urlset};

fn two() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "old.xml",
            urlset(
                "<url><loc>https://example.com/same</loc><lastmod>2026-01-01</lastmod></url>\n\
                 <url><loc>https://example.com/gone</loc></url>\n\
                 <url><loc>https://example.com/changed</loc><lastmod>2026-01-01</lastmod><priority>0.5</priority></url>\n",
            ),
        )
        .write(
            "new.xml",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
             <url><loc>https://example.com/changed</loc><lastmod>2026-01-31</lastmod><changefreq>daily</changefreq>\
             <image:image><image:loc>https://example.com/1.jpg</image:loc></image:image></url>\n\
             <url><loc>https://example.com/new</loc></url>\n\
             <url><loc>https://example.com/new</loc></url>\n\
             <url><loc>https://example.com/same</loc><lastmod>2026-01-01</lastmod></url>\n\
             </urlset>\n",
        );
    sandbox
}

#[test]
fn pages_added_removed_and_changed() {
    let ran = two().run(&["diff", "old.xml", "new.xml"]);
    assert_eq!(
        ran.stdout,
        "~ https://example.com/changed\n    lastmod: 2026-01-01 -> 2026-01-31\n    changefreq: none -> daily\n    \
         priority: 0.5 -> none\n    images: changed\n\
         + https://example.com/new\n\
         - https://example.com/gone\n"
    );
    assert_eq!(ran.stderr, "1 added, 1 removed, 1 changed, 1 unchanged\n");
    assert_eq!(ran.status, 1);
}

#[test]
fn as_ndjson() {
    let ran = two().run(&["diff", "old.xml", "new.xml", "--format", "ndjson"]);
    assert_eq!(
        ran.stdout,
        concat!(
            r#"{"change":"changed","loc":"https://example.com/changed","values":{"lastmod":{"old":"2026-01-01","new":"2026-01-31"},"#,
            r#""changefreq":{"new":"daily"},"priority":{"old":"0.5"},"images":{}},"#,
            r#""page":{"loc":"https://example.com/changed","lastmod":"2026-01-31","changefreq":"daily","#,
            r#""images":[{"loc":"https://example.com/1.jpg"}]}}"#,
            "\n",
            r#"{"change":"added","page":{"loc":"https://example.com/new"}}"#,
            "\n",
            r#"{"change":"removed","loc":"https://example.com/gone"}"#,
            "\n",
        )
    );
}

#[test]
fn nothing_differs() {
    let sandbox = two();
    let ran = sandbox.run(&["diff", "old.xml", "old.xml"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("", 0));
    assert_eq!(ran.stderr, "0 added, 0 removed, 0 changed, 3 unchanged\n");
    assert_eq!(sandbox.run(&["diff", "-", "-"]).status, 2);
    assert_eq!(sandbox.run(&["diff", "missing.xml", "old.xml"]).status, 2);
}

#[test]
fn pages_of_unreadable_files_do_not_count_as_removed() {
    let sandbox = two();
    sandbox.write(
        "index.xml",
        crate::support::index(&["https://example.com/new.xml", "https://example.com/lost.xml"]),
    );
    let ran = sandbox.run(&["diff", "old.xml", "index.xml"]);
    assert_eq!(ran.status, 2);
    assert!(!ran.stdout.contains("- "), "{}", ran.stdout);
}

/// Builds two sets in 20 hash buckets. The second one has changes in some of them.
fn in_buckets() -> Sandbox {
    let sandbox = Sandbox::new();
    let pages: String = (0..200).map(|id| format!("/{id}\n")).collect();
    sandbox.write("pages.txt", &pages);
    let change = "{\"op\":\"upsert\",\"loc\":\"/7\",\"lastmod\":\"2026-01-31\"}\n\
                  {\"op\":\"remove\",\"loc\":\"/8\"}\n{\"op\":\"upsert\",\"loc\":\"/new\"}\n";
    sandbox.write("changes.ndjson", change);
    for out in ["old", "new"] {
        let to_out = ["--base", "https://example.com", "--out", out];
        let ran = sandbox.run(&[&["build"], &to_out[..], &["--buckets", "20", "pages.txt"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        if out == "new" {
            let ran = sandbox.run(&[&["apply"], &to_out[..], &["changes.ndjson"]].concat());
            assert!(ran.stderr.contains("3 files read, 3 files written\n"), "{}", ran.stderr);
        }
    }
    sandbox
}

/// Returns the path of a file that both sets have.
fn unchanged_file(sandbox: &Sandbox) -> String {
    let names = std::fs::read_dir(sandbox.path().join("new")).unwrap();
    let mut names: Vec<String> = names.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let listed = sandbox.read("new/sitemap.xml");
    let is_unchanged = |name: &&String| {
        name.starts_with("sitemap-pages-")
            && listed.contains(name.as_str())
            && sandbox.path().join("old").join(name).exists()
    };
    format!("new/{}", names.iter().find(is_unchanged).unwrap())
}

#[test]
fn only_hash_buckets_that_differ_are_read() {
    let sandbox = in_buckets();
    let run = |command: &[&str]| {
        let ran = sandbox.run(&[command, &["old", "new"]].concat());
        let mut lines: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
        lines.sort();
        (lines, ran.stderr, ran.status)
    };
    let notify = ["notify", "--key", "8f3b-20a1", "--dry-run"];
    let lines = [
        "    lastmod: none -> 2026-01-31",
        "+ https://example.com/new",
        "- https://example.com/8",
        "~ https://example.com/7",
    ];
    let found =
        (lines.map(str::to_owned).to_vec(), "1 added, 1 removed, 1 changed, 198 unchanged\n".to_owned(), 1);
    assert_eq!(run(&["diff"]), found);

    // A file that is the same in both sets is not read.
    let (file, bytes) = {
        let file = unchanged_file(&sandbox);
        (file.clone(), sandbox.read(&file))
    };
    sandbox.write(&file, "x".repeat(bytes.len()));
    assert_eq!(run(&["diff"]), found);
    let (sent, _, status) = run(&notify);
    assert_eq!((sent.len(), status), (1, 0));
    for page in ["https://example.com/new", "https://example.com/7", "https://example.com/8"] {
        assert!(sent[0].contains(&format!("\"{page}\"")), "{sent:?}");
    }
    assert_eq!(sent[0].matches("https://example.com/").count(), 3, "{sent:?}");

    // If its size is not that of the manifest, the whole sets are read.
    sandbox.write(&file, "x");
    assert_eq!(run(&["diff"]).2, 2);
    assert_eq!(run(&notify).2, 2);
    sandbox.write(&file, &bytes);

    // Without a manifest, the whole sets are read and have the same differences.
    let manifest = sandbox.read("new/.sitemap-manifest.jsonl");
    std::fs::remove_file(sandbox.path().join("new/.sitemap-manifest.jsonl")).unwrap();
    assert_eq!(run(&["diff"]), found);
    sandbox.write("new/.sitemap-manifest.jsonl", &manifest);

    // A manifest that does not describe the index is not trusted.
    let index = sandbox.read("new/sitemap.xml");
    sandbox.write("new/sitemap.xml", format!("{index}\n"));
    sandbox.write(&file, "x".repeat(bytes.len()));
    assert_eq!(run(&["diff"]).2, 2);
}
