//! The end of a run: finished files become rows of a manifest, and the manifest the set that stands.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use super::digest::Digest;
use super::file::WrittenFile;
use super::journal;
use super::manifest::{Kind, Manifest, Row};
use super::name;
use super::options::{IndexLastMod, Names, PublisherBuilder};
use super::sink::plain;
use super::staged::{self, SealedFile, StagedFile};
use super::storage::Storage;
use super::summary::{PublishedFile, SkippedRecords, Summary};
use crate::error::Error;
use crate::site::Site;
use crate::value::{LastMod, Loc};
use crate::write::{Fit, Format, Written, begin_index, push_sitemap};

/// A set between its last page and its place.
#[derive(Debug)]
pub(super) struct Commit<'r> {
    options: &'r PublisherBuilder,
    storage: &'r Arc<dyn Storage>,
    /// The set that stands, as far as it is known.
    old: Manifest,
    /// Where in it each file is.
    old_rows: HashMap<String, usize>,
    next: Manifest,
    staged: Vec<SealedFile>,
}

impl<'r> Commit<'r> {
    pub(super) fn new(options: &'r PublisherBuilder, storage: &'r Arc<dyn Storage>) -> Result<Self, Error> {
        let old = Manifest::read(&**storage, name::MANIFEST)?.unwrap_or_default();
        let old_rows = old.rows.iter().zip(0..).map(|(row, n)| (row.name.clone(), n)).collect();
        Ok(Self { options, storage, old, old_rows, next: Manifest::default(), staged: Vec::new() })
    }

    /// Publishes files that are written, but not yet under their names.
    pub(super) fn publish(
        mut self,
        files: Vec<WrittenFile>,
        skipped: SkippedRecords,
    ) -> Result<Summary, Error> {
        let is_single = files.len() == 1 && self.options.write.get_format() == Format::Xml;
        for mut file in files {
            if is_single {
                // The only file is the entry point itself.
                file.file = plain(self.storage, file.file, file.gzip, name::ENTRY_POINT)?;
                name::ENTRY_POINT.clone_into(&mut file.name);
            } else if self.options.names == Names::Digest {
                file.name = self.digest_name(&file.name, file.file.digest);
            }
            self.add_row(file.name, Kind::Pages, file.written, file.newest, file.file);
        }
        if !is_single {
            self.add_indexes()?;
        }
        self.retire();
        let summary = self.summary(skipped)?;
        self.put_in_place()?;
        Ok(summary)
    }

    fn old_row(&self, name: &str) -> Option<&Row> {
        self.old.rows.get(*self.old_rows.get(name)?)
    }

    fn digest_name(&self, name: &str, digest: Digest) -> String {
        let short = name::with_digest(name, digest, 8);
        match self.old_row(&short) {
            // One pair of contents in four thousand million shares eight digits.
            Some(row) if row.digest != digest => name::with_digest(name, digest, 32),
            _ => short,
        }
    }

    /// Notes what a file will be, and forgets its new bytes if it has them already.
    fn add_row(
        &mut self,
        name: String,
        kind: Kind,
        written: Written,
        newest: Option<LastMod>,
        file: SealedFile,
    ) {
        let mut row = Row {
            kind,
            items: written.items,
            bytes: written.bytes,
            digest: file.digest,
            newest,
            changed: file.stat.modified,
            stat: file.stat,
            staged: None,
            name,
        };
        if !self.stands(&mut row) {
            row.staged = Some(file.name().to_owned());
            self.staged.push(file);
        }
        self.next.rows.push(row);
    }

    /// Whether the file that has the name has the bytes, too; then it keeps its date.
    fn stands(&self, row: &mut Row) -> bool {
        // A file that cannot be read is replaced.
        let Ok(Some(stat)) = self.storage.stat(&row.name) else { return false };
        if stat.len != row.stat.len {
            return false;
        }
        match self.old_row(&row.name) {
            Some(old) if old.stat == stat && old.digest != row.digest => return false,
            Some(old) if old.stat == stat => row.changed = old.changed,
            // Unknown, or somebody else has written to it.
            _ => match self.storage.open(&row.name).and_then(Digest::of_all) {
                Ok(digest) if digest == row.digest => row.changed = stat.modified,
                _ => return false,
            },
        }
        row.stat = stat;
        true
    }

    /// Lists all files in as many indexes as they need; the first is the entry point.
    fn add_indexes(&mut self) -> Result<(), Error> {
        let children = mem::take(&mut self.next.rows);
        let mut rest = children.as_slice();
        let mut indexes = Vec::new();
        while !rest.is_empty() {
            let name = name::of_index(indexes.len() + 1);
            let out = StagedFile::create(self.storage, &name)?;
            let (file, written) = self
                .write_index(out, &mut rest)
                .map_err(|error| error.in_file(&self.storage.locate(&name)))?;
            indexes.push((name, written, file));
        }
        self.next.rows = children;
        for (name, written, file) in indexes {
            self.add_row(name, Kind::Index, written, None, file);
        }
        Ok(())
    }

    fn write_index(&self, out: StagedFile, rest: &mut &[Row]) -> Result<(SealedFile, Written), Error> {
        let mut index = begin_index(out, &self.options.write);
        let mut listed = 0;
        for row in *rest {
            let loc = self.options.site.file(&row.name)?;
            match push_sitemap(&mut index, &loc, lastmod(row, self.options))? {
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
        if self.options.names == Names::Digest {
            let of_last_set: Vec<_> =
                self.old.rows.iter().map(|row| &row.name).filter(is_gone).cloned().collect();
            // A run that changes nothing makes no generation.
            let is_same = of_last_set.is_empty() && self.staged.is_empty();
            self.next.kept =
                if is_same { self.old.kept.iter().filter(is_gone).cloned().collect() } else { of_last_set };
        }
        let is_kept: HashSet<&String> = self.next.kept.iter().collect();
        let unlisted = self.old.names().filter(is_gone).filter(|name| !is_kept.contains(name));
        self.next.unlisted = unlisted.cloned().collect();
    }

    fn summary(&self, skipped: SkippedRecords) -> Result<Summary, Error> {
        let site = &self.options.site;
        let entry_point = site.file(name::ENTRY_POINT)?;
        let (mut files, mut indexes) = (Vec::new(), Vec::new());
        for row in &self.next.rows {
            let file = published(row, site, self.options)?;
            match row.kind {
                Kind::Pages => files.push(file),
                Kind::Index => indexes.push(file),
            }
        }
        Ok(Summary { entry_point, files, indexes, skipped })
    }

    fn put_in_place(self) -> Result<(), Error> {
        let Self { storage, old, next, staged, .. } = self;
        staged::persist_all(&staged)?;
        if !staged.is_empty() || !next.unlisted.is_empty() {
            journal::carry_out(storage, next, staged)?;
        } else if next != old {
            journal::write_manifest(storage, &next)?;
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
