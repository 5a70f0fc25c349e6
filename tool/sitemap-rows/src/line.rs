//! Lines of a text: one URL or path per line.

use sitemap_core::Entry;

use crate::scanner::{Row, Scanner, end_of_row};

impl Scanner {
    /// Returns the first line of a text, if it is a URL or a path and ends with a line break. White space around the URL is
    /// ignored.
    ///
    /// ```
    /// use sitemap_core::Site;
    /// use sitemap_rows::Scanner;
    ///
    /// let mut scanner = Scanner::new(&Site::new("https://example.com")?);
    /// let row = scanner.line(b"https://example.com/tea\r\n/coffee\r\n").unwrap();
    /// assert_eq!((row.entry.loc().as_str(), row.len), ("https://example.com/tea", 25));
    ///
    /// for text in [&b"\n/tea\n"[..], b"/tea", b"tea\n", b"/\x01\n"] {
    ///     assert_eq!(scanner.line(text), None);
    /// }
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn line<'t>(&'t mut self, text: &'t [u8]) -> Option<Row<'t>> {
        let end = end_of_row(text)?;
        let entry = Entry::new(self.loc(text[..end].trim_ascii())?);
        Some(Row { entry, len: end + 1 })
    }
}
