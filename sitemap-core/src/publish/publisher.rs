//! The publisher: takes records by section and turns them into a set of files.

use std::sync::Arc;

use super::beside;
use super::commit::Commit;
use super::name;
use super::options::PublisherBuilder;
use super::run::Run;
use super::section::{Section, SectionFiles};
use super::storage::Storage;
use super::summary::{SkippedRecords, Summary};
use super::workers::Workers;
use crate::error::{Error, ErrorKind};
use crate::site::Site;
use crate::write::Stylesheet;

/// Publishes a set of sitemap files: splits, indexes, compresses, and replaces the old set at the end.
///
/// Pages are grouped into sections, such as `posts` and `products`, which search consoles then report on
/// one by one. Each section becomes as many files as it needs, `sitemap-posts-1.xml` and so on. The
/// entry point is always `sitemap.xml`: the one file itself while the set has only one, else the
/// index. A set of more files than one index may list has further ones, `sitemap-2.xml` and so on;
/// [`Summary::robots_txt`] names them all.
///
/// Memory does not grow with the number of pages; [`threads`](PublisherBuilder::threads) of its own can
/// compress and store files meanwhile. Files are written under temporary names; nothing
/// of the old set is touched before [`finish`](Publisher::finish), and dropping a publisher without
/// it removes what was written.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let out = dir.path();
/// use sitemap_core::{Publisher, Site};
///
/// let site = Site::new("https://example.com")?;
/// let mut publisher = Publisher::builder(site).to_dir(out)?;
/// publisher.section("pages")?.add_all(["/", "/about"])?;
/// publisher.section("posts")?.add("/posts/first")?;
/// let summary = publisher.finish()?;
///
/// assert_eq!(summary.urls(), 3);
/// assert_eq!(summary.robots_txt(), "Sitemap: https://example.com/sitemap.xml\n");
/// assert!(out.join("sitemap.xml").exists());
/// assert!(out.join("sitemap-posts-1.xml").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Publisher {
    // Before the run, whose lock the last of their jobs may hold.
    workers: Option<Workers>,
    sections: Vec<SectionFiles>,
    run: Arc<Run>,
}

impl Publisher {
    /// Settings for a set of this site.
    pub fn builder(site: Site) -> PublisherBuilder {
        PublisherBuilder::new(site)
    }

    /// With no thread of its own if `threads` is 0.
    pub(super) fn new(
        options: PublisherBuilder,
        storage: Arc<dyn Storage>,
        threads: usize,
    ) -> Result<Self, Error> {
        let workers = (threads > 0).then(|| Workers::start(threads)).transpose();
        let workers = workers.map_err(|error| Error::io("begin a thread for", None, error))?;
        let queue = workers.as_ref().map(|workers| Arc::clone(workers.queue()));
        let run = Arc::new(Run::begin(options, storage, queue)?);
        Ok(Self { workers, sections: Vec::new(), run })
    }

    /// Begins a section, or goes on with one.
    ///
    /// A section without pages leaves no file behind.
    ///
    /// # Errors
    ///
    /// If the name cannot be part of a file name, or differs from another section's in case only.
    pub fn section(&mut self, name: &str) -> Result<Section<'_>, Error> {
        let index = self.find_or_begin(name)?;
        Ok(Section::new(&self.run, &mut self.sections[index]))
    }

    /// Begins several sections, or goes on with them, to be filled at the same time: each can be sent to
    /// a thread of its own.
    ///
    /// Whatever the threads do, the set comes out the same: its files stand in the order in which their
    /// sections were begun.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// use std::thread;
    ///
    /// # let site = sitemap_core::Site::new("https://example.com")?;
    /// let mut publisher = sitemap_core::Publisher::builder(site).to_dir(dir.path())?;
    /// let [mut posts, mut users] = publisher.sections(["posts", "users"])?;
    /// thread::scope(|scope| {
    ///     let posts = scope.spawn(move || posts.add_all((0..100).map(|id| format!("/posts/{id}"))));
    ///     let users = scope.spawn(move || users.add_all((0..100).map(|id| format!("/users/{id}"))));
    ///     posts.join().unwrap().and(users.join().unwrap())
    /// })?;
    /// assert_eq!(publisher.finish()?.urls(), 200);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`section`](Self::section), and [`ErrorKind::SectionCase`] if a name is given twice.
    pub fn sections<const N: usize>(&mut self, names: [&str; N]) -> Result<[Section<'_>; N], Error> {
        let mut indices = [0; N];
        for (n, name) in names.iter().enumerate() {
            indices[n] = self.find_or_begin(name)?;
            if indices[..n].contains(&indices[n]) {
                return Err(ErrorKind::SectionCase { name: (*name).into(), other: (*name).into() }.into());
            }
        }
        let run = &self.run;
        let files = self.sections.get_disjoint_mut(indices).map_err(|_| ErrorKind::Aborted)?;
        Ok(files.map(|files| Section::new(run, files)))
    }

    fn find_or_begin(&mut self, name: &str) -> Result<usize, Error> {
        name::check(name)?;
        if let Some(index) = self.sections.iter().position(|section| section.name == name) {
            return Ok(index);
        }
        self.run.claim(name)?;
        self.sections.push(SectionFiles::new(name));
        Ok(self.sections.len() - 1)
    }

    /// Ends the set and puts it in place of the old one, the index last.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptySet`] if there is no page, [`ErrorKind::Aborted`] after an earlier error,
    /// [`ErrorKind::Io`] if a file cannot be written or replaced, and on a storage without locks
    /// [`ErrorKind::Overtaken`] if another run was faster.
    pub fn finish(self) -> Result<Summary, Error> {
        if self.run.is_aborted() {
            return Err(ErrorKind::Aborted.into());
        }
        let (mut lanes, mut skipped) = (Vec::new(), SkippedRecords::default());
        for mut section in self.sections {
            section.close()?;
            let (ended, left_out) = section.into_parts();
            lanes.extend(ended);
            skipped.append(left_out);
        }
        if let Some(workers) = self.workers {
            workers.finish();
        }
        if lanes.is_empty() {
            return Err(ErrorKind::EmptySet { skipped: skipped.count() }.into());
        }
        // Each lane goes as its file comes, for there may be thousands.
        let files = lanes.into_iter().map(|lane| lane.finish()).collect::<Result<_, _>>()?;
        if self.run.options.write.get_stylesheet().is_some_and(Stylesheet::is_own) {
            // Before the files that name it.
            beside::put(self.run.storage(), Stylesheet::FILE_NAME, Stylesheet::CSS.as_bytes())?;
        }
        Commit::new(&self.run).publish(files, skipped)
    }

    #[cfg(feature = "async")]
    pub(super) fn run(&self) -> &Arc<Run> {
        &self.run
    }
}
