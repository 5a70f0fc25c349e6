//! The publisher: takes records by section and turns them into a set of files.

use std::sync::Arc;

use super::commit::Commit;
use super::journal;
use super::name;
use super::options::{OnInvalid, PublisherBuilder};
use super::section::{Section, SectionFiles};
use super::storage::{Guard, Storage};
use super::summary::{Skipped, SkippedRecords, Summary};
use crate::entry::SitemapEntry;
use crate::error::{Error, ErrorKind};
use crate::site::Site;
use crate::write::Fit;

/// Publishes a set of sitemap files: splits, indexes, compresses, and replaces the old set at the end.
///
/// Pages are grouped into sections, such as `posts` and `products`, which search consoles then report on
/// one by one. Each section becomes as many files as it needs, `sitemap-posts-1.xml` and so on. The
/// entry point is always `sitemap.xml`: the one file itself while the set has only one, else the
/// index. A set of more files than one index may list has further ones, `sitemap-2.xml` and so on;
/// [`Summary::robots_txt`] names them all.
///
/// Memory does not grow with the number of pages. Files are written under temporary names; nothing
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
    options: PublisherBuilder,
    storage: Arc<dyn Storage>,
    sections: Vec<SectionFiles>,
    /// Where records build their addresses.
    scratch: String,
    skipped: SkippedRecords,
    aborted: bool,
    /// Released after everything else is dropped.
    _guard: Option<Guard>,
}

impl Publisher {
    /// Settings for a set of this site.
    pub fn builder(site: Site) -> PublisherBuilder {
        PublisherBuilder::new(site)
    }

    pub(super) fn new(options: PublisherBuilder, storage: Arc<dyn Storage>) -> Result<Self, Error> {
        let guard = storage.lock()?;
        journal::recover(&storage)?;
        if guard.is_some() {
            journal::remove_leftovers(&storage);
        }
        Ok(Self {
            options,
            storage,
            sections: Vec::new(),
            scratch: String::new(),
            skipped: SkippedRecords::default(),
            aborted: false,
            _guard: guard,
        })
    }

    /// Begins a section, or goes on with one.
    ///
    /// A section without pages leaves no file behind.
    ///
    /// # Errors
    ///
    /// If the name cannot be part of a file name, or differs from another section's in case only.
    pub fn section(&mut self, name: &str) -> Result<Section<'_>, Error> {
        name::check(name)?;
        let found = self.sections.iter().position(|section| section.name.eq_ignore_ascii_case(name));
        let index = match found {
            Some(index) if self.sections[index].name != name => {
                return Err(ErrorKind::SectionCase {
                    name: name.into(),
                    other: self.sections[index].name.as_str().into(),
                }
                .into());
            }
            Some(index) => index,
            None => {
                self.sections.push(SectionFiles::new(name));
                self.sections.len() - 1
            }
        };
        Ok(Section::new(self, index))
    }

    /// Ends the set and puts it in place of the old one, the index last.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptySet`] if there is no page, [`ErrorKind::Aborted`] after an earlier error,
    /// and [`ErrorKind::Io`] if a file cannot be written or replaced.
    pub fn finish(self) -> Result<Summary, Error> {
        if self.aborted {
            return Err(ErrorKind::Aborted.into());
        }
        let mut files = Vec::new();
        for mut section in self.sections {
            section.close()?;
            files.append(&mut section.into_written());
        }
        if files.is_empty() {
            return Err(ErrorKind::EmptySet { skipped: self.skipped.count() }.into());
        }
        Commit::new(&self.options, &self.storage)?.publish(files, self.skipped)
    }

    #[inline]
    pub(super) fn add<T: SitemapEntry + ?Sized>(&mut self, section: usize, record: &T) -> Result<(), Error> {
        match self.write(section, record) {
            Ok(Fit::Written) => Ok(()),
            Ok(Fit::Full) => {
                let rolled = self.sections[section].roll_over(&self.options, &self.storage);
                rolled.or_else(|error| self.settle_error(section, error))
            }
            Err(error) => self.settle_error(section, error),
        }
    }

    /// Writes a record to its section's open file.
    #[inline]
    fn write<T: SitemapEntry + ?Sized>(&mut self, section: usize, record: &T) -> Result<Fit, Error> {
        if self.aborted {
            return Err(ErrorKind::Aborted.into());
        }
        let section = &mut self.sections[section];
        section.records += 1;
        let file = section.open_file(&self.options, &self.storage)?;
        file.pages.draft(record, &self.options.site, &mut self.scratch)?;
        file.accept()
    }

    /// Skips the record that an error is about, or ends the run.
    #[cold]
    fn settle_error(&mut self, section: usize, error: Error) -> Result<(), Error> {
        let section = &self.sections[section];
        let section = section.whole.map_or(section, |whole| &self.sections[whole]);
        if !error.is_about_record() {
            return Err(self.abort(error));
        }
        match self.options.on_invalid {
            OnInvalid::Stop => {
                let error = error.in_record(&section.name, section.records);
                Err(self.abort(error))
            }
            OnInvalid::Skip => {
                self.skipped.push(Skipped::new(&section.name, section.records, error));
                Ok(())
            }
        }
    }

    /// A shard of a section, as a section of its own.
    pub(super) fn shard(&mut self, section: usize, number: u16) -> Result<usize, Error> {
        let name = format!("{}-{number:03}", self.sections[section].name);
        let shard = self.section(&name)?.index();
        self.sections[shard].whole = Some(section);
        Ok(shard)
    }

    /// Counts a record that goes to a shard.
    pub(super) fn count_record(&mut self, section: usize) {
        self.sections[section].records += 1;
    }

    /// Notes that the set lacks something and must not be finished.
    pub(super) fn abort(&mut self, error: Error) -> Error {
        self.aborted = true;
        error
    }
}
