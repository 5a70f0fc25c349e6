//! The columns of a table of entries.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{Float64Builder, Int8Builder, StringBuilder, TimestampMicrosecondBuilder};
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use sitemap_core::value::Precision;
use sitemap_core::{ChangeFreq, Entry, LastMod, Priority};

use crate::extensions::{self, Extensions};

/// The number of rows in a batch.
pub(crate) const BATCH: usize = 32_768;

/// A batch ends once its URLs have this many bytes in total, even if it contains only a few rows.
pub(crate) const MAX_BYTES: usize = 32 << 20;

pub(crate) const UTC: &str = "UTC";

/// The names of [`Precision`], from the least precise to the most precise.
pub(crate) const PRECISIONS: [&str; 6] = ["year", "month", "day", "minute", "second", "fraction"];

const CHANGE_FREQS: [&str; 7] = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];

/// The columns of a table of entries.
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let words = |key| DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8));
    let mut fields = vec![
        Field::new("loc", DataType::Utf8, false),
        Field::new("lastmod", DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())), true),
        Field::new("lastmod_precision", words(DataType::Int8), true),
        Field::new("changefreq", words(DataType::Int8), true),
        Field::new("priority", DataType::Float64, true),
    ];
    fields.extend(extensions::fields());
    fields.push(Field::new("elements", DataType::Utf8, true));
    fields.push(Field::new("sitemap", words(DataType::Int32), false));
    Arc::new(Schema::new(fields))
});

/// Returns the index of a precision in [`PRECISIONS`].
pub(crate) const fn precision(precision: Precision) -> i8 {
    match precision {
        Precision::Year => 0,
        Precision::Month => 1,
        Precision::Day => 2,
        Precision::Minute => 3,
        Precision::Second => 4,
        Precision::Fraction => 5,
    }
}

const fn changefreq(value: ChangeFreq) -> i8 {
    match value {
        ChangeFreq::Always => 0,
        ChangeFreq::Hourly => 1,
        ChangeFreq::Daily => 2,
        ChangeFreq::Weekly => 3,
        ChangeFreq::Monthly => 4,
        ChangeFreq::Yearly => 5,
        ChangeFreq::Never => 6,
    }
}

/// Returns the microseconds since 1970. Any further digits of the fraction are cut off.
pub(crate) fn microseconds(date: LastMod) -> i64 {
    let mut fraction = 0;
    if date.precision() == Precision::Fraction {
        let text = date.to_string();
        let digits = text.split_once('.').map_or("", |(_, rest)| rest).bytes();
        let digits = digits.take_while(u8::is_ascii_digit).chain(std::iter::repeat(b'0'));
        fraction = digits.take(6).fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    }
    date.timestamp() * 1_000_000 + fraction
}

/// The rows of an incomplete batch, all from one sitemap.
pub(crate) struct Columns {
    loc: StringBuilder,
    lastmod: TimestampMicrosecondBuilder,
    lastmod_precision: Int8Builder,
    changefreq: Int8Builder,
    priority: Float64Builder,
    extensions: Extensions,
    elements: StringBuilder,
    /// The sitemap that contains the rows.
    name: StringArray,
    rows: usize,
    bytes: usize,
}

impl Columns {
    pub(crate) fn new(sitemap: &str) -> Self {
        Self {
            loc: StringBuilder::new(),
            lastmod: TimestampMicrosecondBuilder::new().with_timezone(UTC),
            lastmod_precision: Int8Builder::new(),
            changefreq: Int8Builder::new(),
            priority: Float64Builder::new(),
            extensions: Extensions::default(),
            elements: StringBuilder::new(),
            name: StringArray::from(vec![sitemap]),
            rows: 0,
            bytes: 0,
        }
    }

    pub(crate) fn add(&mut self, entry: &Entry<'_>) {
        let loc = entry.loc().as_str();
        self.loc.append_value(loc);
        let lastmod = entry.lastmod();
        self.lastmod.append_option(lastmod.map(microseconds));
        self.lastmod_precision.append_option(lastmod.map(|date| precision(date.precision())));
        self.changefreq.append_option(entry.changefreq().map(changefreq));
        self.priority.append_option(entry.priority().map(Priority::get));
        self.extensions.add(self.rows, entry);
        self.elements.append_option(extensions::elements(entry));
        self.rows += 1;
        self.bytes += loc.len();
    }

    /// Returns `true` if the batch is complete.
    pub(crate) fn is_full(&self) -> bool {
        self.rows >= BATCH || self.bytes >= MAX_BYTES || self.extensions.is_full()
    }

    /// Returns the rows as a batch, or `None` if there are none.
    pub(crate) fn finish(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if self.rows == 0 {
            return Ok(None);
        }
        let words = |keys, words: &[&str]| -> Result<ArrayRef, ArrowError> {
            let words = StringArray::from(words.to_vec());
            Ok(Arc::new(DictionaryArray::try_new(keys, Arc::new(words))?))
        };
        let sitemap = Int32Array::from(vec![0; self.rows]);
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.loc.finish()),
            Arc::new(self.lastmod.finish()),
            words(self.lastmod_precision.finish(), &PRECISIONS)?,
            words(self.changefreq.finish(), &CHANGE_FREQS)?,
            Arc::new(self.priority.finish()),
        ];
        columns.extend(self.extensions.finish(self.rows)?);
        columns.push(Arc::new(self.elements.finish()));
        columns.push(Arc::new(DictionaryArray::try_new(sitemap, Arc::new(self.name.clone()))?));
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new(Arc::clone(&SCHEMA), columns).map(Some)
    }
}
