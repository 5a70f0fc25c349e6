//! A section: pages of one kind, split into as many files as they need.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use super::error::PublishError;
use super::fill::{Output, SectionFiles};
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
pub struct Section<'p> {
    output: &'p Arc<Output<NextSet>>,
    files: &'p mut SectionFiles<NextSet>,
}

impl<'p> Section<'p> {
    pub(super) fn new(output: &'p Arc<Output<NextSet>>, files: &'p mut SectionFiles<NextSet>) -> Self {
        Self { output, files }
    }

    /// Adds the pages of one record. They all go to the same file.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Record`] if the record is invalid, unless the set [skips](super::OnInvalid::Skip) invalid
    /// records. [`PublishErrorKind::Io`] if a file can't be written. After an error, the run can't be committed
    /// ([`PublishErrorKind::Aborted`]) and the published set stays as it is.
    ///
    /// [`PublishErrorKind::Record`]: super::PublishErrorKind::Record
    /// [`PublishErrorKind::Io`]: super::PublishErrorKind::Io
    /// [`PublishErrorKind::Aborted`]: super::PublishErrorKind::Aborted
    #[inline]
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), PublishError> {
        self.write(record)?;
        self.output.compressors.wait_for_room();
        Ok(())
    }

    /// Adds the pages of one record like [`add`](Self::add), but doesn't wait while the other threads' queue is full.
    #[inline]
    pub(super) fn write<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), PublishError> {
        self.files.add(record, self.output)
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
    ) -> Result<(), PublishError> {
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
    /// The same as for [`add`](Self::add), and [`PublishErrorKind::Source`](super::PublishErrorKind::Source) with the
    /// source's first error.
    pub fn try_add_all<T, E>(
        &mut self,
        records: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<(), PublishError>
    where
        T: SitemapEntry,
        E: Into<Box<dyn StdError + Send + Sync>>,
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

impl fmt::Debug for Section<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section").field("name", &self.files.name).finish_non_exhaustive()
    }
}
