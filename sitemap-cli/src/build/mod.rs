//! `sitemap build`: publishes a set from a list of pages or a folder of HTML files.

pub(crate) mod csv;
mod dates;
pub(crate) mod failure;
mod folder;
mod head;
mod input;
pub(crate) mod lines;
pub(crate) mod ndjson;
pub(crate) mod out;
mod path;
pub(crate) mod publish;
pub(crate) mod row;
mod text;
mod verdict;

use std::num::NonZero;
use std::thread;

use sitemap_core::publish::{Names, PublisherBuilder};
use sitemap_core::{Dialect, Format, Publisher, Site, Summary};

use self::input::Input;
use crate::args::{self, BuildArgs, InputFormat};
use crate::error::Outcome;
use crate::terminal::Paint;

pub(crate) fn run(args: &BuildArgs, paint: Paint) -> Outcome<()> {
    let site = publish::site(&args.base, &args.also_list)?;
    let summary = match &args.from_dir {
        Some(folder) => folder::build(args, folder, &site, builder(args, &site))?,
        None => from_list(args, builder(args, &site))?,
    };
    publish::report(&summary, paint)
}

fn from_list(args: &BuildArgs, builder: PublisherBuilder) -> Outcome<Summary> {
    let path = args.input.as_deref().filter(|path| path.as_os_str() != "-");
    let mut input = Input::open(path)?;
    let format = args.input_format.map_or_else(|| input.format(path), Ok)?;
    match format {
        InputFormat::Text => text::build(args, builder, input),
        InputFormat::Csv => csv::build(args, builder, input),
        InputFormat::Ndjson => {
            let name = input.name.clone();
            ndjson::build(args, builder, &name, input.into_file(path)?)
        }
    }
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
        .compare_bytes(args.force)
        .lower_limits(limits)
        // Writes deprecated elements, because the user put them into the input.
        .deprecated(true)
        .on_invalid(args.on_invalid.into());
    let builder = args.keep.apply(builder);
    if args.gzip { builder.gzip() } else { builder }
}

fn threads(args: &BuildArgs) -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    args.threads.map_or_else(cores, usize::from)
}
