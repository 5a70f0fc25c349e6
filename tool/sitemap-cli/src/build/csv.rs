//! CSV and TSV input with the columns loc, lastmod, changefreq and priority.

use std::io::{self, BufRead};

use sitemap_core::{ChangeFreq, Entry, LastMod, Priority, Site};

use super::csv_end::{End, TAB};
use super::csv_record::Records;
use super::input::Input;
use super::sink::Pages;
use crate::error::{Outcome, Stop, system_message};
use crate::suggest;

pub(crate) const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

pub(super) fn fill(section: &mut Pages<'_>, site: &Site, input: Input, delimiter: u8) -> Outcome<()> {
    let Input { name, from, progress, .. } = input;
    let mut table = Table::open(&name, from, delimiter, COLUMNS)?;
    while let Some(row) = table.next()? {
        let page = row.values.and_then(|values| page(values, site));
        section.add(&format_args!("{name}:{}", row.line), page.as_ref().map_err(Clone::clone))?;
        progress.set(row.end);
    }
    Ok(())
}

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
    /// Reads the header. The column `loc` is required, and only columns from `names` are allowed.
    pub(crate) fn open(input: &'n str, from: R, delimiter: u8, names: [&'static str; N]) -> Outcome<Self> {
        let mut records = Records::new(from, delimiter);
        records.next().map_err(|error| unreadable(input, &error))?;
        let width = records.len();
        check_end(input, &records, width)?;
        let columns = columns(records.values(), input, delimiter, names)?;
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

/// Returns the position of each known column in the header.
fn columns<'h, const N: usize>(
    header: impl Iterator<Item = &'h [u8]>,
    input: &str,
    delimiter: u8,
    names: [&'static str; N],
) -> Outcome<[Option<usize>; N]> {
    let stop = |message: &str| Err(Stop::new(format!("{input}:1: {message}")));
    let mut columns = [None; N];
    for (at, name) in header.enumerate() {
        let name = String::from_utf8_lossy(name);
        let name = name.trim().trim_start_matches('\u{FEFF}').trim().to_ascii_lowercase();
        if name.contains([';', '\t', ',']) {
            let by = if delimiter == TAB { "tabs" } else { "commas" };
            return stop(&format!("unknown column {name:?}; separate columns by {by}"));
        }
        let Some(column) = names.iter().position(|known| *known == name) else {
            let (last, others) = names.split_last().unwrap_or((&"loc", &[]));
            let remedy = format!("use `{}` and `{last}`", others.join("`, `"));
            return stop(&suggest::unknown("column", &name, names.into_iter(), &remedy));
        };
        if columns[column].replace(at).is_some() {
            return stop(&format!("duplicate column `{name}`; remove one of them"));
        }
    }
    if !names.iter().zip(columns).any(|(name, at)| *name == "loc" && at.is_some()) {
        return stop("no column `loc`; name the columns in the first line");
    }
    Ok(columns)
}

fn unreadable(input: &str, error: &io::Error) -> Stop {
    Stop::new(format!("cannot read `{input}`: {}", system_message(error)))
}
