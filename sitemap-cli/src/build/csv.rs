//! Pages from CSV with the columns loc, lastmod, changefreq and priority.

use csv::{ByteRecord, ReaderBuilder, Trim};
use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{ChangeFreq, Entry, LastMod, Priority, Site, Summary};

use super::failure::failed;
use super::input::Input;
use super::publish::open;
use super::row::Row;
use crate::args::BuildArgs;
use crate::error::{Outcome, Stop, said};

const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

pub(super) fn build(args: &BuildArgs, builder: PublisherBuilder, input: Input) -> Outcome<Summary> {
    let Input { name, from, progress } = input;
    let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(from);
    let places = places(reader.byte_headers().map_err(|error| unreadable(&name, &error))?, &name)?;
    let width = reader.byte_headers().map_or(0, ByteRecord::len);
    let site = builder.site().clone();
    let mut publisher = open(args, builder)?;
    let mut section = publisher.section(&args.section).map_err(|error| failed(&error))?;
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(|error| unreadable(&name, &error))? {
        let line = record.position().map_or(0, csv::Position::line);
        let page = page(&record, places, width, &site);
        let page = page.as_ref().map_err(Clone::clone);
        section.add(&Row { input: &name, line, page }).map_err(|error| failed(&error))?;
        progress.set(reader.position().byte());
    }
    drop(progress);
    publisher.finish().map_err(|error| failed(&error))
}

/// In which column each value stands.
fn places(header: &ByteRecord, input: &str) -> Outcome<[Option<usize>; 4]> {
    let mut places = [None; 4];
    for (at, name) in header.iter().enumerate() {
        let name = String::from_utf8_lossy(name);
        let name = name.trim_start_matches('\u{FEFF}').to_ascii_lowercase();
        if name.contains([';', '\t']) {
            return Err(Stop::new(format!(
                "{input}:1: unknown column; separate columns by commas, found {name:?}"
            )));
        }
        let Some(column) = COLUMNS.iter().position(|known| *known == name) else {
            return Err(Stop::new(format!(
                "{input}:1: unknown column; the columns are `loc`, `lastmod`, `changefreq` and \
                 `priority`, found {name:?}"
            )));
        };
        if places[column].replace(at).is_some() {
            return Err(Stop::new(format!("{input}:1: column `{name}` stands twice; remove one")));
        }
    }
    if places[0].is_none() {
        return Err(Stop::new(format!("{input}:1: no column `loc`; name the columns in the first line")));
    }
    Ok(places)
}

fn page<'r>(
    record: &'r ByteRecord,
    places: [Option<usize>; 4],
    width: usize,
    site: &Site,
) -> Result<Entry<'r>, String> {
    if record.len() != width {
        return Err(format!("the header has {width} columns, found {}", record.len()));
    }
    let value = |column: usize| -> Result<Option<&str>, String> {
        let bytes = places[column].and_then(|at| record.get(at)).unwrap_or_default();
        let text = std::str::from_utf8(bytes).map_err(|_| format!("`{}` is not UTF-8", COLUMNS[column]))?;
        Ok(Some(text).filter(|text| !text.is_empty()))
    };
    entry(value(0)?.unwrap_or_default(), value(1)?, value(2)?, value(3)?, site)
        .map_err(|error| error.to_string())
}

/// The entry of four texts.
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
        csv::ErrorKind::Io(error) => Stop::new(format!("cannot read `{input}`: {}", said(error))),
        _ => Stop::new(format!("cannot read `{input}`: {error}")),
    }
}
