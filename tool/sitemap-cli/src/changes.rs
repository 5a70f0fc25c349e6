//! The changes that `sitemap apply` reads: NDJSON or CSV.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::de::DeserializeSeed as _;
use serde_json::Value;
use sitemap_core::Site;
use sitemap_update::{Change, Update};

use crate::args::Column;
use crate::args::{ApplyArgs, ChangesFormat, InputFormat, OnInvalid};
use crate::error::{Outcome, Stop};
use crate::page_list::csv::{self, Table};
use crate::page_list::csv_end::COMMA;
use crate::page_list::input::{self, Content, Input};
use crate::page_list::lines::Lines;
use crate::page_list::ndjson::{check_end, explain};
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
    columns: Vec<Column>,
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
        let columns = args.columns.column.clone();
        Self { update, site, format, columns, on_invalid, skipped: 0, paint }
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
        let mut has_op = None;
        while let Some(line) = lines.next()? {
            check_end(&line, &name)?;
            let change = parse(line.text, &self.site, &mut has_op);
            if (has_op, line.number) == (Some(false), 1) {
                say(&no_op(&name));
            }
            self.add(format_args!("{name}:{}", line.number), change)?;
            progress.add(line.taken);
        }
        Ok(())
    }

    fn read_csv(&mut self, input: Input) -> Outcome<()> {
        let Input { name, from, progress, .. } = input;
        let mut table = Table::open(&name, from, COMMA, COLUMNS, &self.columns)?;
        let has_op = table.has("op");
        if !has_op {
            say(&no_op(&name));
        }
        while let Some(row) = table.next()? {
            let change = row.values.and_then(|[op, loc, lastmod, changefreq, priority]| {
                let op = if has_op { Op::parse(op, "write `upsert` or `remove`")? } else { Op::Upsert };
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

/// Parses a line. The first line decides whether the lines have the key `op`.
fn parse(line: &[u8], site: &Site, has_op: &mut Option<bool>) -> Result<Change, String> {
    const REMEDY: &str = "write {\"op\":\"upsert\",\"loc\":…} or {\"op\":\"remove\",\"loc\":…}";

    let value: Value = serde_json::from_slice(line).map_err(|error| explain(&error))?;
    let Value::Object(mut object) = value else {
        return Err(format!("the line is not a JSON object; {REMEDY}"));
    };
    let op = object.remove("op");
    let op = if *has_op.get_or_insert(op.is_some()) || op.is_some() {
        Op::parse(op.as_ref().and_then(Value::as_str), REMEDY)?
    } else {
        Op::Upsert
    };
    let entry = site.deserialize(Value::Object(object)).map_err(|error| error.to_string())?;
    Ok(op.of(entry.into_owned()))
}

fn no_op(name: &str) -> String {
    format!("`{name}` has no `op`, so each row adds or changes a page, and none is removed")
}
