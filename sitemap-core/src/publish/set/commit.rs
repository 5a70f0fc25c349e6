//! Commits a set: lists its complete files in a manifest and publishes them.

use std::collections::BTreeSet;
use std::io::Write as _;

use super::copy::plain_copy;
use super::formats::FileFormat;
use super::guard::Guard;
use super::history::History;
use super::journal::{self, RemovedFiles};
use super::json;
use super::keep::{self, WithKept};
use super::manifest::Manifest;
use super::names;
use super::next::{NextSet, SetFile};
use super::recent::RecentCounts;
use super::retention::Retention;
use super::row::{Kind, Row};
use super::staged::{SealedFile, StagedFile};
use crate::clock;
use crate::html_page::HtmlPage;
use crate::publish::error::PublishError;
use crate::publish::options::{HtmlPageAction, IndexLastMod, SetOptions};
use crate::value::LastMod;
use crate::write::{Content, DocumentSize, Format, Index, Room, WriteSink};

/// A set whose files are all complete and indexed, ready to be published.
#[derive(Debug)]
#[must_use = "nothing is published before `publish`"]
pub(crate) struct Commit<'s> {
    set: &'s NextSet,
    next: Manifest,
    staged: Vec<SealedFile>,
    /// The names of the sections that the run didn't write and that stay in the set.
    kept_sections: Vec<String>,
    /// The number of files that the run removes early because the kept files exceed the maximum size.
    removed_early: u64,
}

impl<'s> Commit<'s> {
    /// Prepares to commit the files that a run wrote to the sections `written`. A single XML sitemap becomes the
    /// entry point and needs no index. First, the guard checks the number of pages.
    pub(crate) fn of_files(
        set: &'s NextSet,
        options: &SetOptions,
        guard: Guard,
        written: &[&str],
        files: Vec<SetFile>,
    ) -> Result<Self, PublishError> {
        let history = guard.check(set, options, written, files.iter().map(|file| &file.row))?;
        let WithKept { mut files, kept } = with_kept(set, options, written, files)?;
        let is_single = files.len() == 1 && options.write.get_format() == Format::Xml;
        match files.pop() {
            Some(only) if is_single => {
                let only = entry_point(set, options, only)?;
                Self::new(set, options, history, [only], kept, Vec::new())
            }
            last => {
                files.extend(last);
                Self::indexed(set, options, history, WithKept { files, kept }, Vec::new())
            }
        }
    }

    /// Prepares to commit these files of the sections `written`. Writes an index for them, even if there is only one
    /// file. Publishing the set also removes the files in `stray`. First, the guard checks the number of pages.
    pub(crate) fn of_listed_files(
        set: &'s NextSet,
        options: &SetOptions,
        guard: Guard,
        written: &[&str],
        files: Vec<SetFile>,
        recent: Option<SetFile>,
        stray: Vec<String>,
    ) -> Result<Self, PublishError> {
        let history = guard.check(set, options, written, files.iter().map(|file| &file.row))?;
        let mut files = with_kept(set, options, written, files)?;
        // The recent section comes first, so that crawlers and checkers that read the index in order know which entries
        // are repeats.
        files.files.splice(..0, recent);
        Self::indexed(set, options, history, files, stray)
    }

    fn indexed(
        set: &'s NextSet,
        options: &SetOptions,
        history: History,
        WithKept { files, kept }: WithKept,
        stray: Vec<String>,
    ) -> Result<Self, PublishError> {
        let indexes = indexes(set, options, &files)?;
        Self::new(set, options, history, files.into_iter().chain(indexes), kept, stray)
    }

    fn new(
        set: &'s NextSet,
        options: &SetOptions,
        history: History,
        files: impl IntoIterator<Item = SetFile>,
        kept_sections: Vec<String>,
        stray: Vec<String>,
    ) -> Result<Self, PublishError> {
        let base = Some(options.site.base().to_owned()).filter(|base| json::is_plain(base));
        let current = set.current.manifest();
        let runs = current.runs.clone();
        let (mut next, mut staged) = (Manifest { base, runs, history, ..Manifest::default() }, Vec::new());
        let files = files.into_iter();
        // The feed and the HTML page are added later.
        next.rows.reserve(files.size_hint().0 + 2);
        for file in files {
            next.rows.push(file.row);
            staged.extend(file.staged);
        }
        if set.current.other_base(&options.site).is_none() {
            let sections = sections(&next);
            let mut changes = current.changes.clone();
            changes.retain(|section| sections.contains(section));
            next.changes = changes;
            // This run has written new pages to the other sections. Only the run knows which changes these pages
            // contain, so the old positions of the sections are dropped.
            next.positions = current.positions.clone();
            next.positions.retain(|section| kept_sections.iter().any(|kept| kept == section));
            next.formats = current.formats.clone();
            next.formats.retain(|section| kept_sections.iter().any(|kept| kept == section));
            // The feed stays as it is, unless the run writes or removes it.
            next.rows.extend(current.rows.iter().filter(|row| row.kind == Kind::Feed).cloned());
        }
        let format = FileFormat { dialect: options.write.get_dialect(), urls: options.write.limits().urls };
        let written = |section: &&str| !kept_sections.iter().any(|kept| kept == section);
        let written: Vec<String> = sections(&next).into_iter().filter(written).map(str::to_owned).collect();
        for section in &written {
            next.formats.set(section, format);
        }
        let now = clock::now()?;
        let retention = Retention::of(options);
        let removed_early = retention.retire(current, &mut next, !staged.is_empty(), now);
        next.unlisted.extend(stray);
        let mut commit = Self { set, next, staged, kept_sections, removed_early };
        commit.add_html_page(options)?;
        Ok(commit)
    }

    /// Adds the HTML page that the set already has or will get. The page is added last, because a new page alone
    /// doesn't make a new set: it doesn't count towards the number of generations for which old files are kept.
    fn add_html_page(&mut self, options: &SetOptions) -> Result<(), PublishError> {
        let set = self.set;
        let old = set.current.manifest().rows.iter().find(|row| row.kind == Kind::HtmlPage);
        match &options.html_page {
            HtmlPageAction::Write(page) => {
                let html = page.to_html();
                let file = SealedFile::write(&set.storage, HtmlPage::FILE_NAME, html.as_bytes())?;
                let size = DocumentSize { entries: 0, bytes: html.len() as u64 };
                let content = Content::new(size, None);
                let file = set.accept(HtmlPage::FILE_NAME.to_owned(), Kind::HtmlPage, content, file);
                self.next.rows.push(file.row);
                self.staged.extend(file.staged);
                self.next.unlisted.retain(|name| name != HtmlPage::FILE_NAME);
            }
            HtmlPageAction::Keep => self.next.rows.extend(old.cloned()),
            HtmlPageAction::Unset if options.keep_sections => self.next.rows.extend(old.cloned()),
            HtmlPageAction::Unset | HtmlPageAction::Remove => {
                // If another program has since replaced this file with a page of its own, the file stays.
                let is_ours = old.is_some_and(|old| set.current.has(&*set.storage, &mut old.clone()));
                if is_ours {
                    self.next.unlisted.push(HtmlPage::FILE_NAME.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Records how many pages an update changed in a section.
    pub(crate) fn record_changes(&mut self, section: &str, changes: u64) {
        self.next.changes.record(section, changes);
    }

    /// Keeps the positions and the formats of the published set. Used by updates, which leave all other pages as they
    /// are.
    pub(crate) fn keep_positions_and_formats(&mut self) {
        let rows = &self.next.rows;
        let has = |section: &str| rows.iter().any(|row| row.section() == Some(section));
        self.next.positions = self.set.current.manifest().positions.clone();
        self.next.positions.retain(has);
        self.next.formats = self.set.current.manifest().formats.clone();
        self.next.formats.retain(has);
    }

    /// Records the numbers of the recent section.
    pub(crate) fn record_recent(&mut self, counts: RecentCounts) {
        self.next.recent = counts;
    }

    /// Returns the number of entries of the recent section that the run removes. 0 if the set still has a recent
    /// section, or had none.
    pub(crate) fn removed_recent(&self) -> u64 {
        match (self.set.current.manifest().recent_row(), self.next.recent_row()) {
            (Some(old), None) => old.entries,
            _ => 0,
        }
    }

    /// Returns the number of indexes of the published set.
    pub(crate) fn old_indexes(&self) -> usize {
        self.set.current.manifest().rows.iter().filter(|row| row.kind == Kind::Index).count()
    }

    /// Records the position up to which a section contains the changes from a source.
    pub(crate) fn record_position(&mut self, section: &str, source: &str, position: &str) {
        self.next.positions.set(section, source, position);
    }

    /// Replaces the feed with this text, which lists `changes` changes.
    pub(crate) fn put_feed(&mut self, text: &str, changes: u64) -> Result<(), PublishError> {
        let failed = |error| PublishError::io("write", &self.set.storage.locate(names::FEED), error);
        let mut file = StagedFile::create(&self.set.storage, names::FEED)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        let size = DocumentSize { entries: changes, bytes: text.len() as u64 };
        let content = Content::new(size, None);
        let file = self.set.accept(names::FEED.to_owned(), Kind::Feed, content, file.seal()?);
        self.next.rows.retain(|row| row.kind != Kind::Feed);
        self.next.rows.push(file.row);
        self.staged.extend(file.staged);
        self.next.kept.retain(|kept| *kept.name != *names::FEED);
        self.next.unlisted.retain(|name| name != names::FEED);
        Ok(())
    }

    /// Removes the feed from the set and the storage.
    pub(crate) fn remove_feed(&mut self) {
        let rows = self.next.rows.len();
        self.next.rows.retain(|row| row.kind != Kind::Feed);
        if self.next.rows.len() < rows {
            self.next.unlisted.push(names::FEED.to_owned());
        }
    }

    /// Returns the files of the set: the recent section, the files that contain pages, the indexes, the feed and the
    /// HTML page.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.next.rows
    }

    /// Returns, for each of the [rows](Self::rows), whether the file is new in the set or its bytes have changed.
    pub(crate) fn are_changed(&self) -> impl Iterator<Item = bool> + '_ {
        // A shard was stored before the commit, so it has no temporary name. But if its bytes had changed, its name
        // would be new.
        let listed = self.set.current.lists(&self.next.rows);
        let is_shard = |row: &Row| row.buckets.is_some() || row.kind == Kind::Recent;
        listed
            .zip(&self.next.rows)
            .map(move |(is_listed, row)| row.staged.is_some() || is_shard(row) && !is_listed)
    }

    /// Returns the number of files of earlier sets that stay in the storage.
    pub(crate) fn kept_files(&self) -> u64 {
        self.next.kept.len() as u64
    }

    /// Returns the number of files of earlier sets that the run removes early because the kept files exceed the maximum
    /// size.
    pub(crate) fn removed_early(&self) -> u64 {
        self.removed_early
    }

    /// Returns `true` if the manifest of the published set exists but couldn't be read.
    pub(crate) fn found_unreadable_manifest(&self) -> bool {
        self.set.current.is_unreadable
    }

    /// Waits until all new files are synced, so that their bytes survive a power failure.
    pub(crate) fn sync(&mut self) -> Result<(), PublishError> {
        /// With fewer files than this, the caller's thread syncs them, because starting other threads would take
        /// longer.
        const FEW: usize = 4;

        if self.staged.len() >= FEW {
            self.staged.iter_mut().for_each(|file| file.start_sync(&self.set.syncs));
        }
        self.staged.iter_mut().try_for_each(SealedFile::finish_sync)
    }

    /// Returns the sections that are in the published set but not in the next one.
    pub(crate) fn removed_sections(&self) -> Vec<String> {
        let old = sections(self.set.current.manifest());
        old.difference(&sections(&self.next)).map(|&section| section.to_owned()).collect()
    }

    /// Returns the sections that the run didn't write and that stay in the set.
    pub(crate) fn kept_sections(&self) -> &[String] {
        &self.kept_sections
    }

    /// Publishes the set.
    pub(crate) fn publish(self) -> Result<RemovedFiles, PublishError> {
        let Self { set, mut next, staged, .. } = self;
        // A new position must not be lost if another run commits at the same time, so it is committed with a journal
        // even if no file changes.
        let is_moved = next.positions != set.current.manifest().positions;
        if !staged.is_empty() || !next.unlisted.is_empty() || is_moved {
            next.replaces = set.replaces.as_ref().map(ToString::to_string);
            let NextSet { storage, exclusion, .. } = set;
            return journal::carry_out(storage, exclusion, set.current.known(), next, staged);
        }
        // The text has whole seconds, so two manifests that differ only in fractions of a second have the same text.
        if next != *set.current.manifest() && !set.current.known().has_text_of(&next) {
            journal::write_manifest(&set.storage, &set.exclusion, &next)?;
        }
        Ok(RemovedFiles::default())
    }
}

/// Returns the names of a set's sections.
fn sections(manifest: &Manifest) -> BTreeSet<&str> {
    let mut sections = BTreeSet::new();
    let mut last = None;
    for section in manifest.rows.iter().filter_map(Row::section) {
        // Most files belong to the same section as the previous one.
        if last.replace(section) != Some(section) {
            sections.insert(section);
        }
    }
    sections
}

/// Adds the files of the kept sections, if the run keeps sections.
fn with_kept(
    set: &NextSet,
    options: &SetOptions,
    written: &[&str],
    files: Vec<SetFile>,
) -> Result<WithKept, PublishError> {
    if options.keep_sections {
        keep::with_kept(set, written, files)
    } else {
        Ok(WithKept { files, kept: Vec::new() })
    }
}

/// Turns the only sitemap of a set into the entry point, which is never compressed.
fn entry_point(set: &NextSet, options: &SetOptions, only: SetFile) -> Result<SetFile, PublishError> {
    let row = &only.row;
    let size = DocumentSize { entries: row.entries, bytes: row.bytes };
    let content = Content::new(size, row.newest);
    let section = row.section.clone().unwrap_or_default();
    let is_compressed = options.gzip.is_some();
    let file = match only.staged {
        Some(file) if !is_compressed => file,
        Some(file) => plain_copy(&set.storage, file.name(), true, names::ENTRY_POINT)?,
        // The new file had the same bytes as the published file and was removed, so the published file is copied
        // instead.
        None => plain_copy(&set.storage, &row.name, is_compressed, names::ENTRY_POINT)?,
    };
    let entry_point = set.accept(names::ENTRY_POINT.to_owned(), Kind::Pages, content, file);
    Ok(entry_point.of_section(section))
}

/// Writes as many indexes as the files need. The first one is the entry point.
fn indexes(set: &NextSet, options: &SetOptions, files: &[SetFile]) -> Result<Vec<SetFile>, PublishError> {
    let mut rest = files;
    let mut indexes = Vec::new();
    while !rest.is_empty() {
        let name = names::index_file_name(indexes.len() + 1);
        let out = StagedFile::create(&set.storage, &name)?;
        let (file, size) = write_index(out, options, &mut rest)
            .map_err(|error| PublishError::of_document(error, &set.storage.locate(&name)))?;
        indexes.push(set.accept(name, Kind::Index, Content::new(size, None), file.seal()?));
    }
    Ok(indexes)
}

/// Writes one index. Takes files from `rest` until the index is full; the others stay in `rest`.
fn write_index(
    out: StagedFile,
    options: &SetOptions,
    rest: &mut &[SetFile],
) -> Result<(StagedFile, DocumentSize), crate::Error> {
    let mut index = Index::new(WriteSink(out), &options.write);
    let mut listed = 0;
    for SetFile { row, .. } in *rest {
        let loc = options.site.file(&row.name)?;
        match index.add(&loc, row.index_lastmod(options.index_lastmod))? {
            Room::Enough => listed += 1,
            Room::Full => break,
        }
    }
    *rest = &rest[listed..];
    let (WriteSink(out), size) = index.finish()?;
    Ok((out, size))
}

impl Row {
    /// Returns the `lastmod` that the index lists for the file.
    pub(crate) fn index_lastmod(&self, from: IndexLastMod) -> Option<LastMod> {
        match from {
            IndexLastMod::FileChanged => LastMod::try_from(self.changed).ok(),
            IndexLastMod::NewestPage => self.newest,
            IndexLastMod::Omit => None,
        }
    }
}
