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
    sandbox.write("set/sitemap-posts-1.xml", urlset(&posts)).write(
        "set/sitemap-shop-1.xml.gz",
        gzip(urlset("<url><loc>https://example.com/x</loc></url>\n").as_bytes()),
    );
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
  posts               2 for 1 change in an update (an assumption: 0.1 % of the pages)
  shop                1 for 1 change in an update (an assumption: 0.1 % of the pages)

"
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
    let advice = || {
        let stdout = sandbox.stdout(&["stats", "out"]);
        stdout.split_once("Hash buckets that make updates cheap\n").unwrap().1.to_owned()
    };
    let pages: String = (0..1_000).map(|id| format!("/{id}\n")).collect();
    run("build", &["--buckets", "7"], &pages);
    assert_eq!(
        advice(),
        "  pages              32 for 1 change in an update (an assumption: 0.1 % of the pages); now 7\n\n"
    );
    for (from, to) in [(0, 2), (0, 9), (0, 4)] {
        // Pages that have the date already are not changed.
        let change = |id| format!("{{\"op\":\"upsert\",\"loc\":\"/{id}\",\"lastmod\":\"2026-01-0{to}\"}}\n");
        run("apply", &[], &(from..to).map(change).collect::<String>());
    }
    let expected =
        "  pages              63 for 4 changes in an update (the median of the last 3 updates); now 7\n\n";
    assert_eq!(advice(), expected);
    // A full publication keeps the history.
    run("build", &["--buckets", "7"], &pages);
    assert_eq!(advice(), expected);
}
