//! Tests that the program writes the pages, the sitemap and robots.txt.

use std::fs;
use std::process::Command;

#[test]
fn every_page_in_the_sitemap_is_a_file_and_every_page_is_in_the_sitemap() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path();
    let status = Command::new(env!("CARGO_BIN_EXE_static-site")).arg("--out").arg(out).status();
    assert!(status.unwrap().success());

    let set = ["sitemap-pages-1.xml", "sitemap-notes-1.xml"]
        .map(|file| fs::read_to_string(out.join(file)).unwrap());
    let set = set.concat();
    for (path, file) in [
        ("", "index.html"),
        ("about", "about.html"),
        ("shipping-and-returns", "shipping-and-returns.html"),
        ("notes/oak/", "notes/oak/index.html"),
        ("notes/ash-%26-elm/", "notes/ash-&-elm/index.html"),
    ] {
        assert!(set.contains(&format!("<loc>https://shop.example.com/{path}</loc>")), "{path}");
        assert!(fs::read_to_string(out.join(file)).unwrap().starts_with("<!doctype html>"), "{file}");
    }
    assert_eq!(set.matches("<url>").count(), 5);
    let robots = fs::read_to_string(out.join("robots.txt")).unwrap();
    assert!(robots.ends_with("Sitemap: https://shop.example.com/sitemap.xml\n"), "{robots}");
    shop::drive::expect_valid(out);
}
