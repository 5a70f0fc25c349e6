//! The end of a run: finished files become rows of a manifest, and the manifest the set that stands.

use std::collections::HashSet;

use super::journal;
use super::manifest::{Kind, Manifest, Row};
use super::name;
use super::options::{IndexLastMod, Names, PublisherBuilder};
use super::run::Run;
use super::sink::plain_copy;
use super::staged::{SealedFile, StagedFile};
use super::standing::{Content, Settled};
use super::summary::{PublishedFile, SkippedRecords, Summary};
use crate::error::{Error, ErrorKind};
use crate::site::Site;
use crate::value::{LastMod, Loc};
use crate::write::{Fit, Format, Written, begin_index, push_sitemap};

/// A set between its last page and its place.
#[derive(Debug)]
pub(super) struct Commit<'r> {
    run: &'r Run,
    next: Manifest,
    staged: Vec<SealedFile>,
    /// Files of no set, to be removed with those that are no longer listed.
    stray: Vec<String>,
}

impl<'r> Commit<'r> {
    pub(super) fn new(run: &'r Run) -> Self {
        Self { run, next: Manifest::default(), staged: Vec::new(), stray: Vec::new() }
    }

    /// Also removes these files, once the set is in place.
    #[cfg(feature = "shards")]
    pub(super) fn and_remove(self, stray: Vec<String>) -> Self {
        Self { stray, ..self }
    }

    /// Publishes files that are whole, but not yet under their names.
    pub(super) fn publish(self, mut files: Vec<Settled>, skipped: SkippedRecords) -> Result<Summary, Error> {
        let is_single = files.len() == 1 && self.run.options.write.get_format() == Format::Xml;
        if is_single && let Some(only) = files.pop() {
            files.push(self.entry_point(only)?);
        }
        if is_single { self.put_all_in_place(files, skipped) } else { self.publish_listed(files, skipped) }
    }

    /// Publishes files by an index, however few they are.
    pub(super) fn publish_listed(
        self,
        files: Vec<Settled>,
        skipped: SkippedRecords,
    ) -> Result<Summary, Error> {
        let indexes = self.indexes(&files)?;
        self.put_all_in_place(files.into_iter().chain(indexes), skipped)
    }

    fn put_all_in_place(
        mut self,
        files: impl IntoIterator<Item = Settled>,
        skipped: SkippedRecords,
    ) -> Result<Summary, Error> {
        let files = files.into_iter();
        self.next.rows.reserve_exact(files.size_hint().0);
        self.staged.reserve_exact(files.size_hint().0);
        for file in files {
            self.next.rows.push(file.row);
            self.staged.extend(file.staged);
        }
        self.retire();
        let summary = self.summary(skipped)?;
        self.put_in_place()?;
        Ok(summary)
    }

    /// The only file is the entry point itself, and plain.
    fn entry_point(&self, only: Settled) -> Result<Settled, Error> {
        let Run { options, standing, .. } = self.run;
        let storage = self.run.storage();
        let row = &only.row;
        let content = Content {
            kind: row.kind,
            written: Written { items: row.items, bytes: row.bytes },
            newest: row.newest,
        };
        let file = match only.staged {
            Some(file) if options.gzip.is_none() => file,
            Some(file) => plain_copy(storage, file.name(), true, name::ENTRY_POINT)?,
            // The set that stands has it among others.
            None => plain_copy(storage, &row.name, options.gzip.is_some(), name::ENTRY_POINT)?,
        };
        Ok(standing.settle(&**storage, name::ENTRY_POINT.to_owned(), content, file))
    }

    /// Lists all files in as many indexes as they need; the first is the entry point.
    fn indexes(&self, files: &[Settled]) -> Result<Vec<Settled>, Error> {
        let storage = self.run.storage();
        let mut rest = files;
        let mut indexes = Vec::new();
        while !rest.is_empty() {
            let name = name::of_index(indexes.len() + 1);
            let out = StagedFile::create(storage, &name)?;
            let (file, written) =
                self.write_index(out, &mut rest).map_err(|error| error.in_file(&storage.locate(&name)))?;
            let content = Content { kind: Kind::Index, written, newest: None };
            indexes.push(self.run.standing.settle(&**storage, name, content, file));
        }
        Ok(indexes)
    }

    fn write_index(&self, out: StagedFile, rest: &mut &[Settled]) -> Result<(SealedFile, Written), Error> {
        let mut index = begin_index(out, &self.run.options.write);
        let mut listed = 0;
        for Settled { row, .. } in *rest {
            let loc = self.run.options.site.file(&row.name)?;
            match push_sitemap(&mut index, &loc, lastmod(row, &self.run.options))? {
                Fit::Written => listed += 1,
                Fit::Full => break,
            }
        }
        *rest = &rest[listed..];
        let (file, written) = index.finish()?;
        Ok((file.seal()?, written))
    }

    /// Says what becomes of the files that are no longer listed.
    fn retire(&mut self) {
        let listed: HashSet<&str> = self.next.rows.iter().map(|row| row.name.as_str()).collect();
        let is_gone = |name: &&String| !listed.contains(name.as_str());
        if self.run.options.names == Names::Digest {
            let of_last_set: Vec<_> = self
                .run
                .standing
                .manifest
                .rows
                .iter()
                .map(|row| &row.name)
                .filter(is_gone)
                .cloned()
                .collect();
            // A run that changes nothing makes no generation.
            let is_same = of_last_set.is_empty() && self.staged.is_empty();
            self.next.kept = if is_same {
                self.run.standing.manifest.kept.iter().filter(is_gone).cloned().collect()
            } else {
                of_last_set
            };
        }
        let is_kept: HashSet<&String> = self.next.kept.iter().collect();
        let unlisted =
            self.run.standing.manifest.names().filter(is_gone).filter(|name| !is_kept.contains(name));
        self.next.unlisted = unlisted.cloned().collect();
        self.next.unlisted.append(&mut self.stray);
    }

    fn summary(&self, skipped: SkippedRecords) -> Result<Summary, Error> {
        let site = &self.run.options.site;
        let entry_point = site.file(name::ENTRY_POINT)?;
        let (mut files, mut indexes) = (Vec::new(), Vec::new());
        for row in &self.next.rows {
            let file = published(row, site, &self.run.options)?;
            match row.kind {
                Kind::Pages => files.push(file),
                Kind::Index => indexes.push(file),
            }
        }
        Ok(Summary { entry_point, files, indexes, skipped })
    }

    fn put_in_place(self) -> Result<(), Error> {
        let Self { run, next, staged, .. } = self;
        let storage = run.storage();
        run.persist(&staged)?;
        // Whoever waited for the set may have given up; from here on it is too late for that.
        if run.is_aborted() {
            return Err(ErrorKind::Aborted.into());
        }
        if !staged.is_empty() || !next.unlisted.is_empty() {
            journal::carry_out(storage, &run.exclusion, next, staged)?;
        } else if next != run.standing.manifest {
            journal::write_manifest(storage, &run.exclusion, &next)?;
        }
        Ok(())
    }
}

fn lastmod(row: &Row, options: &PublisherBuilder) -> Option<LastMod> {
    match options.index_lastmod {
        IndexLastMod::FileChanged => LastMod::try_from(row.changed).ok(),
        IndexLastMod::NewestPage => row.newest,
        IndexLastMod::Omit => None,
    }
}

fn published(row: &Row, site: &Site, options: &PublisherBuilder) -> Result<PublishedFile, Error> {
    let loc: Loc<'static> = site.file(&row.name)?;
    Ok(PublishedFile {
        name: row.name.clone(),
        loc,
        items: row.items,
        bytes: row.bytes,
        stored_bytes: row.stat.len,
        lastmod: lastmod(row, options),
        changed: row.staged.is_some(),
    })
}
