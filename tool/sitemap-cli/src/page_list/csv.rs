//! Rows of CSV and TSV.

use std::io::{self, BufRead};

use sitemap_core::{ChangeFreq, Entry, LastMod, Priority, Site};

use super::columns;
use super::csv_end::{End, TAB};
use super::csv_record::Records;
use crate::args::Column;
use crate::error::{Outcome, Stop, system_message};

pub(crate) const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

/// Creates an entry from the values of the columns [`COLUMNS`].
pub(crate) fn page<'t>(values: [Option<&'t str>; 4], site: &Site) -> Result<Entry<'t>, String> {
    let [loc, lastmod, changefreq, priority] = values;
    entry(loc.unwrap_or_default(), lastmod, changefreq, priority, site).map_err(|error| error.to_string())
}

/// A CSV file whose header names some of `N` known columns.
pub(crate) struct Table<'n, R, const N: usize> {
    input: &'n str,
    records: Records<R>,
    names: [&'static str; N],
    /// The position of each column, or `None` if the file doesn't contain it.
    columns: [Option<usize>; N],
    width: usize,
}

pub(crate) struct TableRow<'t, const N: usize> {
    /// The line number, counted from 1.
    pub(crate) line: u64,
    /// The values of the columns, or why the row is invalid. An empty value is `None`.
    pub(crate) values: Result<[Option<&'t str>; N], String>,
    /// The byte offset of the end of the row.
    pub(crate) end: u64,
}

impl<'n, R: BufRead, const N: usize> Table<'n, R, N> {
    /// Reads the header. A column with URLs is required. Columns that are not in `names` are ignored.
    pub(crate) fn open(
        input: &'n str,
        from: R,
        delimiter: u8,
        names: [&'static str; N],
        given: &[Column],
    ) -> Outcome<Self> {
        let mut records = Records::new(from, delimiter);
        records.next().map_err(|error| unreadable(input, &error))?;
        let width = records.len();
        check_end(input, &records, width)?;
        let by = if delimiter == TAB { "tabs" } else { "commas" };
        let columns = columns::find(records.values(), input, by, names, given)?;
        Ok(Self { input, records, names, columns, width })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().zip(self.columns).any(|(known, at)| *known == name && at.is_some())
    }

    pub(crate) fn next(&mut self) -> Outcome<Option<TableRow<'_, N>>> {
        if !self.records.next().map_err(|error| unreadable(self.input, &error))? {
            return Ok(None);
        }
        check_end(self.input, &self.records, self.width)?;
        Ok(Some(TableRow { line: self.records.line(), values: self.values(), end: self.records.position() }))
    }

    fn values(&self) -> Result<[Option<&str>; N], String> {
        let (found, width) = (self.records.len(), self.width);
        if found != width {
            return Err(format!(
                "columns in the row: {found}, in the header: {width}; write one value per column"
            ));
        }
        let mut values = [None; N];
        for (value, (at, name)) in values.iter_mut().zip(self.columns.iter().zip(self.names)) {
            let bytes = at.and_then(|at| self.records.get(at)).unwrap_or_default().trim_ascii();
            let text = std::str::from_utf8(bytes).map_err(|_| format!("`{name}` is not UTF-8"))?;
            *value = Some(text).filter(|text| !text.is_empty());
        }
        Ok(values)
    }
}

/// Creates an entry from the values of the four columns.
pub(crate) fn entry<'t>(
    loc: &'t str,
    lastmod: Option<&str>,
    changefreq: Option<&str>,
    priority: Option<&str>,
    site: &Site,
) -> Result<Entry<'t>, sitemap_core::Error> {
    Ok(Entry::new(site.resolve(loc)?)
        .with_lastmod(lastmod.map(str::parse::<LastMod>).transpose()?)
        .with_changefreq(changefreq.map(str::parse::<ChangeFreq>).transpose()?)
        .with_priority(priority.map(str::parse::<Priority>).transpose()?))
}

/// Returns an error if the input is cut off within a record. Only the last record can be cut off, and the parser
/// returns it once it has reached the end of the input.
fn check_end<R: BufRead>(input: &str, records: &Records<R>, width: usize) -> Outcome<()> {
    let found = records.len();
    match records.end() {
        End::InQuotes { opened } => Err(Stop::new(format!(
            "{input}:{opened}: the quote in this line is never closed; close it, or check that the program that writes \
             the input has not failed"
        ))),
        End::WithoutBreak if found < width => {
            let line = records.line();
            Err(Stop::new(format!(
                "{input}:{line}: the input is cut off in this row, which has {found} of {width} columns; check that \
                 the program that writes the input has not failed"
            )))
        }
        _ => Ok(()),
    }
}

fn unreadable(input: &str, error: &io::Error) -> Stop {
    Stop::new(format!("cannot read `{input}`: {}", system_message(error)))
}
