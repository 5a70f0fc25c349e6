//! Builds a book with mdBook itself.

use std::env;
use std::fs;
use std::process::Command;

use serde_json::json;

use crate::book::{Book, Ran};

/// Runs `mdbook build` in a book's folder. If mdBook is not installed, returns `None`, or panics with `CI=true`.
fn build(book: &Book) -> Option<Ran> {
    // Put the folder with this program first in the search path.
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_mdbook-sitemap"));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.parent().unwrap().to_owned()).chain(env::split_paths(&path));
    let output = Command::new("mdbook")
        .arg("build")
        .current_dir(book.path())
        .env("PATH", env::join_paths(folders).unwrap())
        .output();
    if let Ok(output) = output {
        return Some(Ran::of(output));
    }
    assert!(env::var("CI").as_deref() != Ok("true"), "`mdbook` is missing; `cargo install mdbook`");
    eprintln!("skipped: `mdbook` is missing");
    None
}

#[test]
fn mdbook_publishes_the_sitemap_with_the_pages() {
    let book = Book::new(json!({}), vec![]);
    fs::remove_dir_all(book.path().join("book")).unwrap();
    book.write(
        "book.toml",
        "[book]\ntitle = \"Trees\"\n[output.html]\nsite-url = \"/trees/\"\n[output.html.redirect]\n\"/old.html\" = \
         \"oak.html\"\n[output.sitemap]\nsite-url = \"https://a.example\"\nexclude = [\"notes.md\"]\n",
    );
    book.write(
        "src/SUMMARY.md",
        "# Summary\n[Trees](README.md)\n- [Oak](oak.md)\n  - [Kinds](kinds/README.md)\n- [Elm]()\n- [Notes](notes.md)\n",
    );
    for file in ["README", "oak", "kinds/README", "notes"] {
        book.write(&format!("src/{file}.md"), "# Trees\n");
    }
    book.commit("2024-01-01T00:00:00Z");
    book.write("src/oak.md", "# Oak\n");
    book.commit("2025-01-01T00:00:00Z");
    // The second build finds the files of the first.
    for _ in 0..2 {
        let Some(ran) = build(&book) else { return };
        assert!(ran.success, "{ran:?}");
        assert_eq!(
            book.listed(),
            "<url><loc>https://a.example/trees/</loc><lastmod>2024-01-01T00:00:00Z</lastmod></url>\n\
             <url><loc>https://a.example/trees/oak.html</loc><lastmod>2025-01-01T00:00:00Z</lastmod></url>\n\
             <url><loc>https://a.example/trees/kinds/index.html</loc><lastmod>2024-01-01T00:00:00Z</lastmod></url>\n"
        );
    }
    for file in
        ["index.html", "oak.html", "kinds/index.html", "404.html", "print.html", "toc.html", "old.html"]
    {
        assert!(book.path().join("book/html").join(file).is_file(), "{file}");
    }
}

#[test]
fn mdbook_fails_with_the_renderer() {
    let book = Book::new(json!({}), vec![]);
    book.write("book.toml", "[output.html]\n[output.sitemap]\nsite-ulr = \"https://a.example\"\n");
    book.write("src/SUMMARY.md", "- [Oak](oak.md)\n");
    book.write("src/oak.md", "# Oak\n");
    let Some(ran) = build(&book) else { return };
    assert!(!ran.success);
    assert!(
        ran.stderr.contains("error: mdbook-sitemap: `[output.sitemap]` has no key `site-ulr`; "),
        "{}",
        ran.stderr
    );
}
