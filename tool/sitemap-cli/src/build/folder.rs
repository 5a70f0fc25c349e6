//! Input from a folder of HTML files.

use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::vec;

use sitemap_core::publish::SetOptions;
use sitemap_core::{Entry, Site, Summary};

#[cfg(feature = "pages")]
use super::content::Reading;
use super::dates::{Dates, Undated};
use super::out::open_storage;
use super::row::record_message;
use super::sink::Sink;
use super::verdict::{Files, Judge, LeftOut};
use crate::args::{BuildArgs, LastModFrom, threads};
use crate::error::{Outcome, Stop};
#[cfg(feature = "pages")]
use crate::file_visit;
use crate::in_order::map_in_order;
use crate::interrupt;
use crate::page_file::is_page;
use crate::terminal::{Paint, Progress, say};

pub(super) fn build(
    args: &BuildArgs,
    folder: &Path,
    site: &Site,
    builder: SetOptions,
    paint: Paint,
) -> Outcome<Summary> {
    // The files are counted in advance only if a terminal shows the progress.
    let total = if io::stderr().is_terminal() { Some(count(folder)?) } else { None };
    // An unusable storage should be reported before any pages are read.
    let storage = open_storage(&args.site.out)?;
    let dates = dates(args, folder, site, total)?;
    let mut sink = Sink::open(args, builder, None, storage, paint)?;
    let mut section = sink.section(&args.section)?;
    let (judge, mut files) = (Judge::new(folder, site, args.urls), Files::default());
    let progress = Progress::of_items("building", total);
    let mut undated = Undated::default();
    let read = |relative: PathBuf| (judge.verdict(&relative), relative);
    map_in_order(threads(args.threads), &mut Walk::new(folder), &read, &mut |(verdict, relative)| {
        interrupt::check().map_err(|error| Stop::new(error.to_string()))?;
        progress.add(1);
        let page = match verdict.map(|verdict| files.loc(verdict)) {
            Ok(None) => return Ok(()),
            Ok(Some(loc)) => {
                let date = dates.get(folder, &relative, &loc)?;
                let entry = Entry::new(loc).with_lastmod(date);
                if entry.lastmod().is_none() {
                    undated.add(&dates, &relative);
                }
                Ok(entry)
            }
            Err(error) => Err(error),
        };
        let page = page.as_ref().map_err(record_message);
        section.add(&relative.display(), page)
    })?;
    drop(progress);
    report(files.left_out);
    undated.report();
    sink.finish()
}

fn dates(args: &BuildArgs, folder: &Path, site: &Site, total: Option<u64>) -> Outcome<Dates> {
    #[cfg(feature = "pages")]
    if args.state.is_some() && args.lastmod != LastModFrom::Content {
        return Err(Stop::new(
            "`--state` has no effect without `--lastmod content`; add it, or remove `--state`",
        ));
    }
    #[cfg(not(feature = "pages"))]
    let _ = (site, total);
    match args.lastmod {
        LastModFrom::None => Ok(Dates::None),
        LastModFrom::Mtime => Ok(Dates::FileSystem),
        LastModFrom::Git => Dates::of_commits(folder),
        #[cfg(feature = "pages")]
        LastModFrom::Content => content_dates(args, folder, site, total),
    }
}

/// Reads all pages that will be listed, and compares them with the previous run.
#[cfg(feature = "pages")]
fn content_dates(args: &BuildArgs, folder: &Path, site: &Site, total: Option<u64>) -> Outcome<Dates> {
    let Some(state) = &args.state else {
        return Err(Stop::new("`--lastmod content` has no file for the dates; add `--state FILE`"));
    };
    let reading = Reading::begin(state, site)?;
    let (judge, mut files) = (Judge::new(folder, site, args.urls), Files::default());
    let progress = Progress::of_items("reading", total);
    let at = reading.time();
    let read = |relative: PathBuf| {
        // An invalid page is reported later, when it would be listed.
        let verdict = judge.verdict(&relative).ok()?;
        let visit = verdict.loc().map(|loc| file_visit::read(&folder.join(relative), loc.as_str(), at));
        Some((verdict, visit))
    };
    map_in_order(threads(args.threads), &mut Walk::new(folder), &read, &mut |read| {
        interrupt::check().map_err(|error| Stop::new(error.to_string()))?;
        progress.add(1);
        let Some((verdict, Some(visit))) = read else { return Ok(()) };
        if files.loc(verdict).is_some() { reading.add(&visit?) } else { Ok(()) }
    })?;
    drop(progress);
    Ok(Dates::Content(Box::new(reading.finish()?)))
}

fn report(left_out: LeftOut) {
    let files = |count: u64| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    for (count, of_one, of_many) in [
        (left_out.noindex, "is marked `noindex`", "are marked `noindex`"),
        (left_out.canonical, "names another page as canonical", "name another page as canonical"),
        (left_out.redirects, "redirects to another page", "redirect to another page"),
        (left_out.missing, "is the answer for missing pages", "are the answers for missing pages"),
    ] {
        if count > 0 {
            let reason = if count == 1 { of_one } else { of_many };
            say(&format!("left out {} that {reason}", files(count)));
        }
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

/// The paths of all HTML files, relative to the folder. The files of a folder come before its subfolders, and both are
/// sorted by name.
///
/// Hidden files and folders are skipped. Links to folders are not followed, because they may form a cycle.
struct Walk<'f> {
    folder: &'f Path,
    /// The folders that still have to be read. The last one is read next.
    folders: Vec<PathBuf>,
    files: vec::IntoIter<PathBuf>,
}

impl<'f> Walk<'f> {
    fn new(folder: &'f Path) -> Self {
        Self { folder, folders: vec![PathBuf::new()], files: Vec::new().into_iter() }
    }

    /// Reads a folder.
    fn open(&mut self, relative: &Path) -> Outcome<()> {
        let path = if relative.as_os_str().is_empty() {
            self.folder.to_path_buf()
        } else {
            self.folder.join(relative)
        };
        let failed = |error: io::Error| Stop::io("read", &path, &error);
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (name, kind) = (entry.file_name(), entry.file_type().map_err(failed)?);
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if kind.is_dir() {
                folders.push(name);
            } else if is_page(&name) && (kind.is_file() || entry.path().is_file()) {
                files.push(name);
            }
        }
        files.sort_unstable();
        // The subfolders are added in reverse order, because the last folder is read first.
        folders.sort_unstable_by(|a, b| b.cmp(a));
        let whole = |name: OsString| relative.join(name);
        self.folders.extend(folders.into_iter().map(whole));
        self.files = files.into_iter().map(whole).collect::<Vec<_>>().into_iter();
        Ok(())
    }
}

impl Iterator for Walk<'_> {
    type Item = Outcome<PathBuf>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(file) = self.files.next() {
                return Some(Ok(file));
            }
            let folder = self.folders.pop()?;
            if let Err(error) = self.open(&folder) {
                return Some(Err(error));
            }
        }
    }
}
