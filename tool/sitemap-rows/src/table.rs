//! Rows of tables: CSV and TSV.

use memchr::memchr;
use sitemap_core::Entry;

use crate::scanner::{Row, Scanner, end_of_row};
use crate::value::{self, Values};

/// The columns of a table.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_rows::{Columns, Scanner};
///
/// // priority,loc
/// let columns = Columns::new(b',', [Some(1), None, None, Some(0)]).unwrap();
/// let mut scanner = Scanner::new(&Site::new("https://example.com")?);
/// let row = scanner.row(b"0.8,/tea\n", &columns).unwrap();
/// assert_eq!(row.entry.priority().map(|priority| priority.to_string()).as_deref(), Some("0.8"));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    delimiter: u8,
    /// The value in each column, from left to right.
    order: [Value; 4],
    width: usize,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Loc,
    LastMod,
    ChangeFreq,
    Priority,
}

const VALUES: [Value; 4] = [Value::Loc, Value::LastMod, Value::ChangeFreq, Value::Priority];

impl Columns {
    /// Returns the columns of a table, from the byte between two values and the position of each of `loc`, `lastmod`,
    /// `changefreq` and `priority`. A table needs only the first of them, and must not have other columns.
    ///
    /// Returns `None` if there are other columns, or no `loc`.
    ///
    /// ```
    /// use sitemap_rows::Columns;
    ///
    /// // loc,priority
    /// assert!(Columns::new(b',', [Some(0), None, None, Some(1)]).is_some());
    /// // loc,title,priority
    /// assert!(Columns::new(b',', [Some(0), None, None, Some(2)]).is_none());
    /// ```
    #[must_use]
    pub fn new(delimiter: u8, positions: [Option<usize>; 4]) -> Option<Self> {
        positions[0]?;
        let mut order = [Value::Loc; 4];
        let width = positions.iter().flatten().count();
        for at in 0..width {
            order[at] = VALUES[positions.iter().position(|position| *position == Some(at))?];
        }
        Some(Self { delimiter, order, width })
    }
}

impl Scanner {
    /// Returns the first row of a text, if it has the usual form: one line with a line break, as many values as columns, and
    /// values that are plain or in quotes, without other quotes.
    ///
    /// ```
    /// use sitemap_core::{Priority, Site};
    /// use sitemap_rows::{Columns, Scanner};
    ///
    /// let mut scanner = Scanner::new(&Site::new("https://example.com")?);
    /// let columns = Columns::new(b',', [Some(1), None, None, Some(0)]).unwrap();
    /// let row = scanner.row(b"0.5,\"/tea\"\n,/coffee\n", &columns).unwrap();
    /// assert_eq!((row.entry.loc().as_str(), row.len), ("https://example.com/tea", 11));
    /// assert_eq!(row.entry.priority(), Some(Priority::DEFAULT));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn row<'t>(&'t mut self, text: &'t [u8], columns: &Columns) -> Option<Row<'t>> {
        let end = end_of_row(text)?;
        let line = &text[..end];
        let mut rest = Some(line.strip_suffix(b"\r").unwrap_or(line));
        let mut loc: &[u8] = b"";
        let mut values = Values::default();
        for column in &columns.order[..columns.width] {
            let field;
            (field, rest) = split(rest?, columns.delimiter, matches!(column, Value::Loc))?;
            match column {
                Value::Loc => loc = field,
                _ if field.is_empty() => {}
                Value::LastMod => values.lastmod = Some(value::lastmod(field)?),
                Value::ChangeFreq => values.changefreq = Some(value::changefreq(field)?),
                Value::Priority => values.priority = Some(value::priority(field)?),
            }
        }
        if rest.is_some() {
            return None;
        }
        let entry = Entry::new(self.loc(loc)?)
            .with_lastmod(values.lastmod)
            .with_changefreq(values.changefreq)
            .with_priority(values.priority);
        Some(Row { entry, len: end + 1 })
    }
}

/// Splits the first value from a row. Returns the value without its quotes, and the text after the delimiter, which is
/// `None` for the last value.
#[inline]
fn split(row: &[u8], delimiter: u8, is_long: bool) -> Option<(&[u8], Option<&[u8]>)> {
    if let [b'"', quoted @ ..] = row {
        let end = memchr(b'"', quoted)?;
        return match &quoted[end + 1..] {
            [] => Some((&quoted[..end], None)),
            [first, rest @ ..] if *first == delimiter => Some((&quoted[..end], Some(rest))),
            _ => None,
        };
    }
    // For a few bytes, the call of `memchr` would take longer than the search.
    let end = if is_long { memchr(delimiter, row) } else { row.iter().position(|byte| *byte == delimiter) };
    Some(match end {
        Some(end) => (&row[..end], Some(&row[end + 1..])),
        None => (row, None),
    })
}

#[cfg(test)]
mod tests {
    use sitemap_core::Site;

    use super::*;

    fn is_usual(text: &str) -> bool {
        let mut scanner = Scanner::new(&Site::new("https://example.com").unwrap());
        let columns = Columns::new(b',', [Some(0), Some(1), None, None]).unwrap();
        scanner.row(text.as_bytes(), &columns).is_some()
    }

    #[test]
    fn usual_rows() {
        for text in ["/a,\n", "/a,2026-01-31\r\n", "\"/a\",\"2026-01-31\"\n", "\"/a,b\",\"\"\n", "/a\"b,\n"] {
            assert!(is_usual(text), "{text}");
        }
    }

    #[test]
    fn other_rows() {
        for text in [
            "",
            "\n",
            "/a",
            "/a,",
            "/a\n",
            "/a,,\n",
            ",2026-01-31\n",
            "/a, 2026-01-31\n",
            "/a,\"2026-01-31\n\"\n",
            "\"/a\"\"b\",\n",
            "\"/a\"b,\n",
            "/a\rb,\n",
            "/a,31.1.2026\n",
        ] {
            assert!(!is_usual(text), "{text}");
        }
    }
}
