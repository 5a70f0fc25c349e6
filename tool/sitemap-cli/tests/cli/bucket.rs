//! `sitemap build`: file names, threads and object stores.

use crate::support::Sandbox;
#[cfg(feature = "object-store")]
use crate::support::skip;

const TO_OUT: [&str; 7] = ["build", "--base", "https://example.com", "--max-urls", "2", "--gzip", "--out"];

const PAGES: &str = "/1\n/2\n/3\n/4\n/5\n";

fn build(sandbox: &Sandbox, out: &str, more: &[&str]) -> crate::support::Ran {
    sandbox.run_with(&[&TO_OUT, &[out][..], more].concat(), PAGES.as_bytes())
}

fn files(sandbox: &Sandbox, folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(sandbox.path().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| !name.starts_with('.'))
        .collect();
    files.sort();
    files
}

#[test]
fn names_are_stable_or_contain_a_digest() {
    let sandbox = Sandbox::new();
    assert_eq!(build(&sandbox, "stable", &["--names", "stable"]).status, 0);
    assert_eq!(build(&sandbox, "digest", &["--names", "digest"]).status, 0);
    let names = |folder| files(&sandbox, folder).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(
        names("stable"),
        ["sitemap-pages-1.xml.gz", "sitemap-pages-2.xml.gz", "sitemap-pages-3.xml.gz", "sitemap.xml"]
    );
    let names = names("digest");
    assert_eq!(names.len(), 4);
    assert!(
        names[0].starts_with("sitemap-pages-1-") && names[0].len() == "sitemap-pages-1-01234567.xml.gz".len()
    );
    let pages = |folder| sandbox.stdout(&["list", folder]);
    assert_eq!(pages("stable"), pages("digest"));
}

#[test]
fn files_of_earlier_sets_stay_for_a_number_of_sets_or_a_time() {
    let sandbox = Sandbox::new();
    let build = |page: &str, more: &[&str]| {
        let to_out = [
            "build",
            "--base",
            "https://example.com",
            "--max-urls",
            "1",
            "--out",
            "set",
            "--names",
            "digest",
        ];
        let ran = sandbox.run_with(&[&to_out[..], more].concat(), format!("{page}\n/same\n").as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stderr.lines().last().unwrap().to_owned()
    };
    let two = ["--keep-generations", "2"];
    build("/1", &two);
    assert_eq!(build("/2", &two), "1 old file kept");
    assert_eq!(build("/3", &two), "2 old files kept");
    assert_eq!(build("/4", &two), "1 old file removed; 2 old files kept");
    assert_eq!(build("/5", &["--keep-generations", "0", "--keep-for", "24h"]), "3 old files kept");
    let bounded = ["--keep-generations", "0", "--keep-for", "24h", "--keep-at-most", "400"];
    assert_eq!(build("/6", &bounded), "2 old files removed, 2 of them before their time; 2 old files kept");
    assert_eq!(build("/7", &["--keep-generations", "0"]), "3 old files removed");
    let ran = sandbox.run(&["build", "--base", "https://example.com", "--out", "set", "--keep-for", "24"]);
    assert!(
        ran.status == 2 && ran.stderr.contains("write a number and a unit, like 30s, 90m, 24h or 7d"),
        "{}",
        ran.stderr
    );
}

#[test]
fn any_number_of_threads_makes_the_same_files() {
    let sandbox = Sandbox::new();
    build(&sandbox, "one", &["--threads", "1", "--names", "digest"]);
    build(&sandbox, "three", &["--threads", "3", "--names", "digest"]);
    // The indexes differ, because they contain the files' dates.
    let children = |folder| files(&sandbox, folder).into_iter().filter(|(name, _)| name != "sitemap.xml");
    assert!(children("one").eq(children("three")) && children("one").count() == 3);
    let ran = build(&sandbox, "none", &["--threads", "0"]);
    assert!(ran.status == 2 && ran.stderr.contains("0 is not in 1..=1024"), "{}", ran.stderr);
}

#[test]
fn other_schemes_are_refused() {
    let sandbox = Sandbox::new();
    for scheme in ["https", "file", "memory", "ftp"] {
        let ran = build(&sandbox, &format!("{scheme}:///x"), &[]);
        assert_eq!(
            (ran.stderr, ran.status),
            (
                format!(
                    "error: `--out`: `{scheme}://` is not an object store; use a folder, `s3://`, `gs://` or \
                     `az://`\n"
                ),
                2
            )
        );
    }
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0);
}

#[test]
fn options_of_object_stores_are_refused_for_folders() {
    let sandbox = Sandbox::new();
    for (option, value) in [
        ("--cache-control", "max-age=60"),
        ("--acl", "public-read"),
        ("--storage-class", "STANDARD_IA"),
        ("--retry-for", "10m"),
        ("--answer-within", "10s"),
    ] {
        let ran = build(&sandbox, "folder", &[option, value]);
        assert_eq!(
            (ran.stderr, ran.status),
            (format!("error: `{option}` is for object stores; leave it out for a folder\n"), 2)
        );
    }
}

/// The input stays open, so a command that read the input before checking the bucket would wait forever.
#[cfg(feature = "object-store")]
#[test]
fn an_unusable_bucket_is_reported_before_the_input_is_read() {
    for more in [&["build", "--input-format", "ndjson"][..], &["shard", "commit"]] {
        let mut child = Sandbox::new()
            .command(
                &[
                    more,
                    &["--base", "https://example.com", "--out", "s3://bucket/x", "--answer-within", "1s"],
                ]
                .concat(),
            )
            // No server listens on this port.
            .envs([
                ("AWS_ENDPOINT", "http://127.0.0.1:9"),
                ("AWS_ALLOW_HTTP", "true"),
                ("AWS_ACCESS_KEY_ID", "test"),
                ("AWS_SECRET_ACCESS_KEY", "test"),
            ])
            .stdin(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let ran = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!(
            String::from_utf8(ran.stderr).unwrap(),
            "error: cannot reach `s3://bucket/x`: `127.0.0.1:9` did not answer within 1 seconds: connection refused; \
             check the endpoint, the region and the network\n"
        );
        assert_eq!(ran.status.code(), Some(2));
    }
}

#[cfg(feature = "object-store")]
#[test]
fn a_set_in_a_bucket() {
    let Ok(url) = std::env::var("SITEMAP_TEST_S3") else {
        return skip("SITEMAP_TEST_S3 names no bucket; run it under `dev/ci/with-s3`");
    };
    let (endpoint, bucket) = url.rsplit_once('/').unwrap();
    let out = format!("s3://{bucket}/cli-{}", std::process::id());
    let sandbox = Sandbox::new();
    sandbox.write("pages.txt", PAGES);
    // The second run finds the set that the first run published.
    for _ in 0..2 {
        let output = sandbox
            .command(&[&TO_OUT, &[&out, "pages.txt"][..]].concat())
            .envs([
                ("AWS_ENDPOINT", endpoint),
                ("AWS_ALLOW_HTTP", "true"),
                ("AWS_ACCESS_KEY_ID", "test"),
                ("AWS_SECRET_ACCESS_KEY", "test"),
                ("AWS_REGION", "us-east-1"),
            ])
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let (stdout, stderr) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(stdout, "Sitemap: https://example.com/sitemap.xml\n", "{stderr}");
        assert!(stderr.contains("5 URLs in 3 files"), "{stderr}");
    }
}

#[cfg(not(feature = "object-store"))]
#[test]
fn a_build_without_object_stores_reports_it() {
    for url in ["s3://bucket/x", "s3://key:secret@bucket/x"] {
        let ran = build(&Sandbox::new(), url, &[]);
        assert_eq!(
            (ran.stderr.as_str(), ran.status),
            (
                "error: `--out`: this `sitemap` was built without object stores such as `s3://`; build it with the \
                 feature `object-store`\n",
                2
            )
        );
    }
}
