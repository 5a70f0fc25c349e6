//! The manifest, a file that describes each file of the published set, so that the next run does not need to read these
//! files.
//!
//! The journal has the same format. It describes the next set, and gives the temporary names of its new files.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use super::changes::ChangeCounts;
use super::digest::Digest;
use super::history::{History, Peak};
use super::json::{Object, ObjectWriter};
use super::names;
use super::positions::Positions;
use super::recent::RecentCounts;
use super::row::{Kind, Row};
use crate::publish::error::PublishError;
use crate::storage::Storage;

/// The version of the manifest's text format. A manifest of another version is ignored.
const VERSION: u64 = 1;

/// The approximate length of a row in bytes.
const ROW: usize = 320;

/// The files of a set, and the files of earlier sets that are still in the storage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The base URL of the set's site. `None` if it would need a JSON escape sequence.
    pub(crate) base: Option<String>,
    /// In a journal on a storage without locks, the state that the set replaces, as
    /// [`Replaced`](super::replaced::Replaced) writes it.
    pub(crate) replaces: Option<String>,
    /// A text that only the run of this journal has, so that no two runs write the same journal, even if their sets are
    /// the same. `None` in the manifest of a published set.
    pub(crate) run: Option<String>,
    /// On a storage without locks, the names of the last runs that have changed the set, newest last. Another run may
    /// complete the commit of a run, and a third one replace its set, before the run knows that it has succeeded.
    pub(crate) runs: Vec<String>,
    /// The recent section, the files with pages in order, then the indexes in order, then the feed.
    pub(crate) rows: Vec<Row>,
    /// The files of earlier sets that stay, because a crawler may still request them.
    pub(crate) kept: Vec<Kept>,
    /// The names of other files that the commit removes, or that an earlier commit could not remove.
    pub(crate) unlisted: Vec<String>,
    /// The highest numbers of pages that the set had in the last weeks. The first line has those of the whole set, and
    /// the first row of each section those of the section. Versions that do not know these members ignore them.
    pub(crate) history: History,
    /// The numbers of pages that the last updates have changed. Versions that do not know this member ignore it.
    pub(crate) changes: ChangeCounts,
    /// Up to where the sections contain the changes of other systems. Versions that do not know this member drop it.
    pub(crate) positions: Positions,
    /// The numbers of the recent section, if the set has one. Versions that do not know this member drop it.
    pub(crate) recent: RecentCounts,
}

/// A file that the set no longer lists and that stays for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) name: Arc<str>,
    /// The time when a run published the first set without the file, in seconds since 1970. `None` in manifests that
    /// older versions wrote.
    pub(crate) since: Option<u64>,
    /// The number of times that the set has changed since it listed the file.
    pub(crate) changes: u64,
    /// The number of stored bytes. `None` in manifests that older versions wrote.
    pub(crate) stored: Option<u64>,
}

/// The result of reading a manifest.
#[derive(Debug)]
pub(super) enum Found {
    Missing,
    /// A file that is damaged, or that a newer version of this crate has written.
    Unreadable,
    Intact(Arc<KnownManifest>),
}

/// A manifest and the digest of its text. A run that reads the same text again does not parse it again.
#[derive(Debug, Default)]
pub(crate) struct KnownManifest {
    /// `None` without a text.
    digest: Option<Digest>,
    pub(crate) manifest: Manifest,
}

impl Manifest {
    /// Reads the manifest in the file `name`. If its text is that of the known manifest, returns the known one.
    pub(super) fn read(
        storage: &dyn Storage,
        name: &str,
        known: Option<&Arc<KnownManifest>>,
    ) -> Result<Found, PublishError> {
        let text = match read_text(storage, name) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Missing),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(Found::Unreadable),
            // The manifest could not be read, but it may be intact. If the run ignored the manifest, old files would
            // never be removed, so the run stops.
            Err(error) => return Err(PublishError::io("read", &storage.locate(name), error)),
        };
        let digest = Some(Digest::of(text.as_bytes()));
        if let Some(known) = known.filter(|known| known.digest == digest) {
            return Ok(Found::Intact(Arc::clone(known)));
        }
        let manifest = Self::parse(&text);
        Ok(manifest
            .map_or(Found::Unreadable, |manifest| Found::Intact(KnownManifest { digest, manifest }.into())))
    }

    /// Returns the row of the recent section, if the set has one.
    pub(crate) fn recent_row(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.kind == Kind::Recent)
    }

    /// Adds a run to the last runs.
    pub(super) fn add_run(&mut self, run: String) {
        /// As many runs can replace a set while another run waits for an answer of its storage.
        const RUNS: usize = 16;

        self.runs.push(run);
        let old = self.runs.len().saturating_sub(RUNS);
        self.runs.drain(..old);
    }

    /// Returns the names of all files of this set, and of the files of earlier sets that are still in the storage.
    #[cfg(feature = "shards")]
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let kept = self.kept.iter().map(|kept| &*kept.name);
        self.rows.iter().map(|row| &*row.name).chain(kept).chain(self.unlisted.iter().map(String::as_str))
    }

    pub(crate) fn to_text(&self) -> String {
        let files = self.rows.len() + self.kept.len() + self.unlisted.len();
        let mut text = Vec::with_capacity((files + 2) * ROW);
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
        if !self.runs.is_empty() {
            head = head.text("runs", self.runs.join(" "));
        }
        if let Some(since) = self.history.since {
            head = self.history.set.push_to(head.number("since", since));
        }
        if !self.changes.is_empty() {
            head = head.text("changes", self.changes.to_string());
        }
        if !self.positions.is_empty() {
            head = head.text("positions", self.positions.to_string());
        }
        if self.recent != RecentCounts::default() {
            head = head.text("recent", self.recent.to_string());
        }
        head.end();
        let mut peaks: BTreeMap<&str, Peak> =
            self.history.sections.iter().map(|(section, peak)| (section.as_str(), *peak)).collect();
        for row in &self.rows {
            let peak = row.counted_section().and_then(|section| peaks.remove(section));
            row.push_to(&mut text, peak);
        }
        for kept in &self.kept {
            kept.push_to(&mut text);
        }
        for name in &self.unlisted {
            ObjectWriter::new(&mut text).text("unlisted", name).end();
        }
        let digest = Digest::of(&text);
        ObjectWriter::new(&mut text).text("end", digest.digits()).end();
        // Only texts were written.
        String::from_utf8(text).unwrap_or_default()
    }

    /// Parses the text that [`to_text`](Self::to_text) returns. Returns `None` for any other text, even if only
    /// one bit differs.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let end = text.strip_suffix('\n')?.rfind('\n')? + 1;
        let (text, last) = text.split_at(end);
        let digest = Digest::parse(Object::parse(last.trim_end_matches('\n'))?.text("end")?)?;
        let mut lines = text.lines();
        let head = Object::parse(lines.next()?)?;
        if digest != Digest::of(text.as_bytes()) || head.number("sitemap-manifest") != Some(VERSION) {
            return None;
        }
        let member = |key| head.text(key).map(str::to_owned);
        let history = History { since: head.number("since"), set: parse_peak(&head), ..History::default() };
        let mut manifest = Self {
            base: member("base"),
            run: member("run"),
            replaces: member("replaces"),
            runs: head
                .text("runs")
                .map(|runs| runs.split(' ').map(str::to_owned).collect())
                .unwrap_or_default(),
            history,
            changes: ChangeCounts::parse(head.text("changes").unwrap_or_default()),
            positions: Positions::parse(head.text("positions").unwrap_or_default()),
            recent: RecentCounts::parse(head.text("recent").unwrap_or_default()),
            rows: Vec::with_capacity(text.len() / ROW),
            ..Self::default()
        };
        for line in lines {
            if line.starts_with("{\"kept\":") {
                manifest.kept.push(Kept::parse(&Object::parse(line)?)?);
            } else if line.starts_with("{\"unlisted\":") {
                manifest.unlisted.push(safe(Object::parse(line)?.text("unlisted")?)?.to_owned());
            } else {
                let (row, peak) = Row::parse(line, manifest.rows.last())?;
                if let Some(section) = row.counted_section().filter(|_| peak != Peak::default()) {
                    manifest.history.sections.insert(section.to_owned(), peak);
                }
                manifest.rows.push(row);
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
        let mut line = ObjectWriter::new(text).text("kept", self.name.as_bytes());
        if let Some(since) = self.since {
            line = line.number("since", since);
        }
        line = line.number("changes", self.changes);
        if let Some(stored) = self.stored {
            line = line.number("stored", stored);
        }
        line.end();
    }

    fn parse(line: &Object<'_>) -> Option<Self> {
        // Older versions kept the previous set only, and wrote only the names of its files.
        let changes = line.number("changes").unwrap_or(1);
        Some(Self {
            name: safe(line.text("kept")?)?.into(),
            since: line.number("since"),
            changes,
            stored: line.number("stored"),
        })
    }
}

/// Reads a manifest or a journal. A larger file than any set needs is an error, so that a run does not read gigabytes
/// that someone has put in its place.
pub(super) fn read_text(storage: &dyn Storage, name: &str) -> io::Result<String> {
    /// The greatest length in bytes. A manifest has about 300 bytes for each file of the set.
    const LONGEST: u64 = 1 << 28;

    let mut text = String::new();
    let len = storage.open(name)?.take(LONGEST + 1).read_to_string(&mut text)? as u64;
    if len > LONGEST {
        let message = format!("it is larger than {LONGEST} bytes, so it is not of this program; remove it");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}

/// Returns the name if a set can have a file of that name, otherwise `None`. So a forged manifest cannot make a run
/// replace or remove other files.
fn safe(name: &str) -> Option<&str> {
    names::is_set_file(name).then_some(name)
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
            changed: UNIX_EPOCH + Duration::from_secs(7),
            metadata: Metadata::new(99, UNIX_EPOCH + Duration::new(8, 5)),
            staged: Some(".sitemap-a-1.xml.gz.1-2.tmp".to_owned()),
        };
        let index = Row {
            name: "sitemap.xml".into(),
            section: None,
            kind: Kind::Index,
            newest: None,
            staged: None,
            ..row.clone()
        };
        let kept = Kept {
            name: "sitemap-a-2.xml".into(),
            since: Some(1_700_000_000),
            changes: 2,
            stored: Some(812),
        };
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
            positions: Positions::default(),
            recent: RecentCounts::default(),
        }
    }

    #[test]
    fn is_one_line_a_file() {
        let text = manifest().to_text();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines[..5],
            [
                r#"{"sitemap-manifest":1,"base":"https://example.com/"}"#,
                r#"{"file":"sitemap-a-1.xml.gz","section":"a","urls":3,"bytes":400,"stored":99,"digest":"a96faf705af16834e6c632b61e964e1f","newest":"2024-05-01","changed":7,"modified":8,"nanos":5,"staged":".sitemap-a-1.xml.gz.1-2.tmp"}"#,
                r#"{"file":"sitemap.xml","sitemaps":3,"bytes":400,"stored":99,"digest":"a96faf705af16834e6c632b61e964e1f","changed":7,"modified":8,"nanos":5}"#,
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
        // A file system may give both files the same length and time.
        let mut other = manifest();
        other.rows[0].entries = 4;
        assert_eq!(other.to_text().len(), manifest().to_text().len());
        assert_eq!(read(&other, Some(&known)).manifest, other);
        // Without a text, nothing is known.
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

    #[cfg(feature = "shards")]
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
        assert_eq!((recent.section(), recent.counted_section()), (None, None));
        manifest.rows.insert(0, recent);
        manifest.recent = RecentCounts::new(1, 20, 300);
        let text = manifest.to_text();
        let lines: Vec<_> = text.lines().take(2).collect();
        assert!(lines[0].ends_with(r#","recent":"1 20 300"}"#), "{}", lines[0]);
        assert!(lines[1].contains(r#".xml","repeats":3,"bytes":"#), "{}", lines[1]);
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
            Some(r#"{"sitemap-manifest":1,"base":"https://example.com/","run":"17-3"}"#)
        );
        assert_eq!(Manifest::parse(&text), Some(journal));
    }

    #[test]
    fn the_first_row_of_a_section_has_its_history() {
        let peak = |now, before| Peak { now, before };
        let sections = [("a".to_owned(), peak(30, 40)), ("b".to_owned(), peak(5, 0))].into();
        let history = History { since: Some(1_700_000_000), set: peak(35, 45), sections };
        let mut manifest = Manifest { history, ..manifest() };
        let other = |name: &str, section: &str| Row {
            name: name.into(),
            section: Some(section.into()),
            ..manifest.rows[0].clone()
        };
        let rows = [other("sitemap-a-2.xml.gz", "a"), other("sitemap-b-1.xml.gz", "b")];
        manifest.rows.splice(1..1, rows);
        let text = manifest.to_text();
        let ends: Vec<_> = text.lines().take(5).map(|line| &line[line.len() - 20..]).collect();
        assert_eq!(
            text.lines().next(),
            Some(
                r#"{"sitemap-manifest":1,"base":"https://example.com/","since":1700000000,"highest":35,"highest-before":45}"#
            )
        );
        let expected = [
            r#""highest-before":45}"#,
            r#""highest-before":40}"#,
            r#"1.xml.gz.1-2.tmp"}"#,
            r#""highest-before":0}"#,
            r#""nanos":5}"#,
        ];
        for (end, expected) in ends.iter().zip(expected) {
            assert!(end.ends_with(expected), "{end}");
        }
        assert_eq!(Manifest::parse(&text), Some(manifest));
    }

    #[test]
    fn kept_files_of_older_manifests_belong_to_the_previous_set() {
        let text = "{\"sitemap-manifest\":1}\n{\"kept\":\"sitemap-a-2.xml\"}\n";
        let text = format!("{text}{{\"end\":\"{}\"}}\n", Digest::of(text.as_bytes()));
        let kept = Kept { name: "sitemap-a-2.xml".into(), since: None, changes: 1, stored: None };
        assert_eq!(Manifest::parse(&text).map(|manifest| manifest.kept), Some(vec![kept]));
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
        let mut manifest = manifest();
        manifest.rows[0].section = Some("../a".into());
        assert_eq!(Manifest::parse(&manifest.to_text()), None);
        manifest.rows[0].section = None;
        assert!(Manifest::parse(&manifest.to_text()).is_some());
        manifest.rows[0].staged = Some("notes.txt".to_owned());
        assert_eq!(Manifest::parse(&manifest.to_text()), None);
    }
}
