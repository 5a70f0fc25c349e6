//! Writes the shards of one partition.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use datafusion::arrow::array::{
    ArrayRef, AsArray as _, StringArray, UInt32Array, UInt64Array, new_null_array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt32Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::internal_datafusion_err;
use datafusion::error::Result;
use datafusion::physical_plan::metrics::Count;
use sitemap_core::Storage;
use sitemap_core::publish::{PublishedShards, ShardRow, ShardWriter};
use tokio::sync::mpsc::{Receiver, Sender};

use super::bucket::BucketRows;
use super::columns::{BUCKET, Pages};
use super::error::failed;
use super::gather::{Gather, Gathered, Lists};
use super::lists::List;
use super::options::Destination;

/// Returns the schema of what the writing tasks send to the commit: the manifest rows, each of which is a line of JSON, the
/// numbers of invalid rows that were skipped, and the errors of the first of them.
pub(super) fn row_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("row", DataType::Utf8, true),
        Field::new("skipped", DataType::UInt64, true),
        Field::new("error", DataType::Utf8, true),
    ]))
}

/// The published set, which the tasks of a process that run at the same time share.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedPublished(Arc<Mutex<Weak<PublishedShards>>>);

impl SharedPublished {
    /// Reads the published set, unless another task has it. Shards that are lost are not taken for published ones.
    fn read(&self, storage: &Arc<dyn Storage>) -> Result<Arc<PublishedShards>> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(published) = shared.upgrade() {
            return Ok(published);
        }
        let mut published = PublishedShards::find(storage).map_err(failed)?.unwrap_or_default();
        let lost = published.forget_lost(Arc::clone(storage)).map_err(failed)?;
        if lost > 0 {
            log::warn!("lost: {lost} shards of the published set, whose hash buckets are written again");
        }
        let published = Arc::new(published);
        *shared = Arc::downgrade(&published);
        Ok(published)
    }
}

/// A task, which collects all rows of its hash buckets before it writes the first shard.
pub(super) struct Task {
    pub(super) destination: Destination,
    pub(super) published: SharedPublished,
    pub(super) gather: Gather,
    pub(super) bucket: BucketRows,
    pub(super) skipped: Count,
    pub(super) unchanged: Count,
    pub(super) urls: Count,
}

impl Task {
    /// Collects the batches up to `None`, and then writes the shards. Writes nothing if the channel ends without `None`.
    pub(super) fn run(
        mut self,
        mut from: Receiver<Option<RecordBatch>>,
        to: &Sender<Result<RecordBatch>>,
    ) -> Result<()> {
        while let Some(batch) = from.blocking_recv() {
            let Some(batch) = batch else { return self.write(to) };
            let (pages, numbers) = (Pages::new(&batch)?, bucket_numbers(&batch)?);
            for row in 0..batch.num_rows() {
                // A row whose section is `NULL` is invalid, so its section does not matter.
                let section = pages.section(row).unwrap_or(&self.destination.options.section);
                self.gather.push(section, numbers.value(row), &pages.row(row));
            }
            self.gather.reserve()?;
        }
        Ok(())
    }

    fn write(self, to: &Sender<Result<RecordBatch>>) -> Result<()> {
        let (sections, mut lists) = self.gather.finish()?;
        if sections.is_empty() {
            // A partition without rows never opens the storage.
            return Ok(());
        }
        let storage = self.destination.target().storage().map_err(failed)?;
        let published = self.published.read(&storage)?;
        let (skipped, unchanged, urls) = (self.skipped, self.unchanged, self.urls);
        let output = Output { to, skipped, unchanged, urls };
        let mut writer =
            SectionWriter { destination: &self.destination, storage, published, bucket: self.bucket, output };
        sections.into_iter().try_for_each(|section| writer.write(section, &mut lists))
    }
}

fn bucket_numbers(batch: &RecordBatch) -> Result<&UInt32Array> {
    let column = batch.column_by_name(BUCKET).and_then(|column| column.as_primitive_opt::<UInt32Type>());
    column.ok_or_else(|| internal_datafusion_err!("the rows have no column `bucket`"))
}

/// Writes one section after another.
struct SectionWriter<'t> {
    destination: &'t Destination,
    storage: Arc<dyn Storage>,
    published: Arc<PublishedShards>,
    bucket: BucketRows,
    output: Output<'t>,
}

impl SectionWriter<'_> {
    fn write(&mut self, section: Gathered, lists: &mut Lists) -> Result<()> {
        let Gathered { section, lists: of_section } = section;
        let options = &self.destination.options;
        let shards = options.builder()?.write_shards(Arc::clone(&self.storage), &section, options.buckets);
        let mut shards = shards.map_err(failed)?;
        let settings = options.settings(&section);
        for (number, list) in of_section {
            if lists.are_buckets() {
                self.write_bucket((&section, number), *list, lists, &settings, &mut shards)?;
                continue;
            }
            let (divided, mut lists) = lists.divide(&section, number, *list)?;
            for (number, list) in divided.into_iter().flat_map(|section| section.lists) {
                self.write_bucket((&section, number), *list, &mut lists, &settings, &mut shards)?;
            }
        }
        let written = shards.finish().map_err(failed)?;
        let errors: Vec<_> =
            written.skipped_records().iter().map(|skipped| skipped.error().to_string()).collect();
        self.output.send_skipped(written.skipped(), errors)?;
        let retries = self.storage.retries();
        if retries > 0 {
            log::warn!("repeated: {retries} requests that failed while shards of `{section}` were written");
        }
        Ok(())
    }

    /// Writes the shards of a hash bucket, unless the published ones have the same rows.
    fn write_bucket(
        &mut self,
        (section, number): (&str, u32),
        list: List,
        lists: &mut Lists,
        settings: &[u8],
        shards: &mut ShardWriter,
    ) -> Result<()> {
        let source = list.source(settings);
        if let Some(rows) = self.published.written_from(section, number, source) {
            lists.leave_out(list);
            self.output.unchanged.add(1);
            return self.output.send(&rows);
        }
        lists.read(list, |rows| {
            for row in rows {
                self.bucket.push(row?);
            }
            self.bucket.reserve()
        })?;
        let skipped = shards.skipped();
        self.bucket.write(number, shards)?;
        let rows = shards.finish_bucket().map_err(failed)?;
        // Only the rows themselves tell which of them are invalid, so a bucket with an invalid row is always written.
        let is_complete = shards.skipped() == skipped;
        let rows: Vec<_> =
            rows.into_iter().map(|row| if is_complete { row.with_source(source) } else { row }).collect();
        self.output.send(&rows)
    }
}

/// Sends rows to the commit.
struct Output<'t> {
    to: &'t Sender<Result<RecordBatch>>,
    skipped: Count,
    unchanged: Count,
    urls: Count,
}

impl Output<'_> {
    fn send(&self, written: &[ShardRow]) -> Result<()> {
        if written.is_empty() {
            return Ok(());
        }
        self.urls.add(usize::try_from(written.iter().map(ShardRow::urls).sum::<u64>()).unwrap_or(usize::MAX));
        let lines: StringArray = written.iter().map(|row| Some(row.to_string())).collect();
        let none = |kind| new_null_array(&kind, written.len());
        self.send_columns(vec![Arc::new(lines), none(DataType::UInt64), none(DataType::Utf8)])
    }

    /// Sends the number of invalid rows, and the errors of the first of them.
    fn send_skipped(&self, count: u64, errors: Vec<String>) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        self.skipped.add(usize::try_from(count).unwrap_or(usize::MAX));
        let none = |len| new_null_array(&DataType::Utf8, len);
        self.send_columns(vec![none(1), Arc::new(UInt64Array::from(vec![count])), none(1)])?;
        let len = errors.len();
        let errors = Arc::new(StringArray::from(errors));
        self.send_columns(vec![none(len), new_null_array(&DataType::UInt64, len), errors])
    }

    fn send_columns(&self, columns: Vec<ArrayRef>) -> Result<()> {
        let batch = RecordBatch::try_new(row_schema(), columns)?;
        // Sending fails only if the query has ended, and then nothing needs the rows.
        self.to.blocking_send(Ok(batch)).ok();
        Ok(())
    }
}
