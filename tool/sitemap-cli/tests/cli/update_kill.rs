//! `sitemap apply` and `sitemap rebucket`, killed at random moments.
//!
//! The test doesn't depend on timing: whenever a process is killed, the resulting set must be one that the model
//! allows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::thread;
use std::time::Instant;

use sitemap_core::publish::files::is_recent_file;
use sitemap_read::SitemapReader;

use crate::support::place::{Place, Random};
use crate::support::trials;

/// A set's pages and their dates.
type Pages = BTreeMap<String, String>;

/// The changed pages with their new dates, or `None` for removed pages.
type Changes = BTreeMap<String, Option<String>>;

/// The sets that may be found after the next step.
struct Model {
    /// The set that was found last.
    pages: Pages,
    /// The changes that a killed process may have left for the next one to finish.
    left: Vec<Changes>,
    /// The pages that have changed since the first set was published.
    changed: BTreeSet<String>,
}

#[test]
fn on_a_folder_each_killed_update_leaves_the_old_or_the_new_set() {
    kill(&Place::folder(), trials(200));
}

#[cfg(feature = "object-store")]
#[test]
fn in_a_bucket_each_killed_update_leaves_the_old_or_the_new_set() {
    if let Some(place) = Place::bucket("cli-kill") {
        kill(&place, trials(200));
    }
}

fn kill(place: &Place, moments: u32) {
    let mut random = Random(0x5EED);
    let pages: String = (0..60).map(|id| format!("/{id}\n")).collect();
    place.sandbox.write("pages.txt", pages);
    let start = Instant::now();
    assert!(place.start("build", &["pages.txt"]).wait().unwrap().success());
    assert!(place.start("rebucket", &["--buckets", "4"]).wait().unwrap().success());
    let usual = start.elapsed() / 2;
    let mut model = Model { pages: pages_of(place), left: Vec::new(), changed: BTreeSet::new() };
    assert_eq!(model.pages.len(), 60);

    let (mut acknowledged, mut new, mut old) = (0, 0, 0);
    for moment in 0..moments {
        let changes = changes(&mut random, moment);
        place.sandbox.write("changes.ndjson", lines(&changes));
        let buckets = (moment % 6 + 1).to_string();
        let is_update = random.below(8) > 0;
        let mut child = if is_update {
            place.start("apply", &["--recent", "changes.ndjson"])
        } else {
            place.start("rebucket", &["--buckets", &buckets])
        };
        let changes = if is_update { changes } else { Changes::new() };
        thread::sleep(usual * random.below(1000) / 600);
        child.kill().unwrap();
        let is_done = child.wait().unwrap().success();
        let is_new = model.find(pages_of(place), &changes, is_done, moment);
        model.check_feed(place, moment);
        acknowledged += u32::from(is_done);
        *(if is_new { &mut new } else { &mut old }) += 1;

        if is_update && random.below(5) == 0 {
            // Applies the same changes again, without a kill.
            assert!(
                place.start("apply", &["--recent", "changes.ndjson"]).wait().unwrap().success(),
                "moment {moment}"
            );
            model.find(pages_of(place), &changes, true, moment);
        }
    }
    println!("{moments} moments: {acknowledged} ended before, {new} new sets, {old} old sets");

    let changes = changes(&mut random, moments);
    place.sandbox.write("changes.ndjson", lines(&changes));
    assert!(place.start("apply", &["--recent", "changes.ndjson"]).wait().unwrap().success());
    model.find(pages_of(place), &changes, true, moments);
    model.check_feed(place, moments);
    let files = || ["sitemap.xml", "sitemap-changes.atom"].map(|name| place.bytes(name));
    let before = files();
    assert!(place.start("apply", &["--recent", "changes.ndjson"]).wait().unwrap().success());
    assert_eq!(files(), before);
    assert!(place.storage.metadata(".sitemap-journal.jsonl").unwrap().is_none());
}

impl Model {
    /// Checks that the model allows this set. Returns `true` if it contains the changes.
    fn find(&mut self, found: Pages, changes: &Changes, is_done: bool, moment: u32) -> bool {
        // The process first finishes the commit of an earlier process, if there is one.
        let before: Vec<Pages> =
            std::iter::once(&Changes::new()).chain(&self.left).map(|left| with(&self.pages, left)).collect();
        let is_new = before.iter().any(|pages| with(pages, changes) == found);
        let is_old = before.contains(&found);
        assert!(is_new || is_old && !is_done, "moment {moment}: an unexpected set: {found:?}");
        if found != self.pages || is_done {
            self.left.clear();
        }
        if !is_new {
            self.left.push(changes.clone());
        }
        let urls = self.pages.keys().chain(found.keys());
        let differing = urls.filter(|url| self.pages.get(*url) != found.get(*url)).cloned();
        self.changed.extend(differing.collect::<Vec<_>>());
        self.pages = found;
        is_new
    }

    /// Checks that the feed lists every page that has changed.
    fn check_feed(&self, place: &Place, moment: u32) {
        if self.changed.is_empty() {
            return;
        }
        let feed = String::from_utf8(place.bytes("sitemap-changes.atom")).unwrap();
        for url in &self.changed {
            let is_listed =
                feed.contains(&format!("<id>{url}</id>")) || feed.contains(&format!("ref=\"{url}\""));
            assert!(is_listed, "moment {moment}: {url} has changed and is not in the feed");
        }
    }
}

fn with(pages: &Pages, changes: &Changes) -> Pages {
    let mut pages = pages.clone();
    for (url, date) in changes {
        match date {
            Some(date) => pages.insert(url.clone(), date.clone()),
            None => pages.remove(url),
        };
    }
    pages
}

/// Reads the set like a crawler: first the index, then each child sitemap. Checks that the recent section only repeats
/// entries of the other files.
fn pages_of(place: &Place) -> Pages {
    let index = place.bytes("sitemap.xml");
    let first = SitemapReader::from_slice(&index).next().unwrap().unwrap().loc().to_string();
    let (mut files, mut recent) = (vec![index.clone()], Vec::new());
    if first.contains("/sitemap-") {
        let mut reader = SitemapReader::from_slice(&index);
        files.clear();
        while let Some(item) = reader.next().unwrap() {
            let name = item.loc().as_str().rsplit('/').next().unwrap();
            if is_recent_file(name) { &mut recent } else { &mut files }.push(place.bytes(name));
        }
    }
    let pages = entries(&files);
    assert!(recent.len() < 2);
    for (url, date) in entries(&recent) {
        assert_eq!(pages.get(&url), Some(&date), "{url}");
    }
    pages
}

/// Returns changes that no other round makes: one page gets this round's date.
fn changes(random: &mut Random, moment: u32) -> Changes {
    let date = format!("2026-01-01T{:02}:{:02}:00Z", moment / 60, moment % 60);
    let url = |id: u32| format!("https://example.com/{id}");
    let mut changes = Changes::new();
    for _ in 0..random.below(3) {
        changes.insert(url(random.below(80)), None);
    }
    for _ in 0..=random.below(3) {
        changes.insert(url(random.below(80)), Some(date.clone()));
    }
    changes
}

fn lines(changes: &Changes) -> String {
    let mut lines = String::new();
    for (url, date) in changes {
        match date {
            Some(date) => {
                writeln!(lines, "{{\"op\":\"upsert\",\"loc\":\"{url}\",\"lastmod\":\"{date}\"}}").unwrap();
            }
            None => writeln!(lines, "{{\"op\":\"remove\",\"loc\":\"{url}\"}}").unwrap(),
        }
    }
    lines
}

fn entries(files: &[Vec<u8>]) -> Pages {
    let mut pages = Pages::new();
    for entry in files.iter().flat_map(|bytes| SitemapReader::from_slice(bytes).into_entries()) {
        let entry = entry.unwrap();
        let date = entry.lastmod().map(|date| date.to_string()).unwrap_or_default();
        assert_eq!(pages.insert(entry.loc().to_string(), date), None, "{}", entry.loc());
    }
    pages
}
