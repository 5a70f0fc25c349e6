//! Publishes sets, updates them, and prints the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sitemap_core::publish::shards::bucket_of;
use sitemap_update::{BucketCosts, advised_buckets};

use super::measure::{self, Cost};
use super::set::{self, Files, Set};
use super::table::{self, Row};
use super::workload::{self, BASE};
use crate::Result;
use crate::options::Options;

/// The text that `--help` prints.
pub const USAGE: &str = "\
usage: changes --sitemap FILE [--pages N] [--changes N]… [--buckets N]… [--dir DIR]

  --sitemap FILE   the program `sitemap`, from `cargo build --release -p sitemap-cli`
  --pages N        pages of the set (default 10000000)
  --changes N      changes of an update; may be repeated (default 1, 100, 10000 and 1000000)
  --buckets N      hash buckets of a set; may be repeated (default 400 and the number that the rule gives for each
                   number of changes)
  --dir DIR        the folder for a temporary folder of the sets (default: that of the system)
";

/// The number of hash buckets to compare the advised number with.
const COARSE: u32 = 400;

/// Publishes and updates sets, and prints a row for each run.
///
/// # Errors
///
/// Returns an error if a run fails; if it writes any file other than those of the touched hash buckets, the index and
/// the manifest; or if `sitemap diff` does not find exactly the changes that `sitemap apply` made.
pub fn main(arguments: &[&str]) -> Result<()> {
    let mut options = Options::new(arguments)?;
    let sitemap = options.file("--sitemap")?;
    let pages = options.positive("--pages", 10_000_000)?;
    let mut changes: Vec<u64> = options.all("--changes")?;
    if changes.is_empty() {
        changes = vec![1, 100, 10_000, 1_000_000];
        changes.retain(|changes| *changes <= pages);
    }
    if changes.iter().any(|changes| *changes == 0 || *changes > pages) {
        return Err("`--changes` is 0 or larger than `--pages`; change between one page and all".into());
    }
    let buckets = options.all("--buckets")?;
    let dir = tempfile::tempdir_in(options.or("--dir", std::env::temp_dir())?)?;
    options.finish()?;
    Bench { sitemap, pages, changes, buckets, dir: std::path::absolute(dir.path())? }.run()
}

struct Bench {
    /// The program `sitemap`.
    sitemap: PathBuf,
    /// The number of pages in the set.
    pages: u64,
    /// The numbers of changes to make, one for each update.
    changes: Vec<u64>,
    /// The numbers of hash buckets to compare. If empty, 400 and the advised numbers are compared.
    buckets: Vec<u32>,
    dir: PathBuf,
}

/// A published set.
struct Published {
    buckets: u32,
    /// The set's folder.
    out: String,
    /// The CPU time of the publication.
    cpu: f64,
}

impl Bench {
    fn run(&self) -> Result<()> {
        workload::write_pages(&self.dir.join("pages.csv"), self.pages)?;
        println!("{} pages, compressed\n", self.pages);
        table::head();
        if self.buckets.is_empty() {
            let out = self.path("plain")?;
            let cost = self.build(&out, None)?;
            Row { run: "`build`".to_owned(), cost, ..Row::default() }.print();
            fs::remove_dir_all(&out)?;
        }
        for (buckets, changes) in self.cases() {
            let published = self.publish(buckets)?;
            for changes in changes {
                self.update(&published, changes)?;
            }
            fs::remove_dir_all(&published.out)?;
        }
        Ok(())
    }

    /// Returns which numbers of changes to measure for each number of buckets.
    fn cases(&self) -> BTreeMap<u32, BTreeSet<u64>> {
        let mut cases: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
        for changes in &self.changes {
            let all = match &self.buckets[..] {
                [] => &[COARSE, advised_buckets(self.pages, *changes, BucketCosts::default())],
                given => given,
            };
            for buckets in all {
                cases.entry(*buckets).or_default().insert(*changes);
            }
        }
        cases
    }

    /// Publishes all pages in hash buckets, and then publishes the same pages again.
    fn publish(&self, buckets: u32) -> Result<Published> {
        let out = self.path(&format!("set-{buckets}"))?;
        let cost = self.build(&out, Some(buckets))?;
        let cpu = cost.cpu;
        let before = Set::read(Path::new(&out))?;
        let row = Row { buckets: Some(buckets), cost, ..Row::default() };
        Row { run: "`build`".to_owned(), fetched: Some(before.pages()), ..row }.print();
        let cost = self.build(&out, Some(buckets))?;
        let fetched = Set::read(Path::new(&out))?.new_files(&before);
        if fetched != Files::default() {
            return Err(format!("{} files differ, although no page has changed", fetched.count).into());
        }
        let row = Row { buckets: Some(buckets), cost, full: Some(cpu), ..Row::default() };
        Row { run: "`build`, no change".to_owned(), fetched: Some(fetched), ..row }.print();
        Ok(Published { buckets, out, cpu })
    }

    fn build(&self, out: &str, buckets: Option<u32>) -> Result<Cost> {
        let (pages, buckets) = (self.path("pages.csv")?, buckets.map(|buckets| buckets.to_string()));
        let mut arguments = vec!["build", "--base", BASE, "--gzip", "--out", out, &pages];
        if let Some(buckets) = &buckets {
            arguments.extend(["--buckets", buckets]);
        }
        self.sitemap(&[0], &arguments)
    }

    /// Updates a copy of a set in a folder, and compares the copy with the original.
    fn update(&self, published: &Published, changes: u64) -> Result<()> {
        let &Published { buckets, cpu, .. } = published;
        let before = Set::read(Path::new(&published.out))?;
        let copy = self.path("copy")?;
        set::copy(Path::new(&published.out), Path::new(&copy))?;
        let (cost, touched) = self.apply(&copy, buckets, changes)?;
        let after = Set::read(Path::new(&copy))?;
        let (pages, hidden) = (after.new_pages(&before), after.new_hidden(&before));
        if pages.count != touched || hidden != [".sitemap-manifest.jsonl"] {
            let written = format!("{} files with pages and {hidden:?}", pages.count);
            return Err(format!("{changes} changes in {touched} buckets replaced {written}").into());
        }
        let row = Row { buckets: Some(buckets), full: Some(cpu), ..Row::default() };
        let fetched = Some(after.new_files(&before));
        Row { run: format!("`apply`, {changes}"), cost, fetched, ..row }.print();

        self.apply_again(published, &copy, changes, touched)?;
        let written = Set::read(Path::new(&copy))?.new_files(&after);
        if written != Files::default() {
            return Err(format!("{} files differ, although no page has changed", written.count).into());
        }
        self.diff(published, &published.out, &copy, changes)?;
        Ok(fs::remove_dir_all(&copy)?)
    }

    /// Applies the same changes again.
    fn apply_again(&self, published: &Published, out: &str, changes: u64, touched: u64) -> Result<()> {
        let &Published { buckets, cpu, .. } = published;
        let cost =
            self.sitemap(&[0], &["apply", "--base", BASE, "--out", out, &self.path("changes.ndjson")?])?;
        let numbers = cost.messages.replace(',', "");
        if !numbers.contains(&format!("{} read 0 files written", files(touched))) {
            return Err(format!("`apply` should write nothing: {}", cost.messages).into());
        }
        let row = Row { buckets: Some(buckets), cost, full: Some(cpu), ..Row::default() };
        Row { run: format!("`apply`, {changes} again"), ..row }.print();
        Ok(())
    }

    /// Compares two sets.
    fn diff(&self, published: &Published, before: &str, after: &str, changes: u64) -> Result<()> {
        let &Published { buckets, cpu, .. } = published;
        let cost = self.sitemap(&[1], &["diff", before, after])?;
        let found = cost.messages.lines().last().unwrap_or_default();
        let [added, removed, edited] = [changes / 3, (changes + 1) / 3, changes.div_ceil(3)];
        if !found.starts_with(&format!("{added} added, {removed} removed, {edited} changed, ")) {
            return Err(format!("`diff` found {found:?} after {changes} changes").into());
        }
        let row = Row { buckets: Some(buckets), cost, full: Some(cpu), ..Row::default() };
        Row { run: format!("`diff`, {changes}"), ..row }.print();
        Ok(())
    }

    /// Applies changes. Returns the cost, and the number of hash buckets that contain a changed page.
    fn apply(&self, out: &str, buckets: u32, changes: u64) -> Result<(Cost, u64)> {
        let lines = self.path("changes.ndjson")?;
        let locs = workload::write_changes(Path::new(&lines), self.pages, changes)?;
        let touched = locs.iter().map(|loc| bucket_of(loc, buckets)).collect::<BTreeSet<_>>().len() as u64;
        let cost = self.sitemap(&[0], &["apply", "--base", BASE, "--out", out, &lines])?;
        let numbers = cost.messages.replace(',', "");
        let files = files(touched);
        if !numbers.contains(&format!("{files} read {files} written")) {
            return Err(format!("`apply` should read and write {files}: {}", cost.messages).into());
        }
        Ok((cost, touched))
    }

    /// Runs the program `sitemap`.
    fn sitemap(&self, statuses: &[i32], arguments: &[&str]) -> Result<Cost> {
        eprintln!("sitemap {}", arguments.join(" "));
        let program = self.sitemap.to_str().ok_or("the path of `sitemap` is not UTF-8")?;
        measure::run(&self.dir, statuses, &[&[program], arguments].concat())
    }

    fn path(&self, name: &str) -> Result<String> {
        Ok(self.dir.join(name).to_str().ok_or("the path of the folder is not UTF-8")?.to_owned())
    }
}

fn files(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
