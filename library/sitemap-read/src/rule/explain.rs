//! Explanations of rules: the reason, and an example that breaks the rule with one that does not.

/// The reason for a rule and its two examples.
#[derive(Debug)]
pub(super) struct Lesson {
    pub(super) reason: &'static str,
    pub(super) form: Form,
    pub(super) wrong: &'static str,
    pub(super) right: &'static str,
}

/// The part of a document that the text of an example is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The URL of an entry.
    Loc,
    /// What follows the `loc` of an entry.
    Entry,
    /// The entries of a urlset.
    Urlset,
    /// The entries of an index.
    Index,
    /// A whole document.
    Document,
    /// A description.
    Prose,
}

/// An example that breaks a [`Rule`](crate::Rule), or a similar one that does not.
///
/// ```
/// use sitemap_read::{CheckOptions, Checker, Example, Rule};
///
/// let Example::Document(document) = Rule::LocFragment.wrong_example() else { panic!() };
/// let mut checker = Checker::new(CheckOptions::new());
/// checker.check_slice("example.xml", document.as_bytes())?;
/// assert_eq!(checker.finish().counts().into_keys().collect::<Vec<_>>(), [Rule::LocFragment]);
///
/// let right = Rule::OutOfScope.right_example();
/// assert_eq!(right.text(), "`https://example.com/sitemap.xml` lists `https://example.com/shop/tea`");
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Example {
    /// A whole document, which can be checked.
    Document(String),
    /// A description, where no short document can show the defect.
    Prose(&'static str),
}

impl Example {
    /// Returns the text of the document or the description.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Document(text) => text,
            Self::Prose(text) => text,
        }
    }

    pub(super) fn new(form: Form, text: &'static str) -> Self {
        let entry = |loc: &str, more: &str| format!("<url><loc>{loc}</loc>{more}</url>");
        Self::Document(match form {
            Form::Loc => root("urlset", &entry(text, "")),
            Form::Entry => root("urlset", &entry("https://example.com/a", text)),
            Form::Urlset => root("urlset", text),
            Form::Index => root("sitemapindex", text),
            Form::Document => text.replace("\"NS\"", &format!("\"{NAMESPACE}\"")),
            Form::Prose => return Self::Prose(text),
        })
    }
}

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

const EXTENSIONS: [(&str, &str); 4] = [
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("xhtml", "http://www.w3.org/1999/xhtml"),
];

/// Returns a document with this root, which declares the namespaces of the extensions in the entries.
fn root(name: &str, entries: &str) -> String {
    let mut declared = String::new();
    for (prefix, namespace) in EXTENSIONS {
        if entries.contains(&format!("<{prefix}:")) {
            declared.extend(["\n  xmlns:", prefix, "=\"", namespace, "\""]);
        }
    }
    format!("<{name} xmlns=\"{NAMESPACE}\"{declared}>\n{entries}\n</{name}>\n")
}
