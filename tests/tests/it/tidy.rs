//! What the README says, held against the code.

use std::fs;
use std::path::PathBuf;

use sitemap_core::{Dialect, Loc, Publisher, Site};

fn read(path: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

#[test]
fn the_compiler_error_in_the_readme_is_the_one_that_is_given() {
    let given = read("tests/ui/template/unknown_field.stderr");
    let (message, snippet) = given.split_once('\n').unwrap();
    let readme = read("README.md");
    assert!(readme.contains(message), "{message}");
    let code: Vec<_> = snippet.lines().filter(|line| line.contains('|')).collect();
    assert!(readme.contains(&code.join("\n")), "{snippet}");
}

#[test]
fn the_record_error_in_the_readme_is_the_one_that_is_given() {
    let dir = tempfile::tempdir().unwrap();
    let site = Site::new("https://www.example.com").unwrap();
    let mut publisher = Publisher::builder(site).to_dir(dir.path()).unwrap();
    let mut section = publisher.section("posts").unwrap();
    section.add_all(["/"; 16]).unwrap();
    let error = section.add("ftp://example.com/x").unwrap_err();
    assert!(read("README.md").contains(&format!("\n{error}\n")), "{error}");
}

#[test]
fn the_limits_in_the_readme_are_those_in_force() {
    let readme = read("README.md");
    let (new, old) = (Dialect::V0_9.limits(), Dialect::V0_84.limits());
    for (what, new, old) in [
        ("URLs in a file", new.urls, old.urls),
        ("bytes of a file before compression", new.bytes, old.bytes),
        ("sitemaps in an index", new.sitemaps, old.sitemaps),
        ("characters of a URL", Loc::MAX_LEN as u64, Loc::MAX_LEN as u64),
    ] {
        let row = format!("| {what} | {} | {} |", grouped(new), grouped(old));
        assert!(readme.contains(&row), "{row}");
    }
}

#[test]
fn the_feature_tables_name_every_feature() {
    let manifest = read("sitemap-core/Cargo.toml");
    let features = manifest.split("[features]").nth(1).unwrap().split("\n[").next().unwrap();
    for line in features.lines() {
        let Some((name, _)) = line.split_once(" = ") else { continue };
        if name != "default" {
            for (file, text) in
                [("README.md", read("README.md")), ("lib.rs", read("sitemap-core/src/lib.rs"))]
            {
                assert!(text.contains(&format!("`{name}`")), "{file} lacks {name}");
            }
        }
    }
}

#[test]
fn every_ui_test_says_what_it_expects() {
    for group in ["attr", "template", "check", "types"] {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ui").join(group);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                assert!(path.with_extension("stderr").exists(), "{}", path.display());
            }
        }
    }
}

fn grouped(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1_000), number % 1_000),
    }
}
