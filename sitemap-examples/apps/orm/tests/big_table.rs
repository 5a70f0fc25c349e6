//! Tests that all ways publish the same set.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn every_way_publishes_the_same_set() {
    let Some(url) = shop::drive::postgres_url("big_table") else { return };
    let dir = tempfile::tempdir().unwrap();
    let publish = |way: &str, further: &[&str]| {
        let out = dir.path().join(way);
        let mut command = Command::new(env!("CARGO_BIN_EXE_big-table"));
        command.env("DATABASE_URL", &url).args(["--way", way, "--out"]).arg(&out).args(further);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.starts_with("60000 URLs in 2 files\n"), "{printed}");
        shop::drive::expect_valid(&out);
        files(&out)
    };
    let copied = publish("copy", &["--fill", "60000"]);
    assert!(copied[0].ends_with("</urlset>\n") && copied[0].matches("<url>").count() == 50_000);
    let first = "<url><loc>https://shop.example.com/products/table-of-solid-oak-1</loc>\
                 <lastmod>2025-01-01T09:00:01Z</lastmod></url>";
    assert!(copied[0].contains(first));
    assert!(publish("stream", &[]) == copied);
    assert!(publish("rows", &[]) == copied);
    assert!(publish("arrays", &[]) == copied);
    assert!(publish("keyset", &["--threads", "2"]) == copied);
}

fn files(out: &Path) -> [String; 2] {
    ["sitemap-products-1.xml", "sitemap-products-2.xml"]
        .map(|file| fs::read_to_string(out.join(file)).unwrap())
}
