//! Tests which chapters the sitemap lists, and with which URLs.

use serde_json::{Value, json};

use crate::book::{Book, chapter};

fn options(more: Value) -> Value {
    let mut options = json!({"site-url": "https://a.example/book/", "lastmod": "none"});
    let Value::Object(more) = more else { panic!("{more} is no table") };
    options.as_object_mut().unwrap().extend(more);
    options
}

fn entries(more: Value, items: Vec<Value>) -> String {
    Book::new(options(more), items).entries()
}

#[test]
fn the_first_chapter_has_the_url_of_the_book() {
    assert_eq!(
        entries(json!({}), vec![chapter("title.md", "title.md"), chapter("a.md", "a.md")]),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/a.html</loc></url>\n"
    );
}

#[test]
fn a_later_index_has_the_url_of_the_book() {
    assert_eq!(
        entries(json!({}), vec![chapter("title.md", "title.md"), chapter("index.md", "README.md")]),
        "<url><loc>https://a.example/book/title.html</loc></url>\n\
         <url><loc>https://a.example/book/</loc></url>\n"
    );
}

#[test]
fn a_readme_has_the_url_of_its_index_file() {
    let items = || vec![chapter("index.md", "README.md"), chapter("guide/index.md", "guide/README.md")];
    assert_eq!(
        entries(json!({}), items()),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/guide/index.html</loc></url>\n"
    );
    assert_eq!(
        entries(json!({"urls": "folders"}), items()),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/guide/</loc></url>\n"
    );
}

#[test]
fn urls_without_endings_fit_servers_that_remove_them() {
    assert_eq!(
        entries(
            json!({"urls": "clean"}),
            vec![chapter("index.md", "README.md"), chapter("a/b.md", "a/b.md")]
        ),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/a/b</loc></url>\n"
    );
}

#[test]
fn drafts_separators_and_titles_are_not_pages() {
    let mut draft = chapter("", "");
    draft["Chapter"]["path"] = Value::Null;
    draft["Chapter"]["source_path"] = Value::Null;
    draft["Chapter"]["sub_items"] = json!([chapter("deep/a.md", "deep/a.md")]);
    let items =
        vec![chapter("index.md", "README.md"), json!("Separator"), json!({"PartTitle": "Two"}), draft];
    assert_eq!(
        entries(json!({}), items),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/deep/a.html</loc></url>\n"
    );
}

#[test]
fn the_page_for_missing_pages_is_left_out() {
    let items =
        || vec![chapter("index.md", "README.md"), chapter("404.md", "404.md"), chapter("no.md", "no.md")];
    assert_eq!(
        entries(json!({}), items()),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/no.html</loc></url>\n"
    );
    let mut book = Book::new(options(json!({})), items());
    book.context["config"]["output"]["html"] = json!({"input-404": "no.md"});
    assert_eq!(
        book.entries(),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/404.html</loc></url>\n"
    );
}

#[test]
fn excluded_chapters_are_left_out() {
    let items =
        ["index.md", "notes.md", "old/a.md", "old/b.md", "older.md"].map(|path| chapter(path, path)).to_vec();
    assert_eq!(
        entries(json!({"exclude": ["notes.md", "old/"]}), items),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/older.html</loc></url>\n"
    );
}

#[test]
fn a_chapter_is_excluded_by_the_name_of_its_file() {
    let items = vec![chapter("index.md", "README.md"), chapter("guide/index.md", "guide/README.md")];
    assert_eq!(
        entries(json!({"exclude": ["guide/README.md"]}), items),
        "<url><loc>https://a.example/book/</loc></url>\n"
    );
}

#[test]
fn the_characters_of_file_names_are_escaped() {
    assert_eq!(
        entries(json!({}), vec![chapter("index.md", "README.md"), chapter("ü b?#%&.md", "ü b?#%&.md")]),
        "<url><loc>https://a.example/book/</loc></url>\n\
         <url><loc>https://a.example/book/%C3%BC%20b%3F%23%25%26.html</loc></url>\n"
    );
}

#[test]
fn changefreq_and_priority_are_written_if_they_are_given() {
    assert_eq!(
        entries(json!({"changefreq": "weekly", "priority": 0.5}), vec![chapter("index.md", "README.md")]),
        "<url><loc>https://a.example/book/</loc><changefreq>weekly</changefreq><priority>0.5</priority></url>\n"
    );
}

#[test]
fn a_book_of_mdbook_0_4_has_another_name_for_its_chapters() {
    let mut book = Book::new(options(json!({})), vec![]);
    book.context["book"] = json!({"sections": [chapter("a.md", "a.md")], "__non_exhaustive": null});
    assert_eq!(book.entries(), "<url><loc>https://a.example/book/</loc></url>\n");
}

#[test]
fn the_line_for_robots_txt_is_printed() {
    let ran = Book::new(options(json!({})), vec![chapter("a.md", "a.md")]).run();
    assert_eq!(ran.stdout.lines().last(), Some("Sitemap: https://a.example/book/sitemap.xml"));
}
