//! Pages from a list of addresses, one a line.

use sitemap_core::Summary;
use sitemap_core::publish::PublisherBuilder;

use super::input::Input;
use super::lines::Lines;
use super::row::Row;
use super::{failed, open};
use crate::args::BuildArgs;
use crate::error::Outcome;
use crate::page::Page;

pub(super) fn build(args: &BuildArgs, builder: PublisherBuilder, input: Input) -> Outcome<Summary> {
    let mut publisher = open(args, builder)?;
    let mut section = publisher.section(&args.section).map_err(|error| failed(&error))?;
    let Input { name, from, progress } = input;
    let mut lines = Lines::new(from);
    while let Some((line, text, taken)) = lines.next()? {
        let text = std::str::from_utf8(text);
        let page = text.map(|loc| Page { loc: loc.into(), ..Page::default() });
        let page = page.as_ref().map_err(|_| "not UTF-8".to_owned());
        section.add(&Row { input: &name, line, page }).map_err(|error| failed(&error))?;
        progress.add(taken);
    }
    drop(progress);
    publisher.finish().map_err(|error| failed(&error))
}
