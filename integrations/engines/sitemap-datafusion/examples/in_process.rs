//! Writes the same shards as DataFusion and Spark, but without an engine: `in_process FILE.parquet BUCKETS FOLDER`.
//!
//! This is the baseline for comparing engines. It reads all rows into memory, sorts each hash bucket, and writes the
//! shards on one thread.

use std::env;
use std::error::Error;
use std::fs::File;

use datafusion::arrow::array::{Array as _, AsArray as _};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sitemap_core::publish::shards::{ShardCommit, bucket_of};
use sitemap_core::{
    ChangeFreq, Directory, Entry, EntryWriter, LastMod, Priority, Site, SitemapEntry, SitemapSet,
};

/// The pages of one hash bucket, with their URLs concatenated in `text`.
#[derive(Default)]
struct Bucket {
    text: String,
    pages: Vec<Page>,
}

#[derive(Clone, Copy)]
struct Page {
    start: u32,
    len: u16,
    changefreq: Option<ChangeFreq>,
    priority: Option<Priority>,
    lastmod: Option<i64>,
}

struct Record<'b>(&'b str, Page);

impl SitemapEntry for Record<'_> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), sitemap_core::Error> {
        let Self(loc, page) = self;
        let entry = Entry::new(out.site().resolve(*loc)?)
            .with_lastmod(page.lastmod.map(LastMod::from_timestamp).transpose()?)
            .with_changefreq(page.changefreq)
            .with_priority(page.priority);
        out.add(entry)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, buckets, folder] = &arguments[..] else {
        return Err("usage: in_process FILE.parquet BUCKETS FOLDER".into());
    };
    let count: u32 = buckets.parse()?;
    let mut buckets: Vec<Bucket> = (0..count).map(|_| Bucket::default()).collect();
    read(file, &mut buckets)?;

    let options =
        || Ok::<_, Box<dyn Error>>(SitemapSet::builder(Site::new("https://www.example.com")?).gzip());
    let storage = || Directory::open(folder);
    let mut shards = options()?.write_shards(storage()?, "pages", count)?;
    for (number, Bucket { text, mut pages }) in (0..).zip(buckets) {
        let loc = |page: &Page| &text[page.start as usize..][..usize::from(page.len)];
        pages.sort_unstable_by(|a, b| loc(a).cmp(loc(b)));
        for page in &pages {
            shards.add(number, &Record(loc(page), *page))?;
        }
    }
    let mut commit = ShardCommit::new(options()?);
    for row in shards.finish()?.into_rows() {
        commit.add(row)?;
    }
    println!("{}", commit.publish(storage()?)?.urls());
    Ok(())
}

fn read(file: &str, buckets: &mut [Bucket]) -> Result<(), Box<dyn Error>> {
    let count = u32::try_from(buckets.len())?;
    for batch in ParquetRecordBatchReaderBuilder::try_new(File::open(file)?)?.build()? {
        let batch = batch?;
        let column =
            |name: &str| batch.column_by_name(name).ok_or_else(|| format!("the file has no column `{name}`"));
        let text = |name: &str| Ok::<_, Box<dyn Error>>(cast(column(name)?, &DataType::Utf8View)?);
        let (locs, changefreqs) = (text("loc")?, text("changefreq")?);
        let (locs, changefreqs) = (locs.as_string_view(), changefreqs.as_string_view());
        let seconds = cast(column("lastmod")?, &DataType::Int64)?;
        let (seconds, priorities) =
            (seconds.as_primitive::<Int64Type>(), column("priority")?.as_primitive::<Float64Type>());
        for row in 0..batch.num_rows() {
            let loc = locs.value(row);
            let bucket = &mut buckets[bucket_of(loc, count) as usize];
            bucket.pages.push(Page {
                start: u32::try_from(bucket.text.len())?,
                len: u16::try_from(loc.len())?,
                changefreq: changefreqs.is_valid(row).then(|| changefreqs.value(row).parse()).transpose()?,
                priority: priorities
                    .is_valid(row)
                    .then(|| Priority::new(priorities.value(row)))
                    .transpose()?,
                lastmod: seconds.is_valid(row).then(|| seconds.value(row)),
            });
            bucket.text.push_str(loc);
        }
    }
    Ok(())
}
