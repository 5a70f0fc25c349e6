//! `sitemap list`: every entry, one per line.

use std::collections::BTreeSet;

use sitemap_core::value::Precision;
use sitemap_core::{ChangeFreq, Entry, LastMod, Loc};
use sitemap_read::{DocumentKind, SitemapReader};

use crate::args::{ListArgs, ListFormat};
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::section::section_of;
use crate::source::{Document, Source, Visitor, crawl};
use crate::terminal::say;

pub(crate) fn run(args: &ListArgs) -> Outcome<()> {
    let source = Source::new(&args.read, [args.target.as_str()])?;
    let mut lister = Lister::new(args)?;
    let crawled = crawl(&source, &args.target, &mut lister)?;
    lister.printer.flush()?;
    if let Some(section) = lister.section.filter(|section| !lister.sections.contains(*section)) {
        say(&no_section(section, &lister.sections));
    }
    crawled.report(&args.target)
}

struct Lister<'a> {
    printer: Printer,
    since: Option<i64>,
    until: Option<i64>,
    prefix: Option<Loc<'a>>,
    section: Option<&'a str>,
    /// The sections of all files that were read.
    sections: BTreeSet<String>,
}

impl<'a> Lister<'a> {
    fn new(args: &'a ListArgs) -> Outcome<Self> {
        let date = |option: &str, text: &str| {
            LastMod::parse(text).map_err(|error| {
                // The parser's message names `lastmod`, but here the date comes from an option.
                Stop::new(error.to_string().replacen("`lastmod`", &format!("`{option}`"), 1))
            })
        };
        let since = args.since.as_deref().map(|text| date("--since", text)).transpose()?;
        let until = args.until.as_deref().map(|text| date("--until", text)).transpose()?;
        let prefix = args.prefix.as_deref().map(Loc::parse).transpose();
        Ok(Self {
            since: since.map(|date| date.timestamp()),
            until: until.map(last_second),
            prefix: prefix.map_err(|error| Stop::new(format!("`--prefix`: {error}")))?,
            section: args.section.as_deref(),
            sections: BTreeSet::new(),
            printer: Printer::new(args.format)?,
        })
    }

    /// Returns `true` if a date is in the range from `--since` to `--until`. A year, month or day is in the range if at
    /// least one of its seconds is.
    fn is_in_range(&self, lastmod: Option<LastMod>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        lastmod.is_some_and(|lastmod| {
            self.since.is_none_or(|since| last_second(lastmod) >= since)
                && self.until.is_none_or(|until| lastmod.timestamp() <= until)
        })
    }
}

impl Visitor for Lister<'_> {
    fn wants(&self, document: &Document) -> bool {
        self.section.is_none_or(|section| section == section_of(document.file_name()))
    }

    fn page(&mut self, _: &Document, entry: &Entry<'_>) -> Outcome<()> {
        let is_under = |prefix: &Loc<'_>| entry.loc().as_str().starts_with(prefix.as_str());
        if self.is_in_range(entry.lastmod()) && self.prefix.as_ref().is_none_or(is_under) {
            self.printer.print(entry)?;
        }
        Ok(())
    }

    fn end(&mut self, document: &Document, reader: &mut SitemapReader<'_>) {
        let is_index = reader.document().is_ok_and(|document| document.kind == DocumentKind::Index);
        let section = section_of(document.file_name());
        if self.section.is_some() && !is_index && !self.sections.contains(section) {
            self.sections.insert(section.to_owned());
        }
    }
}

/// Returns the message for an unknown section, which names the known sections.
fn no_section(section: &str, sections: &BTreeSet<String>) -> String {
    const MAX_SHOWN: usize = 20;

    let names: Vec<_> = sections.iter().take(MAX_SHOWN).map(|name| format!("`{name}`")).collect();
    let more = match sections.len().saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match sections.len() {
        0 => format!("no section `{section}`; the sitemap has no sections"),
        1 => format!("no section `{section}`; the only section is {}", names.join("")),
        _ => format!("no section `{section}`; the sections are {}{more}", names.join(", ")),
    }
}

enum Printer {
    Text(Output),
    Ndjson(Output),
    Csv(Box<csv::Writer<Output>>),
}

impl Printer {
    fn new(format: ListFormat) -> Outcome<Self> {
        Ok(match format {
            ListFormat::Text => Self::Text(Output::new()),
            ListFormat::Ndjson => Self::Ndjson(Output::new()),
            ListFormat::Csv => {
                let mut writer = csv::Writer::from_writer(Output::new());
                writer.write_record(["loc", "lastmod", "changefreq", "priority"]).map_err(csv_error)?;
                Self::Csv(Box::new(writer))
            }
        })
    }

    fn print(&mut self, entry: &Entry<'_>) -> Outcome<()> {
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

    fn flush(&mut self) -> Outcome<()> {
        match self {
            Self::Text(output) | Self::Ndjson(output) => output.flush(),
            Self::Csv(writer) => writer.flush().map_err(|error| Stop::print(&error)),
        }
    }
}

fn csv_error(error: csv::Error) -> Stop {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Stop::print(&error),
        other => Stop::new(format!("cannot print: {other:?}")),
    }
}

/// Returns the timestamp of the last second that a date covers.
fn last_second(date: LastMod) -> i64 {
    let text = date.to_string();
    let number =
        |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse::<i32>().ok());
    let year = number(0..4).unwrap_or(9_999);
    let next = match date.precision() {
        Precision::Year => LastMod::date(year + 1, 1, 1),
        Precision::Month => match number(5..7) {
            Some(month @ 1..=11) => LastMod::date(year, u8::try_from(month + 1).unwrap_or(12), 1),
            _ => LastMod::date(year + 1, 1, 1),
        },
        Precision::Day => return date.timestamp() + 86_399,
        Precision::Minute => return date.timestamp() + 59,
        Precision::Second | Precision::Fraction => return date.timestamp(),
    };
    next.map_or(i64::MAX, |next| next.timestamp() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_lasts_until_its_last_second() {
        for (date, last) in [
            ("2026", "2026-12-31T23:59:59Z"),
            ("2026-02", "2026-02-28T23:59:59Z"),
            ("2026-12", "2026-12-31T23:59:59Z"),
            ("2026-01-31", "2026-01-31T23:59:59Z"),
            ("2026-01-31T12:00+01:00", "2026-01-31T11:00:59Z"),
            ("2026-01-31T12:00:01Z", "2026-01-31T12:00:01Z"),
        ] {
            let last = LastMod::parse(last).unwrap().timestamp();
            assert_eq!(last_second(LastMod::parse(date).unwrap()), last, "{date}");
        }
        assert_eq!(last_second(LastMod::parse("9999").unwrap()), i64::MAX);
    }
}
