//! The state file of `notify --state`: the URLs sent in the last ten minutes, and those to send again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use sitemap_core::Loc;

use crate::error::{Outcome, Stop};
use crate::side_file::{beside, open_locked};

/// The minimum time between two requests with the same URL.
const PAUSE: Duration = Duration::from_secs(10 * 60);

/// The maximum number of URLs in the file. The file is then about 100 MB in size.
const MOST: usize = 1_000_000;

/// The URLs that were sent, and the URLs that are still waiting. The file stays locked until the value is dropped.
#[derive(Debug)]
pub(super) struct Sent {
    path: PathBuf,
    pages: BTreeMap<String, Page>,
    _lock: File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Page {
    /// When the last request with this URL was started, in seconds since 1970.
    sent: u64,
    /// True if the page has changed since that request, or if it's unknown whether the request was accepted.
    waits: bool,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line<'l> {
    loc: Cow<'l, str>,
    sent: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    waits: bool,
}

/// The pages that can't be sent yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) urls: usize,
    /// The time until all these pages can be sent.
    pub(super) until: Duration,
}

impl Sent {
    /// Reads the file, if it exists. Waits for other runs that use the same file.
    pub(super) fn open(path: &Path, now: SystemTime) -> Outcome<Self> {
        let lock = open_locked(&beside(path, ".lock"))?;
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Stop::io("read", path, &error)),
        };
        let mut pages = BTreeMap::new();
        for (line, number) in text.split_inclusive('\n').zip(1..) {
            // A run that was killed while appending leaves an incomplete line. The page in that line is either already
            // waiting, or was never sent.
            if number > 1 && !line.ends_with('\n') {
                break;
            }
            let Line { loc, sent, waits } = serde_json::from_str(line).map_err(|error| {
                Stop::new(format!(
                    "{}:{number}: the line is not one of `sitemap notify --state` ({error}); name another file",
                    path.display()
                ))
            })?;
            // The clock may have been wrong in an earlier run. No URL should have to wait more than ten minutes from
            // now.
            pages.insert(loc.into_owned(), Page { sent: sent.min(seconds(now)), waits });
        }
        Ok(Self { path: path.to_owned(), pages, _lock: lock })
    }

    /// Returns the pages to send now: changed or waiting pages that were not sent in the last ten minutes. All other
    /// changed pages wait. Waiting pages without the prefix stay as they are.
    pub(super) fn take(
        &mut self,
        changed: Vec<Loc<'static>>,
        prefix: Option<&str>,
        now: SystemTime,
    ) -> Outcome<Vec<Loc<'static>>> {
        let mut all: IndexSet<Loc<'static>> = changed.into_iter().collect();
        let waiting = self.pages.iter().filter(|(loc, page)| page.waits && has_prefix(loc, prefix));
        for (loc, _) in waiting {
            all.insert(Loc::parse(loc.clone()).map_err(|error| {
                Stop::new(format!("`{}`: {error}; name another file", self.path.display()))
            })?);
        }
        self.pages.retain(|_, page| page.waits || !page.is_due(now));
        let mut ready = Vec::new();
        for loc in all {
            match self.pages.get_mut(loc.as_str()) {
                Some(page) if !page.is_due(now) => page.waits = true,
                _ => ready.push(loc),
            }
        }
        let new = ready.iter().filter(|loc| !self.pages.contains_key(loc.as_str())).count();
        if self.pages.len() + new > MOST {
            return Err(Stop::new(format!(
                "`{}` would have {} URLs of the last ten minutes, {MOST} at most; send fewer at once, or try again in \
                 ten minutes",
                self.path.display(),
                self.pages.len() + new
            )));
        }
        Ok(ready)
    }

    /// Returns the number of pages with the prefix that have to wait, because they were sent in the last ten minutes.
    pub(super) fn held(&self, prefix: Option<&str>, now: SystemTime) -> Option<Held> {
        let is_held = |loc: &str, page: &Page| page.waits && !page.is_due(now) && has_prefix(loc, prefix);
        let held = self.pages.iter().filter(|(loc, page)| is_held(loc, page));
        let (urls, last) = held.fold((0, 0), |(urls, last), (_, page)| (urls + 1, page.sent.max(last)));
        let until = Duration::from_secs((last + PAUSE.as_secs()).saturating_sub(seconds(now)));
        (urls > 0).then_some(Held { urls, until })
    }

    /// Records that these pages still have to be sent. Forgets earlier requests with these pages.
    pub(super) fn wait(&mut self, pages: &[Loc<'_>]) {
        self.put(pages, Page { sent: 0, waits: true });
    }

    /// Records that a request with these pages is about to be sent. If the run is then killed, nobody knows whether the
    /// request was accepted, so a later run sends the pages again.
    pub(super) fn begin(&mut self, pages: &[Loc<'_>], now: SystemTime) -> Outcome<()> {
        self.append(pages, Page { sent: seconds(now), waits: true })
    }

    /// Records that these pages were accepted, so that they aren't sent again even if the run is killed.
    pub(super) fn accepted(&mut self, pages: &[Loc<'_>], now: SystemTime) -> Outcome<()> {
        self.append(pages, Page { sent: seconds(now), waits: false })
    }

    /// Appends lines to the file. A later line replaces earlier ones with the same URL, so the rest of the file doesn't
    /// have to be written again for each request.
    fn append(&mut self, pages: &[Loc<'_>], page: Page) -> Outcome<()> {
        self.put(pages, page);
        let written = (|| {
            let mut out = BufWriter::new(File::options().append(true).create(true).open(&self.path)?);
            for loc in pages {
                write_line(&mut out, loc.as_str(), page)?;
            }
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
        })();
        written.map_err(|error: io::Error| Stop::io("write", &self.path, &error))
    }

    fn put(&mut self, pages: &[Loc<'_>], page: Page) {
        self.pages.extend(pages.iter().map(|loc| (loc.to_string(), page)));
    }

    /// Writes the whole file.
    pub(super) fn save(&self) -> Outcome<()> {
        let new = beside(&self.path, ".new");
        let written = (|| {
            let mut out = BufWriter::new(File::create(&new)?);
            for (loc, page) in &self.pages {
                write_line(&mut out, loc, *page)?;
            }
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(&new, &self.path)
        })();
        written.map_err(|error: io::Error| Stop::io("write", &self.path, &error))
    }
}

impl Page {
    fn is_due(self, now: SystemTime) -> bool {
        self.sent + PAUSE.as_secs() <= seconds(now)
    }
}

fn write_line(out: &mut impl io::Write, loc: &str, page: Page) -> io::Result<()> {
    let line = Line { loc: Cow::Borrowed(loc), sent: page.sent, waits: page.waits };
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")
}

fn has_prefix(loc: &str, prefix: Option<&str>) -> bool {
    prefix.is_none_or(|prefix| loc.starts_with(prefix))
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_000_000 + second)
    }

    fn pages(names: &[&str]) -> Vec<Loc<'static>> {
        names.iter().map(|name| Loc::parse(format!("https://example.com/{name}")).unwrap()).collect()
    }

    /// Simulates a run at this second: it sends all pages that are due, and every request is accepted.
    fn run(path: &Path, second: u64, names: &[&str]) -> (Vec<String>, Option<Held>) {
        let mut sent = Sent::open(path, at(second)).unwrap();
        let ready = sent.take(pages(names), None, at(second)).unwrap();
        sent.begin(&ready, at(second)).unwrap();
        sent.accepted(&ready, at(second)).unwrap();
        sent.save().unwrap();
        let names = ready.iter().map(|loc| loc.as_str()["https://example.com/".len()..].to_owned());
        (names.collect(), sent.held(None, at(second)))
    }

    fn held(urls: usize, until: u64) -> Held {
        Held { urls, until: Duration::from_secs(until) }
    }

    #[test]
    fn a_page_is_sent_once_in_ten_minutes_and_never_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        assert_eq!(run(&path, 0, &["a", "b"]), (vec!["a".to_owned(), "b".to_owned()], None));
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "{\"loc\":\"https://example.com/a\",\"sent\":1000000}\n\
             {\"loc\":\"https://example.com/b\",\"sent\":1000000}\n"
        );
        assert_eq!(run(&path, 200, &["a", "c"]), (vec!["c".to_owned()], Some(held(1, 400))));
        assert_eq!(run(&path, 599, &["a"]), (vec![], Some(held(1, 1))));
        // `a` was waiting, so it is sent again although it hasn't changed since.
        assert_eq!(run(&path, 600, &[]), (vec!["a".to_owned()], None));
        // Everything is older than ten minutes, so the file is empty.
        assert_eq!(run(&path, 1_200, &[]), (vec![], None));
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
    }

    #[test]
    fn a_killed_run_sends_its_pages_again_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        let mut sent = Sent::open(&path, at(0)).unwrap();
        let ready = sent.take(pages(&["a"]), None, at(0)).unwrap();
        sent.begin(&ready, at(0)).unwrap();
        drop(sent);
        assert_eq!(run(&path, 100, &[]), (vec![], Some(held(1, 500))));
        assert_eq!(run(&path, 600, &[]), (vec!["a".to_owned()], None));
    }

    #[test]
    fn a_killed_run_does_not_send_accepted_pages_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        let mut sent = Sent::open(&path, at(0)).unwrap();
        let ready = sent.take(pages(&["a", "b"]), None, at(0)).unwrap();
        for page in ready.chunks(1) {
            sent.begin(page, at(0)).unwrap();
            if page == pages(&["a"]) {
                sent.accepted(page, at(0)).unwrap();
            }
        }
        drop(sent);
        assert_eq!(run(&path, 600, &[]), (vec!["b".to_owned()], None));
    }

    #[test]
    fn a_run_that_is_killed_while_it_writes_loses_no_page() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        let mut sent = Sent::open(&path, at(0)).unwrap();
        sent.wait(&pages(&["a", "b"]));
        sent.save().unwrap();
        sent.begin(&pages(&["a"]), at(0)).unwrap();
        drop(sent);
        let text = fs::read_to_string(&path).unwrap();
        let appended = "{\"loc\":\"https://example.com/a\",\"sent\":1000000,\"waits\":true}\n";
        assert!(text.ends_with(appended), "{text}");
        fs::write(&path, &text[..text.len() - 10]).unwrap();
        assert_eq!(run(&path, 1, &[]), (vec!["a".to_owned(), "b".to_owned()], None));
    }

    #[test]
    fn a_clock_that_was_wrong_holds_no_page_for_longer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        run(&path, 1_000_000, &["a"]);
        assert_eq!(run(&path, 0, &["a"]), (vec![], Some(held(1, 600))));
        assert_eq!(run(&path, 600, &[]), (vec!["a".to_owned()], None));
    }

    #[test]
    fn pages_without_the_prefix_wait_for_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        run(&path, 0, &["a/1", "b/1"]);
        run(&path, 1, &["a/1", "b/1"]);
        let mut sent = Sent::open(&path, at(700)).unwrap();
        let prefix = Some("https://example.com/a/");
        assert_eq!(sent.take(Vec::new(), prefix, at(700)).unwrap(), pages(&["a/1"]));
        sent.accepted(&pages(&["a/1"]), at(700)).unwrap();
        assert_eq!(sent.take(Vec::new(), None, at(700)).unwrap(), pages(&["b/1"]));
    }

    #[test]
    fn the_number_of_urls_has_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        let mut sent = Sent::open(&path, at(0)).unwrap();
        let page = Page { sent: seconds(at(0)), waits: false };
        sent.pages.extend((0..MOST).map(|id| (format!("https://example.com/{id}"), page)));
        assert!(sent.take(pages(&["1", "2"]), None, at(1)).unwrap().is_empty());
        let error = sent.take(pages(&["new"]), None, at(1)).unwrap_err();
        assert!(
            format!("{error:?}").contains("would have 1000001 URLs of the last ten minutes"),
            "{error:?}"
        );
        assert_eq!(sent.take(pages(&["new"]), None, at(600)).unwrap(), pages(&["new", "1", "2"]));
    }

    #[test]
    fn another_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        for text in ["my notes\n", "my notes"] {
            fs::write(&path, text).unwrap();
            let error = Sent::open(&path, at(0)).unwrap_err();
            assert!(format!("{error:?}").contains("notes:1: the line is not one of"), "{error:?}");
        }
    }
}
