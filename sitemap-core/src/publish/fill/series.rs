//! The numbered files of a section or hash bucket. The newest file receives records; the earlier ones are complete.

use std::mem;
use std::sync::Arc;

use super::file::OutputFile;
use super::output::Output;
use crate::error::Error;
use crate::publish::error::PublishError;
use crate::publish::set::names;
use crate::publish::target::Target;
use crate::record::{SitemapEntry, write_record};
use crate::write::{HashBucket, Pages, Room};

/// The files of a section or hash bucket, numbered from 1.
#[derive(Debug)]
pub(crate) struct Series<T: Target> {
    /// The part of the file names before the number.
    stem: String,
    /// The hash bucket that the pages are expected to be in.
    bucket: Option<HashBucket>,
    open: Option<Pages<Arc<OutputFile<T>>>>,
    /// The newest file, which receives records until it is complete.
    last: Option<Arc<OutputFile<T>>>,
    /// The files that are complete.
    ended: Vec<Arc<OutputFile<T>>>,
}

impl<T: Target> Series<T> {
    pub(crate) fn new(stem: String) -> Self {
        Self { stem, bucket: None, open: None, last: None, ended: Vec::new() }
    }

    /// Creates the series for a hash bucket. Its files record whether all of their pages are in the bucket of their
    /// URL.
    pub(crate) fn of_bucket(stem: String, bucket: HashBucket) -> Self {
        Self { bucket: Some(bucket), ..Self::new(stem) }
    }

    /// Writes the pages of one record to the open file or, if that file is full, to the next one.
    ///
    /// # Errors
    ///
    /// Returns an error if the record is invalid or the file can't be written. In the second case, the error has the
    /// kind `Io` or `Aborted`, and [`failure`](Self::failure) returns the cause.
    #[inline]
    pub(crate) fn add<R: SitemapEntry + ?Sized>(
        &mut self,
        record: &R,
        scratch: &mut String,
        output: &Arc<Output<T>>,
    ) -> Result<(), Error> {
        let pages = match &mut self.open {
            Some(pages) => pages,
            None => Self::start(&mut self.open, &mut self.last, (&self.stem, self.bucket), 1, output),
        };
        write_record(record, pages, &output.options.site, scratch)?;
        match pages.accept()? {
            Room::Enough => Ok(()),
            Room::Full => self.roll_over(output),
        }
    }

    #[cold]
    fn start<'s>(
        open: &'s mut Option<Pages<Arc<OutputFile<T>>>>,
        last: &mut Option<Arc<OutputFile<T>>>,
        (stem, bucket): (&str, Option<HashBucket>),
        number: usize,
        output: &Arc<Output<T>>,
    ) -> &'s mut Pages<Arc<OutputFile<T>>> {
        let name = names::file_name(stem, number, output.options.extension());
        let file = Arc::new(OutputFile::new(output, name));
        *last = Some(Arc::clone(&file));
        open.insert(Pages::new(file, &output.options.write, bucket))
    }

    /// Completes the open file, and writes the record that didn't fit to the next file.
    #[cold]
    fn roll_over(&mut self, output: &Arc<Output<T>>) -> Result<(), Error> {
        let full = self.open.take();
        let full_file = self.last.take();
        let number = self.ended.len() + 2;
        let stem = (&*self.stem, self.bucket);
        let next = Self::start(&mut self.open, &mut self.last, stem, number, output);
        if let (Some(full), Some(file)) = (full, full_file) {
            next.follow(&full)?;
            // The record fits: a record that is too large for an empty file was rejected earlier.
            let _ = next.accept()?;
            let next = self.last.replace(Arc::clone(&file));
            full.finish()?;
            self.last = next;
            self.ended.push(file);
        }
        Ok(())
    }

    /// Completes the open file. A file without pages is dropped.
    pub(crate) fn close(&mut self) -> Result<(), PublishError> {
        if let (Some(pages), Some(file)) = (self.open.take(), &self.last)
            && pages.size().entries > 0
        {
            let file = Arc::clone(file);
            if pages.finish().is_err() {
                return Err(self.failure());
            }
            self.ended.push(file);
        }
        Ok(())
    }

    /// Takes the error of the file that was written last.
    #[cold]
    pub(crate) fn failure(&self) -> PublishError {
        let failed = self.last.as_ref().and_then(|file| file.take().err());
        failed.unwrap_or_else(PublishError::aborted)
    }

    /// Takes all complete files, in order. All of their pieces must already be stored.
    pub(crate) fn take_files(&mut self) -> Result<Vec<T::File>, PublishError> {
        // There may be thousands of files. To free memory, each file is dropped as soon as its result is taken.
        mem::take(&mut self.ended).into_iter().map(|file| file.take()).collect()
    }
}
