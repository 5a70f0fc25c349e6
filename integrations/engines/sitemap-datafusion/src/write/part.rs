//! One statement in several processes: each writes the shards of some hash buckets, and a last one publishes them all.

use std::io::Read as _;
use std::str::FromStr;
use std::sync::Arc;

use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::arrow::json::{LineDelimitedWriter, ReaderBuilder};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::{exec_datafusion_err, exec_err, plan_datafusion_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures::{StreamExt as _, stream};
use sitemap_core::Storage;
use sitemap_core::publish::shards::ShardRow;

use super::commit::on_thread;
use super::error::failed;
use super::report::Report;
use super::task::row_schema;
use crate::target::Target;

/// Some of the hash buckets of each statement. Add it to the configuration of a session.
///
/// Each process with a part reads all rows, and writes the shards of its own hash buckets. It stores what it has written
/// in the folder of the part, and publishes nothing. When all parts have ended, a process with [`Part::commit`] runs the
/// same statement and publishes all shards. A part that failed can be repeated on any machine.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use sitemap_datafusion::{Part, session};
///
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// # let dir = tempfile::tempdir().unwrap();
/// # let (out, rows) = (dir.path().join("set").display().to_string(), dir.path().join("rows").display().to_string());
/// let copy = format!(
///     "COPY (SELECT '/items/' || value AS loc FROM generate_series(1, 1000))
///      TO '{out}/' STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 8)"
/// );
/// for part in [Part::write("1/2", &rows)?, Part::write("2/2", &rows)?, Part::commit(&rows)] {
///     let session = session(1 << 28, Some(2))?;
///     part.set(&session, 1);
///     session.sql(&copy).await?.collect().await?;
/// }
/// # assert!(dir.path().join("set/sitemap.xml").exists());
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Part {
    /// The part, or `None` for the commit.
    share: Option<Share>,
    rows: String,
    statement: usize,
}

/// A part, counted from 1, and the number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) number: u32,
    pub(super) of: u32,
}

impl FromStr for Share {
    type Err = DataFusionError;

    fn from_str(text: &str) -> Result<Self> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let share = numbers.map(|(number, of)| Self { number, of });
        share.filter(|share| (1..=share.of).contains(&share.number)).ok_or_else(|| {
            plan_datafusion_err!(
                "{text:?} is not a part; write the number of the part and that of all parts, such as `2/4`"
            )
        })
    }
}

impl Part {
    /// Returns the part `K/N`, such as `2/4`, of each statement. `rows` is a folder or the URL of one in a bucket, which
    /// all processes can reach.
    ///
    /// # Errors
    ///
    /// Returns an error if `part` is not of this form.
    pub fn write(part: &str, rows: &str) -> Result<Self> {
        Ok(Self { share: Some(part.parse()?), rows: rows.to_owned(), statement: 1 })
    }

    /// Returns the commit of all parts in a folder.
    #[must_use]
    pub fn commit(rows: &str) -> Self {
        Self { share: None, rows: rows.to_owned(), statement: 1 }
    }

    /// Sets the part of a session's next statement. The number of the statement must be the same in all processes.
    pub fn set(&self, session: &datafusion::prelude::SessionContext, statement: usize) {
        let part = Self { statement, ..self.clone() };
        session.state_ref().write().config_mut().set_extension(Arc::new(part));
    }

    pub(super) fn share(&self) -> Option<Share> {
        self.share
    }

    pub(super) fn rows(&self) -> Rows {
        Rows { share: self.share, folder: Target::new(&self.rows), statement: self.statement }
    }
}

/// The stored rows of a statement's parts.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    share: Option<Share>,
    folder: Target,
    statement: usize,
}

impl Rows {
    fn name(&self, share: Share) -> String {
        format!("statement-{}-part-{}-of-{}.jsonl", self.statement, share.number, share.of)
    }

    /// Stores the rows of a part, in one step when the part has ended.
    pub(super) async fn store(self, mut rows: SendableRecordBatchStream) -> Result<RecordBatch> {
        let Some(share) = self.share else { return exec_err!("a commit has no part of its own") };
        let (mut lines, mut report) = (LineDelimitedWriter::new(Vec::new()), Report::default());
        while let Some(batch) = rows.next().await {
            let batch = batch?;
            let sum = |column: usize| {
                batch.column(column).as_primitive::<UInt64Type>().iter().flatten().sum::<u64>()
            };
            report.invalid_rows += sum(1);
            report.duplicate_rows += sum(3);
            for line in batch.column(0).as_string::<i32>().iter().flatten() {
                let row: ShardRow = line.parse().map_err(|error| exec_datafusion_err!("{error}"))?;
                report.count += row.urls();
                report.files_written += 1;
            }
            lines.write(&batch)?;
        }
        lines.finish()?;
        let bytes = lines.into_inner();
        on_thread(move || {
            let storage = self.folder.storage().map_err(failed)?;
            Ok(storage.put(&self.name(share), &bytes)?)
        })
        .await?;
        log::info!("stored: part {} of {}, {} URLs", share.number, share.of, report.count);
        report.batch()
    }

    /// Reads the rows of all parts.
    pub(super) fn read(&self) -> SendableRecordBatchStream {
        let rows = self.clone();
        let batches = stream::once(on_thread(move || rows.batches())).flat_map(|batches| match batches {
            Ok(batches) => stream::iter(batches.into_iter().map(Ok).collect::<Vec<_>>()),
            Err(error) => stream::iter(vec![Err(error)]),
        });
        Box::pin(RecordBatchStreamAdapter::new(row_schema(), batches))
    }

    fn batches(&self) -> Result<Vec<RecordBatch>> {
        let storage = self.folder.storage().map_err(failed)?;
        let stem = format!("statement-{}-part-", self.statement);
        let shares = storage.list()?.into_iter().filter_map(|name| {
            let share = name.strip_prefix(&stem)?.strip_suffix(".jsonl")?.replace("-of-", "/");
            share.parse::<Share>().ok()
        });
        let shares: Vec<_> = shares.collect();
        let Some(first) = shares.first().copied() else {
            return exec_err!(
                "no part of statement {} is stored in `{}`; run the parts first",
                self.statement,
                self.folder
            );
        };
        if let Some(other) = shares.iter().find(|share| share.of != first.of) {
            return exec_err!(
                "`{}` has parts of {} and of {}; give each run a folder of its own",
                self.folder,
                first.of,
                other.of
            );
        }
        let missing = (1..=first.of).filter(|number| shares.iter().all(|share| share.number != *number));
        let missing: Vec<_> = missing.map(|number| format!("{number}/{}", first.of)).collect();
        if !missing.is_empty() {
            return exec_err!(
                "the parts {} are missing in `{}`; run them first",
                missing.join(", "),
                self.folder
            );
        }
        let mut batches = Vec::new();
        for share in shares {
            batches.extend(self.batches_of(&*storage, &self.name(share))?);
        }
        Ok(batches)
    }

    fn batches_of(&self, storage: &dyn Storage, name: &str) -> Result<Vec<RecordBatch>> {
        let mut bytes = Vec::new();
        storage.open(name)?.read_to_end(&mut bytes)?;
        let batches = ReaderBuilder::new(row_schema()).build(&bytes[..])?;
        let batches = batches.collect::<Result<Vec<_>, _>>();
        batches.map_err(|error| exec_datafusion_err!("cannot read `{name}` in `{}`: {error}", self.folder))
    }
}
