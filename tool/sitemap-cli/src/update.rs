//! `sitemap apply` and `sitemap rebucket`: change a published set.

use std::sync::Arc;
use std::time::Duration;

use sitemap_core::publish::{PublishedFile, ShrinkLimit};
use sitemap_core::{SitemapSet, Summary};
use sitemap_update::{Applied, ChangedFile, OnUnknown, Rebucket, Update, UpdateError};

use crate::args::{ApplyArgs, RebucketArgs, Unknown};
use crate::build::failure::update_failed;
use crate::build::out;
use crate::build::publish::site;
use crate::changes::Changes;
use crate::error::{Outcome, Stop};
use crate::interrupt::Interruptible;
use crate::number::{counted, grouped};
use crate::temporary::Temporary;
use crate::terminal::{Paint, say};

pub(crate) fn apply(args: &ApplyArgs, paint: Paint) -> Outcome<()> {
    let site = site(&args.site)?;
    // An unusable storage should be reported before the changes are read.
    let storage = out::open(&args.site.out)?;
    let feed = args.feed.settings().map_err(Stop::new)?;
    let builder = args.keep.apply(args.html_page.apply(SitemapSet::builder(site.clone())));
    let builder = args.shrink.apply(builder);
    let set = builder.storage(Interruptible::new(Arc::clone(&storage)));
    let mut update = Update::new(&set).allow_shrink(args.shrink.allow_shrink()).feed(feed);
    update = update.recent(args.recent.settings());
    update = update.max_removed(args.max_removed.unwrap_or(ShrinkLimit::OFF));
    update = update.on_unknown(match args.on_unknown {
        Unknown::Stop => OnUnknown::Stop,
        Unknown::Skip => OnUnknown::Skip,
    });
    if let Some(section) = &args.section {
        update = update.default_section(section);
    }
    if let Some(days) = args.remove_uncommitted {
        update = update.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    }
    update = update.changed_file(args.changed.as_ref().map(ChangedFile::new));
    let mut changes = Changes::new(update, site, args, paint);
    changes.read_all(&args.changes)?;
    let (update, skipped) = changes.finish();
    if let Some(path) = &args.changed {
        let recovered = ChangedFile::new(path).recover(&*storage).map_err(|error| update_failed(&error))?;
        if recovered > 0 {
            say(&format!(
                "`{}` now also lists {} of an interrupted run; some may have had no effect",
                path.display(),
                counted(recovered, "change")
            ));
        }
    }
    let applied = update.commit().map_err(|error| failed(&error))?;
    say(&format!(
        "{} added, {} changed, {} removed, {} unchanged, {}, {} skipped",
        counted(applied.added(), "page"),
        applied.changed(),
        applied.removed(),
        applied.unchanged(),
        counted(applied.unknown_removals(), "unknown removal"),
        counted(skipped, "invalid change"),
    ));
    report_unknown(&applied);
    report(&applied);
    Ok(())
}

/// Prints the first removed pages that the set didn't list.
fn report_unknown(applied: &Applied) {
    for url in applied.unknown() {
        say(&format!("unknown: {url}"));
    }
    let more = applied.unknown_removals().saturating_sub(applied.unknown().len() as u64);
    if more > 0 {
        say(&format!("unknown: {} more", grouped(more)));
    }
}

pub(crate) fn rebucket(args: &RebucketArgs) -> Outcome<()> {
    let site = site(&args.site)?;
    let storage = out::open(&args.site.out)?;
    let temporary = Temporary::new()?;
    let builder = args.keep.apply(SitemapSet::builder(site));
    let set = builder.storage(Interruptible::new(storage));
    let mut rebucket = Rebucket::new(&set, args.buckets).temporary(temporary.storage()?);
    if let Some(section) = &args.section {
        rebucket = rebucket.section(section);
    }
    if let Some(days) = args.remove_uncommitted {
        rebucket = rebucket.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    }
    let applied = rebucket.commit().map_err(|error| update_failed(&error))?;
    report(&applied);
    Ok(())
}

/// Returns the error of `apply`, with all unknown pages that the update names.
fn failed(error: &UpdateError) -> Stop {
    if let UpdateError::Unknown { count, first } = error {
        let lines = first.iter().fold(String::new(), |lines, url| lines + "  " + url + "\n");
        let more = count.saturating_sub(first.len() as u64);
        let more = if more > 0 { format!("  {} more\n", grouped(more)) } else { String::new() };
        return Stop::new(format!(
            "the set does not list pages that are to be removed:\n{lines}{more}correct the URLs, or leave out `--on-unknown \
             stop`"
        ));
    }
    update_failed(error)
}

/// Reports the files of an update and the size of the new set.
fn report(applied: &Applied) {
    for converted in applied.converted() {
        say(&format!(
            "the first update of section `{}` moved its pages to {}: {} read, {} written",
            converted.section(),
            counted(converted.buckets().into(), "hash bucket"),
            counted(converted.files_read(), "file"),
            counted(converted.files_written(), "file")
        ));
    }
    let mut parts = vec![
        format!("{} read", counted(applied.files_read(), "file")),
        format!("{} written", counted(applied.files_written(), "file")),
    ];
    if applied.duplicates() > 0 {
        parts.push(format!("{} left out", counted(applied.duplicates(), "duplicate")));
    }
    if applied.restarts() > 0 {
        parts.push(counted(applied.restarts().into(), "restart"));
    }
    say(&parts.join(", "));
    match applied.summary() {
        Some(summary) => say(&format!(
            "the set has {} in {}",
            counted(summary.urls(), "URL"),
            counted(summary.files().len() as u64, "file")
        )),
        None => say("no page has changed, so nothing was published"),
    }
    if let Some(summary) = applied.summary() {
        for line in new_indexes(summary) {
            say(&line);
        }
        report_feed(summary);
    }
    report_recent(applied);
}

/// Reports the recent section, if the run wrote or removed it.
fn report_recent(applied: &Applied) {
    if let Some(recent) = applied.recent() {
        let mut parts = vec![format!("the recent section repeats {}", entries(recent.entries()))];
        if recent.folded() > 0 {
            parts.push(format!("{} folded, because carrying them costs too much", entries(recent.folded())));
        }
        if recent.cut() > 0 {
            let most = "`--recent-entries` allows more, up to one file";
            parts.push(format!("{} did not fit; {most}", entries(recent.cut())));
        }
        if recent.lost() > 0 {
            let lost = entries(recent.lost());
            parts.push(format!("the one before, with {lost}, is missing or damaged, so it begins anew"));
        }
        say(&parts.join("; "));
    }
    let removed = applied.summary().map(Summary::removed_recent).filter(|removed| *removed > 0);
    if let (Some(removed), None) = (removed, applied.recent()) {
        say(&format!("the recent section with {} is removed; keep it with `--recent`", entries(removed)));
    }
}

/// Returns a line for each index that the set didn't have before. An index can list 50,000 files, so a single
/// additional file, such as that of the recent section, may require a second index.
fn new_indexes(summary: &Summary) -> Vec<String> {
    let line = |index: &PublishedFile| {
        let (count, loc) = (counted(index.entries(), "file"), index.loc());
        format!("a further index lists {count}; add `Sitemap: {loc}` to robots.txt")
    };
    summary.new_indexes().iter().map(line).collect()
}

fn entries(count: u64) -> String {
    let noun = if count == 1 { "entry" } else { "entries" };
    format!("{} {noun}", grouped(count))
}

/// Reports the feed of the latest changes, if the run wrote it.
fn report_feed(summary: &Summary) {
    let (Some(file), Some(feed)) = (summary.feed(), summary.feed_changes()) else { return };
    let mut parts = vec![format!("the feed has {}", counted(feed.entries(), "change"))];
    if feed.cut() > 0 {
        parts
            .push(format!("{} did not fit; allow more with `--feed-entries`", counted(feed.cut(), "change")));
    }
    if feed.is_reset() {
        parts.push("the old feed was not one of this program, and is replaced".to_owned());
    }
    if feed.is_new() {
        parts.push(format!("add `Sitemap: {}` to robots.txt", file.loc()));
    }
    say(&parts.join("; "));
}

#[cfg(test)]
mod tests {
    use sitemap_core::{Dialect, Memory, Site};

    use super::*;

    #[test]
    fn a_second_index_needs_a_line_in_robots_txt() {
        let mut limits = Dialect::V0_9.limits();
        (limits.urls, limits.sitemaps) = (1, 2);
        let memory = Memory::new();
        let publish = |pages: &[&str]| {
            let builder = SitemapSet::builder(Site::new("https://example.com").unwrap()).lower_limits(limits);
            let mut run = builder.storage(memory.clone()).replace().unwrap();
            run.section("pages").unwrap().add_all(pages).unwrap();
            new_indexes(&run.commit().unwrap())
        };
        assert!(publish(&["/1", "/2"]).is_empty());
        assert_eq!(
            publish(&["/1", "/2", "/3"]),
            ["a further index lists 1 file; add `Sitemap: https://example.com/sitemap-2.xml` to robots.txt"]
        );
        assert!(publish(&["/1", "/2", "/4"]).is_empty());
    }
}
