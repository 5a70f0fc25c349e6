//! A section: the pages of one kind, in as many files as they need.

use std::error::Error as StdError;
use std::sync::Arc;

use super::file::{OpenFile, WrittenFile};
use super::name;
use super::options::PublisherBuilder;
use super::publisher::Publisher;
use super::storage::Storage;
use crate::entry::SitemapEntry;
use crate::error::{Error, ErrorKind};

/// Takes the records of one section; made by [`Publisher::section`].
#[derive(Debug)]
pub struct Section<'p> {
    publisher: &'p mut Publisher,
    index: usize,
}

impl<'p> Section<'p> {
    pub(super) fn new(publisher: &'p mut Publisher, index: usize) -> Self {
        Self { publisher, index }
    }

    /// Adds the pages of one record; they all come to stand in the same file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Record`] with the record's number if the record is invalid, unless the publisher
    /// [skips](crate::OnInvalid::Skip) such records. [`ErrorKind::Io`] if a file cannot be written. After an
    /// error the set cannot be finished any more, and the old one stays.
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), Error> {
        self.publisher.add(self.index, record)
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
        for record in records {
            match record {
                Ok(record) => self.add(&record)?,
                Err(error) => return Err(self.publisher.abort(ErrorKind::Source(error.into()).into())),
            }
        }
        Ok(())
    }
}

/// What a publisher keeps of a section.
#[derive(Debug)]
pub(super) struct SectionFiles {
    pub(super) name: String,
    /// Records seen, the invalid ones among them.
    pub(super) records: u64,
    open: Option<OpenFile>,
    written: Vec<WrittenFile>,
}

impl SectionFiles {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), records: 0, open: None, written: Vec::new() }
    }

    /// The file that takes the next record, if it has room.
    #[inline]
    pub(super) fn open_file(
        &mut self,
        options: &PublisherBuilder,
        storage: &Arc<dyn Storage>,
    ) -> Result<&mut OpenFile, Error> {
        if self.open.is_none() {
            self.open = Some(self.create_file(1, options, storage)?);
        }
        self.open.as_mut().ok_or_else(|| ErrorKind::Aborted.into())
    }

    /// Ends the open file, but takes its draft to the next.
    #[cold]
    pub(super) fn roll_over(
        &mut self,
        options: &PublisherBuilder,
        storage: &Arc<dyn Storage>,
    ) -> Result<(), Error> {
        let mut next = self.create_file(2, options, storage)?;
        if let Some(full) = self.open.take() {
            next.pages.follow(&full.pages)?;
            self.written.push(full.finish()?);
        }
        // It fits: what no empty file takes was an error before.
        let _ = next.accept()?;
        self.open = Some(next);
        Ok(())
    }

    /// Ends the file that is open.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        if let Some(file) = self.open.take() {
            let file = file.finish()?;
            // Its records may all have been invalid, or without a page.
            if file.written.items > 0 {
                self.written.push(file);
            }
        }
        Ok(())
    }

    pub(super) fn into_written(self) -> Vec<WrittenFile> {
        self.written
    }

    /// The file that comes `ahead` places after those that are written.
    #[cold]
    fn create_file(
        &self,
        ahead: usize,
        options: &PublisherBuilder,
        storage: &Arc<dyn Storage>,
    ) -> Result<OpenFile, Error> {
        let name = name::of_file(&self.name, self.written.len() + ahead, options.extension());
        OpenFile::create(storage, name, &options.write, options.gzip)
    }
}
