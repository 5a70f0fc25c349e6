//! The file of `apply --changes`, which lists the changed pages for other programs.
//!
//! A page must be listed at least once, also if the run is killed right after its commit. So the changes are first written
//! to a second file, with the manifest that they replace. The next run looks there: if another manifest is published since,
//! or a journal, it lists these changes. Otherwise, the commit has not happened.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use sitemap_core::publish::{FeedChange, JOURNAL, MANIFEST, content_digest};
use sitemap_core::{LastMod, Storage};
use sitemap_update::Update;

use crate::error::{Outcome, Stop};
use crate::number::counted;
use crate::side_file::{beside, open_locked};
use crate::terminal::say;

/// The file of the changed pages, which is locked until the value is dropped.
#[derive(Debug)]
pub(crate) struct ChangedFile {
    path: PathBuf,
    pending_path: PathBuf,
    pending: File,
}

impl ChangedFile {
    /// Opens the file, and lists the changes that an interrupted run has published. Waits until other runs with the same
    /// file have ended.
    pub(crate) fn open(path: &Path, storage: &dyn Storage) -> Outcome<Self> {
        let pending_path = beside(path, ".pending");
        let pending = open_locked(&pending_path)?;
        let mut file = Self { path: path.to_owned(), pending_path, pending };
        file.finish_interrupted(storage)?;
        Ok(file)
    }

    /// Notes the changes that the run is about to publish.
    pub(crate) fn announce(&mut self, update: &Update, storage: &dyn Storage) -> Outcome<()> {
        let before = published(storage)?;
        let noted = (|| {
            let mut out = BufWriter::new(&self.pending);
            writeln!(out, "{before}")?;
            for (loc, entry) in update.changes() {
                match entry {
                    Some(entry) => write(&mut out, "upsert", loc, entry.lastmod())?,
                    None => write(&mut out, "remove", loc, None)?,
                }
            }
            out.flush()?;
            drop(out);
            self.pending.sync_all()
        })();
        noted.map_err(|error| Stop::io("write", &self.pending_path, &error))
    }

    /// Adds the changes of the commit.
    pub(crate) fn add(&mut self, changes: &[FeedChange]) -> Outcome<()> {
        let mut lines = Vec::new();
        for change in changes {
            let written = match change {
                FeedChange::Upsert(loc, lastmod) => write(&mut lines, "upsert", loc.as_str(), *lastmod),
                FeedChange::Remove(loc) => write(&mut lines, "remove", loc.as_str(), None),
            };
            written.map_err(|error| Stop::io("write", &self.path, &error))?;
        }
        self.append(&lines)?;
        self.forget()
    }

    fn finish_interrupted(&mut self, storage: &dyn Storage) -> Outcome<()> {
        let mut text = String::new();
        self.pending
            .read_to_string(&mut text)
            .map_err(|error| Stop::io("read", &self.pending_path, &error))?;
        // The last line of a killed run may be incomplete. It has not begun its commit then.
        let (Some((before, lines)), true) = (text.split_once('\n'), text.ends_with('\n')) else {
            return self.forget();
        };
        let journal = storage.metadata(JOURNAL);
        let journal = journal.map_err(|error| Stop::io("read", &storage.locate(JOURNAL), &error))?;
        if journal.is_some() || published(storage)? != before {
            say(&format!(
                "`{}` now also lists {} of an interrupted run; some may have had no effect",
                self.path.display(),
                counted(lines.lines().count() as u64, "change")
            ));
            self.append(lines.as_bytes())?;
        }
        self.forget()
    }

    /// Adds lines. Another program may take the file away at any time, so the file gets the lines in one step, together
    /// with those that it has already.
    fn append(&self, lines: &[u8]) -> Outcome<()> {
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
            // The lines are still in the other file.
            let _ = fs::remove_file(&new);
            Stop::io("write", &self.path, &error)
        })
    }

    fn forget(&self) -> Outcome<()> {
        self.pending.set_len(0).map_err(|error| Stop::io("write", &self.pending_path, &error))
    }
}

/// Writes a line.
fn write(out: &mut impl Write, op: &str, loc: &str, lastmod: Option<LastMod>) -> io::Result<()> {
    let loc = serde_json::to_string(loc).map_err(io::Error::other)?;
    match lastmod {
        Some(lastmod) => writeln!(out, r#"{{"op":"{op}","loc":{loc},"lastmod":"{lastmod}"}}"#),
        None => writeln!(out, r#"{{"op":"{op}","loc":{loc}}}"#),
    }
}

/// Returns a text that names the published set.
fn published(storage: &dyn Storage) -> Outcome<String> {
    let read = storage.open(MANIFEST).and_then(|mut manifest| {
        let mut bytes = Vec::new();
        manifest.read_to_end(&mut bytes).map(|_| content_digest(&bytes))
    });
    match read {
        Ok(digest) => Ok(digest),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok("none".to_owned()),
        Err(error) => Err(Stop::io("read", &storage.locate(MANIFEST), &error)),
    }
}
