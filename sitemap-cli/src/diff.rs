//! `sitemap diff`: the pages that were added, removed and changed.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::slice;

use indexmap::IndexMap;
use serde::Serialize;
use sitemap_core::{ChangeFreq, Entry, LastMod, Priority};

use crate::args::{DiffArgs, DiffFormat};
use crate::buckets::{self, Pair};
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::source::{Crawled, Document, Source, Visitor, crawl};
use crate::terminal::{Ink, Paint, say};

/// Compares two sets. Returns `true` if they differ.
pub(crate) fn run(args: &DiffArgs, paint: Paint) -> Outcome<bool> {
    if args.old == "-" && args.new == "-" {
        return Err(Stop::new("both sets are standard input; give a path or URL for one of them"));
    }
    let source = Source::new(&args.read, [args.old.as_str(), &args.new])?;
    let (old, counts) = (IndexMap::new(), Counts::default());
    let mut differ = Differ { old, output: Output::new(), format: args.format, paint, counts };
    let (old, new) = match buckets::differing(&args.old, &args.new)? {
        Some(pair) => differ.buckets(&source, &pair)?,
        None => differ.compare(&source, slice::from_ref(&args.old), slice::from_ref(&args.new))?,
    };
    differ.output.flush()?;
    old.report(&args.old)?;
    new.report(&args.new)?;
    let Counts { added, removed, changed, same } = differ.counts;
    say(&format!("{added} added, {removed} removed, {changed} changed, {same} unchanged"));
    Ok(added + removed + changed > 0)
}

/// The values of a page, and digests of its extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Values {
    lastmod: Option<LastMod>,
    changefreq: Option<ChangeFreq>,
    priority: Option<Priority>,
    /// The digests of the extensions, in the order of [`EXTENSIONS`], or `None` for a page without extensions.
    extensions: Option<Box<[u64; 5]>>,
    seen: bool,
}

const EXTENSIONS: [&str; 5] = ["alternates", "images", "videos", "news", "elements"];

impl Values {
    fn of(entry: &Entry<'_>) -> Self {
        let has_extensions =
            entry.extensions() != sitemap_core::Extensions::NONE || !entry.elements().is_empty();
        Self {
            lastmod: entry.lastmod(),
            changefreq: entry.changefreq(),
            priority: entry.priority(),
            extensions: has_extensions.then(|| {
                let digests = [
                    digest(entry.alternates().is_empty(), entry.alternates()),
                    digest(entry.images().is_empty(), entry.images()),
                    digest(entry.videos().is_empty(), entry.videos()),
                    digest(entry.news().is_none(), entry.news()),
                    digest(entry.elements().is_empty(), entry.elements()),
                ];
                Box::new(digests)
            }),
            seen: false,
        }
    }

    fn extension(&self, which: usize) -> u64 {
        self.extensions.as_ref().map_or(0, |digests| digests[which])
    }
}

/// Returns the digest of an extension, or 0 if the page does not have it.
fn digest(is_empty: bool, value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    if is_empty { 0 } else { hasher.finish().max(1) }
}

/// Reads some targets. Ends with an error if a file is unreadable, because its pages would count as added or removed.
fn crawl_all(source: &Source, targets: &[String], visitor: &mut dyn Visitor) -> Outcome<Crawled> {
    let mut crawled = Crawled::default();
    for target in targets {
        let of_target = crawl(source, target, visitor)?;
        if of_target.failed > 0 {
            of_target.report(target)?;
        }
        crawled.add(of_target);
    }
    Ok(crawled)
}

struct Old(IndexMap<Box<str>, Values>);

impl Visitor for Old {
    fn page(&mut self, _: &Document, entry: &Entry<'_>) -> Outcome<()> {
        self.0.entry(entry.loc().as_str().into()).or_insert_with(|| Values::of(entry));
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    added: u64,
    removed: u64,
    changed: u64,
    same: u64,
}

struct Differ {
    old: IndexMap<Box<str>, Values>,
    output: Output,
    format: DiffFormat,
    paint: Paint,
    counts: Counts,
}

/// A line of the NDJSON output.
#[derive(Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
enum Line<'a> {
    Added { page: &'a Entry<'a> },
    Removed { loc: &'a str },
    Changed { loc: &'a str, values: IndexMap<&'a str, Change>, page: &'a Entry<'a> },
}

/// The old and the new value. For extensions, which are compared by digest, both are `None`.
#[derive(Serialize)]
struct Change {
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<String>,
}

impl Change {
    fn of<T: ToString>(old: Option<T>, new: Option<T>) -> Self {
        let text = |value: T| value.to_string();
        Self { old: old.map(text), new: new.map(text) }
    }
}

impl Visitor for Differ {
    fn page(&mut self, _: &Document, entry: &Entry<'_>) -> Outcome<()> {
        let new = Values::of(entry);
        match self.old.get_mut(entry.loc().as_str()) {
            // A page that is listed twice counts once.
            Some(old) if old.seen => Ok(()),
            Some(old) => {
                old.seen = true;
                let changes = changes(old, &new);
                if changes.is_empty() {
                    self.counts.same += 1;
                    Ok(())
                } else {
                    self.counts.changed += 1;
                    self.changed(entry, changes)
                }
            }
            None => {
                self.counts.added += 1;
                self.old.insert(entry.loc().as_str().into(), Values { seen: true, ..new });
                self.added(entry)
            }
        }
    }
}

fn changes(old: &Values, new: &Values) -> IndexMap<&'static str, Change> {
    let mut changes = IndexMap::new();
    if old.lastmod != new.lastmod {
        changes.insert("lastmod", Change::of(old.lastmod, new.lastmod));
    }
    if old.changefreq != new.changefreq {
        changes.insert("changefreq", Change::of(old.changefreq, new.changefreq));
    }
    if old.priority != new.priority {
        changes.insert("priority", Change::of(old.priority, new.priority));
    }
    for (which, name) in EXTENSIONS.into_iter().enumerate() {
        if old.extension(which) != new.extension(which) {
            changes.insert(name, Change { old: None, new: None });
        }
    }
    changes
}

impl Differ {
    /// Compares one hash bucket after another, so that memory does not grow with the sets.
    fn buckets(&mut self, source: &Source, pair: &Pair) -> Outcome<(Crawled, Crawled)> {
        let (mut old, mut new) = (Crawled::default(), Crawled::default());
        self.counts.same = pair.unchanged;
        for bucket in &pair.differing {
            let (of_old, of_new) = self.compare(source, &bucket.old, &bucket.new)?;
            old.add(of_old);
            new.add(of_new);
        }
        Ok((old, new))
    }

    /// Compares the pages of some targets with those of others.
    fn compare(&mut self, source: &Source, old: &[String], new: &[String]) -> Outcome<(Crawled, Crawled)> {
        let mut before = Old(IndexMap::new());
        let of_old = crawl_all(source, old, &mut before)?;
        self.old = before.0;
        let of_new = crawl_all(source, new, self)?;
        self.removed()?;
        Ok((of_old, of_new))
    }

    fn added(&mut self, entry: &Entry<'_>) -> Outcome<()> {
        match self.format {
            DiffFormat::Text => self.output.line(&self.paint.ink(Ink::Added, &format!("+ {}", entry.loc()))),
            DiffFormat::Ndjson => self.output.json_line(&Line::Added { page: entry }),
        }
    }

    fn changed(&mut self, entry: &Entry<'_>, values: IndexMap<&'static str, Change>) -> Outcome<()> {
        if self.format == DiffFormat::Ndjson {
            let loc = entry.loc().as_str();
            return self.output.json_line(&Line::Changed { loc, values, page: entry });
        }
        self.output.line(&self.paint.ink(Ink::Warning, &format!("~ {}", entry.loc())))?;
        for (name, change) in values {
            let side = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
            let change = if EXTENSIONS.contains(&name) {
                "changed".to_owned()
            } else {
                format!("{} -> {}", side(change.old), side(change.new))
            };
            self.output.line(&format!("    {name}: {change}"))?;
        }
        Ok(())
    }

    /// Prints the pages that the new set does not have, in the order of the old set.
    fn removed(&mut self) -> Outcome<()> {
        for (loc, _) in self.old.iter().filter(|(_, values)| !values.seen) {
            self.counts.removed += 1;
            match self.format {
                DiffFormat::Text => self.output.line(&self.paint.ink(Ink::Error, &format!("- {loc}")))?,
                DiffFormat::Ndjson => self.output.json_line(&Line::Removed { loc })?,
            }
        }
        Ok(())
    }
}
