//! The manifest, a file that describes each file of the published set. It saves the next run from reading these files.
//!
//! The journal has the same format. It describes the next set and contains the temporary names of new files. For files
//! that stay, it contains only their number, so it also names the manifest that describes them.

use std::io::{self, Read};
use std::sync::Arc;

use super::changes::ChangeCounts;
use super::digest::Digest;
use super::formats::Formats;
use super::history::{History, Peak};
use super::json::{Object, ObjectWriter};
use super::lines::{RowReader, RowWriter};
use super::names;
use super::positions::Positions;
use super::recent::RecentCounts;
use super::row::{Kind, Row};
use crate::html_page::HtmlPage;
use crate::publish::error::PublishError;
use crate::storage::Storage;

/// The version of the manifest's text format. A manifest of another version is ignored.
const VERSION: u64 = 2;

/// The approximate length of a line in bytes.
const LINE: usize = 128;

/// The start of the line for files that stay.
const KEPT: &str = "{\"kept\":";

/// The files of a set, and the files of earlier sets that are still in the storage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The base URL of the set's site. `None` if it would need a JSON escape sequence.
    pub(crate) base: Option<String>,
    /// The state that the set replaces, as written by [`Replaced`](super::replaced::Replaced). Set only in a journal on
    /// storage without locks.
    pub(crate) replaces: Option<String>,
    /// A string that is unique to the run of this journal, so that two runs never write the same journal, even if their
    /// sets are the same. `None` in the manifest of a published set.
    pub(crate) run: Option<String>,
    /// On storage without locks, the names of the last runs that changed the set, newest last. Before a run learns that
    /// it succeeded, a second run may complete its commit, and a third one may replace its set.
    pub(crate) runs: Vec<String>,
    /// The files of the set: the recent section, the files that contain pages, the indexes, the feed and the HTML page.
    pub(crate) rows: Vec<Row>,
    /// The files of earlier sets that stay, because a crawler may still request them.
    pub(crate) kept: Vec<Kept>,
    /// The names of other files that the commit removes, or that an earlier commit failed to remove.
    pub(crate) unlisted: Vec<String>,
    /// The highest numbers of pages that the set and its sections had in the last weeks.
    pub(crate) history: History,
    /// The number of pages that each of the last updates changed.
    pub(crate) changes: ChangeCounts,
    /// The dialect and the maximum file size of each section.
    pub(crate) formats: Formats,
    /// The positions up to which the sections contain the changes from other systems.
    pub(crate) positions: Positions,
    /// The numbers of the recent section, if the set has one.
    pub(crate) recent: RecentCounts,
}

/// A file that the set no longer lists and that stays for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) name: Arc<str>,
    /// When a run published the first set without the file, in seconds since 1970.
    pub(crate) since: u64,
    /// The number of times that the set has changed since it last listed the file.
    pub(crate) changes: u64,
    /// The number of stored bytes.
    pub(crate) stored: u64,
}

/// The result of reading a manifest.
#[derive(Debug)]
pub(super) enum Found {
    Missing,
    /// A file that is damaged, or written by another version of this crate.
    Unreadable,
    Intact(Arc<KnownManifest>),
}

/// The result of reading a journal.
#[derive(Debug)]
pub(super) enum FoundJournal {
    /// The text is damaged, of another version, or not a journal.
    Damaged,
    /// The journal doesn't continue the published manifest: its commit is complete, another run has replaced the set,
    /// or the manifest is lost.
    OfOtherSet,
    Intact(Box<Manifest>),
}

/// A manifest and the digest of its text. A run that reads the same text again doesn't parse it again.
#[derive(Debug, Default)]
pub(crate) struct KnownManifest {
    /// `None` if there is no text.
    digest: Option<Digest>,
    pub(crate) manifest: Manifest,
}

impl Manifest {
    /// Reads the manifest from the file `name`. Returns the known manifest if its text is the same.
    pub(super) fn read(
        storage: &dyn Storage,
        name: &str,
        known: Option<&Arc<KnownManifest>>,
    ) -> Result<Found, PublishError> {
        let text = match read_text(storage, name) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Missing),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(Found::Unreadable),
            // The manifest couldn't be read, but it may be intact. If the run ignored it, old files would never be
            // removed, so the run stops.
            Err(error) => return Err(PublishError::io("read", &storage.locate(name), error)),
        };
        let digest = Some(Digest::of(text.as_bytes()));
        if let Some(known) = known.filter(|known| known.digest == digest) {
            return Ok(Found::Intact(Arc::clone(known)));
        }
        Ok(match Self::parse(&text) {
            Some(manifest) => Found::Intact(KnownManifest { digest, manifest }.into()),
            None => Found::Unreadable,
        })
    }

    /// Returns the row of the recent section, if the set has one.
    pub(crate) fn recent_row(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.kind == Kind::Recent)
    }

    /// Adds a run to the list of the last runs.
    pub(super) fn add_run(&mut self, run: String) {
        /// The number of runs in the list. While a run waits for a response from its storage, fewer runs than this are
        /// expected to replace the set.
        const RUNS: usize = 16;

        self.runs.push(run);
        let old = self.runs.len().saturating_sub(RUNS);
        self.runs.drain(..old);
    }

    /// Returns the names of all files of this set, and of the files of earlier sets that are still in the storage.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let kept = self.kept.iter().map(|kept| &*kept.name);
        self.rows.iter().map(|row| &*row.name).chain(kept).chain(self.unlisted.iter().map(String::as_str))
    }

    /// Returns the text of the manifest.
    pub(crate) fn to_text(&self) -> String {
        self.text(None)
    }

    /// Returns the text of a journal that turns the published set into this one.
    pub(super) fn to_journal(&self, published: &KnownManifest) -> String {
        self.text(Some(published))
    }

    fn text(&self, published: Option<&KnownManifest>) -> String {
        let files = if published.is_some() { 0 } else { self.rows.len() };
        let mut text = Vec::with_capacity((files + self.kept.len() + self.unlisted.len() + 8) * LINE);
        let mut head = ObjectWriter::new(&mut text).number("sitemap-manifest", VERSION);
        if let Some(base) = &self.base {
            head = head.text("base", base);
        }
        if let Some(run) = &self.run {
            head = head.text("run", run);
        }
        if let Some(replaces) = &self.replaces {
            head = head.text("replaces", replaces);
        }
        if let Some(digest) = published.and_then(|published| published.digest) {
            head = head.text("follows", digest.digits());
        }
        if !self.runs.is_empty() {
            head = head.text("runs", self.runs.join(" "));
        }
        if let Some(since) = self.history.since {
            head = self.history.set.push_to(head.number("since", since));
        }
        if !self.history.sections.is_empty() {
            head = head.text("sections", self.history.to_string());
        }
        if !self.changes.is_empty() {
            head = head.text("changes", self.changes.to_string());
        }
        if !self.formats.is_empty() {
            head = head.text("formats", self.formats.to_string());
        }
        if !self.positions.is_empty() {
            head = head.text("positions", self.positions.to_string());
        }
        if self.recent != RecentCounts::default() {
            head = head.text("recent", self.recent.to_string());
        }
        head.end();
        match published {
            Some(published) => RowWriter::push_changes(&mut text, &self.rows, &published.manifest.rows),
            None => RowWriter::push_all(&mut text, &self.rows),
        }
        for kept in &self.kept {
            kept.push_to(&mut text);
        }
        for name in &self.unlisted {
            ObjectWriter::new(&mut text).text("unlisted", name).end();
        }
        let digest = Digest::of(&text);
        ObjectWriter::new(&mut text).text("end", digest.digits()).end();
        // The text is always valid UTF-8, because only strings were written.
        String::from_utf8(text).unwrap_or_default()
    }

    /// Parses the output of [`to_text`](Self::to_text). Returns `None` for any other text, even if only one bit
    /// differs.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let lines = Lines::of(text)?;
        // Only a journal names the manifest that it continues.
        if lines.head.text("follows").is_some() { None } else { lines.parse(&[]) }
    }

    fn of_head(head: &Object<'_>) -> Option<Self> {
        let member = |key| head.text(key).map(str::to_owned);
        let sections = History::parse_sections(head.text("sections").unwrap_or_default())?;
        let history = History { since: head.number("since"), set: parse_peak(head), sections };
        Some(Self {
            base: member("base"),
            run: member("run"),
            replaces: member("replaces"),
            runs: head
                .text("runs")
                .map(|runs| runs.split(' ').map(str::to_owned).collect())
                .unwrap_or_default(),
            history,
            changes: ChangeCounts::parse(head.text("changes").unwrap_or_default()),
            formats: Formats::parse(head.text("formats").unwrap_or_default()),
            positions: Positions::parse(head.text("positions").unwrap_or_default()),
            recent: RecentCounts::parse(head.text("recent").unwrap_or_default()),
            ..Self::default()
        })
    }
}

impl KnownManifest {
    /// Returns `true` if both manifests have the same text.
    pub(super) fn has_text_of(&self, other: &Manifest) -> bool {
        self.digest == Some(Digest::of(other.to_text().as_bytes()))
    }
}

impl FoundJournal {
    /// Parses the output of [`to_journal`](Manifest::to_journal).
    pub(super) fn parse(text: &str, published: &KnownManifest) -> Self {
        let Some(lines) = Lines::of(text) else { return Self::Damaged };
        let follows = lines.head.text("follows");
        if follows.is_some() && follows.and_then(Digest::parse) != published.digest {
            return Self::OfOtherSet;
        }
        let rows = if follows.is_some() { &published.manifest.rows[..] } else { &[] };
        lines.parse(rows).map_or(Self::Damaged, |next| Self::Intact(Box::new(next)))
    }
}

/// The lines of an intact manifest or journal.
struct Lines<'t> {
    head: Object<'t>,
    /// The lines between the first one and the last one.
    rest: &'t str,
}

impl<'t> Lines<'t> {
    /// Returns `None` if the text is damaged or of another version.
    fn of(text: &'t str) -> Option<Self> {
        let end = text.strip_suffix('\n')?.rfind('\n')? + 1;
        let (text, last) = text.split_at(end);
        let digest = Digest::parse(Object::parse(last.trim_end_matches('\n'))?.text("end")?)?;
        let (head, rest) = text.split_once('\n')?;
        let head = Object::parse(head)?;
        let is_intact =
            digest == Digest::of(text.as_bytes()) && head.number("sitemap-manifest") == Some(VERSION);
        is_intact.then_some(Self { head, rest })
    }

    fn parse(&self, published: &[Row]) -> Option<Manifest> {
        let mut manifest = Manifest::of_head(&self.head)?;
        manifest.rows.reserve(self.rest.len() / LINE + published.len());
        let mut files = RowReader::new(published);
        for line in self.rest.lines() {
            if line.starts_with(KEPT) {
                manifest.kept.push(Kept::parse(&Object::parse(line)?)?);
            } else if line.starts_with("{\"unlisted\":") {
                manifest.unlisted.push(removable(Object::parse(line)?.text("unlisted")?)?.to_owned());
            } else {
                files.read(line, &mut manifest.rows)?;
            }
        }
        Some(manifest)
    }
}

fn parse_peak(line: &Object<'_>) -> Peak {
    let number = |key| line.number(key).unwrap_or_default();
    Peak { now: number("highest"), before: number("highest-before") }
}

impl Kept {
    fn push_to(&self, text: &mut Vec<u8>) {
        ObjectWriter::new(text)
            .text("kept", self.name.as_bytes())
            .number("since", self.since)
            .number("changes", self.changes)
            .number("stored", self.stored)
            .end();
    }

    fn parse(line: &Object<'_>) -> Option<Self> {
        Some(Self {
            name: safe(line.text("kept")?)?.into(),
            since: line.number("since")?,
            changes: line.number("changes")?,
            stored: line.number("stored")?,
        })
    }
}

/// Returns the names of the files that the published set no longer lists and that stay for a while, as recorded in its
/// manifest. Empty if no set is published, or if the manifest is damaged.
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_core::publish::Names;
/// use sitemap_core::publish::files::kept_files;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let (memory, site) = (Memory::new(), Site::new("https://example.com")?);
/// let publish = |page: &str| {
///     let builder = SitemapSet::builder(site.clone()).names(Names::Digest).keep_for(Duration::from_secs(3600));
///     let mut run = builder.storage(memory.clone()).replace()?;
///     run.section("pages")?.add("/")?;
///     run.section("posts")?.add(page)?;
///     run.commit()
/// };
/// let first = publish("/tea")?;
/// publish("/cups")?;
/// assert_eq!(kept_files(&memory)?, [first.files()[1].name()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the storage fails.
pub fn kept_files(storage: &dyn Storage) -> io::Result<Vec<String>> {
    let text = match read_text(storage, names::MANIFEST) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let kept = text.lines().filter(|line| line.starts_with(KEPT)).filter_map(Object::parse);
    Ok(kept.filter_map(|line| Kept::parse(&line)).map(|kept| kept.name.to_string()).collect())
}

/// Reads a manifest or a journal. Returns an error if the file is larger than any set needs, so that a run doesn't read
/// gigabytes that someone put in its place.
pub(super) fn read_text(storage: &dyn Storage, name: &str) -> io::Result<String> {
    /// The maximum size in bytes. A manifest contains about 110 bytes for each file in the set.
    const LONGEST: u64 = 1 << 28;

    let mut text = String::new();
    let len = storage.open(name)?.take(LONGEST + 1).read_to_string(&mut text)? as u64;
    if len > LONGEST {
        let message = format!("it is larger than {LONGEST} bytes, so it is not of this program; remove it");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}

/// Returns the name if a set can have a file of that name, otherwise `None`. This prevents a forged manifest from
/// making a run replace or remove other files.
fn safe(name: &str) -> Option<&str> {
    names::is_set_file(name).then_some(name)
}

/// Returns the name if a run may remove a file of that name, otherwise `None`.
fn removable(name: &str) -> Option<&str> {
    if name == HtmlPage::FILE_NAME { Some(name) } else { safe(name) }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;
    use crate::storage::{Memory, Metadata};

    fn manifest() -> Manifest {
        let row = Row {
            name: "sitemap-a-1.xml.gz".into(),
            section: Some("a".into()),
            buckets: None,
            kind: Kind::Pages,
            entries: 3,
            bytes: 400,
            digest: Digest::of(b"a"),
            newest: "2024-05-01".parse().ok(),
            by_url: false,
            source: None,
            changed: UNIX_EPOCH + Duration::from_secs(7),
            metadata: Metadata::new(99, UNIX_EPOCH + Duration::new(8, 5)),
            staged: Some(".sitemap-a-1.xml.gz.1-2.tmp".to_owned()),
        };
        let index = Row {
            name: "sitemap.xml".into(),
            section: None,
            kind: Kind::Index,
            newest: None,
            by_url: false,
            staged: None,
            ..row.clone()
        };
        let kept = Kept { name: "sitemap-a-2.xml".into(), since: 1_700_000_000, changes: 2, stored: 812 };
        let base = Some("https://example.com/".to_owned());
        Manifest {
            base,
            replaces: None,
            run: None,
            runs: Vec::new(),
            rows: vec![row, index],
            kept: vec![kept],
            unlisted: vec!["sitemap-b-1.txt".to_owned()],
            history: History::default(),
            changes: ChangeCounts::default(),
            formats: Formats::default(),
            positions: Positions::default(),
            recent: RecentCounts::default(),
        }
    }

    #[test]
    fn is_one_line_a_file() {
        let text = manifest().to_text();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines[..7],
            [
                r#"{"sitemap-manifest":2,"base":"https://example.com/"}"#,
                r#"{"pages":"sitemap-a-","end":".xml.gz","section":"a"}"#,
                r#"["1","a96faf705af16834e6c632b61e964e1f",3,400,99,8,5,"n2024-05-01","c7","s.sitemap-a-1.xml.gz.1-2.tmp"]"#,
                r#"{"index":"","end":".xml"}"#,
                r#"["sitemap","a96faf705af16834e6c632b61e964e1f",3,400,99,8,5,"c7"]"#,
                r#"{"kept":"sitemap-a-2.xml","since":1700000000,"changes":2,"stored":812}"#,
                r#"{"unlisted":"sitemap-b-1.txt"}"#,
            ]
        );
        assert_eq!(Manifest::parse(&text), Some(manifest()));
    }

    #[test]
    fn only_a_text_that_is_not_known_is_parsed() {
        let memory = Memory::new();
        let read = |manifest: &Manifest, known: Option<&Arc<KnownManifest>>| {
            memory.put(names::MANIFEST, manifest.to_text().as_bytes()).unwrap();
            match Manifest::read(&memory, names::MANIFEST, known).unwrap() {
                Found::Intact(found) => found,
                other => panic!("{other:?}"),
            }
        };
        let known = read(&manifest(), None);
        assert!(Arc::ptr_eq(&read(&manifest(), Some(&known)), &known));
        // On some file systems, both manifests can have the same size and time, so the texts are compared.
        let mut other = manifest();
        other.rows[0].entries = 4;
        assert_eq!(other.to_text().len(), manifest().to_text().len());
        assert_eq!(read(&other, Some(&known)).manifest, other);
        // A default value has no text, so it never matches.
        assert_eq!(read(&other, Some(&Arc::default())).manifest, other);
    }

    #[test]
    fn the_last_sixteen_runs_are_named() {
        let mut manifest = manifest();
        (1..=18).for_each(|run| manifest.add_run(format!("17-{run}")));
        let text = manifest.to_text();
        let head = text.lines().next().unwrap();
        assert!(head.contains(r#","runs":"17-3 17-4 "#) && head.ends_with(r#" 17-18"}"#), "{head}");
        assert_eq!(Manifest::parse(&text), Some(manifest));
    }

    #[test]
    fn the_head_has_the_positions_of_sources() {
        let mut manifest = manifest();
        manifest.positions.set("a", "db", "0/15D68A8");
        let text = manifest.to_text();
        let head = text.lines().next().unwrap();
        assert!(head.ends_with(r#","positions":"a db 0/15D68A8"}"#), "{head}");
        assert_eq!(Manifest::parse(&text), Some(manifest));
    }

    #[test]
    fn the_recent_section_is_no_file_with_pages() {
        let mut manifest = manifest();
        let recent = Row {
            name: "sitemap-recent-00000-1-99aa06d3014798d8.xml".into(),
            section: None,
            kind: Kind::Recent,
            staged: None,
            ..manifest.rows[0].clone()
        };
        manifest.rows.insert(0, recent);
        manifest.recent = RecentCounts::new(1, 20, 300);
        let text = manifest.to_text();
        let lines: Vec<_> = text.lines().take(2).collect();
        assert!(lines[0].ends_with(r#","recent":"1 20 300"}"#), "{}", lines[0]);
        assert_eq!(lines[1], r#"{"recent":"","end":".xml"}"#);
        assert_eq!(Manifest::parse(&text).as_ref(), Some(&manifest));
        manifest.rows[0].name = "sitemap-recent-1.xml".into();
        assert_eq!(Manifest::parse(&manifest.to_text()), None);
    }

    #[test]
    fn a_journal_names_its_run() {
        let journal = Manifest { run: Some("17-3".to_owned()), ..manifest() };
        let text = journal.to_text();
        assert_eq!(
            text.lines().next(),
            Some(r#"{"sitemap-manifest":2,"base":"https://example.com/","run":"17-3"}"#)
        );
        assert_eq!(Manifest::parse(&text), Some(journal));
    }

    #[test]
    fn the_head_has_the_history() {
        let peak = |now, before| Peak { now, before };
        let sections = [("a".to_owned(), peak(30, 40)), ("b".to_owned(), peak(5, 0))].into();
        let history = History { since: Some(1_700_000_000), set: peak(35, 45), sections };
        let manifest = Manifest { history, ..manifest() };
        let text = manifest.to_text();
        assert_eq!(
            text.lines().next(),
            Some(
                r#"{"sitemap-manifest":2,"base":"https://example.com/","since":1700000000,"highest":35,"highest-before":45,"sections":"a 30 40;b 5 0"}"#
            )
        );
        assert_eq!(Manifest::parse(&text), Some(manifest));
    }

    #[test]
    fn a_journal_is_read_with_the_manifest_that_it_follows() {
        let known = |manifest: Manifest| KnownManifest {
            digest: Some(Digest::of(manifest.to_text().as_bytes())),
            manifest,
        };
        let published = known(manifest());
        let mut next = manifest();
        next.rows[1].entries = 4;
        let text = next.to_journal(&published);
        let rows: Vec<_> = text.lines().filter(|line| line.starts_with('[')).collect();
        assert!(text.contains(r#","follows":""#) && rows.len() == 1, "{text}");
        let parse = |text: &str, published: &KnownManifest| match FoundJournal::parse(text, published) {
            FoundJournal::Intact(found) => Ok(*found),
            other => Err(format!("{other:?}")),
        };
        assert_eq!(parse(&text, &published).as_ref(), Ok(&next));
        // The commit is complete, or the manifest is lost.
        for other in [known(next.clone()), KnownManifest::default()] {
            assert_eq!(parse(&text, &other), Err("OfOtherSet".to_owned()));
        }
        assert_eq!(parse(&text[1..], &published), Err("Damaged".to_owned()));
        assert_eq!(Manifest::parse(&text), None);
        // If no set is published, a journal needs no manifest.
        let first = next.to_journal(&KnownManifest::default());
        assert_eq!(parse(&first, &published), Ok(next));
    }

    #[test]
    fn a_text_of_another_version_is_not_read() {
        let text = manifest().to_text();
        let (text, _) = text.trim_end().rsplit_once('\n').unwrap();
        for (version, is_read) in [(1, false), (2, true), (3, false)] {
            let text =
                text.replace("\"sitemap-manifest\":2", &format!("\"sitemap-manifest\":{version}")) + "\n";
            let text = format!("{text}{{\"end\":\"{}\"}}\n", Digest::of(text.as_bytes()));
            assert_eq!(Manifest::parse(&text).is_some(), is_read, "{version}");
        }
    }

    #[test]
    fn damage_of_any_bit_or_length_is_noticed() {
        let text = manifest().to_text();
        for at in 0..text.len() {
            assert_eq!(Manifest::parse(&text[..at]), None, "cut at {at}");
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                if let Ok(damaged) = String::from_utf8(bytes) {
                    assert_eq!(Manifest::parse(&damaged), None, "bit {bit} of byte {at}");
                }
            }
        }
        assert_eq!(Manifest::parse(&format!("{text}\n")), None);
        assert_eq!(Manifest::parse(&format!("{text}{text}")), None);
    }

    #[test]
    fn never_leads_to_files_that_cannot_be_of_a_set() {
        for name in ["../sitemap.xml", "index.html", "sitemap-a/1.xml", "", "/sitemap.xml", "sitemap.xml.bak"]
        {
            let mut manifest = manifest();
            manifest.unlisted = vec![name.to_owned()];
            assert_eq!(Manifest::parse(&manifest.to_text()), None, "{name}");
            manifest.unlisted.clear();
            manifest.rows[0].name = name.into();
            assert_eq!(Manifest::parse(&manifest.to_text()), None, "{name}");
        }
        for (name, is_read) in [
            ("sitemap-recent-00000-1-99aa06d3014798d8.xml", true),
            ("../sitemap-recent-00000-1-99aa06d3014798d8.xml", false),
            ("a/sitemap-recent-00000-1-99aa06d3014798d8.xml", false),
            ("sitemap-recent-00000-1-99aa06d3014798d8.xml?a", false),
            ("sitemap-recent-1.xml", false),
        ] {
            let mut manifest = manifest();
            manifest.rows[0].kind = Kind::Recent;
            manifest.rows[0].name = name.into();
            assert_eq!(Manifest::parse(&manifest.to_text()).is_some(), is_read, "{name}");
        }
        let mut manifest = manifest();
        manifest.rows[0].section = Some("../a".into());
        assert_eq!(Manifest::parse(&manifest.to_text()), None);
        manifest.rows[0].section = Some("a".into());
        manifest.rows[0].staged = Some("notes.txt".to_owned());
        assert_eq!(Manifest::parse(&manifest.to_text()), None);
    }
}
