//! `sitemap stats`: prints tables and bars of a sitemap's files, sections, values and months.

use std::collections::BTreeMap;
use std::slice;

use indexmap::IndexMap;
use sitemap_core::Entry;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::value::Precision;
use sitemap_read::{DocumentKind, SitemapReader, section_of};

use crate::advice::{self, Advice, Unlisted};
use crate::args::StatsArgs;
use crate::buckets;
use crate::error::Outcome;
use crate::number::{counted, grouped};
use crate::output::Output;
use crate::source::{Document, Parts, Source, crawl_parts};
use crate::terminal::{Ink, Paint, Progress, columns};

/// The number of months to show separately. Older months are added up.
const MAX_MONTHS: usize = 24;
/// The number of files to show separately.
const MAX_FILES: usize = 30;

pub(crate) fn run(args: &StatsArgs, paint: Paint) -> Outcome<()> {
    let fetched = buckets::fetched(&args.target)?;
    let target = match &fetched {
        Some(fetched) => fetched.folder()?,
        None => args.target.clone(),
    };
    let source = Source::new(&args.read, [target.as_str()])?;
    let mut stats = Stats::default();
    let mut progress = Progress::with_output("reading files");
    let crawled = crawl_parts(
        &source,
        slice::from_ref(&target),
        args.threads.count(),
        &mut progress,
        &|_| Counts::default(),
        &mut |file| {
            stats.add(file);
            Ok(())
        },
    )?
    .crawled;
    drop(progress);
    let mut output = Output::new();
    let mut show = Show { output: &mut output, paint, width: columns() };
    show.files(&stats)?;
    show.sections(&stats)?;
    show.values(&stats)?;
    show.months(&stats)?;
    let published = match fetched {
        Some(fetched) => Some(fetched.shards),
        None => advice::published(&target),
    };
    show.advice(published, &stats)?;
    output.flush()?;
    crawled.report(&args.target)
}

#[derive(Debug, Default)]
struct Stats {
    files: Vec<FileRow>,
    sections: IndexMap<String, Section>,
    counts: Counts,
}

/// The counts for one file, or for all files together.
#[derive(Debug, Default)]
struct Counts {
    pages: u64,
    months: BTreeMap<String, u64>,
    /// The number of pages with each of [`VALUES`].
    values: [u64; VALUES.len()],
}

/// The statistics of a file.
struct File {
    row: FileRow,
    /// The section of the file, unless it is an index.
    section: Option<String>,
    counts: Counts,
}

#[derive(Debug)]
struct FileRow {
    name: String,
    kind: &'static str,
    entries: u64,
    bytes: u64,
    stored: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Section {
    pages: u64,
    files: u64,
    stored: u64,
}

/// The values and extensions to count, in the order of the output.
const VALUES: [&str; 9] = [
    "lastmod",
    "changefreq",
    "priority",
    "alternates",
    "images",
    "videos",
    "news",
    "elements",
    "none of these",
];

impl Parts for Counts {
    type Part = File;

    fn page(&mut self, entry: &Entry<'_>) -> Outcome<()> {
        self.pages += 1;
        let has = [
            entry.lastmod().is_some(),
            entry.changefreq().is_some(),
            entry.priority().is_some(),
            !entry.alternates().is_empty(),
            !entry.images().is_empty(),
            !entry.videos().is_empty(),
            entry.news().is_some(),
            !entry.elements().is_empty(),
        ];
        let none = !has.contains(&true);
        for (count, has) in self.values.iter_mut().zip(has.into_iter().chain([none])) {
            *count += u64::from(has);
        }
        let text = entry.lastmod().map(|lastmod| (lastmod.to_string(), lastmod.precision()));
        let month = match &text {
            Some((text, Precision::Year)) => text.get(..4).unwrap_or(text),
            Some((text, _)) => text.get(..7).unwrap_or(text),
            None => "no date",
        };
        match self.months.get_mut(month) {
            Some(count) => *count += 1,
            None => drop(self.months.insert(month.to_owned(), 1)),
        }
        Ok(())
    }

    fn end(&mut self, document: &Document, reader: &mut SitemapReader<'_>) -> Outcome<File> {
        let kind = reader.document().map_or("unreadable", |document| document.kind.as_str());
        let stored = std::fs::metadata(&document.file).map_or(0, |metadata| metadata.len());
        let name = document.file_name();
        let (entries, bytes) = (reader.entries(), reader.position().offset);
        Ok(File {
            row: FileRow { name: name.to_owned(), kind, entries, bytes, stored },
            section: (kind != DocumentKind::Index.as_str()).then(|| section_of(name).to_owned()),
            counts: std::mem::take(self),
        })
    }

    fn size(file: &File) -> usize {
        size_of::<File>() + file.row.name.len() + file.counts.months.len() * 64
    }
}

impl Stats {
    /// Adds the next file.
    fn add(&mut self, File { row, section, counts }: File) {
        if let Some(section) = section {
            let section = self.sections.entry(section).or_default();
            section.pages += counts.pages;
            section.files += 1;
            section.stored += row.stored;
        }
        self.files.push(row);
        self.counts.pages += counts.pages;
        for (sum, count) in self.counts.values.iter_mut().zip(counts.values) {
            *sum += count;
        }
        for (month, count) in counts.months {
            *self.counts.months.entry(month).or_default() += count;
        }
    }
}

struct Show<'o> {
    output: &'o mut Output,
    paint: Paint,
    width: usize,
}

impl Show<'_> {
    fn title(&mut self, text: &str) -> Outcome<()> {
        let title = self.paint.ink(Ink::Strong, text);
        self.output.line(&title)
    }

    fn files(&mut self, stats: &Stats) -> Outcome<()> {
        let shown: Vec<_> = stats.files.iter().take(MAX_FILES).collect();
        let width =
            shown.iter().map(|file| file.name.chars().count()).max().unwrap_or(0).max("Files".len() - 2);
        self.title(&format!(
            "Files{:pad$}  {:<12} {:>9} {:>13} {:>13}",
            "",
            "kind",
            "entries",
            "bytes",
            "stored",
            pad = width - 3
        ))?;
        for file in shown {
            self.output.line(&format!(
                "  {:<width$}  {:<12} {:>9} {:>13} {:>13}",
                file.name,
                file.kind,
                grouped(file.entries),
                grouped(file.bytes),
                grouped(file.stored)
            ))?;
        }
        if let Some(more) = stats.files.len().checked_sub(MAX_FILES).filter(|more| *more > 0) {
            self.output.line(&format!("  and {more} more"))?;
        }
        let sum = |value: fn(&FileRow) -> u64| grouped(stats.files.iter().map(value).sum());
        self.output.line(&format!(
            "  {}, {}, {} bytes, {} stored\n",
            counted(stats.files.len() as u64, "file"),
            counted(stats.counts.pages, "page"),
            sum(|file| file.bytes),
            sum(|file| file.stored)
        ))
    }

    fn sections(&mut self, stats: &Stats) -> Outcome<()> {
        self.title("Sections")?;
        let rows: Vec<_> =
            stats.sections.iter().map(|(name, section)| (name.as_str(), section.pages)).collect();
        self.bars(&rows)
    }

    fn values(&mut self, stats: &Stats) -> Outcome<()> {
        if stats.counts.pages == 0 {
            return Ok(());
        }
        self.title("Pages with")?;
        for (name, count) in VALUES.into_iter().zip(stats.counts.values) {
            if count > 0 {
                let percent = percent(count, stats.counts.pages);
                self.output.line(&format!("  {name:<14} {:>12}  {percent:>5.1} %", grouped(count)))?;
            }
        }
        self.output.line("")
    }

    fn months(&mut self, stats: &Stats) -> Outcome<()> {
        self.title("Last changed")?;
        let (undated, dated): (Vec<_>, Vec<_>) = stats
            .counts
            .months
            .iter()
            .map(|(month, count)| (month.as_str(), *count))
            .partition(|row| row.0 == "no date");
        let old = dated.len().saturating_sub(MAX_MONTHS);
        let before: u64 = dated.iter().take(old).map(|row| row.1).sum();
        let mut rows = Vec::new();
        if before > 0 {
            rows.push(("before", before));
        }
        rows.extend(dated.into_iter().skip(old));
        rows.extend(undated);
        self.bars(&rows)
    }

    /// Prints a number of hash buckets that would keep updates cheap.
    fn advice(&mut self, published: Option<PublishedShards>, stats: &Stats) -> Outcome<()> {
        if stats.counts.pages == 0 {
            return Ok(());
        }
        self.title("Hash buckets that make updates cheap")?;
        let unlisted = stats.sections.iter().map(|(name, section)| Unlisted {
            section: name,
            pages: section.pages,
            stored: section.stored,
        });
        let advice = advice::of(published, unlisted);
        let label = advice.iter().map(|one| one.section.chars().count()).max().unwrap_or(0).max(8);
        for Advice { section, buckets, reason } in advice {
            self.output.line(&format!("  {section:<label$} {:>12} {reason}", grouped(buckets.into())))?;
        }
        self.output.line("")
    }

    /// Prints rows with bars, scaled so that the largest count gets the longest bar.
    fn bars(&mut self, rows: &[(&str, u64)]) -> Outcome<()> {
        let label = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(8);
        let width = self.width.saturating_sub(label + 18).clamp(10, 60);
        let largest = rows.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
        for (name, count) in rows {
            let bar = self.paint.ink(Ink::Frame, &bar(*count, largest, width));
            self.output.line(format!("  {name:<label$} {:>12} {bar}", grouped(*count)).trim_end())?;
        }
        self.output.line("")
    }
}

/// Returns a bar, rounded down to an eighth of a character. A count above zero gets at least one eighth.
fn bar(count: u64, largest: u64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = u128::from(count) * width as u128 * 8 / u128::from(largest);
    let eighths = usize::try_from(eighths).unwrap_or(width * 8).max(usize::from(count > 0));
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[allow(clippy::cast_precision_loss)] // The output has one decimal.
fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(0, 100, 10), "");
        assert_eq!(bar(1, 1_000_000, 10), "▏");
        assert_eq!(bar(50, 100, 10), "█████");
        assert_eq!(bar(51, 100, 10), "█████");
        assert_eq!(bar(55, 100, 10), "█████▌");
        assert_eq!(bar(u64::MAX, u64::MAX, 2), "██");
    }
}
