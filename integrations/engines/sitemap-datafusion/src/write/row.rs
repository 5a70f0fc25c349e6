//! A row of the statement, and how it is encoded in memory and on disk until its hash bucket is written.

use std::cmp::Ordering;

use datafusion::arrow::temporal_conversions::{date32_to_datetime, date64_to_datetime};
use datafusion::common::internal_datafusion_err;
use datafusion::error::Result;
use sitemap_core::{ChangeFreq, Entry, EntryWriter, Error, LastMod, Priority, Site, SitemapEntry};

use super::extras::attach;

/// A row's unchecked values. They are checked when the row is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Row<'r> {
    pub(super) loc: Option<&'r str>,
    pub(super) lastmod: Option<Date<'r>>,
    pub(super) changefreq: Option<&'r str>,
    pub(super) priority: Option<Number<'r>>,
    /// The extension values, as JSON.
    pub(super) extras: Option<&'r str>,
    /// `true` if there is a column `section`, but this row's value is `NULL`.
    pub(super) lacks_section: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Date<'r> {
    Text(&'r str),
    /// Seconds after 1970-01-01T00:00:00Z.
    Seconds(i64),
    /// Days after 1970-01-01.
    Days(i32),
    /// A day, as milliseconds since 1970-01-01.
    Milliseconds(i64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number<'r> {
    Text(&'r str),
    Float(f64),
}

/// A row's checked values, except for its URL and its extension values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Values {
    lastmod: Option<LastMod>,
    changefreq: Option<ChangeFreq>,
    priority: Option<Priority>,
}

impl<'r> Row<'r> {
    /// Compares rows by URL, and then by their other values, so that the same rows are always in the same order.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let by_values = || format!("{:?}", self.values()).cmp(&format!("{:?}", other.values()));
        self.loc.cmp(&other.loc).then_with(by_values).then_with(|| self.extras.cmp(&other.extras))
    }

    fn values(&self) -> Result<Values, Error> {
        if self.lacks_section {
            return Err(Error::other("`section` is NULL; write the section of the page"));
        }
        Ok(Values {
            lastmod: self.lastmod.map(Date::parse).transpose()?,
            changefreq: self.changefreq.map(str::parse).transpose()?,
            priority: self.priority.map(Number::parse).transpose()?,
        })
    }

    /// Returns the row's entry.
    pub(super) fn entry(&self, site: &Site) -> Result<Entry<'r>, Error> {
        let loc = self.loc.ok_or_else(|| {
            Error::other(
                "the `loc` of a row is NULL; leave such rows out, for example with `WHERE loc IS NOT NULL`",
            )
        })?;
        let named = |error: Error| in_row(loc, error);
        let values = self.values().map_err(|error| named(Error::other(error.to_string())))?;
        let entry = Entry::new(site.resolve(loc).map_err(|error| named(error.into()))?);
        let entry = entry
            .with_lastmod(values.lastmod)
            .with_changefreq(values.changefreq)
            .with_priority(values.priority);
        match self.extras {
            Some(json) => attach(entry, json).map_err(named),
            None => Ok(entry),
        }
    }
}

impl SitemapEntry for Row<'_> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        let entry = self.entry(out.site())?;
        out.add(entry).map_err(|error| in_row(self.loc.unwrap_or_default(), error))
    }
}

/// Adds the row's URL to an error about one of its values. Storage errors are returned unchanged.
#[cold]
pub(super) fn in_row(loc: &str, error: Error) -> Error {
    if error.is_invalid_record() { Error::other(format!("row {loc:?}: {error}")) } else { error }
}

impl Date<'_> {
    fn parse(self) -> Result<LastMod, Error> {
        Ok(match self {
            Self::Text(text) => LastMod::parse(text)?,
            Self::Seconds(seconds) => LastMod::from_timestamp(seconds)?,
            Self::Days(days) => {
                let day = date32_to_datetime(days).ok_or_else(|| outside_calendar(days.into(), "days"))?;
                day.date().try_into()?
            }
            Self::Milliseconds(found) => {
                let day = date64_to_datetime(found).ok_or_else(|| outside_calendar(found, "milliseconds"))?;
                day.date().try_into()?
            }
        })
    }
}

#[cold]
fn outside_calendar(found: i64, unit: &str) -> Error {
    Error::other(format!("`lastmod` is {found} {unit} after 1970-01-01, which is outside the calendar"))
}

impl Number<'_> {
    fn parse(self) -> Result<Priority, Error> {
        Ok(match self {
            Self::Text(text) => text.parse()?,
            Self::Float(number) => Priority::new(number)?,
        })
    }
}

/// The types of a row's values. The first byte of the row contains them.
mod tags {
    pub(super) const LACKS_SECTION: u8 = 1;
    pub(super) const DATE: u8 = 7 << 1;
    pub(super) const DATE_TEXT: u8 = 1 << 1;
    pub(super) const DATE_SECONDS: u8 = 2 << 1;
    pub(super) const DATE_DAYS: u8 = 3 << 1;
    pub(super) const DATE_MILLISECONDS: u8 = 4 << 1;
    pub(super) const NUMBER: u8 = 3 << 4;
    pub(super) const NUMBER_TEXT: u8 = 1 << 4;
    pub(super) const NUMBER_FLOAT: u8 = 2 << 4;
}

impl<'r> Row<'r> {
    /// Appends the row's bytes: a byte with the types of its values, then the values. Each string is preceded by its
    /// length plus one; 0 means that there is no string.
    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        let date = match self.lastmod {
            None => 0,
            Some(Date::Text(_)) => tags::DATE_TEXT,
            Some(Date::Seconds(_)) => tags::DATE_SECONDS,
            Some(Date::Days(_)) => tags::DATE_DAYS,
            Some(Date::Milliseconds(_)) => tags::DATE_MILLISECONDS,
        };
        let number = match self.priority {
            None => 0,
            Some(Number::Text(_)) => tags::NUMBER_TEXT,
            Some(Number::Float(_)) => tags::NUMBER_FLOAT,
        };
        bytes.push(date | number | if self.lacks_section { tags::LACKS_SECTION } else { 0 });
        push_text(bytes, self.loc);
        match self.lastmod {
            None => {}
            Some(Date::Text(text)) => push_text(bytes, Some(text)),
            Some(Date::Seconds(found) | Date::Milliseconds(found)) => bytes.extend(found.to_le_bytes()),
            Some(Date::Days(days)) => bytes.extend(days.to_le_bytes()),
        }
        push_text(bytes, self.changefreq);
        match self.priority {
            None => {}
            Some(Number::Text(text)) => push_text(bytes, Some(text)),
            Some(Number::Float(number)) => bytes.extend(number.to_le_bytes()),
        }
        push_text(bytes, self.extras);
    }

    /// Decodes a row.
    pub(super) fn decode(bytes: &'r [u8]) -> Result<Self> {
        Self::of(bytes)
            .map_err(|Damaged| internal_datafusion_err!("a row in memory or on disk cannot be read"))
    }

    fn of(bytes: &'r [u8]) -> Result<Self, Damaged> {
        let (&tags, mut rest) = bytes.split_first().ok_or(Damaged)?;
        let rest = &mut rest;
        Ok(Self {
            loc: take_text(rest)?,
            lastmod: match tags & tags::DATE {
                0 => None,
                tags::DATE_TEXT => Some(Date::Text(take_text(rest)?.ok_or(Damaged)?)),
                tags::DATE_SECONDS => Some(Date::Seconds(i64::from_le_bytes(take(rest)?))),
                tags::DATE_DAYS => Some(Date::Days(i32::from_le_bytes(take(rest)?))),
                tags::DATE_MILLISECONDS => Some(Date::Milliseconds(i64::from_le_bytes(take(rest)?))),
                _ => return Err(Damaged),
            },
            changefreq: take_text(rest)?,
            priority: match tags & tags::NUMBER {
                0 => None,
                tags::NUMBER_TEXT => Some(Number::Text(take_text(rest)?.ok_or(Damaged)?)),
                tags::NUMBER_FLOAT => Some(Number::Float(f64::from_le_bytes(take(rest)?))),
                _ => return Err(Damaged),
            },
            extras: take_text(rest)?,
            lacks_section: tags & tags::LACKS_SECTION != 0,
        })
    }

    /// Returns only the URL from a row's bytes.
    pub(super) fn loc_in(bytes: &'r [u8]) -> Option<&'r [u8]> {
        let mut rest = bytes.get(1..)?;
        let len = take_len(&mut rest)?.checked_sub(1)?;
        rest.get(..len)
    }
}

/// Compares two encoded rows, in the order of [`Row::order`].
pub(super) fn order(one: &[u8], other: &[u8]) -> Ordering {
    let by_values = || match (Row::decode(one), Row::decode(other)) {
        (Ok(one), Ok(other)) => one.order(&other),
        // Writing such a row fails anyway, so its position doesn't matter.
        _ => one.cmp(other),
    };
    Row::loc_in(one).cmp(&Row::loc_in(other)).then_with(by_values)
}

/// Appends a number with seven bits per byte, lowest bits first. The last byte is less than 128.
pub(super) fn push_len(bytes: &mut Vec<u8>, mut len: usize) {
    while len >= 0x80 {
        bytes.push(len.to_le_bytes()[0] | 0x80);
        len >>= 7;
    }
    bytes.push(len.to_le_bytes()[0]);
}

/// Removes a number from the front of `bytes` and returns it.
pub(super) fn take_len(bytes: &mut &[u8]) -> Option<usize> {
    let (mut len, mut shift) = (0, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        len |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(len);
        }
        shift += 7;
    }
}

/// Returns the error for bytes that are not a valid row.
struct Damaged;

/// Appends `len + 1` followed by the string, or 0 if there is none.
fn push_text(bytes: &mut Vec<u8>, text: Option<&str>) {
    push_len(bytes, text.map_or(0, |text| text.len() + 1));
    bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
}

fn take_text<'r>(bytes: &mut &'r [u8]) -> Result<Option<&'r str>, Damaged> {
    let Some(len) = take_len(bytes).ok_or(Damaged)?.checked_sub(1) else { return Ok(None) };
    let (text, rest) = bytes.split_at_checked(len).ok_or(Damaged)?;
    *bytes = rest;
    str::from_utf8(text).map(Some).map_err(|_| Damaged)
}

fn take<const LEN: usize>(bytes: &mut &[u8]) -> Result<[u8; LEN], Damaged> {
    let (value, rest) = bytes.split_first_chunk().ok_or(Damaged)?;
    *bytes = rest;
    Ok(*value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_row_can_be_read_again() {
        let long = "/ü".repeat(40_000);
        let dates = [
            None,
            Some(Date::Text("2026-01-31T10:00:00.25+01:00")),
            Some(Date::Seconds(-1)),
            Some(Date::Days(i32::MIN)),
            Some(Date::Milliseconds(i64::MAX)),
        ];
        let numbers = [None, Some(Number::Text("")), Some(Number::Float(0.8))];
        let mut bytes = Vec::new();
        for loc in [None, Some(""), Some("/a"), Some(&*long)] {
            for lastmod in dates {
                for priority in numbers {
                    for (changefreq, extras, lacks_section) in [
                        (None, None, false),
                        (Some("daily"), None, true),
                        (None, Some("{\"images\":[]}"), false),
                    ] {
                        let row = Row { loc, lastmod, changefreq, priority, extras, lacks_section };
                        bytes.clear();
                        row.encode(&mut bytes);
                        assert_eq!(Row::decode(&bytes).unwrap(), row);
                        assert_eq!(Row::loc_in(&bytes), loc.map(str::as_bytes));
                        for len in 0..bytes.len().min(60) {
                            assert!(Row::decode(&bytes[..len]).is_err(), "{row:?}");
                        }
                    }
                }
            }
        }
    }

    /// If you have to change the expected bytes here, increase the number in `Options::settings` too.
    #[test]
    fn the_bytes_of_a_row() {
        let row = Row {
            loc: Some("/a"),
            lastmod: Some(Date::Seconds(1)),
            changefreq: Some("daily"),
            priority: Some(Number::Float(0.5)),
            ..Row::default()
        };
        let mut bytes = Vec::new();
        row.encode(&mut bytes);
        assert_eq!(bytes, b"\x24\x03/a\x01\0\0\0\0\0\0\0\x06daily\0\0\0\0\0\0\xe0\x3f\0");
    }

    #[test]
    fn rows_with_the_same_url_have_a_fixed_order() {
        let row = |priority| Row { loc: Some("/a"), priority, ..Row::default() };
        let [none, half, invalid] = [None, Some(Number::Float(0.5)), Some(Number::Float(1.5))].map(row);
        for (one, other) in [(&none, &half), (&half, &invalid), (&none, &invalid)] {
            assert_eq!(one.order(other), other.order(one).reverse());
            assert_ne!(one.order(other), Ordering::Equal);
        }
        assert_eq!(half.order(&half), Ordering::Equal);
        let extras = Row { extras: Some("{}"), ..none };
        assert_eq!(none.order(&extras), Ordering::Less);
    }
}
