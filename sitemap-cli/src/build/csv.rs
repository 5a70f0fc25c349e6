//! CSV input with the columns loc, lastmod, changefreq and priority.

use csv::{ByteRecord, ReaderBuilder, Trim};
use sitemap_core::{ChangeFreq, Entry, LastMod, Priority, Site};

use super::csv_end::{CsvEnd, End};
use super::input::Input;
use super::sink::Pages;
use crate::error::{Outcome, Stop, system_message};

pub(crate) const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

pub(super) fn fill(section: &mut Pages<'_>, site: &Site, input: Input) -> Outcome<()> {
    let Input { name, from, progress, .. } = input;
    let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(CsvEnd::new(from));
    let header = reader.byte_headers().map_err(|error| unreadable(&name, &error))?.clone();
    check_end(&name, reader.get_ref().end(), &header, header.len())?;
    let columns = columns(&header, &name)?;
    let width = header.len();
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(|error| unreadable(&name, &error))? {
        check_end(&name, reader.get_ref().end(), &record, width)?;
        let line = record.position().map_or(0, csv::Position::line);
        let page = page(&record, columns, width, site);
        let page = page.as_ref().map_err(Clone::clone);
        section.add(format_args!("{name}:{line}"), page)?;
        progress.set(reader.position().byte());
    }
    Ok(())
}

/// Returns an error if the input is cut off in a record. Only the last record can be cut off, and the parser returns it
/// when it has seen the end of the input.
fn check_end(input: &str, end: End, record: &ByteRecord, width: usize) -> Outcome<()> {
    let found = record.len();
    match end {
        End::InQuotes { opened } => Err(Stop::new(format!(
            "{input}:{opened}: the quote in this line is never closed; close it, or check that the program that writes \
             the input has not failed"
        ))),
        End::WithoutBreak if found < width => {
            let line = record.position().map_or(0, csv::Position::line);
            Err(Stop::new(format!(
                "{input}:{line}: the input is cut off in this row, which has {found} of {width} columns; check that \
                 the program that writes the input has not failed"
            )))
        }
        _ => Ok(()),
    }
}

/// Returns the position of each known column in the header.
fn columns(header: &ByteRecord, input: &str) -> Outcome<[Option<usize>; 4]> {
    let mut columns = [None; 4];
    for (at, name) in header.iter().enumerate() {
        let name = String::from_utf8_lossy(name);
        let name = name.trim_start_matches('\u{FEFF}').to_ascii_lowercase();
        if name.contains([';', '\t']) {
            return Err(Stop::new(format!("{input}:1: unknown column {name:?}; separate columns by commas")));
        }
        let Some(column) = COLUMNS.iter().position(|known| *known == name) else {
            return Err(Stop::new(format!(
                "{input}:1: unknown column {name:?}; use `loc`, `lastmod`, `changefreq` and `priority`"
            )));
        };
        if columns[column].replace(at).is_some() {
            return Err(Stop::new(format!("{input}:1: duplicate column `{name}`; remove one of them")));
        }
    }
    if columns[0].is_none() {
        return Err(Stop::new(format!("{input}:1: no column `loc`; name the columns in the first line")));
    }
    Ok(columns)
}

fn page<'r>(
    record: &'r ByteRecord,
    columns: [Option<usize>; 4],
    width: usize,
    site: &Site,
) -> Result<Entry<'r>, String> {
    if record.len() != width {
        let found = record.len();
        return Err(format!(
            "columns in the row: {found}, in the header: {width}; write one value per column"
        ));
    }
    let value = |column: usize| -> Result<Option<&str>, String> {
        let bytes = columns[column].and_then(|at| record.get(at)).unwrap_or_default();
        let text = std::str::from_utf8(bytes).map_err(|_| format!("`{}` is not UTF-8", COLUMNS[column]))?;
        Ok(Some(text).filter(|text| !text.is_empty()))
    };
    entry(value(0)?.unwrap_or_default(), value(1)?, value(2)?, value(3)?, site)
        .map_err(|error| error.to_string())
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
        .with_lastmod(lastmod.map(LastMod::parse).transpose()?)
        .with_changefreq(changefreq.map(str::parse::<ChangeFreq>).transpose()?)
        .with_priority(priority.map(str::parse::<Priority>).transpose()?))
}

fn unreadable(input: &str, error: &csv::Error) -> Stop {
    match error.kind() {
        csv::ErrorKind::Io(error) => Stop::new(format!("cannot read `{input}`: {}", system_message(error))),
        _ => Stop::new(format!("cannot read `{input}`: {error}")),
    }
}
