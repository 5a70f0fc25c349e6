//! A section: the pages of one kind, in as many files as they need.

use std::error::Error as StdError;
use std::sync::Arc;

use super::file::{OpenFile, WrittenFile};
use super::name;
use super::options::PublisherBuilder;
use super::publisher::Publisher;
use super::shard::{ShardKey, Sharded};
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

    pub(super) fn index(&self) -> usize {
        self.index
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

    /// Takes this section's records in stable shards: a record's key alone decides which of so many
    /// files it is in, 1 to 512 of them, `sitemap-posts-000-1.xml` and so on.
    ///
    /// In plain order, a record that comes or goes moves all those behind it, and with them the bytes
    /// of all later files. In shards it changes one file, so that all others stay as they are. The
    /// records of a shard must come in an order of their own, as by their primary key; which
    /// number of shards stays the same from run to run is best chosen for about 5,000 to 20,000
    /// pages in each. A shard that outgrows a file goes on in a second one.
    ///
    /// All shards have a file open at once, so memory grows with their number, by some 200 KiB each
    /// or, compressed, 500 KiB.
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
    /// [`ErrorKind::Shards`] if there are none or too many.
    pub fn shard_by<T, F>(self, shards: u16, key: F) -> Result<Sharded<'p, F>, Error>
    where
        F: Fn(&T) -> ShardKey,
    {
        Sharded::new(self.publisher, self.index, shards, key)
    }
}

/// What a publisher keeps of a section.
#[derive(Debug)]
pub(super) struct SectionFiles {
    pub(super) name: String,
    /// Records seen, the invalid ones among them.
    pub(super) records: u64,
    /// The section that this is a shard of.
    pub(super) whole: Option<usize>,
    open: Option<OpenFile>,
    written: Vec<WrittenFile>,
}

impl SectionFiles {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), records: 0, whole: None, open: None, written: Vec::new() }
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
