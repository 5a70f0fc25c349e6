//! The stylesheet that browsers use to display a document.

use std::borrow::Cow;
use std::fmt;

use crate::value::Loc;

/// A CSS stylesheet that makes a document readable in a browser. XSLT is not supported, because browsers are removing
/// it.
///
/// Search engines ignore the stylesheet. The document links to it in a line before its root element, and stays
/// schema-valid:
///
/// ```
/// use sitemap_core::{Site, SitemapWriter, Stylesheet, WriteOptions};
///
/// let options = WriteOptions::new().stylesheet(Stylesheet::BUILT_IN);
/// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
/// sitemap.add("/")?;
/// let (xml, _) = sitemap.finish()?;
/// assert_eq!(
///     String::from_utf8_lossy(&xml),
///     r#"<?xml version="1.0" encoding="UTF-8"?>
/// <?xml-stylesheet type="text/css" href="sitemap.css"?>
/// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <url><loc>https://example.com/</loc></url>
/// </urlset>
/// "#
/// );
/// # Ok::<(), sitemap_core::Error>(())
/// ```
///
/// CSS can't turn the URLs into links, but people can select and copy them. For a page with links, all rows and a
/// search, use [`HtmlPage`](crate::html_page::HtmlPage). Browsers download `.gz` files instead of displaying them, and
/// ignore a stylesheet from another host.
///
/// Source: [Associating Style Sheets with XML documents](https://www.w3.org/TR/xml-stylesheet/).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stylesheet {
    href: Cow<'static, str>,
    is_built_in: bool,
}

impl Stylesheet {
    /// This crate's stylesheet, [`CSS`](Self::CSS), as the file `sitemap.css` next to the sitemap.
    ///
    /// A [`Replacement`](crate::Replacement) writes the file, and a `SitemapService` from the crate `sitemap-serve` serves
    /// it. If you write single documents, you have to write this file yourself.
    pub const BUILT_IN: Self = Self { href: Cow::Borrowed(Self::FILE_NAME), is_built_in: true };

    /// The file name of this crate's stylesheet.
    pub const FILE_NAME: &'static str = "sitemap.css";

    /// The content of this crate's stylesheet.
    ///
    /// It shows a sitemap as a numbered table of its pages, with their images, videos, news and translations, and an
    /// index as a numbered table of its child sitemaps. The table follows the browser's light or dark mode and fits
    /// wide screens, narrow screens and paper. Only the first 1,000 rows of a file are shown, followed by the number of
    /// remaining rows, because a browser would need many seconds for all rows of a full file.
    pub const CSS: &'static str = include_str!("sitemap.css");

    /// Links to your own stylesheet on the same host, by an absolute or relative path.
    ///
    /// You have to publish the stylesheet yourself. Choose a name other than `sitemap.css`, because a `SitemapService`
    /// serves this crate's stylesheet under that name.
    ///
    /// ```
    /// use sitemap_core::Stylesheet;
    ///
    /// assert_eq!(Stylesheet::at("/assets/pages.css?v=3")?.href(), "/assets/pages.css?v=3");
    /// assert!(Stylesheet::at("https://cdn.example.net/pages.css").is_err());
    /// # Ok::<(), sitemap_core::StylesheetError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`StylesheetError`] if the path is empty, is longer than 2,047 characters, names a scheme or a host,
    /// has a fragment, or contains a character that must be percent-encoded in a URL.
    pub fn at(href: &str) -> Result<Self, StylesheetError> {
        // A `:` before the first slash or `?` would be the end of a scheme such as `https:`.
        let has_scheme = href.split(['/', '?']).next().is_some_and(|first| first.contains(':'));
        let is_on_this_host = !href.starts_with("//") && !has_scheme;
        if is_on_this_host && (1..=Loc::MAX_LEN).contains(&href.len()) && is_path_and_query(href) {
            Ok(Self { href: href.to_owned().into(), is_built_in: false })
        } else {
            Err(StylesheetError { href: href.chars().take(200).collect() })
        }
    }

    /// Returns the URL of the stylesheet, relative to the URL of the sitemap.
    #[must_use]
    pub fn href(&self) -> &str {
        &self.href
    }

    /// Returns `true` for this crate's stylesheet.
    pub(crate) fn is_built_in(&self) -> bool {
        self.is_built_in
    }
}

/// Returns `true` if a string only contains characters that are allowed in the path and query of a URL.
///
/// Source: [RFC 3986, appendix A](https://www.rfc-editor.org/rfc/rfc3986#appendix-A).
fn is_path_and_query(text: &str) -> bool {
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => is_hex(bytes.get(at + 1)) && is_hex(bytes.get(at + 2)),
        byte => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(byte),
    })
}

/// A string that is not the path of a stylesheet on the sitemap's host.
///
/// ```
/// use sitemap_core::Stylesheet;
///
/// let error = Stylesheet::at("//cdn.example.net/a.css").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the URL of a stylesheet must be a percent-encoded path on the sitemap's host, found \
///      \"//cdn.example.net/a.css\"; write it like `/assets/sitemap.css`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StylesheetError {
    href: Box<str>,
}

impl fmt::Display for StylesheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the URL of a stylesheet must be a percent-encoded path on the sitemap's host, found {:?}; write it \
             like `/assets/sitemap.css`",
            self.href
        )
    }
}

impl std::error::Error for StylesheetError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_on_the_same_host() {
        for href in [
            "sitemap.css",
            "/a/b.css",
            "../a.css",
            "a.css?x=1&y=2",
            "/a:b.css",
            "/%C3%BC.css",
            "?css",
            "./a:b",
        ] {
            assert_eq!(Stylesheet::at(href).map(|sheet| sheet.href().to_owned()), Ok(href.to_owned()));
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long = "a".repeat(2048);
        for href in [
            "",
            "//cdn.example/a.css",
            "https://example.com/a.css",
            "data:text/css,a{}",
            "javascript:alert(1)",
            "a b.css",
            "a\".css",
            "a?>.css",
            "a<b",
            "ü.css",
            "a#b",
            "a%zz",
            "a%4",
            "a\n",
            "a\\b",
            &long,
        ] {
            assert!(Stylesheet::at(href).is_err(), "{href:?}");
        }
        assert_eq!(
            Stylesheet::at("//x").unwrap_err().to_string(),
            "the URL of a stylesheet must be a percent-encoded path on the sitemap's host, found \"//x\"; write it \
             like `/assets/sitemap.css`"
        );
    }
}
