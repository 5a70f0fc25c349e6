//! The changes that `sitemap apply` reads: NDJSON or CSV.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::de::DeserializeSeed as _;
use serde_json::Value;
use sitemap_core::Site;
use sitemap_update::{Change, Update};

use crate::args::{ApplyArgs, ChangesFormat, InputFormat, OnInvalid};
use crate::build::csv::{self, Table};
use crate::build::csv_end::COMMA;
use crate::build::input::{self, Content, Input};
use crate::build::lines::Lines;
use crate::build::ndjson::{check_end, explain};
use crate::error::{Outcome, Stop};
use crate::terminal::{Ink, Paint, say};

const CHANGES: Content = Content {
    lines: "changes",
    work: "reading changes",
    instead_of_folder: "name the files with changes in it",
};

/// The columns of a CSV file. Only `op` and `loc` are required.
const COLUMNS: [&str; 5] = ["op", "loc", "lastmod", "changefreq", "priority"];

/// The maximum number of skipped changes to report one by one.
const MAX_SHOWN: u64 = 20;

pub(crate) struct Changes {
    update: Update,
    site: Site,
    format: Option<ChangesFormat>,
    on_invalid: OnInvalid,
    skipped: u64,
    paint: Paint,
}

/// What a change does to its page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    Upsert,
    Remove,
}

impl Changes {
    pub(crate) fn new(update: Update, site: Site, args: &ApplyArgs, paint: Paint) -> Self {
        let (format, on_invalid) = (args.input_format, args.on_invalid);
        Self { update, site, format, on_invalid, skipped: 0, paint }
    }

    /// Reads the files in order, or standard input if there are no files.
    pub(crate) fn read_all(&mut self, paths: &[PathBuf]) -> Outcome<()> {
        if paths.is_empty() {
            return self.read(None);
        }
        paths
            .iter()
            .try_for_each(|path| self.read(Some(path.as_path()).filter(|path| path.as_os_str() != "-")))
    }

    /// Reports how many further changes were skipped. Returns the update and the number of skipped changes.
    pub(crate) fn finish(self) -> (Update, u64) {
        if self.skipped > MAX_SHOWN {
            say(&format!("{}: {} more", self.paint.ink(Ink::Warning, "skipped"), self.skipped - MAX_SHOWN));
        }
        (self.update, self.skipped)
    }

    fn read(&mut self, path: Option<&Path>) -> Outcome<()> {
        let mut input = Input::open(path, CHANGES)?;
        let format = self.format.map_or_else(|| detect(&mut input, path), Ok)?;
        match format {
            ChangesFormat::Ndjson => self.read_ndjson(input),
            ChangesFormat::Csv => self.read_csv(input),
        }
    }

    fn read_ndjson(&mut self, input: Input) -> Outcome<()> {
        let Input { name, from, progress, .. } = input;
        let mut lines = Lines::new(from);
        while let Some(line) = lines.next()? {
            check_end(&line, &name)?;
            let change = parse(line.text, &self.site);
            self.add(format_args!("{name}:{}", line.number), change)?;
            progress.add(line.taken);
        }
        Ok(())
    }

    fn read_csv(&mut self, input: Input) -> Outcome<()> {
        let Input { name, from, progress, .. } = input;
        let mut table = Table::open(&name, from, COMMA, COLUMNS)?;
        if !table.has("op") {
            return Err(Stop::new(format!(
                "{name}:1: no column `op`; add it, with `upsert` or `remove` in each row"
            )));
        }
        while let Some(row) = table.next()? {
            let change = row.values.and_then(|[op, loc, lastmod, changefreq, priority]| {
                let op = Op::parse(op, "write `upsert` or `remove`")?;
                let entry = csv::page([loc, lastmod, changefreq, priority], &self.site)?;
                Ok(op.of(entry.into_owned()))
            });
            self.add(format_args!("{name}:{}", row.line), change)?;
            progress.set(row.end);
        }
        Ok(())
    }

    /// Adds a change, or the reason why it is invalid.
    fn add(&mut self, place: impl Display, change: Result<Change, String>) -> Outcome<()> {
        let added = change.and_then(|change| self.update.add(change).map_err(|error| error.to_string()));
        let Err(error) = added else { return Ok(()) };
        let message = format!("{place}: {error}");
        if self.on_invalid == OnInvalid::Stop {
            return Err(Stop::new(message));
        }
        self.skipped += 1;
        if self.skipped <= MAX_SHOWN {
            say(&format!("{}: {message}", self.paint.ink(Ink::Warning, "skipped")));
        }
        Ok(())
    }
}

impl Op {
    fn parse(text: Option<&str>, remedy: &str) -> Result<Self, String> {
        match text {
            Some("upsert") => Ok(Self::Upsert),
            Some("remove") => Ok(Self::Remove),
            Some(other) => Err(format!("unknown `op` {other:?}; {remedy}")),
            None => Err(format!("`op` is missing; {remedy}")),
        }
    }

    fn of(self, entry: sitemap_core::Entry<'static>) -> Change {
        match self {
            Self::Upsert => Change::Upsert(entry),
            Self::Remove => Change::Remove(entry.loc().clone()),
        }
    }
}

/// Detects the format from the file name or, if the extension is unknown, from the first character.
fn detect(input: &mut Input, path: Option<&Path>) -> Outcome<ChangesFormat> {
    match path.and_then(input::by_name) {
        Some(InputFormat::Csv) => Ok(ChangesFormat::Csv),
        Some(InputFormat::Ndjson) => Ok(ChangesFormat::Ndjson),
        Some(InputFormat::Text | InputFormat::Tsv) | None => {
            let is_header = input.starts_with_letter_or_quote()?;
            Ok(if is_header { ChangesFormat::Csv } else { ChangesFormat::Ndjson })
        }
    }
}

fn parse(line: &[u8], site: &Site) -> Result<Change, String> {
    const REMEDY: &str = "write {\"op\":\"upsert\",\"loc\":…} or {\"op\":\"remove\",\"loc\":…}";

    let value: Value = serde_json::from_slice(line).map_err(|error| explain(&error))?;
    let Value::Object(mut object) = value else {
        return Err(format!("the line is not a JSON object; {REMEDY}"));
    };
    let op = object.remove("op");
    let op = Op::parse(op.as_ref().and_then(Value::as_str), REMEDY)?;
    let entry = site.deserialize(Value::Object(object)).map_err(|error| error.to_string())?;
    Ok(op.of(entry.into_owned()))
}
