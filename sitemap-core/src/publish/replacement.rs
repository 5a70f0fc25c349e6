//! A run that replaces a set with new records.

use std::error::Error as StdError;
use std::mem;
use std::sync::Arc;

use super::error::{PublishError, PublishErrorKind};
use super::fill::{Output, SectionFiles};
use super::options::SetOptions;
use super::section::Section;
use super::set::{Commit, Guard, NextSet, names, put_side_file};
use super::shrink::AllowShrink;
use super::skipped::SkippedRecords;
use super::summary::Summary;
use crate::record::HasSection;
use crate::storage::Storage;
use crate::stylesheet::Stylesheet;

/// A run that writes a whole set, and replaces the published one. Created by [`SitemapSet::replace`](super::SitemapSet::replace).
///
/// Pages are grouped into sections, such as `posts` and `products`. Search consoles report on each section separately.
/// A section is split into as many files as it needs: `sitemap-posts-1.xml` and so on. The entry point is always
/// `sitemap.xml`: the sitemap itself if the set has only one, otherwise the index. If there are more files than one
/// index may list, further indexes are written: `sitemap-2.xml` and so on. [`Summary::robots_txt`] lists all indexes.
///
/// Memory use doesn't grow with the number of pages. New files have temporary names, and the published set doesn't
/// change before [`commit`](Replacement::commit). A replacement that is dropped without a commit removes the files it has
/// written.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let out = dir.path();
/// use sitemap_core::{Site, SitemapSet};
///
/// let site = Site::new("https://example.com")?;
/// let mut run = SitemapSet::open(site, out)?.replace()?;
/// run.section("pages")?.add_all(["/", "/about"])?;
/// run.section("posts")?.add("/posts/first")?;
/// let summary = run.commit()?;
///
/// assert_eq!(summary.urls(), 3);
/// assert_eq!(summary.robots_txt(), "Sitemap: https://example.com/sitemap.xml\n");
/// assert!(out.join("sitemap.xml").exists());
/// assert!(out.join("sitemap-posts-1.xml").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is published before `commit`"]
pub struct Replacement {
    // Must be the first field, so that all threads have ended before the other fields are dropped.
    threads: ShutDownOnDrop,
    sections: Vec<SectionFiles<NextSet>>,
    allow_shrink: Option<AllowShrink>,
    output: Arc<Output<NextSet>>,
}

/// Ends the threads of a run when dropped. Dropping the reference to the output would not be enough, because the
/// threads hold references to it too.
#[derive(Debug)]
struct ShutDownOnDrop(Arc<Output<NextSet>>);

impl Drop for ShutDownOnDrop {
    fn drop(&mut self) {
        self.0.compressors.shut_down();
    }
}

impl Replacement {
    pub(super) fn start(
        options: SetOptions,
        storage: Arc<dyn Storage>,
        threads: usize,
    ) -> Result<Self, PublishError> {
        let set = NextSet::start(storage, &options, None)?;
        let output = Arc::new(Output::new(set, options, threads));
        let threads = ShutDownOnDrop(Arc::clone(&output));
        Ok(Self { threads, sections: Vec::new(), allow_shrink: None, output })
    }

    /// Allows this run to shrink the published set beyond the limit set with
    /// [`max_shrink`](SetOptions::max_shrink). See the example of [`AllowShrink`]. Default: such a run ends with
    /// [`PublishErrorKind::Shrunk`].
    ///
    /// The permission applies to one run. Later runs compare their sets with the one that this run publishes.
    pub fn allow_shrink(&mut self, allow: impl Into<Option<AllowShrink>>) {
        self.allow_shrink = allow.into();
    }

    /// Starts a section, or continues the section of that name.
    ///
    /// A section without pages is not written to any file.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::SectionName`] if the name can't be part of a file name. [`PublishErrorKind::NameInUse`] if a
    /// hash bucket already has this name, such as `posts-000`, or if the name differs only in case from one in use. In
    /// a run that [keeps sections](SetOptions::keep_sections), the names of the kept sections are in use too.
    pub fn section(&mut self, name: &str) -> Result<Section<'_>, PublishError> {
        let index = self.find_or_start(name)?;
        Ok(Section::new(&self.output, &mut self.sections[index]))
    }

    /// Starts or continues several sections, so that different threads can fill them at the same time.
    ///
    /// The published set doesn't depend on the timing of the threads. The files are in the order in which their
    /// sections were started.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// use std::thread;
    ///
    /// # let site = sitemap_core::Site::new("https://example.com")?;
    /// let mut run = sitemap_core::SitemapSet::builder(site).open(dir.path())?.replace()?;
    /// let [mut posts, mut users] = run.sections(["posts", "users"])?;
    /// thread::scope(|scope| {
    ///     let posts = scope.spawn(move || posts.add_all((0..100).map(|id| format!("/posts/{id}"))));
    ///     let users = scope.spawn(move || users.add_all((0..100).map(|id| format!("/users/{id}"))));
    ///     posts.join().unwrap().and(users.join().unwrap())
    /// })?;
    /// assert_eq!(run.commit()?.urls(), 200);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`section`](Self::section), and [`PublishErrorKind::NameInUse`] if a name is listed twice.
    pub fn sections<const N: usize>(&mut self, names: [&str; N]) -> Result<[Section<'_>; N], PublishError> {
        let mut indices = [0; N];
        for (n, name) in names.iter().enumerate() {
            indices[n] = self.find_or_start(name)?;
            if indices[..n].contains(&indices[n]) {
                let name: Box<str> = (*name).into();
                return Err(PublishErrorKind::NameInUse { other: name.clone(), name }.into());
            }
        }
        let files = self.sections.get_disjoint_mut(indices).map_err(|_| PublishError::aborted())?;
        Ok(files.map(|files| Section::new(&self.output, files)))
    }

    fn find_or_start(&mut self, name: &str) -> Result<usize, PublishError> {
        names::check_section(name)?;
        if let Some(index) = self.sections.iter().position(|section| section.name == name) {
            return Ok(index);
        }
        if self.output.options.keep_sections {
            self.output.target.check_section(name)?;
        }
        // File systems and crawlers may not distinguish case.
        if let Some(other) = self.sections.iter().find(|section| section.name.eq_ignore_ascii_case(name)) {
            let (name, other) = (name.into(), other.name.as_str().into());
            return Err(PublishErrorKind::NameInUse { name, other }.into());
        }
        self.sections.push(SectionFiles::new(name));
        Ok(self.sections.len() - 1)
    }

    /// Adds the pages of one record to the section that its type declares with `#[sitemap(section = "posts")]`.
    ///
    /// # Errors
    ///
    /// The same as for [`section`](Self::section) and [`Section::add`].
    pub fn add<T: HasSection + ?Sized>(&mut self, record: &T) -> Result<(), PublishError> {
        self.section(T::SECTION)?.add(record)
    }

    /// Adds records to the section that their type declares with `#[sitemap(section = "posts")]`.
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use sitemap_core::{Memory, Site, SitemapEntry, SitemapSet};
    ///
    /// #[derive(SitemapEntry)]
    /// #[sitemap(loc = "/posts/{slug}", section = "posts")]
    /// struct Post {
    ///     slug: &'static str,
    /// }
    ///
    /// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
    /// run.add_all([Post { slug: "first" }, Post { slug: "second" }])?;
    /// run.add(&Post { slug: "third" })?;
    /// run.section("pages")?.add("/")?;
    /// let names: Vec<_> = run.commit()?.files().iter().map(|file| file.name().to_owned()).collect();
    /// assert_eq!(names, ["sitemap-posts-1.xml", "sitemap-pages-1.xml"]);
    /// # }
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`section`](Self::section) and [`Section::add_all`].
    pub fn add_all<T: HasSection>(
        &mut self,
        records: impl IntoIterator<Item = T>,
    ) -> Result<(), PublishError> {
        self.section(T::SECTION)?.add_all(records)
    }

    /// Adds all records of a fallible source to the section that their type declares with
    /// `#[sitemap(section = "posts")]`.
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use sitemap_core::{Memory, Site, SitemapEntry, SitemapSet};
    ///
    /// #[derive(SitemapEntry)]
    /// #[sitemap(loc = "/posts/{id}", section = "posts")]
    /// struct Post {
    ///     id: u32,
    /// }
    ///
    /// let rows = [1, 2].map(|id| Ok::<_, std::io::Error>(Post { id }));
    /// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
    /// run.try_add_all(rows)?;
    /// assert_eq!(run.commit()?.urls(), 2);
    /// # }
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`section`](Self::section) and [`Section::try_add_all`].
    pub fn try_add_all<T, E>(
        &mut self,
        records: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<(), PublishError>
    where
        T: HasSection,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.section(T::SECTION)?.try_add_all(records)
    }

    /// Completes the new set and replaces the published one, the index last.
    ///
    /// # Errors
    ///
    /// - [`PublishErrorKind::EmptySet`] if the set contains no pages.
    /// - [`PublishErrorKind::Io`] if a file can't be written or replaced.
    /// - [`PublishErrorKind::CannotKeep`] if a file of a kept section is missing or has changed.
    /// - [`PublishErrorKind::Overtaken`] if another run published in the meantime, on storage without locks.
    /// - [`PublishErrorKind::Shrunk`] if the set would lose too many pages.
    /// - [`PublishErrorKind::Aborted`] if this run returned an error earlier.
    pub fn commit(self) -> Result<Summary, PublishError> {
        let Self { threads: _threads, mut sections, allow_shrink, output, .. } = self;
        if output.is_aborted() {
            return Err(output.aborted());
        }
        sections.iter_mut().try_for_each(|section| section.series.close())?;
        output.compressors.wait_until_idle();
        let (mut written, mut files, mut skipped) = (Vec::new(), Vec::new(), SkippedRecords::default());
        for mut section in sections {
            let name = mem::take(&mut section.name);
            files.extend(section.series.take_files()?.into_iter().map(|file| file.of_section(name.as_str())));
            skipped.append(section.skipped);
            written.push(name);
        }
        let written: Vec<&str> = written.iter().map(String::as_str).collect();
        if files.is_empty() {
            return Err(PublishErrorKind::EmptySet { skipped: skipped.count() }.into());
        }
        let Output { target: set, options, .. } = &*output;
        let guard = Guard { allow: allow_shrink, skipped: skipped.count() };
        let mut commit = Commit::of_files(set, options, guard, &written, files)?;
        if options.write.get_stylesheet().is_some_and(Stylesheet::is_built_in) {
            // The new files refer to the stylesheet, so it must exist before they are published.
            put_side_file(set.storage(), Stylesheet::FILE_NAME, Stylesheet::CSS.as_bytes())?;
        }
        let summary = Summary::new(&commit, options, skipped)?;
        commit.sync()?;
        // The caller may have cancelled an asynchronous run. After this check, the run can't be cancelled any more.
        if output.is_aborted() {
            return Err(output.aborted());
        }
        let removed = commit.publish()?;
        Ok(summary.with_removed_files(removed).with_retries(set.storage().retries()))
    }

    #[cfg(feature = "async")]
    pub(super) fn output(&self) -> &Arc<Output<NextSet>> {
        &self.output
    }
}
