//! Tests that the documentation agrees with the code.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use sitemap_core::{Dialect, Loc, Site, SitemapSet};
use sitemap_read::Rule;

fn read(path: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

#[test]
fn the_page_on_publishing_quotes_a_real_compiler_error() {
    let given = read("tests/derive/ui/template/unknown_field.stderr");
    let (message, snippet) = given.split_once('\n').unwrap();
    let page = read("docs/publishing.md");
    assert!(page.contains(message), "{message}");
    let code: Vec<_> = snippet.lines().filter(|line| line.contains('|')).collect();
    assert!(page.contains(&code.join("\n")), "{snippet}");
}

#[test]
fn the_page_on_publishing_quotes_a_real_record_error() {
    let dir = tempfile::tempdir().unwrap();
    let site = Site::new("https://www.example.com").unwrap();
    let mut run = SitemapSet::builder(site).open(dir.path()).unwrap().replace().unwrap();
    let mut section = run.section("posts").unwrap();
    section.add_all(["/"; 16]).unwrap();
    let error = section.add("ftp://example.com/x").unwrap_err();
    assert!(read("docs/publishing.md").contains(&format!("\n{error}\n")), "{error}");
}

#[test]
fn the_page_on_publishing_lists_the_real_limits() {
    let page = read("docs/publishing.md");
    let (new, old) = (Dialect::V0_9.limits(), Dialect::V0_84.limits());
    for (limit, new, old) in [
        ("URLs in a file", new.urls, old.urls),
        ("bytes of a file before compression", new.bytes, old.bytes),
        ("sitemaps in an index", new.sitemaps, old.sitemaps),
        ("characters of a URL", Loc::MAX_LEN as u64, Loc::MAX_LEN as u64),
    ] {
        let row = format!("| {limit} | {} | {} |", grouped(new), grouped(old));
        assert!(page.contains(&row), "{row}");
    }
}

/// Returns the features of a crate, as Cargo reports them.
fn features(crate_name: &str) -> Vec<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == crate_name).unwrap();
    package["features"].as_object().unwrap().keys().filter(|name| *name != "default").cloned().collect()
}

#[test]
fn the_feature_tables_name_every_feature() {
    assert!(features("sitemap-core").iter().any(|name| name == "derive"));
    for (page, crate_name) in [
        ("docs/coverage.md", "sitemap-core"),
        ("docs/coverage.md", "sitemap-read"),
        ("docs/coverage.md", "sitemap-serve"),
        ("sitemap-core/src/lib.rs", "sitemap-core"),
        ("library/sitemap-read/src/lib.rs", "sitemap-read"),
        ("library/sitemap-serve/src/lib.rs", "sitemap-serve"),
    ] {
        let text = read(page);
        for name in features(crate_name) {
            assert!(text.contains(&format!("`{name}`")), "{page} does not name the feature `{name}`");
        }
    }
}

fn grouped(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1_000), number % 1_000),
    }
}

#[test]
fn the_table_of_questions_names_every_rule_about_pages() {
    let is_asked = |rule: &Rule| {
        rule.is_about_pages() && rule.id().starts_with("page-") && *rule != Rule::PageCrawlIncomplete
    };
    let rules: Vec<Rule> = Rule::ALL.iter().copied().filter(is_asked).collect();
    assert!(rules.len() > 30);
    let page = read("docs/guides/is-my-sitemap-true.md");
    let rows: String = page.lines().filter(|line| line.starts_with('|')).collect();
    for rule in &rules {
        assert!(rows.contains(&format!("`{}`", rule.id())), "no table has `{}`", rule.id());
    }
}
