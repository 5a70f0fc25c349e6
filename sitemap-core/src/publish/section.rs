//! A section: the pages of one kind, in as many files as they need.

use std::error::Error as StdError;
use std::sync::Arc;

use super::file::Series;
use super::lane::Lane;
use super::options::OnInvalid;
use super::run::Run;
use super::shard::{ShardKey, Sharded};
use super::summary::{Skipped, SkippedRecords};
use crate::entry::SitemapEntry;
use crate::error::{Error, ErrorKind};

/// Takes the records of one section; made by [`Publisher::section`](super::Publisher::section).
#[derive(Debug)]
pub struct Section<'p> {
    run: &'p Arc<Run>,
    files: &'p mut SectionFiles,
}

impl<'p> Section<'p> {
    pub(super) fn new(run: &'p Arc<Run>, files: &'p mut SectionFiles) -> Self {
        Self { run, files }
    }

    /// Adds the pages of one record; they all come to stand in the same file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Record`] with the record's number if the record is invalid, unless the publisher
    /// [skips](crate::OnInvalid::Skip) such records. [`ErrorKind::Io`] if a file cannot be written. After an
    /// error the set cannot be finished any more, and the old one stays.
    #[inline]
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), Error> {
        self.write(record)?;
        if let Some(queue) = &self.run.queue {
            queue.wait_for_room();
        }
        Ok(())
    }

    /// As [`add`](Self::add), but never waits.
    #[inline]
    pub(super) fn write<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), Error> {
        self.files.add(None, record, self.run)
    }

    /// Adds all records.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// # let site = sitemap_core::Site::new("https://example.com")?;
    /// let mut publisher = sitemap_core::Publisher::builder(site).to_dir(dir.path())?;
    /// publisher.section("pages")?.add_all(["/", "/about", "/contact"])?;
    /// assert_eq!(publisher.finish()?.urls(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn add_all<T: SitemapEntry>(&mut self, records: impl IntoIterator<Item = T>) -> Result<(), Error> {
        records.into_iter().try_for_each(|record| self.add(&record))
    }

    /// Adds all records of a source that can fail, such as a database's rows.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add), and [`ErrorKind::Source`] with the first error of the source.
    pub fn try_add_all<T, E>(&mut self, records: impl IntoIterator<Item = Result<T, E>>) -> Result<(), Error>
    where
        T: SitemapEntry,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        records.into_iter().try_for_each(|record| match record {
            Ok(record) => self.add(&record),
            Err(error) => Err(self.source_error(error)),
        })
    }

    /// Takes this section's records in stable shards: a record's key alone decides which of so many
    /// files it is in, 1 to 512 of them, `sitemap-posts-000-1.xml` and so on.
    ///
    /// In plain order, a record that comes or goes moves all those behind it, and with them the bytes
    /// of all later files. In shards it changes one file, so that all others stay as they are. The
    /// records of a shard must come in an order of their own, as by their primary key; which
    /// number of shards stays the same from run to run is best chosen for about 5,000 to 20,000
    /// pages in each. A shard that outgrows a file goes on in a second one.
    ///
    /// These are not the shards that many processes write, of the feature `shards`.
    ///
    /// All shards have a file open at once, so memory grows with their number, by some 200 KiB each
    /// or, compressed, up to 700 KiB.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// # let site = sitemap_core::Site::new("https://example.com")?;
    /// let mut publisher = sitemap_core::Publisher::builder(site).to_dir(dir.path())?;
    /// let mut posts = publisher.section("posts")?.shard_by(4, |path: &String| path.into())?;
    /// posts.add_all((0..100).map(|id| format!("/posts/{id}")))?;
    /// assert_eq!(publisher.finish()?.files().len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Shards`] if there are none or too many, or the section has another number of them.
    pub fn shard_by<T, F>(self, shards: u16, key: F) -> Result<Sharded<'p, F>, Error>
    where
        F: Fn(&T) -> ShardKey,
    {
        self.files.split(shards, self.run)?;
        Ok(Sharded::new(self.run, self.files, key))
    }

    pub(super) fn source_error(&self, error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        self.files.source_error(error, self.run)
    }

    #[cfg(feature = "async")]
    pub(super) fn run(&self) -> &Arc<Run> {
        self.run
    }
}

/// What a publisher keeps of a section.
#[derive(Debug)]
pub(super) struct SectionFiles {
    pub(super) name: String,
    /// Records seen, the invalid ones among them.
    records: u64,
    skipped: SkippedRecords,
    /// Where records build their addresses.
    scratch: String,
    unsharded: Series,
    shards: Vec<Series>,
}

impl SectionFiles {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            records: 0,
            skipped: SkippedRecords::default(),
            scratch: String::new(),
            unsharded: Series::new(name.to_owned()),
            shards: Vec::new(),
        }
    }

    /// Writes a record to a shard or, without one, to the section's own files.
    #[inline]
    pub(super) fn add<T: SitemapEntry + ?Sized>(
        &mut self,
        shard: Option<usize>,
        record: &T,
        run: &Arc<Run>,
    ) -> Result<(), Error> {
        if run.is_aborted() {
            return Err(ErrorKind::Aborted.into());
        }
        self.records += 1;
        let series = match shard {
            None => &mut self.unsharded,
            Some(shard) => &mut self.shards[shard],
        };
        match series.add(record, &mut self.scratch, run) {
            Ok(()) => Ok(()),
            Err(error) => self.settle_error(error, run),
        }
    }

    /// Notes that the source failed, so that the set lacks something.
    pub(super) fn source_error(
        &self,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
        run: &Run,
    ) -> Error {
        let record = Some((self.name.as_str().into(), self.records + 1));
        run.abort(ErrorKind::Source { record, source: source.into() }.into())
    }

    /// Skips the record that an error is about, or ends the run.
    #[cold]
    fn settle_error(&mut self, error: Error, run: &Run) -> Result<(), Error> {
        if !error.is_about_record() {
            return Err(run.abort(error));
        }
        match run.options.on_invalid {
            OnInvalid::Stop => Err(run.abort(error.in_record(&self.name, self.records))),
            OnInvalid::Skip => {
                self.skipped.push(Skipped::new(&self.name, self.records, error));
                Ok(())
            }
        }
    }

    fn split(&mut self, shards: u16, run: &Run) -> Result<(), Error> {
        /// More would take too much memory, and file names three digits.
        const MOST: u16 = 512;

        let is_as_before = self.shards.is_empty() || self.shards.len() == usize::from(shards);
        if !(1..=MOST).contains(&shards) || !is_as_before {
            return Err(ErrorKind::Shards { found: shards, most: MOST }.into());
        }
        if self.shards.is_empty() {
            let names: Vec<_> = (0..shards).map(|number| format!("{}-{number:03}", self.name)).collect();
            names.iter().try_for_each(|name| run.claim(name))?;
            self.shards = names.into_iter().map(Series::new).collect();
        }
        Ok(())
    }

    pub(super) fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Ends the files that are open.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        let shards = self.shards.iter_mut();
        std::iter::once(&mut self.unsharded).chain(shards).try_for_each(Series::close)
    }

    /// All files in order, and the records that were left out.
    pub(super) fn into_parts(self) -> (Vec<Arc<Lane>>, SkippedRecords) {
        let series = std::iter::once(self.unsharded).chain(self.shards);
        (series.flat_map(Series::into_ended).collect(), self.skipped)
    }
}
