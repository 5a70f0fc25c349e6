//! The plan node that reads a set's files. Each partition reads some of them.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Statistics, exec_datafusion_err, exec_err, internal_err};
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, StatisticsArgs,
};
use sitemap_read::{DocumentKind, Item, Rule, SitemapReader};
use tokio::sync::mpsc::Sender;

use super::batches::{Batches, schema};
use super::set::{Set, section_of};
use crate::target::{Reader, Target};

/// A file that a query reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScanFile {
    pub(crate) name: String,
    /// The number of entries in the file, if the set's manifest records it.
    pub(crate) urls: Option<u64>,
}

/// The plan node that reads the entries in a set's files.
#[derive(Debug)]
pub(crate) struct ScanExec {
    target: Target,
    /// The files that each partition reads.
    files: Vec<Vec<ScanFile>>,
    projection: Vec<usize>,
    /// The maximum number of entries to read in each partition.
    limit: Option<usize>,
    properties: Arc<PlanProperties>,
    /// The client that requests a site's files for all partitions.
    web: std::sync::Mutex<Option<crate::web::Web>>,
}

impl ScanExec {
    pub(crate) fn try_new(
        target: Target,
        files: Vec<Vec<ScanFile>>,
        projection: Vec<usize>,
        limit: Option<usize>,
    ) -> Result<Self> {
        let projected = Arc::new(schema().project(&projection)?);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(projected),
            Partitioning::UnknownPartitioning(files.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(Self {
            target,
            files,
            projection,
            limit,
            properties: Arc::new(properties),
            web: std::sync::Mutex::default(),
        })
    }

    /// Returns the reader that all partitions share if the files are on a site.
    fn reader(&self) -> Result<Option<Reader>> {
        let Target::Site { allow_private, .. } = &self.target else { return Ok(None) };
        let mut shared = self.web.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let web = match &*shared {
            Some(web) => web.clone(),
            None => shared.insert(crate::web::Web::start(*allow_private)?).clone(),
        };
        Ok(Some(Reader::Site(web)))
    }

    /// Returns the number of entries in one partition or in all of them, if the set's manifest records it.
    fn urls(&self, partition: Option<usize>) -> Option<u64> {
        if self.limit.is_some() {
            return None;
        }
        let partitions = match partition {
            Some(partition) => self.files.get(partition..=partition)?,
            None => &self.files,
        };
        partitions.iter().flatten().map(|file| file.urls).sum()
    }
}

impl DisplayAs for ScanExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = self.files.iter().map(Vec::len).sum::<usize>();
        write!(f, "SitemapScanExec: from={}, files={files}", self.target)
    }
}

impl ExecutionPlan for ScanExec {
    fn name(&self) -> &'static str {
        "SitemapScanExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Keep))
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn statistics_from_inputs(
        &self,
        _: &[Arc<Statistics>],
        args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let mut statistics = Statistics::new_unknown(&self.schema());
        if let Some(urls) = self.urls(args.partition()).and_then(|urls| usize::try_from(urls).ok()) {
            statistics.num_rows = Precision::Exact(urls);
        }
        Ok(Arc::new(statistics))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        /// The maximum number of batches that wait for the stream's consumer.
        const WAITING: usize = 2;

        let Some(files) = self.files.get(partition).cloned() else {
            return internal_err!("the scan has no partition {partition}");
        };
        let mut output = RecordBatchReceiverStreamBuilder::new(self.schema(), WAITING);
        let reader = self.reader()?;
        let target = self.target.clone();
        let task = Task {
            batches: Batches::new(schema(), self.projection.clone(), context.session_config().batch_size())?,
            batch_size: context.session_config().batch_size(),
            left: self.limit.unwrap_or(usize::MAX),
            to: output.tx(),
        };
        output.spawn_blocking(move || task.run(&Set::with_reader(target, reader)?, &files));
        Ok(output.build())
    }
}

struct Task {
    batches: Batches,
    batch_size: usize,
    left: usize,
    to: Sender<Result<RecordBatch>>,
}

impl Task {
    fn run(mut self, set: &Set, files: &[ScanFile]) -> Result<()> {
        for file in files {
            if self.left == 0 || self.to.is_closed() {
                break;
            }
            self.read(set, &file.name)?;
        }
        Ok(())
    }

    fn read(&mut self, set: &Set, file: &str) -> Result<()> {
        let section = section_of(file);
        let failed = |error| exec_datafusion_err!("cannot read `{file}`: {error}");
        let mut reader = SitemapReader::from_reader(set.read(file)?);
        if reader.document().map_err(failed)?.kind == DocumentKind::Index {
            return exec_err!(
                "`{file}` is an index inside an index, which the protocol does not allow, so its pages would be missing; make \
                 a table of it"
            );
        }
        let mut is_end = false;
        while self.left > 0 && !is_end {
            match reader.next().map_err(failed)? {
                Some(Item::Page(page)) => {
                    self.batches.push(&page.into_entry())?;
                    self.left -= 1;
                }
                Some(_) => {}
                None => is_end = true,
            }
            // Without this error, a query would silently miss the rest of the file.
            if let Some(finding) = reader.drain_findings().find(|finding| is_cut(finding.rule())) {
                return exec_err!("cannot read all of `{file}`: {finding}");
            }
            if self.batches.len() == self.batch_size && !self.send(file, section)? {
                return Ok(());
            }
        }
        if self.batches.len() > 0 {
            self.send(file, section)?;
        }
        Ok(())
    }

    /// Sends the collected entries. Returns false if the query has stopped reading.
    fn send(&mut self, file: &str, section: &str) -> Result<bool> {
        let batch = self.batches.take(file, section).map_err(|error| {
            error.context(format!(
                "the images, videos, news or alternates in `{file}` do not have the types of the columns; leave these columns \
                 out, or see `sitemap check`"
            ))
        })?;
        Ok(self.to.blocking_send(Ok(batch)).is_ok())
    }
}

/// Returns true if a finding of this rule means that the rest of the file is missing or unreadable.
fn is_cut(rule: Rule) -> bool {
    matches!(rule, Rule::Truncated | Rule::GzipTruncated | Rule::GzipDamaged)
}
