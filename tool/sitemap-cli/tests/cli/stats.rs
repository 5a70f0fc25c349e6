//! `sitemap stats`.

use crate::support::{Sandbox, gzip, urlset};

#[test]
fn files_sections_values_and_months() {
    let sandbox = Sandbox::new();
    let posts: String = (1..=4)
        .map(|n| {
            format!("<url><loc>https://example.com/{n}</loc><lastmod>2026-0{}-01</lastmod></url>\n", n.min(2))
        })
        .collect();
    let shop = gzip(urlset("<url><loc>https://example.com/x</loc></url>\n").as_bytes());
    sandbox.write("set/sitemap-posts-1.xml", urlset(&posts)).write("set/sitemap-shop-1.xml.gz", &shop);
    let shop = shop.len();
    let bytes = urlset(&posts).len();
    let stdout = sandbox.stdout(&["stats", "set"]);
    let lines: Vec<_> =
        stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines[0], "Files kind entries bytes stored");
    assert_eq!(lines[1], format!("sitemap-posts-1.xml urlset 4 {bytes} {bytes}"));
    assert!(lines[2].starts_with("sitemap-shop-1.xml.gz urlset 1 154 "), "{}", lines[2]);
    assert!(lines[3].starts_with("2 files, 5 pages, "), "{}", lines[3]);
    assert_eq!(
        stdout.split_once("Sections").unwrap().1,
        format!(
            "
  posts               4 ████████████████████████████████████████████████████████████
  shop                1 ███████████████

Pages with
  lastmod                   4   80.0 %
  none of these             1   20.0 %

Last changed
  2026-01             1 ████████████████████
  2026-02             3 ████████████████████████████████████████████████████████████
  no date             1 ████████████████████

Hash buckets that make updates cheap
  posts               1 for 1 change in an update (an assumption: 0.1 % of the pages), 100 bytes an entry and about 250 a bucket
  shop                1 for 1 change in an update (an assumption: 0.1 % of the pages), {shop} bytes an entry and about 250 a bucket

"
        )
    );
}

#[test]
fn the_history_of_updates_decides_the_advised_number_of_buckets() {
    let sandbox = Sandbox::new();
    let to_out = ["--base", "https://example.com", "--out", "out"];
    let run = |command: &str, more: &[&str], stdin: &str| {
        let ran = sandbox.run_with(&[&[command], &to_out[..], more].concat(), stdin.as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    };
    // The size of a bucket depends slightly on the times of the files, and the advice depends on that size.
    let advice = || {
        let stdout = sandbox.stdout(&["stats", "out"]);
        let advice = stdout.split_once("Hash buckets that make updates cheap\n").unwrap().1;
        let (before, after) = advice.split_once(" bytes an entry and about ").unwrap();
        let (bucket, after) = after.split_once(' ').unwrap();
        let bucket: f64 = bucket.parse().unwrap();
        assert!((180.0..320.0).contains(&bucket), "{bucket}");
        let (section, before) = before.trim_start().split_once(' ').unwrap();
        let (buckets, before) = before.trim_start().split_once(' ').unwrap();
        (buckets.parse().unwrap(), format!("{section}: {before} bytes an entry and some {after}"))
    };
    let pages: String = (0..150).map(|id| format!("/{id}\n")).collect();
    run("build", &["--buckets", "7"], &pages);
    let (buckets, reason): (u32, _) = advice();
    assert!((3..=4).contains(&buckets), "{buckets}");
    assert_eq!(
        reason,
        "pages: for 1 change in an update (an assumption: 0.1 % of the pages), 50 bytes an entry and some a bucket; \
         now 7\n\n"
    );
    for (from, to) in [(0, 2), (0, 9), (0, 4)] {
        // Pages that already have this date don't change.
        let change = |id| format!("{{\"op\":\"upsert\",\"loc\":\"/{id}\",\"lastmod\":\"2026-01-0{to}\"}}\n");
        run("apply", &[], &(from..to).map(change).collect::<String>());
    }
    let (buckets, reason) = advice();
    assert!((5..=6).contains(&buckets), "{buckets}");
    assert_eq!(
        reason,
        "pages: for 4 changes in an update (the median of the last 3 updates), 52 bytes an entry and some a bucket; \
         now 7\n\n"
    );
    // A full publication keeps the history.
    run("build", &["--buckets", "7"], &pages);
    let (_, kept) = advice();
    assert!(kept.contains("for 4 changes in an update (the median of the last 3 updates)"), "{kept}");
}
