//! Collects extension values into Arrow columns.

use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::arrow::json::ReaderBuilder;
use datafusion::arrow::json::reader::Decoder;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::error::Result;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use sitemap_core::{Alternate, Entry};

use crate::extensions::COLUMNS;

/// Collects extension values.
pub(super) struct Extras(Decoder);

impl Extras {
    /// Creates an empty collector for the extension columns at these indices. Returns `None` if there are none.
    pub(super) fn new(schema: &Schema, projection: &[usize], batch_size: usize) -> Result<Option<Self>> {
        let fields = projection.iter().map(|column| Arc::clone(&schema.fields()[*column]));
        let fields: Vec<_> =
            fields.filter(|field| COLUMNS.iter().any(|(name, _)| name == field.name())).collect();
        if fields.is_empty() {
            return Ok(None);
        }
        let decoder = ReaderBuilder::new(Arc::new(Schema::new(fields))).with_batch_size(batch_size);
        Ok(Some(Self(decoder.build_decoder()?)))
    }

    pub(super) fn push(&mut self, entry: &Entry<'_>) -> Result<()> {
        Ok(self.0.serialize(&[Values(entry)])?)
    }

    /// Empties the collector.
    pub(super) fn take(&mut self) -> Result<Option<RecordBatch>> {
        Ok(self.0.flush()?)
    }
}

/// An entry's values, in the shape of the columns.
struct Values<'e>(&'e Entry<'e>);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(entry) = self;
        let mut map = serializer.serialize_map(None)?;
        if !entry.alternates().is_empty() {
            map.serialize_entry("alternates", &Alternates(entry.alternates()))?;
        }
        if !entry.images().is_empty() {
            map.serialize_entry("images", entry.images())?;
        }
        if !entry.videos().is_empty() {
            map.serialize_entry("videos", entry.videos())?;
        }
        if let Some(news) = entry.news() {
            map.serialize_entry("news", news)?;
        }
        map.end()
    }
}

/// An entry's alternates as a map.
struct Alternates<'e>(&'e [Alternate<'e>]);

impl Serialize for Alternates<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|other| (other.hreflang().as_str(), other.href().as_str())))
    }
}
