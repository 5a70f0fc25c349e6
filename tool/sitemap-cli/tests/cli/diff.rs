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

/// Builds two sets in 20 hash buckets. The second set differs in some of them.
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

/// Returns the path of a file that is in both sets.
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

    // A file that is identical in both sets is not read.
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

    // If the file's size differs from the manifest, both sets are read completely.
    sandbox.write(&file, "x");
    assert_eq!(run(&["diff"]).2, 2);
    assert_eq!(run(&notify).2, 2);
    sandbox.write(&file, &bytes);

    // Without a manifest, both sets are read completely. The differences are the same.
    let manifest = sandbox.read("new/.sitemap-manifest.jsonl");
    std::fs::remove_file(sandbox.path().join("new/.sitemap-manifest.jsonl")).unwrap();
    assert_eq!(run(&["diff"]), found);
    sandbox.write("new/.sitemap-manifest.jsonl", &manifest);

    // If a manifest doesn't match the index, it isn't trusted.
    let index = sandbox.read("new/sitemap.xml");
    sandbox.write("new/sitemap.xml", format!("{index}\n"));
    sandbox.write(&file, "x".repeat(bytes.len()));
    assert_eq!(run(&["diff"]).2, 2);
}

/// The sections of two sets. The page `/both` is in both sections, and is removed from one of them. The page `/moved`
/// moves to the other section.
const SECTIONS: [(&str, [&str; 2]); 2] = [
    ("old", ["/both\n/moved\n/gone\n", "/both\n/edited\n/kept\n"]),
    ("new", ["/new\n", "/both\n/moved\n/edited\n/kept\n"]),
];

/// Builds the sets with these numbers of hash buckets, and adds a date to one page of the new set. `place` returns
/// where a set is published, and `variables` are for object stores.
fn in_sections(
    sandbox: &Sandbox,
    buckets: [&str; 2],
    place: impl Fn(&str) -> String,
    variables: &[(&str, String)],
) {
    for ((name, sections), buckets) in SECTIONS.into_iter().zip(buckets) {
        let out = place(name);
        for (section, pages) in ["posts", "shop"].into_iter().zip(sections) {
            let more: String = (0..60).map(|id| format!("/{section}/{id}\n")).collect();
            sandbox.write(&format!("{section}.txt"), format!("{pages}{more}"));
        }
        let run = |command: &[&str]| {
            let arguments = [command, &["--base", "https://example.com", "--out", &out]].concat();
            let ran = sandbox.command(&arguments).envs(variables.iter().cloned()).output().unwrap();
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        };
        run(&["build", "--buckets", buckets, "posts=posts.txt", "shop=shop.txt"]);
        if name == "new" {
            sandbox.write(
                "change.ndjson",
                "{\"op\":\"upsert\",\"loc\":\"/edited\",\"lastmod\":\"2026-01-31\"}\n",
            );
            run(&["apply", "--section", "shop", "change.ndjson"]);
        }
    }
}

/// Returns the differences between two sets as sorted lines, and the URLs that `notify` would send.
fn differences(sandbox: &Sandbox, old: &str, new: &str, variables: &[(&str, String)]) -> [Vec<String>; 2] {
    let run = |arguments: &[&str]| {
        let ran =
            sandbox.command(&[arguments, &[old, new]].concat()).envs(variables.iter().cloned()).output();
        let ran = ran.unwrap();
        let (out, err) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
        (out, err, ran.status.code())
    };
    let (out, err, status) = run(&["diff", "--format", "ndjson"]);
    assert_eq!(status, Some(1), "{err}");
    assert!(err.ends_with("1 added, 1 removed, 1 changed, 123 unchanged\n"), "{err}");
    let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
    lines.sort();
    let (out, err, status) = run(&["notify", "--key", "8f3b-20a1", "--dry-run"]);
    assert_eq!(status, Some(0), "{err}");
    let mut sent: Vec<String> =
        out.split('"').filter(|text| text.contains("://")).map(str::to_owned).collect();
    sent.sort();
    [lines, sent]
}

#[test]
fn several_sections_are_compared_by_bucket_with_the_same_result() {
    let sandbox = Sandbox::new();
    in_sections(&sandbox, ["20", "20"], str::to_owned, &[]);
    let by_bucket = differences(&sandbox, "old", "new", &[]);
    assert_eq!(by_bucket[0].len(), 3, "{by_bucket:?}");
    assert_eq!(by_bucket[1].len(), 3, "{by_bucket:?}");
    // A file in an unchanged bucket is not read.
    let file = unchanged_bucket(&sandbox);
    let bytes = sandbox.read(&file);
    sandbox.write(&file, "x".repeat(bytes.len()));
    assert_eq!(differences(&sandbox, "old", "new", &[]), by_bucket);
    sandbox.write(&file, &bytes);
    // Without a manifest, or with different numbers of buckets, both sets are read completely.
    std::fs::remove_file(sandbox.path().join("new/.sitemap-manifest.jsonl")).unwrap();
    sandbox.write(&file, &bytes);
    assert_eq!(differences(&sandbox, "old", "new", &[]), by_bucket);
    let other = Sandbox::new();
    in_sections(&other, ["20", "7"], str::to_owned, &[]);
    assert_eq!(differences(&other, "old", "new", &[]), by_bucket);
}

/// Returns the path of a file of the new set, from a hash bucket that is unchanged in all sections.
fn unchanged_bucket(sandbox: &Sandbox) -> String {
    let of_buckets = |set: &str| {
        let mut buckets = std::collections::BTreeMap::<String, Vec<String>>::new();
        let index = sandbox.read(&format!("{set}/sitemap.xml"));
        for name in index.split("https://example.com/").skip(1).map(|rest| rest.split('<').next().unwrap()) {
            let bucket = name.split('-').nth(2).unwrap().to_owned();
            buckets.entry(bucket).or_default().push(name.to_owned());
        }
        buckets
    };
    let (old, new) = (of_buckets("old"), of_buckets("new"));
    let same = new.iter().find(|(bucket, names)| old.get(*bucket) == Some(names)).unwrap();
    format!("new/{}", same.1[0])
}

#[cfg(feature = "object-store")]
#[test]
fn sets_in_object_stores_are_compared_with_the_same_result() {
    let Ok(url) = std::env::var("SITEMAP_TEST_S3") else {
        return crate::support::skip("SITEMAP_TEST_S3 names no bucket; run it under `dev/ci/with-s3`");
    };
    let (endpoint, bucket) = url.rsplit_once('/').unwrap();
    let variables = [
        ("AWS_ENDPOINT", endpoint.to_owned()),
        ("AWS_ALLOW_HTTP", "true".to_owned()),
        ("AWS_ACCESS_KEY_ID", "test".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "test".to_owned()),
        ("AWS_REGION", "us-east-1".to_owned()),
    ];
    let sandbox = Sandbox::new();
    in_sections(&sandbox, ["20", "20"], str::to_owned, &[]);
    let expected = differences(&sandbox, "old", "new", &[]);
    for (name, buckets) in [("same", ["20", "20"]), ("other", ["20", "7"])] {
        let remote = |set: &str| format!("s3://{bucket}/cli-diff-{}-{name}-{set}", std::process::id());
        in_sections(&sandbox, buckets, remote, &variables);
        for (old, new) in [
            (remote("old"), remote("new")),
            ("old".to_owned(), remote("new")),
            (remote("old"), "new".to_owned()),
        ] {
            assert_eq!(differences(&sandbox, &old, &new, &variables), expected, "{old} {new}");
        }
    }
    // An object store without a set is an error.
    let nothing = format!("s3://{bucket}/cli-diff-{}-nothing", std::process::id());
    let ran = sandbox.command(&["diff", "old", &nothing]).envs(variables).output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let stderr = String::from_utf8(ran.stderr).unwrap();
    assert!(stderr.contains("has no set with an intact manifest; publish the set there"), "{stderr}");
}
