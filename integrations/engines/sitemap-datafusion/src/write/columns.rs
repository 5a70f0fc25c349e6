//! Reads the rows' values from Arrow columns.

use datafusion::arrow::array::{Array, ArrayRef, AsArray as _, Float64Array, Int32Array, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Date32Type, Date64Type, Field, TimeUnit};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::plan_err;
use datafusion::error::Result;
use sitemap_core::Error;

use super::extras::Extras;
use super::row::{Date, Number, Row};
use crate::extensions;
use crate::text::Text;

/// The name of the hash bucket column. Rows are partitioned by it.
pub(super) const BUCKET: &str = "bucket";

/// The name of the optional column with each row's section.
pub(super) const SECTION: &str = "section";

/// The name of the update column that tells whether to upsert or remove a page.
pub(super) const OP: &str = "op";

pub(super) const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

/// Returns a planning error if a column has an unsuitable type, for example a `priority` that is a date.
pub(super) fn check(field: &Field) -> Result<()> {
    if extensions::check(field)? {
        return Ok(());
    }
    let found = match field.data_type() {
        DataType::Dictionary(_, values) => values,
        found => found,
    };
    let is_text = found.is_string() || found.is_null();
    match field.name().as_str() {
        "lastmod" if is_text || is_date(found) => Ok(()),
        "lastmod" => plan_err!(
            "`lastmod` has the type {found}; convert it to a timestamp, a date or a text, for example with \
             `to_timestamp_seconds`"
        ),
        "priority" if is_text || found.is_numeric() => Ok(()),
        "priority" => {
            plan_err!("`priority` has the type {found}; convert it to a number or a text with `CAST`")
        }
        _ if is_text => Ok(()),
        name => plan_err!("`{name}` has the type {found}; convert it to a text with `CAST`"),
    }
}

fn is_date(found: &DataType) -> bool {
    matches!(found, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64)
}

/// A batch's columns.
#[derive(Debug)]
pub(super) struct Pages {
    /// The rows' sections, if the batch contains that column.
    section: Option<Text>,
    /// The update operations, if the batch contains that column.
    op: Option<Text>,
    loc: Text,
    lastmod: Dates,
    changefreq: Text,
    priority: Numbers,
    extras: Option<Extras>,
}

impl Pages {
    pub(super) fn new(batch: &RecordBatch) -> Result<Self> {
        let [loc, lastmod, changefreq, priority] = COLUMNS.map(|name| batch.column_by_name(name));
        let [section, op] = [SECTION, OP].map(|name| batch.column_by_name(name).map(Text::new).transpose());
        Ok(Self {
            section: section?,
            op: op?,
            loc: loc.map_or(Ok(Text::Absent), Text::new)?,
            lastmod: lastmod.map_or(Ok(Dates::Text(Text::Absent)), Dates::new)?,
            changefreq: changefreq.map_or(Ok(Text::Absent), Text::new)?,
            priority: priority.map_or(Ok(Numbers::Text(Text::Absent)), Numbers::new)?,
            extras: Extras::new(batch)?,
        })
    }

    pub(super) fn row(&self, row: usize) -> Row<'_> {
        Row {
            loc: self.loc.get(row),
            lastmod: self.lastmod.get(row),
            changefreq: self.changefreq.get(row),
            priority: self.priority.get(row),
            extras: self.extras.as_ref().and_then(|extras| extras.get(row)),
            lacks_section: self.section.as_ref().is_some_and(|section| section.get(row).is_none()),
        }
    }

    /// Returns a row's section, or `None` if it is `NULL` or the batch doesn't contain that column.
    pub(super) fn section(&self, row: usize) -> Option<&str> {
        self.section.as_ref()?.get(row)
    }

    /// Returns `true` if the row removes its page.
    pub(super) fn removes(&self, row: usize) -> Result<bool, Error> {
        let Some(op) = &self.op else { return Ok(false) };
        match op.get(row) {
            Some("upsert") => Ok(false),
            Some("remove") => Ok(true),
            Some(other) => Err(Error::other(format!("`op` is {other:?}; use `upsert` or `remove`"))),
            None => Err(Error::other("`op` is NULL; use `upsert` or `remove`")),
        }
    }
}

#[derive(Debug)]
enum Dates {
    Text(Text),
    /// Timestamps, and how many of their units make a second, such as 1,000 for milliseconds. Timestamps without a time
    /// zone are in UTC.
    Timestamps(Int64Array, i64),
    Days(Int32Array),
    Milliseconds(Int64Array),
}

impl Dates {
    fn new(column: &ArrayRef) -> Result<Self> {
        Ok(match column.data_type() {
            DataType::Timestamp(unit, _) => {
                let per_second = match unit {
                    TimeUnit::Second => 1,
                    TimeUnit::Millisecond => 1_000,
                    TimeUnit::Microsecond => 1_000_000,
                    TimeUnit::Nanosecond => 1_000_000_000,
                };
                Self::Timestamps(cast(column, &DataType::Int64)?.as_primitive().clone(), per_second)
            }
            DataType::Date32 => Self::Days(column.as_primitive::<Date32Type>().reinterpret_cast()),
            DataType::Date64 => Self::Milliseconds(column.as_primitive::<Date64Type>().reinterpret_cast()),
            _ => Self::Text(Text::new(column)?),
        })
    }

    fn get(&self, row: usize) -> Option<Date<'_>> {
        match self {
            Self::Text(texts) => texts.get(row).map(Date::Text),
            Self::Timestamps(timestamps, per_second) => {
                timestamps.is_valid(row).then(|| Date::Seconds(timestamps.value(row).div_euclid(*per_second)))
            }
            Self::Days(days) => days.is_valid(row).then(|| Date::Days(days.value(row))),
            Self::Milliseconds(days) => days.is_valid(row).then(|| Date::Milliseconds(days.value(row))),
        }
    }
}

#[derive(Debug)]
enum Numbers {
    Text(Text),
    Floats(Float64Array),
}

impl Numbers {
    fn new(column: &ArrayRef) -> Result<Self> {
        if column.data_type().is_numeric() {
            return Ok(Self::Floats(cast(column, &DataType::Float64)?.as_primitive().clone()));
        }
        Ok(Self::Text(Text::new(column)?))
    }

    fn get(&self, row: usize) -> Option<Number<'_>> {
        match self {
            Self::Text(texts) => texts.get(row).map(Number::Text),
            Self::Floats(numbers) => numbers.is_valid(row).then(|| Number::Float(numbers.value(row))),
        }
    }
}
