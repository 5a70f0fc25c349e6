//! The lists of pages for one run, each with its format and section.

use sitemap_core::Site;
use sitemap_core::publish::SetOptions;

use super::ndjson::{Ndjson, Needs};
use super::sink::{Pages, Sink};
use super::text;
use crate::args::Column;
use crate::args::{BuildArgs, BuildInput, InputFormat};
use crate::error::{Outcome, Stop};
use crate::page_list::csv::{self, COLUMNS, Table};
use crate::page_list::csv_end::{COMMA, TAB};
use crate::page_list::input::{Input, PAGES};

/// All lists of a run, and the namespaces their pages need.
pub(super) struct Lists {
    of_sections: Vec<(String, List)>,
    needs: Needs,
    columns: Vec<Column>,
}

enum List {
    Text(Input),
    /// CSV, or TSV if the delimiter is a tab.
    Table(Input, u8),
    Ndjson(Ndjson),
}

/// Opens all lists first, so that a missing file is reported before any work is done.
pub(super) fn open_all(args: &BuildArgs) -> Outcome<Lists> {
    let stdin = [BuildInput::stdin()];
    let inputs = if args.inputs.is_empty() { &stdin } else { args.inputs.as_slice() };
    if inputs.iter().filter(|input| input.path().is_none()).count() > 1 {
        return Err(Stop::new("standard input is given twice; write `-` for one input only"));
    }
    let open = |input: &BuildInput| {
        let section = input.section.as_ref().unwrap_or(&args.section).clone();
        Ok((section, open(input, args.input_format, &args.columns.column)?))
    };
    let of_sections = inputs.iter().map(open).collect::<Outcome<_>>()?;
    Ok(Lists { of_sections, needs: Needs::default(), columns: args.columns.column.clone() })
}

fn open(from: &BuildInput, format: Option<InputFormat>, given: &[Column]) -> Outcome<List> {
    let path = from.path();
    let mut input = Input::open(path, PAGES)?;
    Ok(match format.map_or_else(|| input.format(path, given), Ok)? {
        InputFormat::Text => List::Text(input),
        InputFormat::Csv => List::Table(input, COMMA),
        InputFormat::Tsv => List::Table(input, TAB),
        InputFormat::Ndjson => List::Ndjson(Ndjson::new(input.name.clone(), input.into_file(path)?)?),
    })
}

impl Lists {
    /// Declares the namespaces that the pages need. Only pages in NDJSON can have extensions.
    pub(super) fn declare(&mut self, builder: SetOptions, site: &Site) -> Outcome<SetOptions> {
        let mut has_ndjson = false;
        for (_, pages) in &mut self.of_sections {
            if let List::Ndjson(list) = pages {
                list.needs(&mut self.needs, site)?;
                has_ndjson = true;
            }
        }
        Ok(if has_ndjson { self.needs.declare(builder) } else { builder })
    }

    /// Adds the pages of each list to its section.
    pub(super) fn fill(self, sink: &mut Sink, site: &Site) -> Outcome<()> {
        let Self { of_sections, needs, columns } = self;
        for (section, pages) in of_sections {
            let mut section = sink.section(&section)?;
            match pages {
                List::Text(input) => text::fill(&mut section, site, input)?,
                List::Table(input, delimiter) => fill(&mut section, site, input, delimiter, &columns)?,
                List::Ndjson(list) => list.fill(&mut section, site, &needs)?,
            }
        }
        Ok(())
    }
}

fn fill(section: &mut Pages<'_>, site: &Site, input: Input, delimiter: u8, given: &[Column]) -> Outcome<()> {
    let Input { name, from, progress, .. } = input;
    let mut table = Table::open(&name, from, delimiter, COLUMNS, given)?;
    while let Some(row) = table.next()? {
        let page = row.values.and_then(|values| csv::page(values, site));
        section.add(&format_args!("{name}:{}", row.line), page.as_ref().map_err(Clone::clone))?;
        progress.set(row.end);
    }
    Ok(())
}
