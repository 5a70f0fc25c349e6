//! The options that select what to list.

use sitemap_core::value::Precision;
use sitemap_core::{LastMod, Loc};
use sitemap_read::section_of;

use crate::args::{ListArgs, PatternArgs};
use crate::error::{Outcome, Stop};

/// The conditions of `--since`, `--until`, `--prefix`, `--section`, `--include` and `--exclude`.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    since: Option<i64>,
    until: Option<i64>,
    prefix: Option<Loc<'a>>,
    pub(super) section: Option<&'a str>,
    patterns: &'a PatternArgs,
}

impl<'a> Filter<'a> {
    pub(super) fn new(args: &'a ListArgs) -> Outcome<Self> {
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
            patterns: &args.patterns,
        })
    }

    /// Returns `true` for a file that belongs to the section.
    pub(super) fn has_section(&self, file_name: &str) -> bool {
        self.section.is_none_or(|section| section == section_of(file_name))
    }

    /// Returns `true` if an entry with this URL and date is listed.
    pub(super) fn lists(&self, loc: &str, lastmod: Option<LastMod>) -> bool {
        self.is_in_range(lastmod)
            && self.prefix.as_ref().is_none_or(|prefix| loc.starts_with(prefix.as_str()))
            && self.patterns.cover(loc)
    }

    /// Returns `true` if a date is in the range from `--since` to `--until`. A year, month or day is in the range if
    /// any part of it is in the range.
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
