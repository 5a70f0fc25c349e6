//! `sitemap shard write`: stores pages in shards, and prints a row for each shard.

use std::io::{self, BufRead, BufReader, IsTerminal as _, stdin};
use std::sync::Arc;

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::shards::{ShardRow, ShardWriter};
use sitemap_core::{Extensions, PublishError, Site, SitemapSet, Storage};

use super::order::Order;
use super::row::parse;
use crate::args::{Extension, RowFormat, ShardWriteArgs};
use crate::build::failure::failed;
use crate::build::lines::Lines;
use crate::build::ndjson;
use crate::build::out::open_storage;
use crate::build::publish::{report_skipped, site};
use crate::build::row::Row;
use crate::error::{Outcome, Stop};
use crate::interrupt;
use crate::number::counted;
use crate::output::Output;
use crate::terminal::{Ink, Paint, say};

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
    let mut writer = open(args, &site, Arc::clone(&storage))?;
    let mut output = Output::new();
    let mut lines = match args.format {
        RowFormat::Ndjson => Lines::new(input),
        RowFormat::Tsv => Lines::with_spaces(input),
    };
    let mut order = Order::new(args.buckets);
    while let Some(line) = lines.next()? {
        if args.format == RowFormat::Ndjson {
            ndjson::check_end(&line, INPUT)?;
        }
        let (text, line) = (line.text, line.number);
        let row = parse(text, args.format, &site);
        let bucket = match &row {
            Ok(row) => order.next(line, &row.loc)?,
            Err(_) => order.same(),
        };
        let page = row.as_ref().map(|row| &row.page).map_err(Clone::clone);
        let added = writer.add(bucket, &Row { place: &format_args!("{INPUT}:{line}"), page });
        added.map_err(|error| failed_in(&error, line))?;
        print(&mut output, &writer.take_rows())?;
    }
    let written = writer.finish().map_err(|error| failed(&error))?;
    report_skipped(written.skipped_records(), written.skipped(), paint);
    if written.skipped() > 0 {
        say(&format!("{}: {} in total", paint.ink(Ink::Warning, "skipped"), written.skipped()));
    }
    let retries = storage.retries();
    if retries > 0 {
        say(&format!("{} repeated", counted(retries, "request")));
    }
    print(&mut output, written.rows())
}

fn open(args: &ShardWriteArgs, site: &Site, storage: Arc<dyn Storage>) -> Outcome<ShardWriter> {
    let builder = SitemapSet::builder(site.clone())
        // Writes deprecated elements too, because they come from the user's input.
        .deprecated(true)
        .extensions(args.extensions.iter().fold(Extensions::NONE, |all, one| all | extension(*one)))
        .on_invalid(args.on_invalid.into());
    let builder = if args.gzip { builder.gzip() } else { builder };
    let writer = builder.write_shards(storage, &args.section, args.buckets);
    writer.map_err(|error| failed(&error))
}

fn extension(kind: Extension) -> Extensions {
    match kind {
        Extension::Alternates => Extensions::ALTERNATES,
        Extension::Images => Extensions::IMAGES,
        Extension::News => Extensions::NEWS,
        Extension::Videos => Extensions::VIDEOS,
    }
}

fn failed_in(error: &PublishError, line: u64) -> Stop {
    use sitemap_core::ErrorKind::{Undeclared, UndeclaredNamespace};
    let PublishErrorKind::Record { source, .. } = error.kind() else { return failed(error) };
    match source.kind() {
        Undeclared { loc, extensions } => Stop::new(format!(
            "{INPUT}:{line}: page {loc:?} has the undeclared extensions {extensions:?}; name them with \
             `--extensions`"
        )),
        UndeclaredNamespace { loc, prefix, .. } => Stop::new(format!(
            "{INPUT}:{line}: page {loc:?} has elements of the namespace `{prefix}`, which shards cannot contain; \
             remove the elements or use `sitemap build`"
        )),
        _ => failed(error),
    }
}

/// Prints the rows of stored shards. Flushes the output, so that the program reading it gets each row immediately.
fn print(output: &mut Output, rows: &[ShardRow]) -> Outcome<()> {
    if rows.is_empty() {
        return Ok(());
    }
    rows.iter().try_for_each(|row| output.line(&row.to_string()))?;
    output.flush()
}
