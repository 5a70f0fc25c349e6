//! One handle on a set: where it is published, and how.

use std::path::Path;
use std::sync::Arc;

use super::error::PublishError;
use super::options::SetOptions;
use super::replacement::Replacement;
use crate::storage::{Directory, Storage};
use crate::value::Site;

/// A sitemap set: its site, its storage and its options. Cloning it is cheap.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let out = dir.path().join("public");
/// use sitemap_core::{Site, SitemapSet};
///
/// let set = SitemapSet::open(Site::new("https://example.com")?, &out)?;
/// let mut all = set.replace()?;
/// all.section("pages")?.add_all(["/", "/about"])?;
/// assert!(!out.join("sitemap.xml").exists());
/// all.commit()?;
/// assert!(out.join("sitemap.xml").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SitemapSet {
    options: Arc<SetOptions>,
    storage: Arc<dyn Storage>,
}

impl SitemapSet {
    /// Opens the set in a directory, with the default options. Creates the directory if it is missing.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Io`](super::PublishErrorKind::Io) if the path is a file or the directory can't be created.
    pub fn open(site: Site, path: impl AsRef<Path>) -> Result<Self, PublishError> {
        Self::builder(site).open(path)
    }

    /// Returns the default options for a set of this site.
    pub fn builder(site: Site) -> SetOptions {
        SetOptions::new(site)
    }

    /// Returns the site.
    #[must_use]
    pub fn site(&self) -> &Site {
        self.options.site()
    }

    /// Returns the options.
    pub fn options(&self) -> &SetOptions {
        &self.options
    }

    /// Returns the storage.
    #[must_use]
    pub fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    /// Starts a run that replaces the set. First completes an earlier run that was interrupted.
    ///
    /// The published set stays in place until [`Replacement::commit`]. The file `.sitemap-manifest.jsonl` next to the
    /// set describes its files, so that the next run doesn't need to read them.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Locked`] if another run is publishing to the storage, and [`PublishErrorKind::Io`] if the
    /// storage fails. [`PublishErrorKind::OtherSite`] if the published set has another base URL, and
    /// [`PublishErrorKind::CannotKeep`] if sections can't be kept.
    ///
    /// [`PublishErrorKind::Locked`]: super::PublishErrorKind::Locked
    /// [`PublishErrorKind::Io`]: super::PublishErrorKind::Io
    /// [`PublishErrorKind::OtherSite`]: super::PublishErrorKind::OtherSite
    /// [`PublishErrorKind::CannotKeep`]: super::PublishErrorKind::CannotKeep
    pub fn replace(&self) -> Result<Replacement, PublishError> {
        let threads = if self.options.threads > 1 { self.options.threads } else { 0 };
        Replacement::start(SetOptions::clone(&self.options), Arc::clone(&self.storage), threads)
    }
}

impl SetOptions {
    /// Opens the set in a directory. Creates the directory if it is missing.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Io`](super::PublishErrorKind::Io) if the path is a file or the directory can't be created.
    pub fn open(self, path: impl AsRef<Path>) -> Result<SitemapSet, PublishError> {
        Ok(self.storage(Directory::open(path)?))
    }

    /// Opens the set in a storage.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let set = SitemapSet::builder(Site::new("https://example.com")?).storage(memory.clone());
    /// let mut all = set.replace()?;
    /// all.section("pages")?.add("/")?;
    /// all.commit()?;
    /// assert!(memory.get("sitemap.xml").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn storage(self, storage: impl Storage + 'static) -> SitemapSet {
        SitemapSet { options: Arc::new(self), storage: Arc::new(storage) }
    }
}
