//! A row of the manifest, which describes one file.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::digest::Digest;
use super::history::Peak;
use super::json::{self, ObjectWriter, Value};
use super::names;
use crate::storage::Metadata;
use crate::value::LastMod;

/// The description of a file in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: Arc<str>,
    /// The section of a file with pages; `None` for an index.
    pub(crate) section: Option<Arc<str>>,
    /// The number of hash buckets of the section, if the file is a shard.
    pub(crate) buckets: Option<u32>,
    pub(crate) kind: Kind,
    /// The number of URLs in the file, of child sitemaps in an index, of entries in the recent section, or of changes in
    /// the feed.
    pub(crate) entries: u64,
    /// The number of bytes before compression.
    pub(crate) bytes: u64,
    pub(crate) digest: Digest,
    /// The newest `lastmod` of the pages in the file.
    pub(crate) newest: Option<LastMod>,
    /// The time when the file last changed. The index can give this time as the `lastmod` of the file.
    pub(crate) changed: SystemTime,
    /// The metadata of the file in its storage. If the storage reports different metadata later, another program has
    /// changed the file.
    pub(crate) metadata: Metadata,
    /// The temporary name of a new file. `None` in the manifest of a published set, because its files have their final
    /// names.
    pub(crate) staged: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pages,
    Index,
    /// The only file of the [recent section](names::RECENT). Its pages do not count, because other files have them, too.
    Recent,
    /// The last changes, in the file [`names::FEED`].
    Feed,
}

impl Row {
    /// Returns the section of a file with pages. The manifest of an earlier version has no sections, so the section
    /// then comes from the name of the file.
    pub(crate) fn section(&self) -> Option<&str> {
        self.section.as_deref().or_else(|| match self.kind {
            Kind::Recent => None,
            _ => names::section_of(&self.name),
        })
    }

    /// Returns the section whose pages the file counts for; `None` for an index.
    pub(super) fn counted_section(&self) -> Option<&str> {
        (self.kind == Kind::Pages).then(|| self.section()).flatten()
    }

    /// Returns `true` for an index or the entry point. Crawlers read these files first, so a run replaces them after
    /// the files that they list.
    pub(crate) fn is_top_level(&self) -> bool {
        self.kind == Kind::Index || *self.name == *names::ENTRY_POINT
    }

    pub(super) fn push_to(&self, text: &mut Vec<u8>, peak: Option<Peak>) {
        let modified = since_epoch(self.metadata.modified);
        let mut line = ObjectWriter::new(text).text("file", self.name.as_bytes());
        if let Some(section) = &self.section {
            line = line.text("section", section.as_bytes());
        }
        if let Some(buckets) = self.buckets {
            line = line.number("buckets", buckets.into());
        }
        line = match self.kind {
            Kind::Pages => line.number("urls", self.entries),
            Kind::Index => line.number("sitemaps", self.entries),
            Kind::Recent => line.number("repeats", self.entries),
            Kind::Feed => line.number("changes", self.entries),
        };
        line = line
            .number("bytes", self.bytes)
            .number("stored", self.metadata.len)
            .text("digest", self.digest.digits());
        if let Some(newest) = self.newest {
            let mut text = [0; LastMod::MAX_LEN];
            let len = newest.encode(&mut text);
            line = line.text("newest", &text[..len]);
        }
        line = line
            .number("changed", since_epoch(self.changed).as_secs())
            .number("modified", modified.as_secs())
            .number("nanos", modified.subsec_nanos().into());
        // A tag, such as the entity tag of an object store, is left out if it needs a JSON escape sequence. The next
        // run then finds different metadata and reads the file, which is slower but correct.
        if let Some(tag) = self.metadata.tag.as_ref().filter(|tag| json::is_plain(tag)) {
            line = line.text("tag", tag);
        }
        if let Some(staged) = &self.staged {
            line = line.text("staged", staged);
        }
        if let Some(peak) = peak {
            line = peak.push_to(line);
        }
        line.end();
    }

    /// Parses a line, and returns the row and the peak of its section. Rows of the same section share its name with the
    /// row `before`.
    pub(super) fn parse(line: &str, before: Option<&Self>) -> Option<(Self, Peak)> {
        let mut found = Members::default();
        json::visit(line, |key, value| {
            found.add(key, value);
            Some(())
        })?;
        let name = found.file.filter(|name| names::is_set_file(name))?;
        let (kind, entries) = match (found.urls, found.sitemaps, found.repeats, found.changes) {
            (Some(urls), None, None, None) => (Kind::Pages, urls),
            (None, Some(sitemaps), None, None) => (Kind::Index, sitemaps),
            (None, None, Some(repeats), None) if names::is_recent_file(name) => (Kind::Recent, repeats),
            (None, None, None, Some(changes)) => (Kind::Feed, changes),
            _ => return None,
        };
        if (kind == Kind::Feed) != (name == names::FEED) {
            return None;
        }
        let nanos = u32::try_from(found.nanos?).ok().filter(|nanos| *nanos < 1_000_000_000)?;
        let modified = after_epoch(Duration::new(found.modified?, nanos))?;
        let staged = match found.staged {
            Some(name) if names::is_temporary(name) => Some(name.to_owned()),
            Some(_) => return None,
            None => None,
        };
        let section = match (found.section, before.and_then(|before| before.section.as_ref())) {
            (Some(section), Some(before)) if *section == **before => Some(Arc::clone(before)),
            (Some(section), _) => Some(names::is_section(section).then(|| section.into())?),
            (None, _) => None,
        };
        let peak =
            Peak { now: found.highest.unwrap_or_default(), before: found.highest_before.unwrap_or_default() };
        let row = Self {
            name: name.into(),
            section,
            buckets: found.buckets.map(u32::try_from).transpose().ok()?,
            kind,
            entries,
            bytes: found.bytes?,
            digest: Digest::parse(found.digest?)?,
            newest: found.newest.map(str::parse).transpose().ok()?,
            changed: after_epoch(Duration::from_secs(found.changed?))?,
            metadata: Metadata::new(found.stored?, modified).with_tag(found.tag.map(str::to_owned)),
            staged,
        };
        Some((row, peak))
    }
}

/// The members of a row.
#[derive(Debug, Default)]
struct Members<'t> {
    file: Option<&'t str>,
    section: Option<&'t str>,
    digest: Option<&'t str>,
    newest: Option<&'t str>,
    tag: Option<&'t str>,
    staged: Option<&'t str>,
    buckets: Option<u64>,
    urls: Option<u64>,
    sitemaps: Option<u64>,
    repeats: Option<u64>,
    changes: Option<u64>,
    bytes: Option<u64>,
    stored: Option<u64>,
    changed: Option<u64>,
    modified: Option<u64>,
    nanos: Option<u64>,
    highest: Option<u64>,
    highest_before: Option<u64>,
}

impl<'t> Members<'t> {
    /// Adds a member. Members that newer versions write are ignored.
    fn add(&mut self, key: &str, value: Value<'t>) {
        match value {
            Value::Text(text) => {
                let place = match key {
                    "file" => &mut self.file,
                    "section" => &mut self.section,
                    "digest" => &mut self.digest,
                    "newest" => &mut self.newest,
                    "tag" => &mut self.tag,
                    "staged" => &mut self.staged,
                    _ => return,
                };
                *place = Some(text);
            }
            Value::Number(number) => {
                let place = match key {
                    "buckets" => &mut self.buckets,
                    "urls" => &mut self.urls,
                    "sitemaps" => &mut self.sitemaps,
                    "repeats" => &mut self.repeats,
                    "changes" => &mut self.changes,
                    "bytes" => &mut self.bytes,
                    "stored" => &mut self.stored,
                    "changed" => &mut self.changed,
                    "modified" => &mut self.modified,
                    "nanos" => &mut self.nanos,
                    "highest" => &mut self.highest,
                    "highest-before" => &mut self.highest_before,
                    _ => return,
                };
                *place = Some(number);
            }
        }
    }
}

fn since_epoch(time: SystemTime) -> Duration {
    // A date before 1970 is stored as 1970. The next run then finds a different date and reads the file, which is
    // slower but correct.
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn after_epoch(duration: Duration) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(duration)
}
