//! Counts the records of a section and writes them to files. Skips or rejects invalid records.

use std::error::Error as StdError;
use std::sync::Arc;

use super::output::Output;
use super::series::Series;
use crate::error::{Error, ErrorKind};
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::publish::options::OnInvalid;
use crate::publish::skipped::{SkippedRecord, SkippedRecords};
use crate::publish::target::Target;
use crate::record::SitemapEntry;

/// A section, or the hash bucket that is being written, and its files.
#[derive(Debug)]
pub(crate) struct SectionFiles<T: Target> {
    pub(crate) name: String,
    /// The number of records so far, including invalid ones.
    records: u64,
    pub(crate) skipped: SkippedRecords,
    /// A buffer for building the URLs of records.
    scratch: String,
    pub(crate) series: Series<T>,
}

impl<T: Target> SectionFiles<T> {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            records: 0,
            skipped: SkippedRecords::default(),
            scratch: String::new(),
            series: Series::new(name.to_owned()),
        }
    }

    /// Writes the pages of a record.
    #[inline]
    pub(crate) fn add<R: SitemapEntry + ?Sized>(
        &mut self,
        record: &R,
        output: &Arc<Output<T>>,
    ) -> Result<(), PublishError> {
        if output.is_aborted() {
            return Err(output.aborted());
        }
        self.records += 1;
        match self.series.add(record, &mut self.scratch, output) {
            Ok(()) => Ok(()),
            Err(error) => self.handle_error(error, output),
        }
    }

    /// Skips the record if it is invalid and `OnInvalid::Skip` is set. Otherwise aborts the run.
    #[cold]
    fn handle_error(&mut self, error: Error, output: &Output<T>) -> Result<(), PublishError> {
        if matches!(error.kind(), ErrorKind::Io(_) | ErrorKind::Aborted) {
            return Err(output.abort_after(self.series.failure()));
        }
        if error.is_invalid_record() && output.options.on_invalid == OnInvalid::Skip {
            self.skipped.push(SkippedRecord::new(&self.name, self.records, error));
            return Ok(());
        }
        let section = self.name.as_str().into();
        let failed = PublishErrorKind::Record { section, number: self.records, source: error };
        Err(output.abort_after(failed.into()))
    }

    /// Aborts the run because the source of the records failed.
    #[cold]
    pub(crate) fn source_failed(
        &self,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
        output: &Output<T>,
    ) -> PublishError {
        let record = Some((self.name.as_str().into(), self.records + 1));
        output.abort_after(PublishErrorKind::Source { record, source: source.into() }.into())
    }
}
