//! `sitemap check --pages`: findings about what the pages say.

use sitemap_pages::judge::{JudgeOptions, Judgement, Standing, StateEvidence, judge};
use sitemap_read::{CheckOptions, ReadOptions, Report};

use super::ask;
use crate::args::{PagesArgs, ReadArgs};
use crate::error::{Outcome, Stop};
use crate::number::counted;
use crate::output::Output;
use crate::source::Documents;
use crate::terminal::{Ink, Paint, say};

/// Requests the pages of a report's files, and adds findings about them to the report.
pub(crate) fn run(
    args: &PagesArgs,
    read: &ReadArgs,
    (options, read_options): (&CheckOptions, &ReadOptions),
    report: &mut Report,
    documents: &Documents,
    err: Paint,
) -> Outcome<Judgement> {
    let (open, listed_at) = ask::pages(args, read, read_options, report, documents, err)?;
    let evidence = StateEvidence::new(&open.state).listed_at(listed_at);
    let judged = report.add_findings(options, |add| {
        judge(&evidence, &JudgeOptions::new(), &mut |verdict| {
            verdict.findings.into_iter().for_each(|finding| add(verdict.file, finding));
        })
    });
    let judgement = judged.map_err(|error| Stop::new(error.to_string()))?;
    let unknown = judgement.table.count(Standing::Unknown);
    if unknown > 0 {
        let (warning, pages) = (err.ink(Ink::Warning, "warning"), counted(unknown, "page"));
        say(&format!("{warning}: {pages} not checked, because no answer is known"));
    }
    if judgement.cut > 0 {
        let (note, pages) = (err.ink(Ink::Note, "note"), counted(judgement.cut, "page"));
        say(&format!("{note}: {pages} longer than what was read, so facts may be missing"));
    }
    Ok(judgement)
}

/// Prints the table of pages by section and standing.
pub(crate) fn print_table(judgement: &Judgement) -> Outcome<()> {
    let mut output = Output::new();
    for line in judgement.table.to_string().lines() {
        output.line(line)?;
    }
    output.flush()
}
