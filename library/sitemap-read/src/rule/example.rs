//! Examples for the rules. Each rule has an example that breaks it, and a similar one that doesn't.

/// The form of an example. It determines which part of a document the example's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The URL of an entry.
    Loc,
    /// The elements after an entry's `loc`.
    Entry,
    /// The elements after a video's thumbnail, title and description.
    Video,
    /// A news article's publication date.
    News,
    /// The entries in a urlset.
    Urlset,
    /// The entries in an index.
    Index,
    /// A whole document. `NS` stands for the protocol's namespace.
    Document,
    /// A description.
    Prose,
}

/// An example that breaks a [`Rule`](crate::Rule), or a similar example that doesn't.
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
    /// A whole document that can be checked.
    Document(String),
    /// A description, used if no short document can show the defect.
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

    pub(super) fn new((form, text): (Form, &'static str)) -> Self {
        let entry = |more: &str| format!("<url><loc>https://example.com/a</loc>{more}</url>");
        Self::Document(match form {
            Form::Loc => root("urlset", &format!("<url><loc>{text}</loc></url>")),
            Form::Entry => root("urlset", &entry(text)),
            Form::Video => root("urlset", &entry(&VIDEO.replace("MORE", text))),
            Form::News => root("urlset", &entry(&NEWS.replace("DATE", text))),
            Form::Urlset => root("urlset", text),
            Form::Index => root("sitemapindex", text),
            Form::Document => text.replace("\"NS\"", &format!("\"{NAMESPACE}\"")),
            Form::Prose => return Self::Prose(text),
        })
    }
}

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

const VIDEO: &str = "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc>\
    <video:title>T</video:title><video:description>D</video:description>MORE</video:video>";

const NEWS: &str = "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language>\
    </news:publication><news:publication_date>DATE</news:publication_date><news:title>T</news:title></news:news>";

const EXTENSIONS: [(&str, &str); 4] = [
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("xhtml", "http://www.w3.org/1999/xhtml"),
];

/// Returns a document with this root element. The root declares the namespaces of all extensions in `entries`.
fn root(name: &str, entries: &str) -> String {
    let mut declared = String::new();
    for (prefix, namespace) in EXTENSIONS {
        if entries.contains(&format!("<{prefix}:")) {
            declared.extend(["\n  xmlns:", prefix, "=\"", namespace, "\""]);
        }
    }
    format!("<{name} xmlns=\"{NAMESPACE}\"{declared}>\n{entries}\n</{name}>\n")
}
