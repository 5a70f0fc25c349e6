//! Mistakes in book.toml.

use std::fs;

use serde_json::{Value, json};

use crate::book::{Book, chapter};

fn error(options: Value) -> String {
    let mut all = json!({"site-url": "https://a.example/", "lastmod": "none"});
    let Value::Object(options) = options else { panic!("{options} is no table") };
    all.as_object_mut().unwrap().extend(options);
    Book::new(all, vec![chapter("a.md", "a.md")]).error()
}

#[test]
fn an_unknown_key_is_an_error() {
    assert_eq!(
        error(json!({"exlude": []})),
        "`[output.sitemap]` has no key `exlude`; its keys are `site-url`, `lastmod`, `state`, `changefreq`, `priority`, \
         `exclude`, `urls`, and mdBook's own `command` and `optional`"
    );
}

#[test]
fn mdbooks_own_keys_are_known() {
    let options =
        json!({"site-url": "https://a.example/", "lastmod": "none", "command": "x", "optional": true});
    assert!(Book::new(options, vec![chapter("a.md", "a.md")]).run().success);
}

#[test]
fn values_of_other_types_are_errors() {
    for (options, message) in [
        (json!({"site-url": 1}), "`site-url` of `[output.sitemap]`: found 1; give a text in quotes"),
        (
            json!({"lastmod": "mtime"}),
            "`lastmod` of `[output.sitemap]`: found \"mtime\"; give \"git\", \"content\" or \"none\"",
        ),
        (
            json!({"urls": true}),
            "`urls` of `[output.sitemap]`: found true; give \"links\", \"folders\" or \"clean\"",
        ),
        (
            json!({"exclude": "a.md"}),
            "`exclude` of `[output.sitemap]`: found \"a.md\"; give a list of paths, such as [\"notes.md\", \"drafts/\"]",
        ),
        (
            json!({"priority": "high"}),
            "`priority` of `[output.sitemap]`: found \"high\"; give a number from 0.0 to 1.0",
        ),
        (
            json!({"state": "x"}),
            "`state = \"x\"` has no effect without `lastmod = \"content\"`; add it, or remove `state`",
        ),
    ] {
        assert_eq!(error(options), message);
    }
}

#[test]
fn values_outside_the_protocol_are_errors() {
    assert!(error(json!({"changefreq": "often"})).starts_with("`changefreq` of `[output.sitemap]`: "));
    assert!(error(json!({"priority": 1.5})).starts_with("`priority` of `[output.sitemap]`: "));
}

#[test]
fn an_excluded_chapter_has_to_exist() {
    assert_eq!(
        error(json!({"exclude": ["b.md"]})),
        "`exclude` lists `b.md`, which no chapter has; give the path of a chapter as in SUMMARY.md, or of a folder with a \
         slash at the end"
    );
}

#[test]
fn a_book_without_html_has_no_sitemap() {
    let mut book = Book::new(json!({"site-url": "https://a.example/"}), vec![]);
    book.context["config"]["output"].as_object_mut().unwrap().remove("html");
    assert_eq!(
        book.error(),
        "book.toml has no `[output.html]`, and without it mdBook writes no HTML; add the line `[output.html]`"
    );
}

#[test]
fn a_renderer_that_runs_before_the_html_renderer_is_refused() {
    let mut book = Book::new(json!({}), vec![]);
    book.context["config"]["output"] = json!({"html": {}, "a": {"site-url": "https://a.example/"}});
    book.context["destination"] = json!(book.path().join("book/a"));
    assert_eq!(
        book.error(),
        "mdBook runs `[output.a]` before `[output.html]`, which would remove the sitemap; name the table \
         `[output.sitemap]`"
    );
}

#[test]
fn a_missing_folder_of_html_files_is_an_error() {
    let book = Book::new(
        json!({"site-url": "https://a.example/", "lastmod": "none"}),
        vec![chapter("a.md", "a.md")],
    );
    let folder = book.path().join("book/html");
    fs::remove_dir(&folder).unwrap();
    assert_eq!(
        book.error(),
        format!(
            "there is no folder `{}`, into which mdBook writes the HTML files; run `mdbook build`",
            folder.display()
        )
    );
}

#[test]
fn input_that_is_not_a_book_is_an_error() {
    let mut book = Book::new(json!({}), vec![]);
    book.context = json!({"root": "/"});
    let error = book.error();
    assert!(error.starts_with("standard input is not a book of mdBook: missing field"), "{error}");
    assert!(error.ends_with("; run `mdbook build`"), "{error}");
}
