//! The formats of lists.

use serde::Serialize;
use sitemap_core::{ChangeFreq, Entry, LastMod};

use crate::args::ListFormat;
use crate::error::{Outcome, Stop};
use crate::output::Output;

/// A list on stdout.
pub(super) enum Printer {
    Text(Output),
    Ndjson(Output),
    Csv(Box<csv::Writer<Output>>),
}

impl Printer {
    /// Returns a list with these columns, which only CSV prints.
    pub(super) fn new(format: ListFormat, columns: &[&str]) -> Outcome<Self> {
        Ok(match format {
            ListFormat::Text => Self::Text(Output::new()),
            ListFormat::Ndjson => Self::Ndjson(Output::new()),
            ListFormat::Csv => {
                let mut writer = csv::Writer::from_writer(Output::new());
                writer.write_record(columns).map_err(csv_error)?;
                Self::Csv(Box::new(writer))
            }
        })
    }

    /// Prints an entry.
    pub(super) fn print(&mut self, entry: &Entry<'_>) -> Outcome<()> {
        match self {
            Self::Text(output) => output.line(entry.loc().as_str()),
            Self::Ndjson(output) => output.json_line(entry),
            Self::Csv(writer) => {
                let lastmod = entry.lastmod().map(|value| value.to_string()).unwrap_or_default();
                let changefreq = entry.changefreq().map(ChangeFreq::as_str).unwrap_or_default();
                let priority = entry.priority().map(|value| value.to_string()).unwrap_or_default();
                let loc = entry.loc().as_str();
                writer.write_record([loc, &lastmod, changefreq, &priority]).map_err(csv_error)
            }
        }
    }

    /// Prints a sitemap: the URL that its index lists, or its path or URL.
    pub(super) fn print_sitemap(&mut self, loc: &str, lastmod: Option<LastMod>) -> Outcome<()> {
        match self {
            Self::Text(output) => output.line(loc),
            Self::Ndjson(output) => output.json_line(&Sitemap { loc, lastmod }),
            Self::Csv(writer) => {
                let lastmod = lastmod.map(|value| value.to_string()).unwrap_or_default();
                writer.write_record([loc, &lastmod]).map_err(csv_error)
            }
        }
    }

    pub(super) fn flush(&mut self) -> Outcome<()> {
        match self {
            Self::Text(output) | Self::Ndjson(output) => output.flush(),
            Self::Csv(writer) => writer.flush().map_err(|error| Stop::print(&error)),
        }
    }
}

/// A sitemap in NDJSON.
#[derive(Serialize)]
struct Sitemap<'s> {
    loc: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    lastmod: Option<LastMod>,
}

fn csv_error(error: csv::Error) -> Stop {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Stop::print(&error),
        other => Stop::new(format!("cannot print: {other:?}")),
    }
}
