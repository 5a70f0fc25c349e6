//! Text input: one URL or path per line.

use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{Entry, Summary};

use super::failure::failed;
use super::input::Input;
use super::lines::Lines;
use super::publish::open;
use super::row::Row;
use crate::args::BuildArgs;
use crate::error::Outcome;

pub(super) fn build(args: &BuildArgs, builder: PublisherBuilder, input: Input) -> Outcome<Summary> {
    let site = builder.site().clone();
    let mut publisher = open(args, builder)?;
    let mut section = publisher.section(&args.section).map_err(|error| failed(&error))?;
    let Input { name, from, progress } = input;
    let mut lines = Lines::new(from);
    while let Some((line, text, taken)) = lines.next()? {
        let text = std::str::from_utf8(text).map_err(|_| "the line is not UTF-8".to_owned());
        let page = text.and_then(|loc| site.resolve(loc).map(Entry::new).map_err(|error| error.to_string()));
        let page = page.as_ref().map_err(Clone::clone);
        section.add(&Row { place: format_args!("{name}:{line}"), page }).map_err(|error| failed(&error))?;
        progress.add(taken);
    }
    drop(progress);
    publisher.finish().map_err(|error| failed(&error))
}
