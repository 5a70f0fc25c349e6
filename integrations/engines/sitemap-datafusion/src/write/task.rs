//! Writes the shards of one partition.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use datafusion::arrow::array::{
    ArrayRef, AsArray as _, StringArray, UInt32Array, UInt64Array, new_null_array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt32Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::{exec_err, internal_datafusion_err};
use datafusion::error::Result;
use datafusion::physical_plan::metrics::Count;
use sitemap_core::Storage;
use sitemap_core::publish::shards::{PublishedShards, ShardRow, ShardWriter};
use tokio::sync::mpsc::{Receiver, Sender};

use super::bucket::BucketRows;
use super::columns::{BUCKET, Pages};
use super::error::failed;
use super::gather::{Gather, Gathered, Lists};
use super::lists::List;
use super::options::Destination;

/// Returns the schema of what writing tasks send to the commit: the manifest rows (one line of JSON each), the number
/// of invalid rows that were skipped, the first few of their errors, and the number of duplicate rows.
pub(super) fn row_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("row", DataType::Utf8, true),
        Field::new("skipped", DataType::UInt64, true),
        Field::new("error", DataType::Utf8, true),
        Field::new("duplicates", DataType::UInt64, true),
    ]))
}

/// The published set. Concurrent tasks in one process share it, so it is read only once.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedPublished(Arc<Mutex<Weak<PublishedShards>>>);

impl SharedPublished {
    /// Reads the published set, unless another running task has already read it. If shards are lost, their hash buckets
    /// are written again.
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

/// A task. It collects all rows of its hash buckets before it writes the first shard.
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
    /// Collects batches until it receives `None`, and then writes the shards. Writes nothing if the channel closes
    /// without `None`.
    pub(super) fn run(
        mut self,
        mut from: Receiver<Option<RecordBatch>>,
        to: &Sender<Result<RecordBatch>>,
    ) -> Result<()> {
        while let Some(batch) = from.blocking_recv() {
            let Some(batch) = batch else { return self.write(to) };
            let (pages, numbers) = (Pages::new(&batch)?, bucket_numbers(&batch)?);
            for row in 0..batch.num_rows() {
                // A row whose section is `NULL` is invalid, so it doesn't matter which section it goes to.
                let section = pages.section(row).unwrap_or(&self.destination.options.section);
                self.gather.push(section, numbers.value(row), &pages.row(row))?;
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
        let written = sections.into_iter().try_for_each(|section| writer.write(section, &mut lists));
        let retries = writer.storage.retries();
        if retries > 0 {
            log::warn!("repeated: {retries} requests that failed while shards were written");
        }
        written
    }
}

fn bucket_numbers(batch: &RecordBatch) -> Result<&UInt32Array> {
    let column = batch.column_by_name(BUCKET).and_then(|column| column.as_primitive_opt::<UInt32Type>());
    column.ok_or_else(|| internal_datafusion_err!("the rows have no column `bucket`"))
}

/// A task's writer. It writes the sections one after another.
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
            self.output.check()?;
            let (divided, mut lists) = lists.divide(&section, number, *list)?;
            for (number, list) in divided.into_iter().flat_map(|section| section.lists) {
                self.write_bucket((&section, number), *list, &mut lists, &settings, &mut shards)?;
            }
        }
        let written = shards.finish().map_err(failed)?;
        let errors: Vec<_> =
            written.skipped_records().iter().map(|skipped| skipped.error().to_string()).collect();
        self.output.send_skipped(written.skipped(), errors)
    }

    /// Writes a hash bucket's shards, unless the published shards were written from the same rows.
    fn write_bucket(
        &mut self,
        (section, number): (&str, u32),
        list: List,
        lists: &mut Lists,
        settings: &[u8],
        shards: &mut ShardWriter,
    ) -> Result<()> {
        let source = list.source(settings);
        let published = if self.destination.options.rewrite {
            None
        } else {
            self.published.written_from(section, number, source)
        };
        if let Some(rows) = published {
            lists.leave_out(list);
            self.output.unchanged.add(1);
            return self.output.send(&rows);
        }
        lists.read(list, |rows| {
            self.output.check()?;
            for row in rows {
                self.bucket.push(row?);
            }
            self.bucket.reserve()
        })?;
        let skipped = shards.skipped();
        let (mut previous, mut duplicates) = (None::<String>, 0);
        let refuses = self.destination.options.refuse_duplicates;
        self.bucket.drain(|row| {
            if row.loc.is_some() && row.loc == previous.as_deref() {
                duplicates += 1;
                let loc = row.loc.unwrap_or_default();
                return if refuses { duplicate(loc) } else { Ok(()) };
            }
            let before = shards.skipped();
            shards.add(number, row).map_err(failed)?;
            // An invalid row does not stand for its page.
            if let Some(loc) = row.loc.filter(|_| shards.skipped() == before) {
                let previous = previous.get_or_insert_default();
                previous.clear();
                previous.push_str(loc);
            }
            Ok(())
        })?;
        let rows = shards.finish_bucket().map_err(failed)?;
        // A bucket with an invalid or duplicate row gets no digest, so that every run writes it again and reports the
        // row.
        let is_complete = shards.skipped() == skipped && duplicates == 0;
        self.output.send_duplicates(duplicates)?;
        let rows: Vec<_> =
            rows.into_iter().map(|row| if is_complete { row.with_source(source) } else { row }).collect();
        self.output.send(&rows)
    }
}

fn duplicate(loc: &str) -> Result<()> {
    exec_err!(
        "the page {loc:?} occurs in several rows; keep one of them, or let `COPY` keep one with `OPTIONS (on_duplicate 'keep_first')`"
    )
}

/// The channel to the commit, with this task's counts.
struct Output<'t> {
    to: &'t Sender<Result<RecordBatch>>,
    skipped: Count,
    unchanged: Count,
    urls: Count,
}

impl Output<'_> {
    /// Returns an error if the query has ended, for example because another task failed. Nobody sees this error; it
    /// just stops the writing.
    fn check(&self) -> Result<()> {
        if self.to.is_closed() { exec_err!("the query has ended") } else { Ok(()) }
    }

    fn send(&self, written: &[ShardRow]) -> Result<()> {
        if written.is_empty() {
            return Ok(());
        }
        self.urls.add(usize::try_from(written.iter().map(ShardRow::urls).sum::<u64>()).unwrap_or(usize::MAX));
        let lines: StringArray = written.iter().map(|row| Some(row.to_string())).collect();
        self.send_column(0, Arc::new(lines))
    }

    /// Sends the number of invalid rows and the first few of their errors.
    fn send_skipped(&self, count: u64, errors: Vec<String>) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        self.skipped.add(usize::try_from(count).unwrap_or(usize::MAX));
        self.send_column(1, Arc::new(UInt64Array::from(vec![count])))?;
        self.send_column(2, Arc::new(StringArray::from(errors)))
    }

    fn send_duplicates(&self, count: u64) -> Result<()> {
        if count == 0 { Ok(()) } else { self.send_column(3, Arc::new(UInt64Array::from(vec![count]))) }
    }

    /// Sends a batch in which only one column has values.
    fn send_column(&self, column: usize, values: ArrayRef) -> Result<()> {
        let schema = row_schema();
        let none = schema.fields().iter().map(|field| new_null_array(field.data_type(), values.len()));
        let mut columns: Vec<_> = none.collect();
        columns[column] = values;
        self.to.blocking_send(Ok(RecordBatch::try_new(schema, columns)?)).or_else(|_| self.check())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use datafusion::execution::TaskContext;
    use tokio::sync::mpsc::channel;

    use super::*;
    use crate::write::options::Options;

    #[test]
    fn a_query_that_has_ended_writes_no_more_shards_with_threads() {
        let folder = tempfile::tempdir().unwrap();
        let options = [("base", "https://www.example.com"), ("buckets", "500")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let options = Options::parse(&HashMap::from(options)).unwrap();
        let destination = Destination { options, url: folder.path().display().to_string() };
        let context = TaskContext::default();
        let task = Task {
            destination,
            published: SharedPublished::default(),
            gather: Gather::new(&context, String::new(), 500),
            bucket: BucketRows::new(&context, String::new()),
            skipped: Count::new(),
            unchanged: Count::new(),
            urls: Count::new(),
        };
        let locs: StringArray = (0..500).map(|number| Some(format!("/{number}"))).collect();
        let columns: [(&str, ArrayRef); 2] =
            [(BUCKET, Arc::new(UInt32Array::from_iter_values(0..500))), ("loc", Arc::new(locs))];
        let (batches, from) = channel(2);
        batches.blocking_send(Some(RecordBatch::try_from_iter(columns).unwrap())).unwrap();
        batches.blocking_send(None).unwrap();
        let (to, mut rows) = channel::<Result<RecordBatch>>(1);
        let first = std::thread::spawn(move || rows.blocking_recv().map(|row| row.map(|row| row.num_rows())));
        assert!(task.run(from, &to).is_err());
        assert_eq!(first.join().unwrap().unwrap().unwrap(), 1);
        // One more shard may be written while the manifest row waits in the channel, and another before sending its row
        // fails.
        let shards = std::fs::read_dir(folder.path()).unwrap().count();
        assert!((1..=4).contains(&shards), "{shards}");
    }
}
