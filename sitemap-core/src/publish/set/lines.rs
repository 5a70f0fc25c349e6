//! The lines of the manifest that describe files. Data that consecutive files share is written once, in a line before
//! them. This keeps the line of each file short: a set may have 50,000 files, and each update writes the lines of all
//! of them.
//!
//! For files that the published set already has, a journal contains only their number.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::digest::Digest;
use super::json::{self, ArrayWriter, Object, ObjectWriter, Value};
use super::names;
use super::row::{Kind, Row};
use crate::html_page::HtmlPage;
use crate::storage::Metadata;
use crate::value::LastMod;

/// The data that the files after a line share. The name of such a file consists of `start`, a part of its own, `-` and
/// the first `digits` digits of its digest (if `digits` isn't 0), and `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group<'t> {
    kind: Kind,
    start: &'t str,
    digits: usize,
    end: &'t str,
    section: Option<&'t str>,
    buckets: Option<u32>,
    by_url: bool,
}

impl Kind {
    /// Returns the key of the first member of a group's line.
    fn key(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Index => "index",
            Self::Recent => "recent",
            Self::Feed => "feed",
            Self::HtmlPage => "html",
        }
    }
}

impl<'t> Group<'t> {
    /// Returns the group of a file, and the part of the name that is unique to this file.
    fn of(row: &'t Row) -> (Self, &'t str) {
        let name = &*row.name;
        let rest = row
            .section
            .as_deref()
            .and_then(|section| name.strip_prefix("sitemap-")?.strip_prefix(section)?.strip_prefix('-'));
        let rest = rest.unwrap_or(name);
        let (own, end) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
        let digest = row.digest.digits();
        let of_digits = [names::SHARD_DIGITS, 8].into_iter().find_map(|digits| {
            let own = own.as_bytes().strip_suffix(&digest[..digits])?.strip_suffix(b"-")?;
            Some((digits, own.len()))
        });
        let (digits, len) = of_digits.unwrap_or((0, own.len()));
        let group = Self {
            kind: row.kind,
            start: &name[..name.len() - rest.len()],
            digits,
            end,
            section: row.section.as_deref(),
            buckets: row.buckets,
            by_url: row.by_url,
        };
        (group, &own[..len])
    }

    fn push_to(self, text: &mut Vec<u8>) {
        let mut line = ObjectWriter::new(text).text(self.kind.key(), self.start);
        if self.digits > 0 {
            line = line.number("digits", self.digits as u64);
        }
        line = line.text("end", self.end);
        if let Some(section) = self.section {
            line = line.text("section", section);
        }
        if let Some(buckets) = self.buckets {
            line = line.number("buckets", buckets.into());
        }
        if self.by_url {
            line = line.text("by", "url");
        }
        line.end();
    }

    fn parse(line: &Object<'t>) -> Option<Self> {
        let kinds = [Kind::Pages, Kind::Index, Kind::Recent, Kind::Feed, Kind::HtmlPage];
        let (kind, start) = kinds.into_iter().find_map(|kind| Some((kind, line.text(kind.key())?)))?;
        let section = line.text("section");
        if section.is_some_and(|section| !names::is_section(section))
            || (kind == Kind::Pages && section.is_none())
        {
            return None;
        }
        let buckets = line.number("buckets").map(u32::try_from).transpose().ok()?;
        let digits = usize::try_from(line.number("digits").unwrap_or_default()).ok()?;
        let by_url = line.text("by") == Some("url");
        Some(Self { kind, start, digits, end: line.text("end")?, section, buckets, by_url })
    }
}

/// Writes the lines of files.
#[derive(Debug, Default)]
pub(super) struct RowWriter<'t> {
    group: Option<Group<'t>>,
}

impl<'t> RowWriter<'t> {
    /// Writes all rows.
    pub(super) fn push_all(text: &mut Vec<u8>, rows: &'t [Row]) {
        let mut writer = Self::default();
        for row in rows {
            writer.push(text, row);
        }
    }

    /// Writes rows. Rows that are next to each other in `published` too are replaced by their number.
    pub(super) fn push_changes(text: &mut Vec<u8>, rows: &'t [Row], published: &[Row]) {
        let mut writer = Self::default();
        let mut places = None;
        let (mut kept, mut at) = (0, 0);
        for row in rows {
            let found = if published.get(at) == Some(row) {
                Some(at)
            } else {
                let places: &HashMap<&str, usize> = places.get_or_insert_with(|| {
                    published.iter().enumerate().map(|(at, row)| (&*row.name, at)).collect()
                });
                places.get(&*row.name).copied().filter(|place| *place > at && published[*place] == *row)
            };
            if found != Some(at) {
                push_count(text, "keep", std::mem::take(&mut kept));
            }
            match found {
                Some(place) => {
                    push_count(text, "drop", place - at);
                    (kept, at) = (kept + 1, place + 1);
                }
                None => writer.push(text, row),
            }
        }
        push_count(text, "keep", kept);
    }

    fn push(&mut self, text: &mut Vec<u8>, row: &'t Row) {
        let (group, own) = Group::of(row);
        if self.group != Some(group) {
            group.push_to(text);
            self.group = Some(group);
        }
        let (changed, modified) = (since_epoch(row.changed), since_epoch(row.metadata.modified));
        let mut line = ArrayWriter::new(text)
            .text(own)
            .text(row.digest.digits())
            .number(row.entries)
            .number(row.bytes)
            .number(row.metadata.len)
            .number(modified.as_secs())
            .number(modified.subsec_nanos().into());
        if let Some(newest) = row.newest {
            let mut text = [0; LastMod::MAX_LEN];
            let len = newest.encode(&mut text);
            line = line.tagged("n", &text[..len]);
        }
        if changed.as_secs() != modified.as_secs() {
            line = line.tagged("c", changed.as_secs().to_string());
        }
        if let Some(source) = row.source {
            line = line.tagged("r", source.digits());
        }
        // A tag, such as an object store's `ETag`, is omitted if it needs a JSON escape sequence. The next run then finds
        // different metadata and reads the file, which is slower but correct.
        if let Some(tag) = row.metadata.tag.as_ref().filter(|tag| json::is_plain(tag)) {
            line = line.tagged("t", tag);
        }
        if let Some(staged) = &row.staged {
            line = line.tagged("s", staged);
        }
        line.end();
    }
}

/// Writes how many of the next rows of the published set to keep or skip.
fn push_count(text: &mut Vec<u8>, key: &str, rows: usize) {
    if rows > 0 {
        ObjectWriter::new(text).number(key, rows as u64).end();
    }
}

/// Reads the lines of files.
#[derive(Debug)]
pub(super) struct RowReader<'t> {
    group: Option<Group<'t>>,
    /// The section of the group, shared by all of its rows.
    section: Option<Arc<str>>,
    /// The rows of the published set that no line has covered yet.
    published: &'t [Row],
}

impl<'t> RowReader<'t> {
    /// Starts reading. Only a journal may refer to rows of the published set.
    pub(super) fn new(published: &'t [Row]) -> Self {
        Self { group: None, section: None, published }
    }

    /// Reads a line, and adds the rows that it describes. Returns `None` if it isn't a valid line of files.
    pub(super) fn read(&mut self, line: &'t str, rows: &mut Vec<Row>) -> Option<()> {
        if line.starts_with('[') {
            rows.push(self.row(line)?);
            return Some(());
        }
        let line = Object::parse(line)?;
        if let Some(count) = line.number("keep") {
            rows.extend_from_slice(self.take(count)?);
        } else if let Some(count) = line.number("drop") {
            self.take(count)?;
        } else {
            let group = Group::parse(&line)?;
            self.section = group.section.map(Into::into);
            self.group = Some(group);
        }
        Some(())
    }

    fn take(&mut self, count: u64) -> Option<&'t [Row]> {
        let (taken, rest) = self.published.split_at_checked(usize::try_from(count).ok()?)?;
        self.published = rest;
        Some(taken)
    }

    fn row(&self, line: &str) -> Option<Row> {
        let group = self.group.as_ref()?;
        let mut found = Items::default();
        json::visit_items(line, |item| found.add(item))?;
        let ([own, digest], [entries, bytes, stored, modified, nanos]) = (found.texts, found.numbers);
        if found.at != ITEMS {
            return None;
        }
        let digits = digest.get(..group.digits).filter(|_| digest.is_ascii())?;
        let separator = if digits.is_empty() { "" } else { "-" };
        let name = [group.start, own, separator, digits, group.end].concat();
        let is_allowed = match group.kind {
            Kind::Feed => name == names::FEED,
            Kind::HtmlPage => name == HtmlPage::FILE_NAME,
            // `is_recent_file` also accepts URLs, which could point outside the set.
            Kind::Recent => names::is_set_file(&name) && names::is_recent_file(&name),
            Kind::Pages | Kind::Index => name != names::FEED && names::is_set_file(&name),
        };
        if !is_allowed || found.staged.is_some_and(|name| !names::is_temporary(name)) {
            return None;
        }
        // Only shards are written from the rows of a hash bucket, so only they have a source digest.
        let source = match found.source {
            Some(source) => Some(Digest::parse(source).filter(|_| group.buckets.is_some())?),
            None => None,
        };
        let nanos = u32::try_from(nanos).ok().filter(|nanos| *nanos < 1_000_000_000)?;
        let changed = found.changed.map(str::parse).transpose().ok()?.unwrap_or(modified);
        let modified = after_epoch(Duration::new(modified, nanos))?;
        Some(Row {
            name: name.into(),
            section: self.section.clone(),
            buckets: group.buckets,
            kind: group.kind,
            entries,
            bytes,
            digest: Digest::parse(digest)?,
            newest: found.newest.map(str::parse).transpose().ok()?,
            by_url: group.by_url,
            source,
            changed: after_epoch(Duration::from_secs(changed))?,
            metadata: Metadata::new(stored, modified).with_tag(found.tag.map(str::to_owned)),
            staged: found.staged.map(str::to_owned),
        })
    }
}

/// The number of items that every row has: two strings, then five numbers.
const ITEMS: usize = 7;

/// The items of a row.
#[derive(Debug, Default)]
struct Items<'t> {
    at: usize,
    texts: [&'t str; 2],
    numbers: [u64; 5],
    newest: Option<&'t str>,
    changed: Option<&'t str>,
    source: Option<&'t str>,
    tag: Option<&'t str>,
    staged: Option<&'t str>,
}

impl<'t> Items<'t> {
    fn add(&mut self, item: Value<'t>) -> Option<()> {
        match item {
            Value::Text(text) if self.at < 2 => *self.texts.get_mut(self.at)? = text,
            Value::Number(number) => *self.numbers.get_mut(self.at.checked_sub(2)?)? = number,
            Value::Text(text) => {
                if self.at < ITEMS {
                    return None;
                }
                let (tag, text) = text.split_at_checked(1)?;
                let place = match tag {
                    "n" => &mut self.newest,
                    "c" => &mut self.changed,
                    "r" => &mut self.source,
                    "t" => &mut self.tag,
                    "s" => &mut self.staged,
                    _ => return None,
                };
                *place = Some(text);
                return Some(());
            }
        }
        self.at += 1;
        Some(())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, number: u64) -> Row {
        Row {
            name: name.into(),
            section: Some("a".into()),
            buckets: None,
            kind: Kind::Pages,
            entries: number,
            bytes: 400,
            digest: Digest::of(&number.to_be_bytes()),
            newest: None,
            by_url: false,
            source: None,
            changed: UNIX_EPOCH + Duration::from_secs(7),
            metadata: Metadata::new(99, UNIX_EPOCH + Duration::new(7, 5)),
            staged: None,
        }
    }

    fn written(rows: &[Row]) -> String {
        let mut text = Vec::new();
        RowWriter::push_all(&mut text, rows);
        String::from_utf8(text).unwrap()
    }

    fn read(text: &str, published: &[Row]) -> Option<Vec<Row>> {
        let (mut reader, mut rows) = (RowReader::new(published), Vec::new());
        text.lines().try_for_each(|line| reader.read(line, &mut rows))?;
        Some(rows)
    }

    #[test]
    fn shards_of_a_section_have_short_lines() {
        let shard = |bucket: u32, number| {
            let digest = Digest::of(&u64::to_be_bytes(number));
            let name = format!("sitemap-a-{bucket:05}-1-{digest:.16}.xml.gz");
            Row { buckets: Some(40), by_url: true, newest: "2024-05-01".parse().ok(), ..row(&name, number) }
        };
        let rows = [shard(7, 3), shard(12, 4)];
        let text = written(&rows);
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                r#"{"pages":"sitemap-a-","digits":16,"end":".xml.gz","section":"a","buckets":40,"by":"url"}"#,
                &format!(r#"["00007-1","{}",3,400,99,7,5,"n2024-05-01"]"#, rows[0].digest),
                &format!(r#"["00012-1","{}",4,400,99,7,5,"n2024-05-01"]"#, rows[1].digest),
            ]
        );
        assert_eq!(read(&text, &[]).as_deref(), Some(&rows[..]));
    }

    #[test]
    fn the_line_of_a_shard_has_the_digest_of_its_source() {
        let digest = Digest::of(&3_u64.to_be_bytes());
        let shard = Row { buckets: Some(40), ..row(&format!("sitemap-a-00007-1-{digest:.16}.xml"), 3) };
        let source = Digest::parse("00112233445566778899aabbccddeeff");
        let with_source =
            Row { source, metadata: shard.metadata.clone().with_tag(Some("x".to_owned())), ..shard.clone() };
        let rows = [with_source, shard];
        let text = written(&rows);
        let lines: Vec<_> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                format!(r#"["00007-1","{digest}",3,400,99,7,5,"r00112233445566778899aabbccddeeff","tx"]"#),
                format!(r#"["00007-1","{digest}",3,400,99,7,5]"#),
            ]
        );
        assert_eq!(read(&text, &[]).as_deref(), Some(&rows[..]));
        for other in
            ["\"r\"", "\"r00112233445566778899aabbccddeef\"", "\"r00112233445566778899AABBCCDDEEFF\""]
        {
            let damaged = text.replace("\"r00112233445566778899aabbccddeeff\"", other);
            assert_eq!(read(&damaged, &[]), None, "{other}");
        }
        assert_eq!(read(&text.replace(",\"buckets\":40", ""), &[]), None, "only a shard has a source");
    }

    #[test]
    fn names_of_every_form_are_read_again() {
        let digest = Digest::of(&3_u64.to_be_bytes());
        for name in [
            "sitemap.xml".to_owned(),
            "sitemap-2.xml".to_owned(),
            "sitemap-a-1.xml".to_owned(),
            "sitemap-b-1.txt.gz".to_owned(),
            format!("sitemap-a-1-{digest:.8}.xml"),
            format!("sitemap-a-1-{digest}.xml"),
            format!("sitemap-a-{digest:.16}.xml"),
            format!("sitemap-{digest:.8}.xml"),
        ] {
            let rows = [row(&name, 3)];
            assert_eq!(read(&written(&rows), &[]).as_deref(), Some(&rows[..]), "{name}");
        }
    }

    #[test]
    fn a_journal_counts_the_rows_that_stay() {
        let rows = |numbers: &[u64]| -> Vec<Row> {
            numbers.iter().map(|number| row(&format!("sitemap-a-{number}.xml"), *number)).collect()
        };
        let published = rows(&[1, 2, 3, 4, 5]);
        let changes = |next: &[Row]| {
            let mut text = Vec::new();
            RowWriter::push_changes(&mut text, next, &published);
            String::from_utf8(text).unwrap()
        };
        for (next, expected) in [
            (&[1, 2, 3, 4, 5][..], "keep 5"),
            (&[1, 2, 3], "keep 3"),
            (&[4, 5], "drop 3 keep 2"),
            (&[1, 3, 5], "keep 1 drop 1 keep 1 drop 1 keep 1"),
            (&[1, 2, 9, 4, 5], "keep 2 group row drop 1 keep 2"),
            (&[9, 1, 8, 7, 2], "group row keep 1 row row keep 1"),
            (&[3, 1], "drop 2 keep 1 group row"),
            (&[], ""),
        ] {
            let next = rows(next);
            let text = changes(&next);
            let words: Vec<String> = text
                .lines()
                .map(|line| {
                    let word = if line.starts_with('[') { "row" } else { "group" };
                    let count = |key| Some(format!("{key} {}", Object::parse(line)?.number(key)?));
                    count("keep").or_else(|| count("drop")).unwrap_or_else(|| word.to_owned())
                })
                .collect();
            assert_eq!(words.join(" "), expected);
            assert_eq!(read(&text, &published), Some(next), "{text}");
        }
        // If a row differs in one member, the whole row is written.
        let mut other = rows(&[1, 2, 3, 4, 5]);
        other[1].metadata.len = 100;
        let text = changes(&other);
        assert_eq!(text.lines().filter(|line| line.starts_with('[')).count(), 1, "{text}");
        assert_eq!(read(&text, &published), Some(other));
        let mut other = rows(&[1, 2, 3, 4, 5]);
        (other[1].buckets, other[1].source) = (Some(4), Some(Digest::of(b"rows")));
        assert_eq!(read(&changes(&other), &published), Some(other));
        // These lines refer to more rows than the published set has.
        for line in ["{\"keep\":6}", "{\"drop\":1}\n{\"keep\":5}"] {
            assert_eq!(read(line, &published), None);
        }
        assert_eq!(read("{\"keep\":1}", &[]), None);
    }

    #[test]
    fn lines_of_other_forms_are_not_read() {
        let text = written(&[row("sitemap-a-1.xml", 3)]);
        let (group, line) = text.split_once('\n').unwrap();
        assert_eq!(read(line, &[]), None, "a row without a group");
        assert_eq!(read(&text.replace(",7,5]", ",7]"), &[]), None, "too few numbers");
        assert_eq!(read(&text.replace(",7,5]", ",7,5,1]"), &[]), None, "too many numbers");
        assert_eq!(read(&text.replace(",7,5]", ",7,1000000000]"), &[]), None, "too many nanoseconds");
        assert_eq!(read(&text.replace(",7,5]", ",7,5,\"x1\"]"), &[]), None, "an unknown item");
        assert_eq!(read(&text.replace(",7,5]", ",7,5,\"\"]"), &[]), None, "an item without a tag");
        assert_eq!(read(&text.replace(",400,", ",\"n2024-05-01\",400,"), &[]), None, "an item too early");
        assert_eq!(read(&text.replace("\"section\":\"a\"", "\"x\":1"), &[]), None, "no section");
        assert_eq!(read(&text.replace("{\"pages\"", "{\"feed\""), &[]), None, "no feed");
        assert_eq!(read(&text.replace("{\"pages\"", "{\"recent\""), &[]), None, "no recent section");
        assert_eq!(read(&text.replace("{\"pages\"", "{\"html\""), &[]), None, "no page for people");
        assert_eq!(
            read(&format!("{}\n{line}", group.replace("\"end\"", "\"digits\":40,\"end\"")), &[]),
            None
        );
    }
}
