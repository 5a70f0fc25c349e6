//! The chapters' dates.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::book::{Book, chapter};

fn book(lastmod: Value) -> Book {
    let mut options = json!({"site-url": "https://a.example/"});
    if !lastmod.is_null() {
        options["lastmod"] = lastmod;
    }
    let book = Book::new(options, vec![chapter("index.md", "README.md"), chapter("a.md", "a.md")]);
    book.write("src/README.md", "Front.");
    book.write("src/a.md", "Text.");
    book
}

#[test]
fn a_date_is_that_of_the_last_commit_to_the_file() {
    let book = book(Value::Null);
    book.commit("2024-01-01T00:00:00Z");
    book.write("src/a.md", "Other text.");
    book.commit("2025-06-01T12:00:00+02:00");
    assert_eq!(
        book.entries(),
        "<url><loc>https://a.example/</loc><lastmod>2024-01-01T00:00:00Z</lastmod></url>\n\
         <url><loc>https://a.example/a.html</loc><lastmod>2025-06-01T10:00:00Z</lastmod></url>\n"
    );
}

#[test]
fn a_change_of_an_included_file_is_a_change_of_the_chapter() {
    let book = book(Value::Null);
    book.write("src/a.md", "{{#include ../listings/a.rs:3}}");
    book.write("listings/a.rs", "1");
    book.commit("2024-01-01T00:00:00Z");
    book.write("listings/a.rs", "2");
    book.commit("2025-01-01T00:00:00Z");
    assert_eq!(
        book.entries(),
        "<url><loc>https://a.example/</loc><lastmod>2024-01-01T00:00:00Z</lastmod></url>\n\
         <url><loc>https://a.example/a.html</loc><lastmod>2025-01-01T00:00:00Z</lastmod></url>\n"
    );
}

#[test]
fn a_change_within_a_merge_counts() {
    let book = book(Value::Null);
    book.commit("2024-01-01T00:00:00Z");
    book.git("", &["checkout", "-q", "-b", "other"]);
    book.write("src/a.md", "Other.");
    book.commit("2024-02-01T00:00:00Z");
    book.git("", &["checkout", "-q", "-"]);
    book.write("src/b.md", "New.");
    book.commit("2024-03-01T00:00:00Z");
    book.git("", &["merge", "-q", "--no-ff", "--no-commit", "other"]);
    book.write("src/README.md", "Changed by the merge.");
    book.commit("2025-01-01T00:00:00Z");
    assert_eq!(
        book.entries(),
        "<url><loc>https://a.example/</loc><lastmod>2025-01-01T00:00:00Z</lastmod></url>\n\
         <url><loc>https://a.example/a.html</loc><lastmod>2024-02-01T00:00:00Z</lastmod></url>\n"
    );
}

#[test]
fn a_file_without_a_commit_has_no_date() {
    let book = book(Value::Null);
    fs::remove_file(book.path().join("src/a.md")).unwrap();
    book.commit("2024-01-01T00:00:00Z");
    book.write("src/a.md", "Text.");
    let ran = book.run();
    assert_eq!(
        ran.stderr,
        "warning: mdbook-sitemap: 1 chapter has no `lastmod` because its last change is in no commit; commit the files\n"
    );
    assert_eq!(
        book.listed(),
        "<url><loc>https://a.example/</loc><lastmod>2024-01-01T00:00:00Z</lastmod></url>\n\
         <url><loc>https://a.example/a.html</loc></url>\n"
    );
}

#[test]
fn a_shallow_clone_gives_no_invented_date() {
    let origin = book(Value::Null);
    origin.commit("2024-01-01T00:00:00Z");
    for (text, date) in [("One.", "2025-01-01T00:00:00Z"), ("Two.", "2026-01-01T00:00:00Z")] {
        origin.write("src/a.md", text);
        origin.commit(date);
    }
    let mut clone = book(Value::Null);
    let url = format!("file://{}", origin.path().display());
    clone.git("", &["clone", "-q", "--depth", "2", &url, "clone"]);
    clone.context["root"] = json!(clone.path().join("clone"));
    let ran = clone.run();
    assert_eq!(
        ran.stderr,
        "warning: mdbook-sitemap: 1 chapter has no `lastmod` because its last change is older than the shallow clone; run \
         `git fetch --unshallow`\n"
    );
    assert_eq!(
        clone.listed(),
        "<url><loc>https://a.example/</loc></url>\n\
         <url><loc>https://a.example/a.html</loc><lastmod>2026-01-01T00:00:00Z</lastmod></url>\n"
    );
}

#[test]
fn a_book_without_history_has_no_dates() {
    let book = book(Value::Null);
    let ran = book.run();
    let warning = format!(
        "warning: mdbook-sitemap: `git` has no history of `{}`, so the pages have no `lastmod`; build in a clone, or set \
         `lastmod = \"none\"`\n",
        book.path().join("src").display()
    );
    assert_eq!(ran.stderr, warning);
    assert!(!book.listed().contains("lastmod"));
}

#[test]
fn dates_from_git_that_are_demanded_need_history() {
    let error = book(json!("git")).error();
    assert!(error.starts_with("`git` has no history of `"), "{error}");
    assert!(error.ends_with("; commit the files"), "{error}");
}

#[test]
fn content_that_changes_gets_the_time_of_the_build() {
    let mut book = book(json!("content"));
    let undated =
        "<url><loc>https://a.example/</loc></url>\n<url><loc>https://a.example/a.html</loc></url>\n";
    assert_eq!(book.entries(), undated, "nobody knows when the chapters changed last");
    assert_eq!(book.entries(), undated);
    book.context["book"]["items"][1]["Chapter"]["content"] = json!("Another text.");
    let dated = "<url><loc>https://a.example/</loc></url>\n\
                 <url><loc>https://a.example/a.html</loc><lastmod>2027-01-15T08:00:00Z</lastmod></url>\n";
    assert_eq!(book.entries(), dated);
    assert_eq!(book.entries(), dated);
    assert!(book.path().join("sitemap.state").exists());
}

#[test]
fn the_state_of_the_content_is_where_it_was_asked_for() {
    let mut book = book(json!("content"));
    book.context["config"]["output"]["sitemap"]["state"] = json!("cache.state");
    book.entries();
    assert!(book.path().join("cache.state").exists());
    assert!(!Path::new(&book.path().join("sitemap.state")).exists());
}
