//! `sitemap build` with several sections.

use crate::support::{Ran, Sandbox};

const TO_OUT: [&str; 5] = ["build", "--base", "https://example.com", "--out", "out"];

fn build(sandbox: &Sandbox, more: &[&str], stdin: &str) -> Ran {
    sandbox.run_with(&[&TO_OUT, more].concat(), stdin.as_bytes())
}

/// Returns the file names in the index, without dates.
fn children(sandbox: &Sandbox) -> Vec<String> {
    let index = sandbox.read("out/sitemap.xml");
    let locs = index.split("<loc>https://example.com/").skip(1);
    locs.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

fn urlset(attributes: &str, lines: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"{attributes}>\n{lines}</urlset>\n"
    )
}

#[test]
fn each_input_names_its_section() {
    let sandbox = Sandbox::new();
    sandbox
        .write("shop.csv", "loc,priority\n/shop/1,0.5\n")
        .write("more.txt", "/posts/2\n")
        .write(
            "posts.ndjson",
            "{\"loc\":\"/posts/1\",\"images\":[{\"loc\":\"https://example.com/1.jpg\"}]}\n",
        )
        .write("a=b.txt", "/b\n");
    let inputs = ["posts=posts.ndjson", "shop=shop.csv", "posts=more.txt", "-", "./a=b.txt"];
    let ran = build(&sandbox, &[&inputs[..], &["--section", "others"]].concat(), "/a\n");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "Sitemap: https://example.com/sitemap.xml\n"));
    assert!(ran.stderr.ends_with("5 URLs in 3 files, 0 invalid records skipped\n"), "{}", ran.stderr);
    assert_eq!(children(&sandbox), ["sitemap-posts-1.xml", "sitemap-shop-1.xml", "sitemap-others-1.xml"]);
    let image = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";
    assert_eq!(
        sandbox.read("out/sitemap-posts-1.xml"),
        urlset(
            image,
            "<url><loc>https://example.com/posts/1</loc>\
             <image:image><image:loc>https://example.com/1.jpg</image:loc></image:image></url>\n\
             <url><loc>https://example.com/posts/2</loc></url>\n"
        )
    );
    assert_eq!(
        sandbox.read("out/sitemap-shop-1.xml"),
        urlset(image, "<url><loc>https://example.com/shop/1</loc><priority>0.5</priority></url>\n")
    );
    assert_eq!(
        sandbox.read("out/sitemap-others-1.xml"),
        urlset(
            image,
            "<url><loc>https://example.com/a</loc></url>\n<url><loc>https://example.com/b</loc></url>\n"
        )
    );
}

#[test]
fn an_error_names_its_input_and_nothing_is_published() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "/a\n").write("b.csv", "loc\nftp://b\n");
    for (inputs, message) in [
        (&["a=a.txt", "b=b.csv"][..], "b.csv:2: `loc` must be an `http` or `https` URL, found \"ftp://b\""),
        (&["a=a.txt", "b=missing.csv"], "cannot read `missing.csv`: no such file or directory"),
        (&["a=-", "b=-"], "standard input is given twice; write `-` for one input only"),
        (
            &["a b=a.txt"],
            "the section name \"a b\" cannot be part of a file name; use 1 to 100 of the characters `A-Z a-z 0-9 - _`",
        ),
        (&["a=a.txt", "A=a.txt"], "the names `A` and `a` differ only in case; write `a` or use another name"),
    ] {
        let ran = build(&sandbox, inputs, "");
        assert_eq!((ran.stderr, ran.status), (format!("error: {message}\n"), 2));
        assert!(!sandbox.path().join("out/sitemap.xml").exists());
    }
    let ran = build(&sandbox, &["a=a.txt", "--from-dir", "."], "");
    assert!(ran.status == 2 && ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
}

#[test]
fn other_sections_stay_on_request() {
    for names in ["stable", "digest"] {
        let sandbox = Sandbox::new();
        sandbox.write("posts.txt", "/posts/1\n").write("shop.txt", "/shop/1\n");
        let build =
            |more: &[&str], stdin: &str| build(&sandbox, &[&["--names", names], more].concat(), stdin);
        assert_eq!(build(&["posts=posts.txt"], "").status, 0);

        let ran = build(&["--keep-sections", "shop=shop.txt"], "");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stderr.ends_with("skipped\nsections kept: `posts`\n"), "{}", ran.stderr);
        let ran = build(&["--keep-sections", "posts=-"], "/posts/2\n");
        assert!(ran.stderr.contains("skipped\nsections kept: `shop`"), "{}", ran.stderr);
        assert_eq!(
            sandbox.stdout(&["list", "out"]),
            "https://example.com/posts/2\nhttps://example.com/shop/1\n"
        );
        assert_eq!(sandbox.run(&["check", "out"]).status, 0);

        let ran = build(&["posts=posts.txt"], "");
        assert!(ran.stderr.contains("; sections removed: `shop`"), "{}", ran.stderr);
    }
}

#[test]
fn sections_are_kept_only_if_they_are_known() {
    let sandbox = Sandbox::new();
    build(&sandbox, &["posts=-"], "/1\n");
    std::fs::remove_file(sandbox.path().join("out/.sitemap-manifest.jsonl")).unwrap();
    let ran = build(&sandbox, &["--keep-sections", "shop=-"], "/2\n");
    assert_eq!(
        (ran.stderr.as_str(), ran.status),
        (
            "error: cannot keep the other sections of the set: `out/.sitemap-manifest.jsonl` is missing; publish all \
             sections in one run\n",
            2
        )
    );
    assert_eq!(sandbox.stdout(&["list", "out"]), "https://example.com/1\n");
}

#[test]
fn another_base_needs_an_option() {
    let sandbox = Sandbox::new();
    assert_eq!(build(&sandbox, &[], "/1\n").status, 0);
    let other = ["build", "--base", "https://shop.example/x", "--out", "out"];
    let ran = sandbox.run_with(&other, b"/2\n");
    let message = "error: the published set is of the site `https://example.com/`, and this run is of \
                   `https://shop.example/x/`; correct `--base` or `--out`, or replace the set with `--change-base`\n";
    assert_eq!((ran.stderr.as_str(), ran.status), (message, 2));
    assert_eq!(sandbox.stdout(&["list", "out"]), "https://example.com/1\n");
    let ran = sandbox.run_with(&[&other[..], &["--change-base", "--keep-sections"]].concat(), b"/2\n");
    assert!(ran.status == 2 && ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
    assert_eq!(sandbox.run_with(&[&other[..], &["--change-base"]].concat(), b"/2\n").status, 0);
    assert_eq!(sandbox.stdout(&["list", "out"]), "https://shop.example/x/2\n");
}

#[test]
fn a_commit_of_shards_keeps_other_sections_on_request() {
    let sandbox = Sandbox::new();
    build(&sandbox, &["posts=-"], "/posts/1\n");
    let to_out = ["--base", "https://example.com", "--out", "out"];
    let write = [&["shard", "write", "--section", "shop", "--buckets", "1"][..], &to_out].concat();
    let rows = sandbox.run_with(&write, b"{\"loc\":\"/shop/1\"}\n").stdout;
    let commit = [&["shard", "commit", "--keep-sections"][..], &to_out].concat();
    let ran = sandbox.run_with(&commit, rows.as_bytes());
    assert!(ran.status == 0 && ran.stderr.ends_with("\nsections kept: `posts`\n"), "{}", ran.stderr);
    assert_eq!(sandbox.stdout(&["list", "out"]), "https://example.com/posts/1\nhttps://example.com/shop/1\n");
    // `shard write` also detects a row that is cut off.
    let ran = sandbox.run_with(&[&write[..], &["--on-invalid", "skip"]].concat(), b"{\"loc\":\"/sh");
    assert_eq!(
        (ran.stderr.as_str(), ran.status),
        (
            "error: <stdin>:1: the input is cut off in this line; check that the program that writes the input has not \
             failed\n",
            2
        )
    );
}
