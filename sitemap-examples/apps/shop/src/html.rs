//! Minimal HTML pages.

use std::fmt;

/// Returns an HTML page with a heading and a paragraph, in the given language.
pub fn page(language: &str, title: &str, text: &str) -> String {
    let (title, text) = (Escaped(title), Escaped(text));
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <h1>{title}</h1>\n<p>{text}</p>\n</html>\n"
    )
}

/// Returns the HTML of a static page.
pub fn of_page(page: crate::Page) -> String {
    self::page("en", page.title(), "One of the pages that are not in the database.")
}

/// Returns the HTML of a product page.
pub fn of_product(name: &str, price: i64) -> String {
    page("en", name, &format!("{}.{:02} €", price / 100, price % 100))
}

/// Returns the HTML of a category page.
pub fn of_category(name: &str) -> String {
    page("en", name, "All our products of this kind.")
}

/// Returns the HTML of an article page in one of the article's languages.
pub fn of_article(language: &str, title: &str) -> String {
    page(language, title, "The text of the article.")
}

struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ch in self.0.chars() {
            match ch {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '"' => f.write_str("&quot;")?,
                _ => write!(f, "{ch}")?,
            }
        }
        Ok(())
    }
}
