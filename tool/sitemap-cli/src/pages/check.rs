//! `sitemap check --pages`: requests the pages and reports findings about them.

use std::collections::BTreeMap;

use sitemap_pages::judge::{Judgement, Standing};
use sitemap_read::{CheckOptions, ReadOptions, Report};

use super::requests;
use crate::args::CheckArgs;
use crate::error::Outcome;
use crate::number::counted;
use crate::page_table::PageTable;
use crate::source::{Documents, Identity};
use crate::terminal::{Ink, Paint, say};

/// Requests the pages listed in a report's files, and adds findings about them to the report.
pub(crate) fn run(
    args: &CheckArgs,
    identity: &Identity,
    (options, read_options): (&CheckOptions, &ReadOptions),
    report: &mut Report,
    documents: &Documents,
    err: Paint,
) -> Outcome<Judgement> {
    let asked = requests::pages(args, identity, read_options, report, documents, err)?;
    let judgement = report.add_findings(options, |add| {
        asked.judge(&mut |verdict| {
            verdict.findings.into_iter().for_each(|finding| add(verdict.file, finding));
        })
    })?;
    let unknown = judgement.table.count(Standing::Unknown);
    if unknown > 0 {
        let (warning, pages) = (err.ink(Ink::Warning, "warning"), counted(unknown, "page"));
        let why = match &args.pages.from_dir {
            Some(folder) => format!("`{}` is served at another URL", folder.display()),
            None => "no answer of a server is known".to_owned(),
        };
        say(&format!("{warning}: {pages} not checked, because {why}"));
    }
    if judgement.cut > 0 {
        let (note, pages) = (err.ink(Ink::Note, "note"), counted(judgement.cut, "page"));
        say(&format!("{note}: {pages} longer than what was read, so facts may be missing"));
    }
    Ok(judgement)
}

/// Returns the table of pages by section and status. The table has a column for each status that occurs.
pub(crate) fn table(judgement: &Judgement) -> PageTable {
    let table = &judgement.table;
    let standings: Vec<Standing> =
        Standing::ALL.iter().copied().filter(|standing| table.count(*standing) > 0).collect();
    let counts = |counts: &BTreeMap<Standing, u64>| {
        standings.iter().map(|standing| counts.get(standing).copied().unwrap_or_default()).collect()
    };
    PageTable {
        text: table.to_string(),
        columns: standings.iter().map(|standing| standing.as_str()).collect(),
        rows: table.sections().map(|(name, numbers)| (name.to_owned(), counts(numbers))).collect(),
        unchecked: table.count(Standing::Unknown),
        cut: judgement.cut,
        causes: judgement.causes.clone(),
    }
}
