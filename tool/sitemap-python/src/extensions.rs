//! The extension columns. Their values are the same as in an entry's JSON.

use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, new_null_array};
use arrow_json::ReaderBuilder;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use sitemap_core::Entry;

/// The maximum number of rows with extensions in a batch. These rows are in memory twice.
const MAX_ROWS: usize = 8_192;

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}

fn number(name: &str) -> Field {
    Field::new(name, DataType::UInt32, true)
}

fn flag(name: &str) -> Field {
    Field::new(name, DataType::Boolean, true)
}

fn group(name: &str, fields: Vec<Field>) -> Field {
    Field::new(name, DataType::Struct(Fields::from(fields)), true)
}

fn list(name: &str, item: DataType) -> Field {
    Field::new_list(name, Field::new_list_field(item, true), true)
}

fn groups(name: &str, fields: Vec<Field>) -> Field {
    list(name, DataType::Struct(Fields::from(fields)))
}

fn texts(name: &str) -> Field {
    list(name, DataType::Utf8)
}

/// Returns the columns. Their names and values match the keys and values of an entry's JSON.
pub(crate) fn fields() -> [Field; 4] {
    [
        groups("images", ["loc", "caption", "geo_location", "title", "license"].map(text).to_vec()),
        groups("videos", video()),
        group(
            "news",
            vec![
                group("publication", vec![text("name"), text("language")]),
                text("access"),
                texts("genres"),
                text("publication_date"),
                text("title"),
                text("keywords"),
                texts("stock_tickers"),
            ],
        ),
        groups("alternates", vec![text("hreflang"), text("href")]),
    ]
}

fn video() -> Vec<Field> {
    let countries = |name: &str, items: &str| group(name, vec![text("relationship"), texts(items)]);
    vec![
        text("thumbnail_loc"),
        text("title"),
        text("description"),
        text("content_loc"),
        text("player_loc"),
        flag("allow_embed"),
        text("autoplay"),
        number("duration"),
        text("expiration_date"),
        Field::new("rating", DataType::Float64, true),
        groups("content_segments", vec![text("loc"), number("duration")]),
        Field::new("view_count", DataType::UInt64, true),
        text("publication_date"),
        texts("tags"),
        text("category"),
        flag("family_friendly"),
        countries("restriction", "countries"),
        group("gallery", vec![text("loc"), text("title")]),
        groups("prices", ["amount", "currency", "type", "resolution"].map(text).to_vec()),
        flag("requires_subscription"),
        group("uploader", vec![text("name"), text("info")]),
        group(
            "tv_show",
            vec![
                text("show_title"),
                text("video_type"),
                text("episode_title"),
                number("season_number"),
                number("episode_number"),
                text("premier_date"),
            ],
        ),
        countries("platforms", "platforms"),
        flag("live"),
        groups("ids", vec![text("type"), text("id")]),
    ]
}

fn has_any(entry: &Entry<'_>) -> bool {
    !(entry.images().is_empty()
        && entry.videos().is_empty()
        && entry.alternates().is_empty()
        && entry.news().is_none())
}

/// Returns the elements of other namespaces, as JSON.
pub(crate) fn elements(entry: &Entry<'_>) -> Option<String> {
    let elements = entry.elements();
    if elements.is_empty() { None } else { serde_json::to_string(elements).ok() }
}

/// Returns the values of the extensions as JSON, or `None` if there are none.
pub(crate) fn json(entry: &Entry<'_>) -> Option<String> {
    if has_any(entry) { serde_json::to_string(entry).ok() } else { None }
}

/// The rows of a batch that have extensions. This costs nothing for a sitemap without extensions.
#[derive(Default)]
pub(crate) struct Extensions {
    /// The rows up to the last row with extensions.
    rows: Vec<Row>,
    entries: usize,
}

/// A row's entry, if it has extensions.
#[derive(Clone, Default)]
struct Row(Option<Entry<'static>>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(entry) => entry.serialize(serializer),
            None => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

impl Extensions {
    pub(crate) fn add(&mut self, row: usize, entry: &Entry<'_>) {
        if has_any(entry) {
            self.rows.resize(row, Row::default());
            self.rows.push(Row(Some(entry.clone().into_owned())));
            self.entries += 1;
        }
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.entries >= MAX_ROWS
    }

    /// Returns the columns.
    pub(crate) fn finish(&mut self, rows: usize) -> Result<Vec<ArrayRef>, ArrowError> {
        let mut entries = std::mem::take(&mut self.rows);
        let fields = fields();
        if entries.is_empty() {
            return Ok(fields.iter().map(|field| new_null_array(field.data_type(), rows)).collect());
        }
        self.entries = 0;
        entries.resize(rows, Row::default());
        // The reader keeps invalid values, and reports a finding for each. These values become null here.
        let builder = ReaderBuilder::new(Arc::new(Schema::new(fields.to_vec())));
        let mut decoder = builder.with_batch_size(rows).with_ignore_type_conflicts(true).build_decoder()?;
        decoder.serialize(&entries)?;
        let batch = decoder.flush()?.filter(|batch| batch.num_rows() == rows);
        let batch = batch.ok_or_else(|| ArrowError::ComputeError("rows are missing".to_owned()))?;
        debug_assert!(batch.columns().iter().all(|column| column.len() == rows));
        Ok(batch.columns().to_vec())
    }
}
