//! Publishes sets, updates them, and prints the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sitemap_core::publish::bucket_of;

use super::measure::{self, Cost};
use super::model::Model;
use super::options::ChangeOptions;
use super::set::{self, Files, Set};
use super::table::{self, Row};
use super::workload::{self, BASE};
use crate::Result;

/// The number of hash buckets to compare with.
const COARSE: u32 = 400;

/// Publishes and updates sets, and prints a row for each run.
///
/// # Errors
///
/// Returns an error if a run fails, if a run writes other files than those of the touched hash buckets, the index and the
/// manifest, or if `sitemap diff` finds other changes than `sitemap apply` has made.
pub fn run(options: &ChangeOptions) -> Result<()> {
    let dir = options.dir.join(format!("sitemap-bench-changes-{}", std::process::id()));
    fs::create_dir_all(&dir)?;
    let result = Bench { options, dir: dir.clone() }.run();
    fs::remove_dir_all(&dir)?;
    result
}

struct Bench<'o> {
    options: &'o ChangeOptions,
    dir: PathBuf,
}

/// A published set.
struct Published {
    buckets: u32,
    /// The folder or URL of the set.
    out: String,
    /// The CPU time of the publication.
    cpu: f64,
}

impl Bench<'_> {
    fn run(&self) -> Result<()> {
        workload::write_pages(&self.dir.join("pages.csv"), self.options.pages)?;
        println!("{} pages, compressed\n", self.options.pages);
        table::head();
        if self.options.buckets.is_empty() {
            let out = self.out("plain")?;
            let cost = self.build(&out, None)?;
            Row { run: "`build`".to_owned(), cost, ..Row::default() }.print();
            self.remove(&out)?;
        }
        for (buckets, changes) in self.cases() {
            let published = self.publish(buckets)?;
            for changes in changes {
                if self.options.is_s3 {
                    self.update_bucket(&published, changes)?;
                } else {
                    self.update_copy(&published, changes)?;
                }
            }
            self.remove(&published.out)?;
        }
        Ok(())
    }

    /// Returns the numbers of changes for each number of buckets.
    fn cases(&self) -> BTreeMap<u32, BTreeSet<u64>> {
        let mut cases: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
        for changes in &self.options.changes {
            let all = match &self.options.buckets[..] {
                [] => &[COARSE, Model::rule(self.options.pages, *changes)],
                given => given,
            };
            for buckets in all {
                cases.entry(*buckets).or_default().insert(*changes);
            }
        }
        cases
    }

    /// Publishes all pages in hash buckets, and does the same again.
    fn publish(&self, buckets: u32) -> Result<Published> {
        let out = self.out(&format!("set-{buckets}"))?;
        let cost = self.build(&out, Some(buckets))?;
        let cpu = cost.cpu;
        let row = Row { buckets: Some(buckets), cost, ..Row::default() };
        if self.options.is_s3 {
            Row { run: "`build`".to_owned(), ..row }.print();
            // The set to compare with, from the same pages.
            self.build(&self.path("before")?, Some(buckets))?;
        } else {
            let before = Set::read(Path::new(&out))?;
            Row { run: "`build`".to_owned(), fetched: Some(before.pages()), ..row }.print();
            let cost = self.build(&out, Some(buckets))?;
            let fetched = Set::read(Path::new(&out))?.new_files(&before);
            if fetched != Files::default() {
                return Err(format!("{} files differ, although no page has changed", fetched.count).into());
            }
            let row = Row { buckets: Some(buckets), cost, full: Some(cpu), ..Row::default() };
            Row { run: "`build`, no change".to_owned(), fetched: Some(fetched), ..row }.print();
        }
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

    /// Updates a copy of a set in a folder, and compares it with the set.
    fn update_copy(&self, published: &Published, changes: u64) -> Result<()> {
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
        let model = Model { pages: self.options.pages, buckets, bytes: before.pages().bytes };
        let row = Row { buckets: Some(buckets), full: Some(cpu), ..Row::default() };
        let fetched = Some(after.new_files(&before));
        let models = Some([model.written(changes), model.least(changes)]);
        Row { run: format!("`apply`, {changes}"), cost, fetched, models, ..row }.print();

        self.apply_again(published, &copy, changes, touched)?;
        let written = Set::read(Path::new(&copy))?.new_files(&after);
        if written != Files::default() {
            return Err(format!("{} files differ, although no page has changed", written.count).into());
        }
        self.diff(published, &published.out, &copy, changes)?;
        self.remove(&copy)
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

    /// Updates a set in an object store.
    fn update_bucket(&self, published: &Published, changes: u64) -> Result<()> {
        let &Published { buckets, cpu, ref out } = published;
        let (cost, touched) = self.apply(out, buckets, changes)?;
        let row = Row { buckets: Some(buckets), cost, full: Some(cpu), ..Row::default() };
        Row { run: format!("`apply`, {changes}"), ..row }.print();
        self.apply_again(published, out, changes, touched)?;
        self.diff(published, &self.path("before")?, out, changes)
    }

    /// Applies changes. Returns the cost, and the number of hash buckets with a changed page.
    fn apply(&self, out: &str, buckets: u32, changes: u64) -> Result<(Cost, u64)> {
        let lines = self.path("changes.ndjson")?;
        let locs = workload::write_changes(Path::new(&lines), self.options.pages, changes)?;
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
        let program = self.options.sitemap.to_str().ok_or("the path of `sitemap` is not UTF-8")?;
        measure::run(&self.dir, statuses, &[&[program], arguments].concat())
    }

    /// Returns the folder or URL of a set.
    fn out(&self, name: &str) -> Result<String> {
        if self.options.is_s3 { Ok(format!("s3://sitemaps/{name}")) } else { self.path(name) }
    }

    fn path(&self, name: &str) -> Result<String> {
        Ok(self.dir.join(name).to_str().ok_or("the path of the folder is not UTF-8")?.to_owned())
    }

    fn remove(&self, out: &str) -> Result<()> {
        // The server of the test removes its bucket when it ends.
        let dir = if out.starts_with("s3://") { &self.path("before")? } else { out };
        if Path::new(dir).exists() {
            fs::remove_dir_all(dir)?;
        }
        Ok(())
    }
}

fn files(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
