//! `sitemap shard commit`: publishes the shards of the given rows as one set.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, stdin};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sitemap_core::SitemapSet;
use sitemap_core::publish::shards::{ShardCommit, ShardRow};

use crate::args::ShardCommitArgs;
use crate::build::failure::failed;
use crate::build::out;
use crate::build::publish::{report, site};
use crate::error::{Outcome, Stop};
use crate::interrupt::Interruptible;
use crate::page_list::lines::Lines;
use crate::terminal::Paint;

pub(super) fn run(args: &ShardCommitArgs, paint: Paint) -> Outcome<()> {
    let builder = SitemapSet::builder(site(&args.site)?);
    let mut commit = ShardCommit::new(args.replace.apply(args.keep.apply(args.html_page.apply(builder))))
        .allow_shrink(args.replace.shrink.allow_shrink());
    // An unusable storage should be reported before the rows are read.
    let storage = out::open(&args.site.out)?;
    if let Some(urls) = args.expect_urls {
        commit = commit.expect_urls(urls);
    }
    if let Some(days) = args.remove_uncommitted {
        commit = commit.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    }
    if args.rows.is_empty() {
        add_all(&mut commit, "<stdin>", stdin().lock())?;
    }
    for path in &args.rows {
        if path.as_os_str() == "-" {
            add_all(&mut commit, "<stdin>", stdin().lock())?;
            continue;
        }
        for file in files(path)? {
            let from = File::open(&file).map_err(|error| Stop::io("read", &file, &error))?;
            add_all(&mut commit, &file.display().to_string(), BufReader::new(from))?;
        }
    }
    let summary = commit.publish(Interruptible::new(storage)).map_err(|error| failed(&error))?;
    report(&summary, paint)
}

fn add_all(commit: &mut ShardCommit, name: &str, from: impl BufRead) -> Outcome<()> {
    let mut lines = Lines::new(from);
    while let Some(line) = lines.next()? {
        let (text, line) = (String::from_utf8_lossy(line.text), line.number);
        let row = text.parse::<ShardRow>().map_err(|error| Stop::new(format!("{name}:{line}: {error}")))?;
        commit.add(row).map_err(|error| Stop::new(format!("{name}:{line}: {error}")))?;
    }
    Ok(())
}

/// Returns the file at a path, or all files in it if it is a folder. Skips files whose names start with `_` or `.`,
/// because engines like Spark add such files as markers.
fn files(path: &Path) -> Outcome<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let failed = |error| Stop::io("read", path, &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_marker = entry.file_name().as_encoded_bytes().starts_with(b"_")
            || entry.file_name().as_encoded_bytes().starts_with(b".");
        if !is_marker {
            files.push(entry.path());
        }
    }
    files.sort_unstable();
    Ok(files)
}
