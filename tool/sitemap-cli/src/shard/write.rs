//! `sitemap shard write`: stores pages in shards, and prints a row for each shard.

use std::io::{self, BufRead, BufReader, IsTerminal as _, stdin};
use std::sync::Arc;

use sitemap_core::publish::shards::bucket_of;
use sitemap_core::{SitemapSet, Storage};
use sitemap_update::Build;

use super::row::parse;
use crate::args::{RowFormat, ShardWriteArgs};
use crate::build::out::open_storage;
use crate::build::publish::site;
use crate::build::sink::Buckets;
use crate::error::Outcome;
use crate::interrupt;
use crate::number::counted;
use crate::output::Output;
use crate::page_list::lines::Lines;
use crate::page_list::ndjson;
use crate::temporary::Temporary;
use crate::terminal::{Paint, say};

const INPUT: &str = "<stdin>";

pub(super) fn run(args: &ShardWriteArgs, paint: Paint) -> Outcome<()> {
    let mut input = BufReader::with_capacity(64 * 1024, interrupt::stdin());
    let outcome = write(args, &mut input, paint);
    if outcome.is_err() && !stdin().is_terminal() {
        // The rest of the input is read after an error, too. Otherwise the engine that writes the input would report a
        // broken pipe instead of the command's error.
        let _ = io::copy(&mut input, &mut io::sink());
    }
    outcome
}

fn write(args: &ShardWriteArgs, input: impl BufRead, paint: Paint) -> Outcome<()> {
    let site = site(&args.site)?;
    let storage: Arc<dyn Storage> = Arc::new(open_storage(&args.site.out)?);
    let temporary = Temporary::new()?;
    let builder = SitemapSet::builder(site.clone());
    let builder = if args.gzip { builder.gzip() } else { builder };
    let build = Build::new(builder, args.buckets, temporary.storage()?);
    let mut buckets =
        Buckets::new(build, Box::new(Arc::clone(&storage)), args.on_invalid.into(), paint, temporary);
    let mut lines = match args.format {
        RowFormat::Ndjson => Lines::new(input),
        RowFormat::Tsv => Lines::with_spaces(input),
    };
    while let Some(line) = lines.next()? {
        if args.format == RowFormat::Ndjson {
            ndjson::check_end(&line, INPUT)?;
        }
        let row = parse(line.text, args.format, &site);
        if let (Ok(row), Some(part)) = (&row, args.part)
            && !part.keeps(bucket_of(row.page.loc().as_str(), args.buckets))
        {
            continue;
        }
        let section = row.as_ref().ok().and_then(|row| row.section.as_deref()).unwrap_or(&args.section);
        let page = row.as_ref().map(|row| &row.page).map_err(Clone::clone);
        buckets.add(section, &format_args!("{INPUT}:{}", line.number), page)?;
    }
    let rows = buckets.write()?;
    let retries = storage.retries();
    if retries > 0 {
        say(&format!("{} repeated", counted(retries, "request")));
    }
    let mut output = Output::new();
    rows.iter().try_for_each(|row| output.line(&row.to_string()))?;
    output.flush()
}
