//! `sitemap check --since`.

use crate::support::{Ran, Sandbox};

const TO: [&str; 4] = ["build", "--base", "https://example.com", "--out"];

fn build(sandbox: &Sandbox, out: &str, pages: &str) {
    let ran = sandbox.run_with(&[&TO[..], &[out, "--max-urls", "2", "-"]].concat(), pages.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

/// Publishes four sitemaps of two pages each. Then publishes a second set, where one page of the third sitemap differs.
fn two_sets() -> Sandbox {
    let sandbox = Sandbox::new();
    build(&sandbox, "old", "/1\n/2\n/3\n/4\n/5\n/6\n/7\n/8\n");
    build(&sandbox, "new", "/1\n/2\n/3\n/4\n/5\n/six\n/7\n/8\n");
    sandbox
}

fn summary(ran: &Ran) -> Vec<&str> {
    ran.stderr.lines().collect()
}

#[test]
fn only_sitemaps_that_differ_are_checked() {
    let sandbox = two_sets();
    // A finding in an unchanged file is not reported again. A finding in a changed file is.
    let of_page = |page: &str, file: &str| {
        let path = sandbox.path().join("new").join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace(page, &format!("{page}#top"))).unwrap();
    };
    of_page("/six", "sitemap-pages-3.xml");
    let ran = sandbox.run(&["check", "new", "--since", "old", "--at", "https://example.com/"]);
    assert!(ran.stdout.starts_with("warning[loc-fragment]: "), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches('[').count(), 1, "{}", ran.stdout);
    assert_eq!(
        summary(&ran)[0],
        "3 sitemaps with 6 pages not checked, because `old` has the same; their pages are not compared with those of the \
         other sitemaps"
    );
    assert!(ran.stdout.ends_with("\n1 warning in 2 files with 2 pages\n"), "{}", ran.stdout);
    assert_eq!(ran.status, 0);
    // Only the bytes matter, and not the size or the new set's manifest.
    of_page("/1", "sitemap-pages-1.xml");
    let path = sandbox.path().join("new/sitemap-pages-2.xml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("/3<", "/9<")).unwrap();
    let ran = sandbox.run(&["check", "new", "--since", "old", "--format", "json"]);
    assert_eq!(
        summary(&ran)[..2],
        [
            "1 sitemap with 2 pages not checked, because `old` has the same; their pages are not compared with those of \
             the other sitemaps",
            "2 warnings in 4 files with 6 pages",
        ]
    );
    assert!(ran.stdout.contains(r#""unchanged":{"pages":2,"since":"old","sitemaps":1}"#), "{}", ran.stdout);
}

#[test]
fn a_set_that_is_the_same_is_not_checked_again() {
    let sandbox = two_sets();
    let ran = sandbox.run(&["check", "old", "--since", "old"]);
    assert_eq!(
        (ran.status, &*ran.stdout, &*ran.stderr),
        (
            0,
            "no findings in 1 file with 0 pages\n",
            "4 sitemaps with 8 pages not checked, because `old` has the same; their pages are not compared with those of \
             the other sitemaps\n"
        )
    );
}

#[test]
fn versions_in_sitemaps_that_are_left_out_are_not_missing() {
    let sandbox = Sandbox::new();
    let versions = |lastmod: &str| {
        let alternates = r#""alternates":[{"hreflang":"de","href":"https://example.com/de"},{"hreflang":"en","href":"https://example.com/en"}]"#;
        format!(
            "{{\"loc\":\"/de\",{alternates}}}\n{{\"loc\":\"/en\",\"lastmod\":\"{lastmod}\",{alternates}}}\n"
        )
    };
    for (out, lastmod) in [("old", "2026-01-01"), ("new", "2026-02-02")] {
        sandbox.write("pages.ndjson", versions(lastmod));
        let ran = sandbox.run(&[&TO[..], &[out, "--max-urls", "1", "pages.ndjson"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let ran = sandbox.run(&["check", "new", "--since", "old"]);
    let totals = "no findings in 2 files with 1 page\n";
    assert_eq!((ran.status, &*ran.stdout), (0, totals), "{}", ran.stderr);
    // If the new set doesn't list the other version at all, that is a finding.
    std::fs::remove_dir_all(sandbox.path().join("new")).unwrap();
    sandbox.write("pages.ndjson", versions("2026-02-02").lines().nth(1).unwrap());
    assert_eq!(sandbox.run(&[&TO[..], &["new", "pages.ndjson"]].concat()).status, 0);
    let ran = sandbox.run(&["check", "new", "--since", "old"]);
    assert!(ran.stdout.starts_with("warning[hreflang-not-listed]: "), "{}", ran.stdout);
}

#[test]
fn an_old_set_without_a_manifest_is_an_error() {
    let sandbox = two_sets();
    sandbox.write("empty/x.txt", "");
    for old in ["empty", "nowhere", "old/sitemap.xml"] {
        let ran = sandbox.run(&["check", "new", "--since", old]);
        assert_eq!(
            (ran.status, ran.stderr),
            (
                2,
                format!(
                    "error: `--since`: `{old}` has no set with an intact manifest; name a folder or an object store to \
                     which `sitemap build` has published a set, or check all sitemaps\n"
                )
            )
        );
    }
    for other in [&["--no-follow"][..], &["--baseline", "x"], &["--write-baseline", "x"]] {
        assert_eq!(sandbox.run(&[&["check", "new", "--since", "old"], other].concat()).status, 2);
    }
}

#[cfg(feature = "object-store")]
#[test]
fn the_old_set_may_be_in_an_object_store() {
    let Ok(url) = std::env::var("SITEMAP_TEST_S3") else {
        return crate::support::skip("SITEMAP_TEST_S3 names no bucket; run it under `dev/ci/with-s3`");
    };
    let (endpoint, bucket) = url.rsplit_once('/').unwrap();
    let old = format!("s3://{bucket}/cli-since-{}", std::process::id());
    let sandbox = two_sets();
    sandbox.write("pages.txt", "/1\n/2\n/3\n/4\n/5\n/6\n/7\n/8\n");
    let run = |arguments: &[&str]| {
        let variables = [
            ("AWS_ENDPOINT", endpoint),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
            ("AWS_REGION", "us-east-1"),
        ];
        let ran = sandbox.command(arguments).envs(variables).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap())
    };
    let ran = run(&[&TO[..], &[&old, "--max-urls", "2", "pages.txt"]].concat());
    assert_eq!(ran.0, Some(0), "{}", ran.2);
    let (status, stdout, stderr) = run(&["check", "new", "--since", &old]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.starts_with("no findings in "), "{stdout}");
    assert!(
        stderr.starts_with(&format!("3 sitemaps with 6 pages not checked, because `{old}` has the same")),
        "{stderr}"
    );
    // For a set in an object store, the statistics are the same as for the same files in a folder.
    let (status, stdout, stderr) = run(&["stats", &old]);
    assert_eq!((status, &*stderr), (Some(0), ""));
    let lines: Vec<_> = stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert_eq!(lines[0], ["Files", "kind", "entries", "bytes", "stored"]);
    assert_eq!(lines[1][..3], ["sitemap.xml", "sitemapindex", "4"]);
    assert_eq!(lines[2][..3], ["sitemap-pages-1.xml", "urlset", "2"]);
    assert_eq!(lines[6][..4], ["5", "files,", "8", "pages,"]);
    assert!(stdout.contains("\nHash buckets that make updates cheap\n  pages "), "{stdout}");
    let nothing = format!("s3://{bucket}/cli-since-{}-nothing", std::process::id());
    let (status, _, stderr) = run(&["stats", &nothing]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("has no set with an intact manifest; publish the set there"), "{stderr}");
}
