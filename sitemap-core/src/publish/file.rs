//! The files of a section or shard: one that still takes records, and those before it.

use std::sync::Arc;

use super::lane::{End, Lane};
use super::name;
use super::run::Run;
use super::sink::Sink;
use crate::entry::SitemapEntry;
use crate::error::Error;
use crate::write::{Fit, Pages};

/// Files that are numbered from 1.
#[derive(Debug)]
pub(super) struct Series {
    /// What their names are made of.
    name: String,
    open: Option<OpenFile>,
    ended: Vec<Arc<Lane>>,
}

#[derive(Debug)]
struct OpenFile {
    pages: Pages<Sink>,
    lane: Arc<Lane>,
}

impl Series {
    pub(super) fn new(name: String) -> Self {
        Self { name, open: None, ended: Vec::new() }
    }

    /// Writes the pages of one record; when the file is full, to the next.
    #[inline]
    pub(super) fn add<T: SitemapEntry + ?Sized>(
        &mut self,
        record: &T,
        scratch: &mut String,
        run: &Arc<Run>,
    ) -> Result<(), Error> {
        let file = match &mut self.open {
            Some(file) => file,
            None => self.open.insert(OpenFile::begin(&self.name, 1, run)),
        };
        file.pages.draft(record, &run.options.site, scratch)?;
        match file.accept()? {
            Fit::Written => Ok(()),
            Fit::Full => self.roll_over(run),
        }
    }

    /// Ends the open file, but takes its draft to the next.
    #[cold]
    fn roll_over(&mut self, run: &Arc<Run>) -> Result<(), Error> {
        let mut next = OpenFile::begin(&self.name, self.ended.len() + 2, run);
        if let Some(full) = self.open.take() {
            next.pages.follow(&full.pages)?;
            self.ended.push(full.end()?);
        }
        // It fits: what no empty file takes was an error before.
        let _ = next.accept()?;
        self.open = Some(next);
        Ok(())
    }

    /// Ends the file that is open.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        if let Some(file) = self.open.take()
            // Its records may all have been invalid, or without a page.
            && file.pages.size().items > 0
        {
            self.ended.push(file.end()?);
        }
        Ok(())
    }

    /// All files that have ended, in order.
    pub(super) fn into_ended(self) -> Vec<Arc<Lane>> {
        self.ended
    }
}

impl OpenFile {
    #[cold]
    fn begin(series: &str, number: usize, run: &Arc<Run>) -> Self {
        let name = name::of_file(series, number, run.options.extension());
        let sink = Sink::new(Lane::new(run, name));
        let lane = Arc::clone(sink.lane());
        Self { pages: Pages::new(sink, &run.options.write), lane }
    }

    /// Takes the draft, unless the file is full.
    #[inline]
    fn accept(&mut self) -> Result<Fit, Error> {
        match self.pages.accept() {
            Ok(fit) => Ok(fit),
            Err(error) => Err(self.named(error)),
        }
    }

    #[cold]
    fn named(&self, error: Error) -> Error {
        error.in_file(&self.lane.path())
    }

    fn end(self) -> Result<Arc<Lane>, Error> {
        let newest = self.pages.newest();
        let (sink, written) = self.pages.finish()?;
        let lane = sink.end(End { written, newest });
        if lane.run().queue.is_none() {
            lane.check()?;
        }
        Ok(lane)
    }
}
