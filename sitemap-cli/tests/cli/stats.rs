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

"
    );
}
