//! Adds changes to the file of changed pages.
//!
//! Every change must be listed at least once, even if the process is killed right after its commit. So the changes are
//! first written to a second file, together with a digest of the manifest that they replace. If the next run finds a
//! different manifest, or a journal, the commit has begun, and the run lists these changes. Otherwise, there was no
//! commit.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::feed::FeedChange;
use sitemap_core::publish::files::{JOURNAL, MANIFEST, content_digest};
use sitemap_core::{Entry, Storage};

use super::{beside, failed, lines, open_locked, sync_folder};
use crate::applied::Applied;
use crate::error::UpdateError;

/// The file of changed pages during a run. It stays locked until this value is dropped.
#[derive(Debug)]
pub(crate) struct List {
    path: PathBuf,
    pending_path: PathBuf,
    pending: File,
}

impl List {
    /// Opens the file, after waiting for other runs that use it.
    pub(crate) fn open(path: &Path) -> Result<Self, UpdateError> {
        let pending_path = beside(path, ".pending");
        let pending = open_locked(&pending_path)?;
        Ok(Self { path: path.to_owned(), pending_path, pending })
    }

    /// Adds the changes that an interrupted run published, and returns their number.
    pub(crate) fn recover(&mut self, storage: &dyn Storage) -> Result<u64, UpdateError> {
        let mut text = String::new();
        self.pending.read_to_string(&mut text).map_err(|error| failed("read", &self.pending_path, error))?;
        // If a run was killed while it wrote this file, the last line may be incomplete. That run had not begun its
        // commit.
        let (Some((before, lines)), true) = (text.split_once('\n'), text.ends_with('\n')) else {
            return self.forget().map(|()| 0);
        };
        let journal = storage.metadata(JOURNAL);
        let journal = journal.map_err(|error| failed("read", &storage.locate(JOURNAL), error))?;
        let mut recovered = 0;
        if journal.is_some() || published(storage)? != before {
            self.append(lines.as_bytes())?;
            recovered = lines.lines().count() as u64;
        }
        self.forget()?;
        Ok(recovered)
    }

    /// Records the changes that an update is about to publish.
    pub(crate) fn announce<'c>(
        &mut self,
        changes: impl Iterator<Item = (&'c str, Option<&'c Entry<'static>>)>,
        storage: &dyn Storage,
    ) -> Result<(), UpdateError> {
        let before = published(storage)?;
        self.forget()?;
        let noted = (|| {
            let mut out = BufWriter::new(&self.pending);
            writeln!(out, "{before}")?;
            for (loc, entry) in changes {
                lines::write(&mut out, loc, entry.is_none(), entry.and_then(Entry::lastmod))?;
            }
            out.flush()?;
            drop(out);
            self.pending.sync_all()
        })();
        noted.map_err(|error| failed("write", &self.pending_path, error))?;
        sync_folder(&self.pending_path);
        Ok(())
    }

    /// Adds the changes of a finished run.
    pub(crate) fn finish(&mut self, result: Result<Applied, UpdateError>) -> Result<Applied, UpdateError> {
        match result {
            Ok(applied) => {
                self.add(applied.changes())?;
                self.forget()?;
                Ok(applied)
            }
            Err(error) => {
                // After any other error, the commit may have happened. The next run finds out whether it did.
                if is_unpublished(&error) {
                    self.forget()?;
                }
                Err(error)
            }
        }
    }

    fn add(&self, changes: &[FeedChange]) -> Result<(), UpdateError> {
        let mut text = Vec::new();
        for change in changes {
            let written = match change {
                FeedChange::Upsert(loc, lastmod) => lines::write(&mut text, loc.as_str(), false, *lastmod),
                FeedChange::Remove(loc) => lines::write(&mut text, loc.as_str(), true, None),
            };
            written.map_err(|error| failed("write", &self.path, error))?;
        }
        self.append(&text)
    }

    /// Adds lines. Another program may move the file away at any time, so we write a new file with the old and the new
    /// lines, and then rename it.
    fn append(&self, lines: &[u8]) -> Result<(), UpdateError> {
        if lines.is_empty() {
            return Ok(());
        }
        let new = beside(&self.path, ".new");
        let written = (|| {
            let mut out = File::create(&new)?;
            match File::open(&self.path) {
                Ok(mut old) => drop(io::copy(&mut old, &mut out)?),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            out.write_all(lines)?;
            out.sync_all()?;
            fs::rename(&new, &self.path)
        })();
        written.map_err(|error| {
            // The lines are still in the pending file.
            let _ = fs::remove_file(&new);
            failed("write", &self.path, error)
        })?;
        sync_folder(&self.path);
        Ok(())
    }

    fn forget(&self) -> Result<(), UpdateError> {
        let emptied = self.pending.set_len(0).and_then(|()| (&self.pending).rewind());
        emptied.map_err(|error| failed("write", &self.pending_path, error))
    }
}

/// Returns `true` if an update that failed with this error has definitely not published anything.
fn is_unpublished(error: &UpdateError) -> bool {
    match error {
        UpdateError::Publish(error) => {
            !matches!(error.kind(), PublishErrorKind::Io { .. } | PublishErrorKind::Aborted { .. })
        }
        _ => true,
    }
}

/// Returns a string that identifies the published set.
fn published(storage: &dyn Storage) -> Result<String, UpdateError> {
    let read = storage.open(MANIFEST).and_then(|mut manifest| {
        let mut bytes = Vec::new();
        manifest.read_to_end(&mut bytes).map(|_| content_digest(&bytes))
    });
    match read {
        Ok(digest) => Ok(digest),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok("none".to_owned()),
        Err(error) => Err(failed("read", &storage.locate(MANIFEST), error)),
    }
}
