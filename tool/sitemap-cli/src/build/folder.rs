//! Input from a folder of HTML files.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sitemap_core::publish::SetOptions;
use sitemap_core::{Entry, Error, Site, Summary};

use super::canonical_hosts::CanonicalHosts;
#[cfg(feature = "pages")]
use super::content::Reading;
use super::dates::{Dates, Undated};
use super::out::open_storage;
use super::row::record_message;
use super::sink::Sink;
use super::skipped::Skipped;
use super::verdict::{FileResult, Judge, ListedFile, Verdict};
use super::walk::Walk;
use crate::args::{BuildArgs, LastModFrom, threads};
use crate::error::{Outcome, Stop};
use crate::in_order::map_in_order;
use crate::interrupt;
use crate::run_time::now;
use crate::terminal::{Paint, Progress};

/// A folder with the options that decide what is listed.
struct Input<'a> {
    args: &'a BuildArgs,
    folder: &'a Path,
    site: &'a Site,
    /// The number of files, known if a terminal shows the progress.
    total: Option<u64>,
}

pub(super) fn build(
    args: &BuildArgs,
    folder: &Path,
    site: &Site,
    builder: SetOptions,
    paint: Paint,
) -> Outcome<Summary> {
    let total = if io::stderr().is_terminal() { Some(count(folder)?) } else { None };
    let input = Input { args, folder, site, total };
    // An unusable storage should be reported before any pages are read.
    let storage = open_storage(&args.site.out)?;
    let dates = input.dates()?;
    let mut sink = Sink::open(args, builder, None, storage, paint)?;
    let mut section = sink.section(&args.section)?;
    let mut skipped = Skipped::with_list(args.skipped.as_deref())?;
    let mut undated = Undated::default();
    let counted = input.each(("building", now()?), &mut |relative, verdict| {
        let page = match verdict {
            Ok(Err(skip)) => return skipped.add(relative, &skip),
            Ok(Ok(ListedFile { loc, .. })) => {
                let date = dates.get(folder, relative, &loc)?;
                let entry = Entry::new(loc).with_lastmod(date);
                if entry.lastmod().is_none() {
                    undated.add(&dates, relative);
                }
                Ok(entry)
            }
            Err(error) => Err(error),
        };
        let page = page.as_ref().map_err(record_message);
        section.add(&relative.display(), page)
    });
    skipped.report()?;
    counted?;
    undated.report();
    sink.finish()
}

/// Receives each file, with its URL or the reason why it is skipped.
type Each<'e> = dyn FnMut(&Path, Result<FileResult, Error>) -> Outcome<()> + 'e;

impl Input<'_> {
    /// Passes on the files in order. `now` is the time of the run.
    ///
    /// Returns an error at the end if the canonical URLs show that the base URL is wrong.
    fn each(&self, (label, now): (&str, SystemTime), each: &mut Each<'_>) -> Outcome<()> {
        let Self { args, folder, site, total } = *self;
        let judge = Judge::new(folder, site, args.urls, &args.patterns, now);
        let judge = judge.ok_or_else(|| Stop::new(format!("`--base`: `{}` is not a URL", site.base())))?;
        let progress = Progress::of_items(label, total);
        let (mut hosts, mut listed) = (CanonicalHosts::default(), 0);
        let read = |relative: PathBuf| (judge.verdict(&relative), relative);
        map_in_order(threads(args.threads), &mut Walk::new(folder), &read, &mut |(verdict, relative)| {
            interrupt::check().map_err(|error| Stop::new(error.to_string()))?;
            progress.add(1);
            let page = verdict.map(|Verdict { page, canonical }| {
                if let Some(host) = canonical {
                    hosts.add(host);
                }
                listed += u64::from(page.is_ok());
                page
            });
            each(&relative, page)
        })?;
        drop(progress);
        hosts.check(site, listed)
    }

    fn dates(&self) -> Outcome<Dates> {
        #[cfg(feature = "pages")]
        if self.args.state.is_some() && self.args.lastmod != LastModFrom::Content {
            return Err(Stop::new(
                "`--state` has no effect without `--lastmod content`; add it, or remove `--state`",
            ));
        }
        match self.args.lastmod {
            LastModFrom::None => Ok(Dates::None),
            LastModFrom::Mtime => Ok(Dates::FileSystem),
            LastModFrom::Git => Dates::of_commits(self.folder),
            #[cfg(feature = "pages")]
            LastModFrom::Content => self.content_dates(),
        }
    }

    /// Reads all pages that will be listed, and compares them with the previous run.
    #[cfg(feature = "pages")]
    fn content_dates(&self) -> Outcome<Dates> {
        let Some(state) = &self.args.state else {
            return Err(Stop::new("`--lastmod content` has no file for the dates; add `--state FILE`"));
        };
        let reading = Reading::begin(state, self.site)?;
        // Invalid and skipped pages are reported later, when the others are listed.
        self.each(("reading", reading.time()), &mut |_, verdict| match verdict {
            Ok(Ok(ListedFile { visit, .. })) => reading.add(&visit),
            _ => Ok(()),
        })?;
        Ok(Dates::Content(Box::new(reading.finish()?)))
    }
}

fn count(folder: &Path) -> Outcome<u64> {
    let progress = Progress::of_items("counting", None);
    let mut count = 0;
    for file in Walk::new(folder) {
        file?;
        count += 1;
        progress.set(count);
    }
    Ok(count)
}
