//! `sitemap build`: a set of sitemap files from a list of pages or a folder of HTML files.

mod csv;
mod dates;
mod folder;
mod head;
mod input;
pub(crate) mod lines;
pub(crate) mod ndjson;
pub(crate) mod out;
mod path;
pub(crate) mod row;
mod text;
mod verdict;

use std::io::Write as _;
use std::num::NonZero;
use std::thread;

use sitemap_core::publish::{Names, OnInvalid, PublishErrorKind, PublisherBuilder};
use sitemap_core::{Dialect, ErrorKind, Format, PublishError, Publisher, Site, Summary};

use crate::args::{self, BuildArgs};
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::terminal::{Ink, Paint, say};

/// Skipped pages to name one by one.
const SHOWN: usize = 20;

pub(crate) fn run(args: &BuildArgs, paint: Paint) -> Outcome<()> {
    let site = site(args)?;
    let summary = match &args.from_dir {
        Some(folder) => folder::build(args, folder, &site, builder(args, &site))?,
        None => input::build(args, builder(args, &site))?,
    };
    report(&summary, paint);
    let mut output = Output::new();
    let written = output.write_all(summary.robots_txt().as_bytes());
    written.map_err(|error| Stop::print(&error))?;
    output.flush()
}

fn site(args: &BuildArgs) -> Outcome<Site> {
    let base = Site::new(&args.base).map_err(|error| Stop::new(format!("`--base`: {error}")))?;
    args.also_list.iter().try_fold(base, |site, other| {
        site.also_list(other).map_err(|error| Stop::new(format!("`--also-list`: {error}")))
    })
}

fn builder(args: &BuildArgs, site: &Site) -> PublisherBuilder {
    let dialect = match args.dialect {
        args::BuildDialect::V0_9 => Dialect::V0_9,
        args::BuildDialect::V0_84 => Dialect::V0_84,
    };
    let mut limits = dialect.limits();
    limits.urls = args.max_urls;
    let builder = Publisher::builder(site.clone())
        .dialect(dialect)
        .format(match args.format {
            args::BuildFormat::Xml => Format::Xml,
            args::BuildFormat::Text => Format::Text,
        })
        .names(match args.names {
            args::BuildNames::Stable => Names::Stable,
            args::BuildNames::Digest => Names::Digest,
        })
        .threads(threads(args))
        .lower_limits(limits)
        // Who writes them into the input wants them.
        .deprecated(true)
        .on_invalid(match args.on_invalid {
            args::OnInvalid::Stop => OnInvalid::Stop,
            args::OnInvalid::Skip => OnInvalid::Skip,
        });
    if args.gzip { builder.gzip() } else { builder }
}

fn threads(args: &BuildArgs) -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    args.threads.map_or_else(cores, usize::from)
}

/// Begins to publish; nothing of an old set is touched yet.
fn open(args: &BuildArgs, builder: PublisherBuilder) -> Outcome<Publisher> {
    out::open(&args.out, builder)
}

/// The command's words for what ended a run.
pub(crate) fn failed(error: &PublishError) -> Stop {
    match error.kind() {
        PublishErrorKind::Record { source, .. } => match source.kind() {
            ErrorKind::NoExtensions { .. } => no_extensions(),
            // The message of the row names its line.
            _ => Stop::new(source.to_string()),
        },
        PublishErrorKind::EmptySet { skipped: 0 } => {
            Stop::new("no page to publish; nothing was written, so that an old set stays as it is")
        }
        PublishErrorKind::Document(error) if matches!(error.kind(), ErrorKind::NoExtensions { .. }) => {
            no_extensions()
        }
        _ => {
            let message = error.to_string();
            Stop::new(out::without_credentials(&message).unwrap_or(message))
        }
    }
}

fn no_extensions() -> Stop {
    Stop::new("dialect 0.84 has no extensions; leave out `--dialect 0.84` or remove them from the input")
}

pub(crate) fn report(summary: &Summary, paint: Paint) {
    let warning = paint.ink(Ink::Warning, "skipped");
    for skipped in summary.skipped_records().iter().take(SHOWN) {
        say(&format!("{warning}: {}", skipped.reason()));
    }
    let more = summary.skipped().saturating_sub(SHOWN as u64);
    if more > 0 {
        say(&format!("{warning}: {more} more"));
    }
    say(&summary.to_string());
}
