//! How a browser shows a document.

use std::borrow::Cow;
use std::fmt;

use crate::value::Loc;

/// A stylesheet by which browsers show a document to people: CSS, because browsers are giving up XSLT.
///
/// Search engines do not look at it. The document names it in a line before its root element, which
/// schemas have nothing against:
///
/// ```
/// use sitemap_core::{Site, SitemapWriter, Stylesheet, WriteOptions};
///
/// let options = WriteOptions::new().stylesheet(Stylesheet::OWN);
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
/// CSS cannot make the addresses links; they can be selected and copied. Browsers show what a `.gz` file
/// holds only after it was saved, and do not apply a stylesheet of another host.
///
/// Source: [Associating Style Sheets with XML documents](https://www.w3.org/TR/xml-stylesheet/).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stylesheet {
    href: Cow<'static, str>,
    is_own: bool,
}

impl Stylesheet {
    /// This crate's own, [`CSS`](Self::CSS), as a file `sitemap.css` beside the sitemap.
    ///
    /// A [`Publisher`](crate::Publisher) puts it there, and a `SitemapService` (feature `tower`) answers for
    /// it; whoever writes single documents writes that file as well.
    pub const OWN: Self = Self { href: Cow::Borrowed(Self::FILE_NAME), is_own: true };

    /// What the own stylesheet is called.
    pub const FILE_NAME: &'static str = "sitemap.css";

    /// The text of the own stylesheet: a table of a sitemap's pages, or an index's sitemaps, with their
    /// number, their images, videos, news and translations; light or dark as the browser is, for wide and
    /// narrow screens and for paper.
    pub const CSS: &'static str = include_str!("sitemap.css");

    /// A stylesheet of one's own by its address on the same host: a path, or a name beside the sitemap.
    ///
    /// To put it there is up to the caller. A `SitemapService` has this crate's own under the name
    /// `sitemap.css`, so another is best called otherwise.
    ///
    /// ```
    /// use sitemap_core::Stylesheet;
    ///
    /// assert!(Stylesheet::at("/assets/sitemap.css?v=3").is_ok());
    /// assert!(Stylesheet::at("https://cdn.example.net/sitemap.css").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If it is empty, longer than 2,047 characters, names a scheme or a host, has a fragment, or has a
    /// character that must be percent-encoded in a URL.
    pub fn at(href: &str) -> Result<Self, StylesheetError> {
        // A `:` before the first slash would end a scheme.
        let has_scheme = href.split(['/', '?']).next().is_some_and(|first| first.contains(':'));
        let is_on_this_host = !href.starts_with("//") && !has_scheme;
        if is_on_this_host && (1..=Loc::MAX_LEN).contains(&href.len()) && is_path_and_query(href) {
            Ok(Self { href: href.to_owned().into(), is_own: false })
        } else {
            Err(StylesheetError { href: href.chars().take(200).collect() })
        }
    }

    /// Its address, relative to the sitemap's.
    #[must_use]
    pub fn href(&self) -> &str {
        &self.href
    }

    /// Whether it is this crate's own.
    pub(crate) fn is_own(&self) -> bool {
        self.is_own
    }
}

/// Source: [RFC 3986, appendix A](https://www.rfc-editor.org/rfc/rfc3986#appendix-A).
fn is_path_and_query(text: &str) -> bool {
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => is_hex(bytes.get(at + 1)) && is_hex(bytes.get(at + 2)),
        byte => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(byte),
    })
}

/// A text that is not a stylesheet's address on the same host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StylesheetError {
    href: Box<str>,
}

impl fmt::Display for StylesheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a stylesheet's address is a path on the sitemap's own host, percent-encoded; write it as in \
             `/assets/sitemap.css`, found {:?}",
            self.href
        )
    }
}

impl std::error::Error for StylesheetError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_on_the_same_host() {
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
            "a stylesheet's address is a path on the sitemap's own host, percent-encoded; write it as in \
             `/assets/sitemap.css`, found \"//x\""
        );
    }
}
