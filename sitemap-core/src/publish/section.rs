//! A section: pages of one kind, split into as many files as they need.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use super::buckets::{BucketKey, ByKey, InOrder, Routing};
use super::claims::Claims;
use super::error::{PublishError, PublishErrorKind};
use super::fill::{Output, SectionFiles, Series};
use super::set::NextSet;
use crate::record::SitemapEntry;

/// A section to add records to. Created by [`Replacement::section`](super::Replacement::section).
///
/// ```
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
/// let mut posts = run.section("posts")?;
/// posts.add("/posts/first")?;
/// posts.add_all((2..=10).map(|id| format!("/posts/{id}")))?;
///
/// let mut pages = run.section("pages")?;
/// pages.add("/")?;
///
/// let summary = run.commit()?;
/// let names: Vec<_> = summary.files().iter().map(|file| (file.name(), file.entries())).collect();
/// assert_eq!(names, [("sitemap-posts-1.xml", 10), ("sitemap-pages-1.xml", 1)]);
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
pub struct Section<'p, R = InOrder> {
    output: &'p Arc<Output<NextSet>>,
    claims: &'p Claims,
    files: &'p mut SectionFiles<NextSet>,
    routing: R,
}

impl<'p> Section<'p> {
    pub(super) fn new(
        output: &'p Arc<Output<NextSet>>,
        claims: &'p Claims,
        files: &'p mut SectionFiles<NextSet>,
    ) -> Self {
        Self { output, claims, files, routing: InOrder }
    }

    /// Splits the section into 1 to 512 hash buckets. Only the key of a record decides which bucket the record goes to.
    /// The files of the buckets are `sitemap-posts-000-1.xml` and so on.
    ///
    /// Without buckets, a new or removed record shifts all later records, so all later files change. With buckets, only
    /// the files of one bucket change. Add the records of a bucket in a fixed order, such as by primary key. Use the
    /// same number of buckets in every run, ideally with about 5,000 to 20,000 pages per bucket. A bucket that doesn't
    /// fit into one file continues in a second one.
    ///
    /// Each bucket has an open file, so memory grows with the number of buckets: by about 200 KiB per bucket, or up to
    /// 700 KiB if files are compressed.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// # let site = sitemap_core::Site::new("https://example.com")?;
    /// let mut run = sitemap_core::SitemapSet::builder(site).open(dir.path())?.replace()?;
    /// let mut posts = run.section("posts")?.in_buckets(4, |path: &String| path.into())?;
    /// posts.add_all((0..100).map(|id| format!("/posts/{id}")))?;
    /// assert_eq!(run.commit()?.files().len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Buckets`] if the number is 0 or greater than 512, or if the section already uses a different
    /// number of buckets. [`PublishErrorKind::NameInUse`] if a bucket would share file names with another section.
    pub fn in_buckets<T, F>(self, buckets: u16, key: F) -> Result<Section<'p, ByKey<F>>, PublishError>
    where
        F: Fn(&T) -> BucketKey,
    {
        /// The maximum number of buckets. More buckets would take too much memory, and file names use only three digits
        /// for the bucket.
        const MOST: u16 = 512;

        let Self { output, claims, files, .. } = self;
        let is_as_before = files.buckets() == 0 || files.buckets() == usize::from(buckets);
        if !(1..=MOST).contains(&buckets) || !is_as_before {
            return Err(PublishErrorKind::Buckets { found: buckets, max: MOST }.into());
        }
        if files.buckets() == 0 {
            let stems: Vec<_> = (0..buckets).map(|number| format!("{}-{number:03}", files.name)).collect();
            claims.claim(&stems)?;
            files.series().extend(stems.into_iter().map(Series::new));
        }
        Ok(Section { output, claims, files, routing: ByKey(key) })
    }
}

impl<R> Section<'_, R> {
    /// Adds the pages of one record. They all go to the same file.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Record`] if the record is invalid, unless the set [skips](super::OnInvalid::Skip)
    /// invalid records. [`PublishErrorKind::Io`] if a file can't be written. After an error, the run can't be
    /// finished ([`PublishErrorKind::Aborted`]) and the published set stays as it is.
    #[inline]
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), PublishError>
    where
        R: Routing<T>,
    {
        self.write(record)?;
        self.output.compressors.wait_for_room();
        Ok(())
    }

    /// Adds the pages of one record like [`add`](Self::add), but doesn't wait while the other threads' queue is full.
    #[inline]
    pub(super) fn write<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), PublishError>
    where
        R: Routing<T>,
    {
        let series = self.routing.key(record).map_or(0, |key| 1 + key.bucket(self.files.buckets()));
        self.files.add(series, record, self.output)
    }

    /// Adds records one after another, and stops at the first error.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// # let site = sitemap_core::Site::new("https://example.com")?;
    /// let mut run = sitemap_core::SitemapSet::builder(site).open(dir.path())?.replace()?;
    /// run.section("pages")?.add_all(["/", "/about", "/contact"])?;
    /// assert_eq!(run.commit()?.urls(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`add`](Self::add).
    pub fn add_all<T: SitemapEntry>(
        &mut self,
        records: impl IntoIterator<Item = T>,
    ) -> Result<(), PublishError>
    where
        R: Routing<T>,
    {
        records.into_iter().try_for_each(|record| self.add(&record))
    }

    /// Adds all records of a fallible source, such as the rows of a database. Stops at the first error of a record or
    /// the source.
    ///
    /// ```
    /// # let site = sitemap_core::Site::new("https://example.com")?;
    /// use sitemap_core::{Memory, SitemapSet};
    ///
    /// let rows = ["/", "/about"].into_iter().map(Ok::<_, std::io::Error>);
    /// let mut run = SitemapSet::builder(site).storage(Memory::new()).replace()?;
    /// run.section("pages")?.try_add_all(rows)?;
    /// assert_eq!(run.commit()?.urls(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`add`](Self::add), and [`PublishErrorKind::Source`] with the source's first error.
    pub fn try_add_all<T, E>(
        &mut self,
        records: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<(), PublishError>
    where
        T: SitemapEntry,
        E: Into<Box<dyn StdError + Send + Sync>>,
        R: Routing<T>,
    {
        records.into_iter().try_for_each(|record| match record {
            Ok(record) => self.add(&record),
            Err(error) => Err(self.source_failed(error)),
        })
    }

    pub(super) fn source_failed(&self, error: impl Into<Box<dyn StdError + Send + Sync>>) -> PublishError {
        self.files.source_failed(error, self.output)
    }

    #[cfg(feature = "async")]
    pub(super) fn output(&self) -> &Arc<Output<NextSet>> {
        self.output
    }
}

impl<R> fmt::Debug for Section<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section").field("name", &self.files.name).finish_non_exhaustive()
    }
}
