//! The set that will replace the published one.

use std::io::Write as _;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use super::current::{CurrentSet, not_later_than_now};
use super::digest::Digest;
use super::exclusion::Exclusion;
use super::journal;
use super::keep_checks;
use super::manifest::KnownManifest;
use super::names;
use super::positions::Positions;
use super::recent::RecentCounts;
use super::replaced::Replaced;
use super::row::{Kind, Row};
use super::staged::{SealedFile, StagedFile};
use crate::clock;
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::publish::options::{Names, SetOptions};
use crate::publish::target::Target;
use crate::storage::{REQUESTS_AT_ONCE, Storage};
use crate::threads::Pool;
use crate::value::Site;
use crate::write::Content;

/// The set that a run is writing, from the start of the run to the commit.
#[derive(Debug)]
pub(crate) struct NextSet {
    pub(super) storage: Arc<dyn Storage>,
    /// The threads that sync files while the run continues.
    pub(super) syncs: Pool,
    pub(super) current: CurrentSet,
    pub(super) exclusion: Exclusion,
    /// The state that the run replaces, on storage without locks.
    pub(super) replaces: Option<Replaced>,
    names: Names,
}

/// A complete file of the next set.
#[derive(Debug)]
pub(crate) struct SetFile {
    pub(crate) row: Row,
    /// The file with the new bytes. `None` if the published file of this name has the same bytes.
    pub(crate) staged: Option<SealedFile>,
}

impl SetFile {
    /// Sets the section of the file's pages.
    pub(crate) fn of_section(mut self, section: impl Into<Arc<str>>) -> Self {
        self.row.section = Some(section.into());
        self
    }
}

impl NextSet {
    /// Locks the storage, finishes an earlier run that was interrupted, and reads the published set. Pass the manifest
    /// of an earlier read, if there is one, to save parsing it again.
    pub(crate) fn start(
        storage: Arc<dyn Storage>,
        options: &SetOptions,
        known: Option<&Arc<KnownManifest>>,
    ) -> Result<Self, PublishError> {
        // Without a clock, the run would otherwise fail only after writing the files.
        clock::now()?;
        let mut exclusion = Exclusion::start(&*storage)?;
        journal::recover(&storage, &mut exclusion)?;
        journal::remove_leftovers(&*storage, exclusion.is_locked());
        exclusion.record_state(&*storage)?;
        let current = CurrentSet::read(&*storage, options.compare_bytes, known)?;
        if let Some(published) = current.other_base(&options.site).filter(|_| !options.change_base) {
            let (published, base) = (published.into(), options.site.base().into());
            return Err(PublishErrorKind::OtherSite { published, base }.into());
        }
        if options.keep_sections {
            keep_checks::check_manifest(&current, &*storage, &options.site)?;
            let is_locked = exclusion.is_locked();
            let checked =
                if is_locked { Ok(()) } else { keep_checks::check_entry_point(&current, &*storage) };
            // If another run has just committed, or is committing, the manifest isn't wrong. This run has merely read
            // an outdated one.
            if checked.is_err() && (!exclusion.is_unchanged(&*storage)? || journal::exists(&*storage)?) {
                return Err(PublishErrorKind::Overtaken { path: storage.locate(names::ENTRY_POINT) }.into());
            }
            checked?;
        }
        if current.is_unreadable && exclusion.is_unchanged(&*storage)? {
            let kept = storage.rename(names::MANIFEST, names::UNREADABLE_MANIFEST);
            kept.map_err(|error| PublishError::io("rename", &storage.locate(names::MANIFEST), error))?;
            exclusion.record_state(&*storage)?;
        }
        let replaces = if exclusion.is_locked() {
            None
        } else {
            Some(Replaced::of(&current, &*storage, exclusion.seen())?)
        };
        let syncs = Pool::new(REQUESTS_AT_ONCE);
        Ok(Self { storage, syncs, current, exclusion, replaces, names: options.names })
    }

    pub(crate) fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    /// Returns the rows of the published set.
    pub(crate) fn current_rows(&self) -> &[Row] {
        &self.current.manifest().rows
    }

    /// Returns the row of the recent section and its numbers, if the published set has one.
    pub(crate) fn current_recent(&self) -> Option<(&Row, RecentCounts)> {
        let manifest = self.current.manifest();
        Some((manifest.recent_row()?, manifest.recent))
    }

    /// Returns `true` if the published set belongs to this site, or doesn't name its site.
    pub(crate) fn is_of_site(&self, site: &Site) -> bool {
        self.current.other_base(site).is_none()
    }

    /// Returns the positions up to which the published set contains the changes from other systems.
    pub(crate) fn current_positions(&self) -> &Positions {
        &self.current.manifest().positions
    }

    /// Reads the published feed. Returns `None` if there is none.
    pub(crate) fn read_feed(&mut self, most: u64) -> Result<Option<Vec<u8>>, PublishError> {
        self.exclusion.record_feed(&*self.storage)?;
        let mut bytes = Vec::new();
        let opened = self.storage.open(names::FEED);
        match opened.and_then(|feed| feed.take(most).read_to_end(&mut bytes)) {
            Ok(_) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PublishError::io("read", &self.storage.locate(names::FEED), error)),
        }
    }

    /// Returns the names of all files of the published set, and of the files of earlier sets that are still in the
    /// storage.
    pub(crate) fn current_names(&self) -> impl Iterator<Item = &str> {
        self.current.manifest().names()
    }

    /// Checks that a section can be published next to the sections that a run keeps.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::NameInUse`] if the published set has a section whose name differs only in case.
    pub(crate) fn check_section(&self, name: &str) -> Result<(), PublishError> {
        keep_checks::check_section(&self.current, name)
    }

    /// Returns the final name of a file that contains pages.
    pub(super) fn final_name(&self, name: &str, digest: Digest) -> String {
        self.current.name_of(name, self.names, digest)
    }

    /// Describes a complete file that will have this name in the next set. If the published file of this name has the
    /// same bytes, removes the new file.
    pub(super) fn accept(&self, name: String, kind: Kind, content: Content, file: SealedFile) -> SetFile {
        let mut row = Row {
            name: name.into(),
            section: None,
            buckets: None,
            kind,
            entries: content.size.entries,
            bytes: content.size.bytes,
            digest: file.digest,
            newest: content.newest,
            by_url: content.by_url,
            source: None,
            changed: not_later_than_now(file.metadata.modified),
            metadata: file.metadata.clone(),
            staged: None,
        };
        if self.current.has(&*self.storage, &mut row) {
            return SetFile { row, staged: None };
        }
        row.staged = Some(file.name().to_owned());
        SetFile { row, staged: Some(file) }
    }
}

impl Drop for NextSet {
    fn drop(&mut self) {
        // The storage must stay locked until nothing uses it.
        self.syncs.shut_down();
    }
}

impl Target for NextSet {
    type Open = StagedFile;
    type File = SetFile;

    fn open(&self, name: &str) -> Result<StagedFile, PublishError> {
        StagedFile::create(&self.storage, name)
    }

    fn write(&self, file: &mut StagedFile, name: &str, bytes: &[u8]) -> Result<(), PublishError> {
        file.write_all(bytes).map_err(|error| PublishError::io("write", &self.locate(name), error))
    }

    fn finish(&self, file: StagedFile, name: &str, content: Content) -> Result<SetFile, PublishError> {
        /// A file of at least this many bytes is synced as soon as it is complete. Smaller files are synced at the end
        /// of the run, many at once.
        const WORTH_A_SYNC: u64 = 1 << 20;

        let file = file.seal()?;
        let name = self.final_name(name, file.digest);
        let mut accepted = self.accept(name, Kind::Pages, content, file);
        if let Some(file) = accepted.staged.as_mut().filter(|file| file.metadata.len >= WORTH_A_SYNC) {
            file.start_sync(&self.syncs);
        }
        Ok(accepted)
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.storage.locate(name)
    }
}
