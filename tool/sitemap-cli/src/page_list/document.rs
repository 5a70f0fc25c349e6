//! Writes a list as a sitemap, so that every command that reads sitemaps also reads lists.
//!
//! Each row of the list becomes an entry in the same line. Values are copied as they are, so that the reader of
//! sitemaps judges them.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};

use serde::Deserialize as _;
use serde_json::{Map, Value};
use sitemap_core::{Entry, Extensions, Site, SitemapWriter, WriteOptions};

use super::columns::PLACES;
use super::csv::{COLUMNS, Table};
use super::csv_end::{COMMA, TAB};
use super::lines::Lines;
use super::ndjson::{check_end, explain, namespaces_of};
use crate::args::Column;
use crate::args::InputFormat;
use crate::error::{Outcome, Stop, system_message};
use crate::terminal::say;
use crate::xml::escaped;

/// The keys of NDJSON that a document can have only as extensions.
const EXTENSIONS: [&str; 5] = ["alternates", "images", "videos", "news", "elements"];

/// The values that the entries of a document can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each value is there or not")]
pub(crate) struct Carried {
    pub(crate) lastmod: bool,
    pub(crate) changefreq: bool,
    pub(crate) priority: bool,
    pub(crate) extensions: bool,
}

impl Carried {
    pub(crate) const ALL: Self = Self { lastmod: true, changefreq: true, priority: true, extensions: true };
    pub(crate) const URLS: Self =
        Self { lastmod: false, changefreq: false, priority: false, extensions: false };

    /// Returns the values that the entries of both documents can have.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            lastmod: self.lastmod && other.lastmod,
            changefreq: self.changefreq && other.changefreq,
            priority: self.priority && other.priority,
            extensions: self.extensions && other.extensions,
        }
    }
}

/// Returns the format of a list from its name or its first line, or `None` for a sitemap.
pub(crate) fn format(name: &str, start: &[u8], given: &[Column]) -> Option<InputFormat> {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    if start.starts_with(b"<") {
        return None;
    }
    if let Some(format) = super::input::by_name(name.as_ref()) {
        return Some(format);
    }
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if start.starts_with(b"{") {
        return Some(InputFormat::Ndjson);
    }
    super::input::table(line, given)
}

/// Writes the rows of a list as a sitemap. Returns which values its entries can have.
pub(crate) fn write(
    name: &str,
    from: impl BufRead,
    format: InputFormat,
    given: &[Column],
    to: &mut dyn Write,
) -> Outcome<Carried> {
    let mut rows = Rows { to, line: 1 };
    rows.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    rows.text("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">")?;
    let carried = match format {
        InputFormat::Ndjson => objects(name, from, &mut rows)?,
        InputFormat::Tsv => table(name, from, TAB, given, &mut rows)?,
        InputFormat::Csv | InputFormat::Text => table(name, from, COMMA, given, &mut rows)?,
    };
    rows.text("</urlset>\n")?;
    Ok(carried)
}

fn table(
    name: &str,
    from: impl BufRead,
    delimiter: u8,
    given: &[Column],
    rows: &mut Rows<'_>,
) -> Outcome<Carried> {
    let mut table = Table::open(name, from, delimiter, COLUMNS, given)?;
    let carried = Carried {
        lastmod: table.has("lastmod"),
        changefreq: table.has("changefreq"),
        priority: table.has("priority"),
        extensions: false,
    };
    while let Some(row) = table.next()? {
        let values = row.values.map_err(|why| Stop::new(format!("{name}:{}: {why}", row.line)))?;
        rows.entry(row.line, values)?;
    }
    Ok(carried)
}

fn objects(name: &str, from: impl BufRead, rows: &mut Rows<'_>) -> Outcome<Carried> {
    let (mut lines, mut ignored) = (Lines::new(from), BTreeSet::new());
    while let Some(line) = lines.next()? {
        check_end(&line, name)?;
        let stop = |why: String| Stop::new(format!("{name}:{}: {why}", line.number));
        let object: Map<String, Value> =
            serde_json::from_slice(line.text).map_err(|error| stop(explain(&error)))?;
        let is_known = |key: &str| COLUMNS.contains(&key) || EXTENSIONS.contains(&key);
        let others = object.keys().filter(|key| !is_known(key) && !PLACES.contains(&key.as_str()));
        ignored.extend(others.take(10).cloned());
        if object.keys().any(|key| EXTENSIONS.contains(&key.as_str())) {
            let object: Map<String, Value> = object.into_iter().filter(|(key, _)| is_known(key)).collect();
            let entry = Entry::deserialize(Value::Object(object)).map_err(|error| stop(error.to_string()))?;
            rows.extended(line.number, &entry).map_err(stop)?;
        } else {
            let text = |key: &str| match object.get(key)? {
                Value::Null => None,
                Value::String(text) => Some(text.clone()),
                other => Some(other.to_string()),
            };
            let values = COLUMNS.map(text);
            rows.entry(line.number, values.each_ref().map(Option::as_deref))?;
        }
    }
    if !ignored.is_empty() {
        let keys: Vec<String> = ignored.iter().take(10).map(|key| format!("`{key}`")).collect();
        say(&format!("`{name}`: ignored the keys {}", keys.join(", ")));
    }
    Ok(Carried::ALL)
}

/// The entries of a sitemap, each in the line of its row.
struct Rows<'t> {
    to: &'t mut dyn Write,
    line: u64,
}

impl Rows<'_> {
    fn text(&mut self, text: &str) -> Outcome<()> {
        self.to.write_all(text.as_bytes()).map_err(|error| failed(&error))
    }

    fn go_to(&mut self, line: u64) -> Outcome<()> {
        while self.line < line {
            self.text("\n")?;
            self.line += 1;
        }
        Ok(())
    }

    fn entry(&mut self, line: u64, values: [Option<&str>; 4]) -> Outcome<()> {
        self.go_to(line)?;
        self.text("<url>")?;
        for (name, value) in COLUMNS.into_iter().zip(values) {
            if let Some(value) = value {
                self.text(&format!("<{name}>{}</{name}>", escaped(value)))?;
            }
        }
        self.text("</url>")
    }

    /// Writes an entry with extensions. Its element declares their namespaces.
    fn extended(&mut self, line: u64, entry: &Entry<'_>) -> Result<(), String> {
        let text = alone(entry).map_err(|error| error.to_string())?;
        let (head, rest) = text.split_once("\n<url>").ok_or("the entry cannot be written")?;
        let (body, _) = rest.rsplit_once("\n</urlset>").ok_or("the entry cannot be written")?;
        let namespaces = head.rsplit_once("sitemap/0.9\"").map_or("", |(_, rest)| rest.trim_end_matches('>'));
        // A line break in a value must not move the entries after it.
        let body = body.replace('\n', "&#10;");
        let written = self.go_to(line).and_then(|()| self.text(&format!("<url{namespaces}>{body}")));
        written.map_err(|stop| match stop {
            Stop::Error(message) | Stop::Shrunk(message) => message,
            Stop::Quiet => String::new(),
        })
    }
}

/// Writes a sitemap with one entry.
fn alone(entry: &Entry<'_>) -> Result<String, sitemap_core::Error> {
    let loc = entry.loc().as_str();
    let host = loc.find("://").and_then(|at| loc[at + 3..].find(['/', '?', '#']).map(|end| at + 3 + end));
    let site = Site::new(&loc[..host.unwrap_or(loc.len())])?;
    let extensions = entry.extensions() | Extensions::NONE;
    let options = WriteOptions::new().extensions(extensions).deprecated(true);
    let options = namespaces_of(entry).into_iter().fold(options, WriteOptions::namespace);
    let mut writer = SitemapWriter::with_options(site, Vec::new(), options);
    writer.add(entry)?;
    let (text, _) = writer.finish()?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn failed(error: &io::Error) -> Stop {
    Stop::new(format!("cannot write a temporary file: {}", system_message(error)))
}
