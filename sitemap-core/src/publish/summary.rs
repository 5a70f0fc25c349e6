//! The summary of a run: the published files and the skipped records.

use std::fmt;

use super::error::PublishError;
use super::feed::FeedSummary;
use super::options::SetOptions;
use super::set::{Commit, Kind, RemovedFiles, names};
use super::skipped::{SkippedRecord, SkippedRecords};
use crate::robots;
use crate::value::{LastMod, Loc};

/// The summary of a run: the files of the published set, their URL counts and sizes, and the skipped records.
///
/// ```
/// use sitemap_core::publish::IndexLastMod;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let builder = SitemapSet::builder(Site::new("https://example.com")?).index_lastmod(IndexLastMod::Omit);
/// let mut run = builder.storage(Memory::new()).replace()?;
/// run.section("pages")?.add_all(["/", "/about"])?;
/// run.section("posts")?.add("/posts/first")?;
/// let summary = run.commit()?;
///
/// assert_eq!(summary.urls(), 3);
/// assert_eq!(summary.entry_point(), "https://example.com/sitemap.xml");
/// assert_eq!(summary.robots_txt(), "Sitemap: https://example.com/sitemap.xml\n");
/// assert_eq!(
///     summary.to_string(),
///     "\
/// sitemap.xml                              2 sitemaps            262 bytes
/// sitemap-pages-1.xml                      2 URLs                201 bytes
/// sitemap-posts-1.xml                      1 URL                 164 bytes
/// 3 URLs in 2 files, 0 invalid records skipped"
/// );
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
///
/// For compressed files, the line also shows the number of stored bytes:
///
/// ```text
/// sitemap-products-1.xml.gz          50,000 URLs         9,114,563 bytes      633,148 stored
/// ```
#[derive(Debug)]
pub struct Summary {
    entry_point: Loc<'static>,
    files: Vec<PublishedFile>,
    indexes: Vec<PublishedFile>,
    recent: Option<PublishedFile>,
    removed_recent: u64,
    feed: Option<PublishedFile>,
    feed_changes: Option<FeedSummary>,
    html_page: Option<PublishedFile>,
    skipped: SkippedRecords,
    kept_sections: Vec<String>,
    removed_sections: Vec<String>,
    removed_files: RemovedFiles,
    kept_files: u64,
    removed_early: u64,
    retries: u64,
    unreadable_manifest: bool,
    /// The number of indexes in the previous set.
    old_indexes: usize,
}

impl Summary {
    /// Summarises a set before its commit.
    pub(super) fn new(
        commit: &Commit<'_>,
        options: &SetOptions,
        skipped: SkippedRecords,
    ) -> Result<Self, PublishError> {
        let entry_point = options.site.file(names::ENTRY_POINT)?;
        let (mut files, mut indexes) = (Vec::new(), Vec::new());
        let (mut recent, mut feed, mut html_page) = (None, None, None);
        for (row, changed) in commit.rows().iter().zip(commit.are_changed()) {
            let file = PublishedFile {
                name: row.name.to_string(),
                loc: options.site.file(&row.name)?,
                entries: row.entries,
                bytes: row.bytes,
                stored_bytes: row.metadata.len,
                lastmod: row.index_lastmod(options.index_lastmod),
                changed,
            };
            match row.kind {
                Kind::Pages => files.push(file),
                Kind::Index => indexes.push(file),
                Kind::Recent => recent = Some(file),
                Kind::Feed => feed = Some(file),
                Kind::HtmlPage => html_page = Some(file),
            }
        }
        let (kept_sections, removed_sections) = (commit.kept_sections().to_vec(), commit.removed_sections());
        let removed_files = RemovedFiles::default();
        let kept_files = commit.kept_files();
        let unreadable_manifest = commit.found_unreadable_manifest();
        Ok(Self {
            entry_point,
            files,
            indexes,
            recent,
            removed_recent: commit.removed_recent(),
            feed,
            feed_changes: None,
            html_page,
            skipped,
            kept_sections,
            removed_sections,
            removed_files,
            kept_files,
            removed_early: commit.removed_early(),
            retries: 0,
            unreadable_manifest,
            old_indexes: commit.old_indexes(),
        })
    }

    /// Adds the numbers of files that the commit removed.
    pub(super) fn with_removed_files(mut self, removed: RemovedFiles) -> Self {
        self.removed_files = removed;
        self
    }

    /// Adds the numbers of the feed that the run wrote.
    pub(super) fn with_feed_changes(mut self, changes: Option<FeedSummary>) -> Self {
        self.feed_changes = changes;
        self
    }

    /// Adds the number of requests that the storage retried.
    pub(super) fn with_retries(mut self, retries: u64) -> Self {
        self.retries = retries;
        self
    }

    /// Returns the URL of the set's entry point, to submit to search engines.
    #[must_use]
    pub fn entry_point(&self) -> &Loc<'static> {
        &self.entry_point
    }

    /// Returns the files that contain pages, in the order of the index.
    #[must_use]
    pub fn files(&self) -> &[PublishedFile] {
        &self.files
    }

    /// Returns the indexes. Empty if the set is a single sitemap.
    #[must_use]
    pub fn indexes(&self) -> &[PublishedFile] {
        &self.indexes
    }

    /// Returns the indexes that the previous set didn't have, except the first index. Add a line for each of them to
    /// robots.txt.
    ///
    /// ```
    /// use sitemap_core::{Dialect, Memory, PublishError, Site, SitemapSet};
    ///
    /// // An index may list 50,000 files. The example lowers this limit, and that of the URLs of a file.
    /// let mut limits = Dialect::V0_9.limits();
    /// (limits.urls, limits.sitemaps) = (1, 2);
    /// let memory = Memory::new();
    /// let publish = |pages: &[&str]| {
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?).lower_limits(limits);
    ///     let mut run = builder.storage(memory.clone()).replace()?;
    ///     run.section("pages")?.add_all(pages)?;
    ///     run.commit()
    /// };
    /// assert_eq!(publish(&["/a", "/b"])?.new_indexes().len(), 0);
    /// let summary = publish(&["/a", "/b", "/c"])?;
    /// assert_eq!(summary.new_indexes()[0].name(), "sitemap-2.xml");
    /// assert_eq!(publish(&["/a", "/b", "/d"])?.new_indexes().len(), 0);
    /// # Ok::<(), PublishError>(())
    /// ```
    #[must_use]
    pub fn new_indexes(&self) -> &[PublishedFile] {
        self.indexes.get(self.old_indexes.max(1)..).unwrap_or_default()
    }

    /// Returns the number of URLs in all files.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.files.iter().map(|file| file.entries).sum()
    }

    /// Returns the total size in bytes of all files that contain pages, before compression.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Returns the number of invalid records that were skipped.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped.count()
    }

    /// Returns the first 1,000 skipped records.
    #[must_use]
    pub fn skipped_records(&self) -> &[SkippedRecord] {
        self.skipped.first()
    }

    /// Returns the names of the sections that stay in the set although this run didn't write them. See
    /// [`SetOptions::keep_sections`].
    #[must_use]
    pub fn kept_sections(&self) -> &[String] {
        &self.kept_sections
    }

    /// Returns the names of the sections that are in the previous set but not in this one.
    ///
    /// ```
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let publish = |sections: &[&str]| {
    ///     let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(memory.clone()).replace()?;
    ///     for name in sections {
    ///         run.section(name)?.add(&format!("/{name}"))?;
    ///     }
    ///     run.commit()
    /// };
    /// publish(&["pages", "posts", "users"])?;
    /// let summary = publish(&["pages", "posts"])?;
    /// assert_eq!((summary.removed_sections(), summary.removed_files()), (&["users".to_owned()][..], 1));
    /// assert!(summary.to_string().ends_with("\n1 old file removed; sections removed: `users`"));
    /// # Ok::<(), PublishError>(())
    /// ```
    #[must_use]
    pub fn removed_sections(&self) -> &[String] {
        &self.removed_sections
    }

    /// Returns the number of files of earlier sets that this run removed.
    #[must_use]
    pub fn removed_files(&self) -> u64 {
        self.removed_files.count
    }

    /// Returns the number of files of earlier sets that this run removed early, because the kept files would have
    /// exceeded [`keep_at_most`](SetOptions::keep_at_most). They are included in the [removed
    /// files](Self::removed_files).
    #[must_use]
    pub fn removed_early(&self) -> u64 {
        self.removed_early
    }

    /// Returns the file name of the backup of the previous manifest, if that manifest was damaged or written by a newer
    /// version. The run then didn't know the files of the previous set, and removed none of them.
    #[must_use]
    pub fn unreadable_manifest(&self) -> Option<&'static str> {
        self.unreadable_manifest.then_some(names::UNREADABLE_MANIFEST)
    }

    /// Returns the number of files of earlier sets that this run failed to remove. The next run tries again.
    #[must_use]
    pub fn files_left(&self) -> u64 {
        self.removed_files.left
    }

    /// Returns the number of files of earlier sets that stay for crawlers with an older index. See the example of
    /// [`keep_generations`](SetOptions::keep_generations).
    #[must_use]
    pub fn kept_files(&self) -> u64 {
        self.kept_files
    }

    /// Returns the number of requests that the storage retried after a failed attempt; see [`Storage::retries`]. Always
    /// 0 for a directory.
    ///
    /// [`Storage::retries`]: crate::Storage::retries
    #[must_use]
    pub fn retries(&self) -> u64 {
        self.retries
    }

    /// Returns the file of the [recent section](super::files::RECENT), if the set has one. [`files`](Self::files) and
    /// [`urls`](Self::urls) don't include it, because it repeats entries of other files.
    #[must_use]
    pub fn recent(&self) -> Option<&PublishedFile> {
        self.recent.as_ref()
    }

    /// Returns the number of entries in the recent section that this run removed because it may have changed their
    /// pages. 0 if the set still has a recent section, or had none before.
    #[must_use]
    pub fn removed_recent(&self) -> u64 {
        self.removed_recent
    }

    /// Returns the feed of the set, if it has one. Its number of [entries](PublishedFile::entries) is the number of
    /// changes. It has [changed](PublishedFile::changed) if this run wrote it.
    #[must_use]
    pub fn feed(&self) -> Option<&PublishedFile> {
        self.feed.as_ref()
    }

    /// Returns the numbers of the feed, if this run wrote it.
    #[must_use]
    pub fn feed_changes(&self) -> Option<FeedSummary> {
        self.feed_changes
    }

    /// Returns the [HTML page](SetOptions::html_page), if the set has one. Its number of entries is 0.
    #[must_use]
    pub fn html_page(&self) -> Option<&PublishedFile> {
        self.html_page.as_ref()
    }

    /// Returns the `Sitemap:` lines for robots.txt: one for the entry point, one for each further index, and one for
    /// the feed. Google and Bing read Atom feeds; Yandex ignores that line.
    #[must_use]
    pub fn robots_txt(&self) -> String {
        let further = self.indexes.iter().skip(1).map(PublishedFile::loc);
        let feed = self.feed.iter().map(PublishedFile::loc);
        robots::sitemap_lines(std::iter::once(&self.entry_point).chain(further).chain(feed))
    }
}

/// Serialises an object with the keys `entry_point`, `files`, `indexes`, `recent`, `removed_recent`, `feed`,
/// `html_page`, `urls`, `bytes`, `skipped`, `skipped_records`, `removed_files`, `removed_early`, `files_left`, `kept_files`, `retries`, `kept_sections`,
/// `removed_sections` and `unreadable_manifest`.
#[cfg(feature = "serde")]
impl serde::Serialize for Summary {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut object = serializer.serialize_struct("Summary", 19)?;
        object.serialize_field("entry_point", &self.entry_point)?;
        object.serialize_field("files", &self.files)?;
        object.serialize_field("indexes", &self.indexes)?;
        object.serialize_field("recent", &self.recent)?;
        object.serialize_field("removed_recent", &self.removed_recent())?;
        object.serialize_field("feed", &self.feed)?;
        object.serialize_field("html_page", &self.html_page)?;
        object.serialize_field("urls", &self.urls())?;
        object.serialize_field("bytes", &self.bytes())?;
        object.serialize_field("skipped", &self.skipped())?;
        object.serialize_field("skipped_records", self.skipped_records())?;
        object.serialize_field("removed_files", &self.removed_files())?;
        object.serialize_field("removed_early", &self.removed_early())?;
        object.serialize_field("files_left", &self.files_left())?;
        object.serialize_field("kept_files", &self.kept_files())?;
        object.serialize_field("retries", &self.retries())?;
        object.serialize_field("kept_sections", self.kept_sections())?;
        object.serialize_field("removed_sections", self.removed_sections())?;
        object.serialize_field("unreadable_manifest", &self.unreadable_manifest())?;
        object.end()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in &self.indexes {
            index.write_row(f, plural(index.entries, "sitemap", "sitemaps"))?;
        }
        for file in &self.files {
            file.write_row(f, plural(file.entries, "URL", "URLs"))?;
        }
        if let Some(recent) = &self.recent {
            recent.write_row(f, plural(recent.entries, "repeat", "repeats"))?;
        }
        if let Some(feed) = &self.feed {
            feed.write_row(f, plural(feed.entries, "change", "changes"))?;
        }
        if let Some(page) = &self.html_page {
            writeln!(f, "{:<32} {:>9} {:<8} {:>14} bytes", page.name, "", "", Grouped(page.bytes))?;
        }
        let (urls, files, skipped) = (self.urls(), self.files.len() as u64, self.skipped());
        write!(
            f,
            "{} {} in {} {}, {} invalid {} skipped",
            Grouped(urls),
            plural(urls, "URL", "URLs"),
            Grouped(files),
            plural(files, "file", "files"),
            Grouped(skipped),
            plural(skipped, "record", "records"),
        )?;
        self.write_changes(f)
    }
}

impl Summary {
    /// Writes a line about what this run left unchanged, kept, removed and retried, if there is anything to report.
    fn write_changes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RemovedFiles { count, left } = self.removed_files;
        let file = |count| plural(count, "file", "files");
        let mut parts = Vec::new();
        let others = self.recent.iter().chain(&self.feed).chain(&self.html_page);
        let mut all = self.indexes.iter().chain(&self.files).chain(others);
        if all.all(|file| !file.changed) {
            parts.push("no file has changed".to_owned());
        }
        if !self.kept_sections.is_empty() {
            parts.push(format!("sections kept: `{}`", self.kept_sections.join("`, `")));
        }
        if count > 0 {
            let early = match self.removed_early {
                0 => String::new(),
                1 => ", 1 of them before its time".to_owned(),
                early => format!(", {} of them before their time", Grouped(early)),
            };
            parts.push(format!("{} old {} removed{early}", Grouped(count), file(count)));
        }
        if left > 0 {
            parts.push(format!("{} old {} could not be removed", Grouped(left), file(left)));
        }
        if self.kept_files > 0 {
            parts.push(format!("{} old {} kept", Grouped(self.kept_files), file(self.kept_files)));
        }
        if self.retries > 0 {
            let requests = plural(self.retries, "request", "requests");
            parts.push(format!("{} {requests} repeated", Grouped(self.retries)));
        }
        if !self.removed_sections.is_empty() {
            parts.push(format!("sections removed: `{}`", self.removed_sections.join("`, `")));
        }
        if self.removed_recent > 0 {
            let repeats = plural(self.removed_recent, "repeat", "repeats");
            parts.push(format!("recent section removed, with {} {repeats}", Grouped(self.removed_recent)));
        }
        if let Some(name) = self.unreadable_manifest() {
            parts.push(format!(
                "the old manifest was damaged or of another version, and is kept as `{name}`; remove files that \
                 `sitemap.xml` no longer lists by hand"
            ));
        }
        if parts.is_empty() { Ok(()) } else { write!(f, "\n{}", parts.join("; ")) }
    }
}

/// A file of a published set.
///
/// ```
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let memory = Memory::new();
/// let publish = || {
///     let site = Site::new("https://example.com")?;
///     let mut run = SitemapSet::builder(site).storage(memory.clone()).replace()?;
///     run.section("pages")?.add_all(["/", "/about"])?;
///     run.commit()
/// };
///
/// let summary = publish()?;
/// let file = &summary.files()[0];
/// assert_eq!((file.name(), file.entries(), file.changed()), ("sitemap.xml", 2, true));
/// assert_eq!(file.loc(), "https://example.com/sitemap.xml");
/// assert_eq!(file.bytes(), memory.get("sitemap.xml").map_or(0, |bytes| bytes.len() as u64));
/// assert_eq!(file.stored_bytes(), file.bytes()); // not compressed
///
/// // The same pages again do not change the file.
/// assert!(!publish()?.files()[0].changed());
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PublishedFile {
    name: String,
    loc: Loc<'static>,
    entries: u64,
    bytes: u64,
    stored_bytes: u64,
    lastmod: Option<LastMod>,
    changed: bool,
}

impl PublishedFile {
    /// Returns the name of the file in its storage.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the URL of the file.
    #[must_use]
    pub fn loc(&self) -> &Loc<'static> {
        &self.loc
    }

    /// Returns the number of URLs in the file, or the number of child sitemaps if the file is an index.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns the size in bytes before compression. The protocol limits this size.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the stored size in bytes, after compression.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// Returns the `lastmod` that the index lists for the file.
    #[must_use]
    pub fn lastmod(&self) -> Option<LastMod> {
        self.lastmod
    }

    /// Returns `true` if this run changed the bytes of the file, or if the file is a shard that is new in the set. A
    /// run doesn't replace unchanged files.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.changed
    }

    fn write_row(&self, f: &mut fmt::Formatter<'_>, items: &str) -> fmt::Result {
        let Self { name, bytes, stored_bytes, .. } = self;
        write!(f, "{name:<32} {:>9} {items:<8} {:>14} bytes", Grouped(self.entries), Grouped(*bytes))?;
        if bytes != stored_bytes {
            write!(f, " {:>12} stored", Grouped(*stored_bytes))?;
        }
        writeln!(f)
    }
}

fn plural(count: u64, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

/// A number that is displayed with commas as thousands separators.
struct Grouped(u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        f.pad(&grouped)
    }
}
