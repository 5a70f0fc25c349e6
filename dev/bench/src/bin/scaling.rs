//! Does one of the works that `dev/bench/scaling` runs under callgrind.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, thread};

use sitemap_bench::Result;
use sitemap_bench::publish::page;
use sitemap_bench::workload::BASE;
use sitemap_core::publish::{PublisherBuilder, ShardCommit, ShardRow};
use sitemap_core::{Directory, LastMod, Loc, Publisher, Site};
use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, SitemapSource};

const USAGE: &str = "\
usage: scaling WORK N DIR

  one, one-gzip    publishes N pages in one section, with four threads that compress and store
  four, four-gzip  publishes N pages in four sections, each filled by a thread of its own
  set, check       publishes 20 sitemaps with N pages in total; checks this set on four threads
  shards, commit   writes N shards with a page each; commits these shards
";

/// The number of threads, for each purpose.
const THREADS: usize = 4;

/// The number of sitemaps that are checked.
const FILES: u64 = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let [work, n, dir] = arguments else { return Err(USAGE.into()) };
    let (n, dir) = (n.parse()?, Path::new(dir));
    match work.as_str() {
        "one" => one(n, dir, builder()?.threads(THREADS)),
        "one-gzip" => one(n, dir, builder()?.threads(THREADS).gzip()),
        "four" => four(n, dir, builder()?),
        "four-gzip" => four(n, dir, builder()?.gzip()),
        "set" => set(n, dir),
        "check" => check(n, dir),
        "shards" => shards(n, dir),
        "commit" => commit(n, dir),
        _ => Err(USAGE.into()),
    }
}

fn builder() -> Result<PublisherBuilder> {
    Ok(Publisher::builder(Site::new(BASE)?))
}

fn one(pages: u64, dir: &Path, builder: PublisherBuilder) -> Result<()> {
    let mut publisher = builder.to_dir(dir)?;
    publisher.section("catalog")?.add_all((0..pages).map(page))?;
    publisher.finish()?;
    Ok(())
}

fn four(pages: u64, dir: &Path, builder: PublisherBuilder) -> Result<()> {
    let mut publisher = builder.to_dir(dir)?;
    let quarter = pages / 4;
    thread::scope(|scope| {
        let sections = publisher.sections(["a", "b", "c", "d"])?;
        let fillers: Vec<_> = (0..)
            .zip(sections)
            .map(|(number, mut section)| {
                let pages = (number * quarter..(number + 1) * quarter).map(page);
                scope.spawn(move || section.add_all(pages))
            })
            .collect();
        fillers.into_iter().try_for_each(|filler| {
            filler.join().map_err(|_| "a thread that fills a section has panicked")?.map_err(Into::into)
        })
    })
    .map_err(|error: Box<dyn std::error::Error>| error)?;
    publisher.finish()?;
    Ok(())
}

fn set(pages: u64, dir: &Path) -> Result<()> {
    let mut publisher = builder()?.to_dir(dir)?;
    let each = pages / FILES;
    for file in 0..FILES {
        let pages = (file * each..(file + 1) * each).map(page);
        publisher.section(&format!("part{file}"))?.add_all(pages)?;
    }
    publisher.finish()?;
    Ok(())
}

/// Opens the files of a directory by the last part of their URLs.
struct Files<'d>(&'d Path);

impl SitemapSource for Files<'_> {
    type Content = fs::File;

    fn open(&mut self, loc: &Loc<'_>, _: &str) -> std::result::Result<OpenedSitemap<fs::File>, OpenError> {
        let name = loc.as_str().rsplit('/').next().unwrap_or_default();
        let file = fs::File::open(self.0.join(name));
        Ok(OpenedSitemap::new(name, file.map_err(|error| OpenError::unavailable(error.to_string()))?))
    }
}

fn check(pages: u64, dir: &Path) -> Result<()> {
    let options = CheckOptions::new().now(LastMod::date(2026, 12, 31)?).threads(THREADS);
    let mut checker = Checker::new(options);
    let index = OpenedSitemap::new("sitemap.xml", fs::File::open(dir.join("sitemap.xml"))?);
    checker.check_set(index, &mut Files(dir))?;
    let found = checker.finish().pages();
    if found == pages { Ok(()) } else { Err(format!("found {found} pages, expected {pages}").into()) }
}

fn shards(count: u64, dir: &Path) -> Result<()> {
    let buckets = u32::try_from(count)?;
    let storage = Directory::open(dir)?.durable(false);
    let mut writer = builder()?.write_shards(storage, "catalog", buckets)?;
    for (bucket, id) in (0..buckets).zip(0..) {
        writer.add(bucket, &page(id))?;
    }
    let rows: Vec<String> = writer.finish()?.into_rows().iter().map(ShardRow::to_string).collect();
    Ok(fs::write(dir.join("rows.txt"), rows.join("\n"))?)
}

fn commit(count: u64, dir: &Path) -> Result<()> {
    let mut commit = ShardCommit::new(builder()?).expect_urls(count);
    for row in fs::read_to_string(dir.join("rows.txt"))?.lines() {
        commit.add(row.parse()?)?;
    }
    commit.publish(Directory::open(dir)?.durable(false))?;
    Ok(())
}
