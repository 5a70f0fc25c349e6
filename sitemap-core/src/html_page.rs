//! An HTML page for browsing a set.

/// An HTML page, `sitemap.html`, for browsing a set. It links from the index to the child sitemaps and from there to
/// the pages, shows 100 rows at a time, and can search one file or all of them.
///
/// [`html_page`](crate::publish::SetOptions::html_page) makes a [`Replacement`](crate::Replacement) write the file. A
/// `SitemapService` from the crate `sitemap-serve` also serves it. The file contains none of the set's pages: its
/// script requests `sitemap.xml` and the files that a visitor opens, and parses only the rows on screen. So it's 19
/// kilobytes for a set of any size, and it never changes. It loads nothing from other hosts. Without JavaScript, it
/// shows a link to `sitemap.xml`.
///
/// ```
/// use sitemap_core::html_page::{HtmlPage, Language};
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let page = HtmlPage::new().languages([Language::German, Language::English]);
/// let memory = Memory::new();
/// let mut run =
///     SitemapSet::builder(Site::new("https://example.com")?).html_page(page).storage(memory.clone()).replace()?;
/// run.section("pages")?.add("/")?;
/// run.commit()?;
/// let html = memory.get("sitemap.html").unwrap_or_default();
/// assert!(html.starts_with(b"<!doctype html>\n<html lang=\"en\" data-languages=\"de en\">\n"));
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
///
/// If your site has a content security policy, allow the inline script and style of this page. The service sends its
/// own policy, which allows both, and requests to the same host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct HtmlPage {
    languages: Vec<Language>,
    /// The codes of additional languages, and their texts as JavaScript arrays.
    texts: Vec<(String, String)>,
}

/// A language that [`HtmlPage`] is available in.
///
/// ```
/// use sitemap_core::html_page::Language;
///
/// assert_eq!(Language::German.code(), "de");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// Spanish.
    Spanish,
    /// French.
    French,
    /// Italian.
    Italian,
    /// Dutch.
    Dutch,
    /// Portuguese.
    Portuguese,
}

impl Language {
    /// Returns the ISO 639 code, such as `en`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Spanish => "es",
            Self::French => "fr",
            Self::Italian => "it",
            Self::Dutch => "nl",
            Self::Portuguese => "pt",
        }
    }
}

impl HtmlPage {
    /// The file name of the page.
    pub const FILE_NAME: &'static str = "sitemap.html";

    /// A value for the header `Content-Security-Policy` that lets the page work.
    ///
    /// Source: [Content Security Policy](https://www.w3.org/TR/CSP3/).
    pub const SECURITY_POLICY: &'static str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    /// The English texts of the page. `{}` stands for a number or a name.
    pub const ENGLISH: [&'static str; 24] = [
        "Sitemap",
        "Pages",
        "All files",
        "Search the addresses",
        "Search",
        "Search all files",
        "No.",
        "Address",
        "Last change",
        "More",
        "Previous",
        "Next",
        "Page {} of {}",
        "{} entries",
        "{} of {} entries",
        "Loading …",
        "The file cannot be read: {}",
        "images: {}",
        "videos: {}",
        "languages: {}",
        "{} found in {} of {} files",
        "Stop",
        "only the first {} are shown",
        "Index {}",
    ];

    /// Creates a page in all built-in languages. A visitor sees the language of the browser, or English.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the languages of the site. Visitors see the language of their browser if it is listed, or else the first
    /// one. Default: all [languages](Language). See the [example](Self).
    pub fn languages(mut self, languages: impl IntoIterator<Item = Language>) -> Self {
        self.languages = languages.into_iter().collect();
        self
    }

    /// Adds a language that is not built in, after those in [`languages`](Self::languages). Pass its ISO 639 code and
    /// its texts. The texts must have the same order as [`ENGLISH`](Self::ENGLISH), with `{}` in the same places.
    ///
    /// ```
    /// use sitemap_core::html_page::HtmlPage;
    ///
    /// let mut polish = HtmlPage::ENGLISH;
    /// polish[0] = "Mapa witryny";
    /// let html = HtmlPage::new().texts("pl", polish).to_html();
    /// assert!(html.contains("\n    \"pl\": [\"Mapa witryny\", "));
    /// ```
    pub fn texts(mut self, code: impl Into<String>, texts: [&str; Self::ENGLISH.len()]) -> Self {
        let texts: Vec<String> = texts.iter().map(|text| script_text(text)).collect();
        self.texts.push((code.into(), format!("[{}]", texts.join(", "))));
        self
    }

    /// Returns the HTML of the page.
    ///
    /// ```
    /// use sitemap_core::html_page::HtmlPage;
    ///
    /// assert!(HtmlPage::new().to_html().ends_with("</html>\n"));
    /// ```
    #[must_use]
    pub fn to_html(&self) -> String {
        const TEXT: &str = include_str!("sitemap.html");
        /// The text in the script that comes after the English texts.
        const NEXT: &str = "    de: [";

        let mut html = TEXT.to_owned();
        for (code, texts) in &self.texts {
            html = html.replacen(NEXT, &format!("    {}: {texts},\n{NEXT}", script_text(code)), 1);
        }
        if self.languages.is_empty() {
            return html;
        }
        let own = self.languages.iter().map(|language| language.code());
        let codes: Vec<&str> = own.chain(self.texts.iter().map(|(code, _)| code.as_str())).collect();
        let root = format!("<html lang=\"en\" data-languages=\"{}\">", attribute(&codes.join(" ")));
        html.replacen("<html lang=\"en\">", &root, 1)
    }
}

/// Returns a string as a JavaScript string literal inside HTML. JavaScript understands Rust's escapes.
fn script_text(text: &str) -> String {
    format!("{text:?}").replace('<', "\\u{3c}")
}

fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_texts() {
        use Language::{Dutch, English, French, German, Italian, Portuguese, Spanish};

        let html = HtmlPage::new().to_html();
        let keys =
            html.lines().find(|line| line.starts_with("const KEYS")).map(|line| line.matches(", ").count());
        for language in [English, German, Spanish, French, Italian, Dutch, Portuguese] {
            let start = format!("    {}: [", language.code());
            let texts =
                html.lines().find(|line| line.starts_with(&start)).map(|line| line.matches("\", \"").count());
            assert!(texts.is_some() && texts == keys, "{language:?}: {texts:?}, {keys:?}");
        }
    }

    #[test]
    fn the_english_texts_are_those_of_the_page() {
        let texts = HtmlPage::ENGLISH.map(|text| format!("{text:?}")).join(", ");
        assert!(HtmlPage::new().to_html().contains(&format!("\n    en: [{texts}],\n")));
    }

    #[test]
    fn a_further_language_is_escaped_and_comes_last() {
        let mut texts = HtmlPage::ENGLISH;
        texts[0] = "</script> \"Mapa\" \\ ż\n";
        let html = HtmlPage::new().languages([Language::German]).texts("pl", texts).to_html();
        assert!(html.contains("\n    \"pl\": [\"\\u{3c}/script> \\\"Mapa\\\" \\\\ ż\\n\", "), "{html}");
        assert!(html.contains("<html lang=\"en\" data-languages=\"de pl\">"));
        assert_eq!(html.matches("</script>").count(), 1);
    }

    #[test]
    fn the_page_loads_nothing_from_other_hosts() {
        let html = HtmlPage::new().to_html();
        assert!(!html.contains("src=") && !html.contains("https://") && !html.contains("innerHTML"));
    }
}
