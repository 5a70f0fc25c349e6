//! The output formats of lists.

use serde::Serialize;
use sitemap_core::{ChangeFreq, Entry, LastMod};

use crate::args::ListFormat;
use crate::error::{Outcome, Stop};

/// The columns of a list of entries, printed only in CSV.
pub(super) const ENTRY: [&str; 6] = ["loc", "lastmod", "changefreq", "priority", "sitemap", "section"];
/// The columns of a list of sitemaps.
pub(super) const SITEMAP: [&str; 2] = ["loc", "lastmod"];

/// The rows of a list, as text.
pub(super) enum Rows {
    Text(Vec<u8>),
    Ndjson(Vec<u8>),
    Csv(Box<csv::Writer<Vec<u8>>>),
}

impl Rows {
    pub(super) fn new(format: ListFormat) -> Self {
        match format {
            ListFormat::Text => Self::Text(Vec::new()),
            ListFormat::Ndjson => Self::Ndjson(Vec::new()),
            ListFormat::Csv => Self::Csv(Box::new(csv::Writer::from_writer(Vec::new()))),
        }
    }

    /// Adds an entry of a sitemap.
    pub(super) fn entry(&mut self, entry: &Entry<'_>, sitemap: &str, section: &str) -> Outcome<()> {
        match self {
            Self::Text(text) => {
                line(text, entry.loc().as_str());
                Ok(())
            }
            Self::Ndjson(text) => json_line(text, &Listed { entry, sitemap, section }),
            Self::Csv(writer) => {
                let lastmod = entry.lastmod().map(|value| value.to_string()).unwrap_or_default();
                let changefreq = entry.changefreq().map(ChangeFreq::as_str).unwrap_or_default();
                let priority = entry.priority().map(|value| value.to_string()).unwrap_or_default();
                let loc = entry.loc().as_str();
                let values = [loc, &lastmod, changefreq, &priority, sitemap, section];
                writer.write_record(values).map_err(csv_error)
            }
        }
    }

    /// Adds a sitemap, under the URL that its index lists or under its own path or URL.
    pub(super) fn sitemap(&mut self, loc: &str, lastmod: Option<LastMod>) -> Outcome<()> {
        match self {
            Self::Text(text) => {
                line(text, loc);
                Ok(())
            }
            Self::Ndjson(text) => json_line(text, &Sitemap { loc, lastmod }),
            Self::Csv(writer) => {
                let lastmod = lastmod.map(|value| value.to_string()).unwrap_or_default();
                writer.write_record([loc, &lastmod]).map_err(csv_error)
            }
        }
    }

    /// Returns the approximate size of the text in bytes. In CSV it may be a few kilobytes larger.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Text(text) | Self::Ndjson(text) => text.len(),
            Self::Csv(writer) => writer.get_ref().len(),
        }
    }

    /// Returns the text of all rows so far, and starts a new one.
    pub(super) fn take(&mut self) -> Outcome<Vec<u8>> {
        match self {
            Self::Text(text) | Self::Ndjson(text) => {
                // The next text will probably be about as long.
                let next = Vec::with_capacity(text.len());
                Ok(std::mem::replace(text, next))
            }
            Self::Csv(writer) => {
                let next = csv::Writer::from_writer(Vec::with_capacity(writer.get_ref().len()));
                let text = std::mem::replace(&mut **writer, next).into_inner();
                text.map_err(|error| Stop::new(format!("cannot print: {}", error.error())))
            }
        }
    }
}

/// Returns the header line, if the format has one.
pub(super) fn head(format: ListFormat, columns: &[&str]) -> Outcome<Vec<u8>> {
    let mut rows = Rows::new(format);
    if let Rows::Csv(writer) = &mut rows {
        writer.write_record(columns).map_err(csv_error)?;
    }
    rows.take()
}

fn line(text: &mut Vec<u8>, line: &str) {
    text.extend_from_slice(line.as_bytes());
    text.push(b'\n');
}

fn json_line(text: &mut Vec<u8>, value: &impl Serialize) -> Outcome<()> {
    serde_json::to_writer(&mut *text, value).map_err(|error| Stop::print(&error.into()))?;
    text.push(b'\n');
    Ok(())
}

/// An entry in NDJSON.
#[derive(Serialize)]
struct Listed<'l> {
    #[serde(flatten)]
    entry: &'l Entry<'l>,
    sitemap: &'l str,
    section: &'l str,
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
