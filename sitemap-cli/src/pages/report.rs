//! `sitemap report`: one HTML page about a site.

use std::fs;
use std::path::Path;

use sitemap_core::LastMod;
use sitemap_pages::judge::{JudgeOptions, Judgement, StateEvidence, judge};
use sitemap_pages::report::{ReportBuilder, ReportPage};
use sitemap_pages::state::{RunRecord, State};

use super::state::{OpenState, stop};
use crate::args::ReportArgs;
use crate::error::{Outcome, Stop};
use crate::number::counted;
use crate::terminal::say;

/// Writes the report about the pages of a state.
pub(crate) fn run(args: &ReportArgs) -> Outcome<()> {
    let open = OpenState::open(&args.state)?;
    let same = |path: &Path| path.canonicalize().ok();
    if same(&args.out).is_some_and(|out| same(&args.state) == Some(out)) {
        let out = args.out.display();
        return Err(Stop::new(format!("`{out}` is the state; write the report to another file")));
    }
    let (html, judgement) = report(&open.state)?;
    fs::write(&args.out, &html).map_err(|error| Stop::io("write", &args.out, &error))?;
    say(&format!("{} in `{}`", counted(judgement.pages(), "page"), args.out.display()));
    Ok(())
}

fn report(state: &State) -> Outcome<(String, Judgement)> {
    let files = state.listing_files().map_err(stop)?;
    let Some(first) = files.first() else { return Err(without_listing(state)) };
    let runs: Vec<RunRecord> = state.runs().collect::<Result<_, _>>().map_err(stop)?;
    let title = state.base().unwrap_or_else(|| first.clone());
    let finished = runs.iter().rev().find(|run| run.is_finished);
    let mut report = ReportBuilder::new(title, finished.or(runs.last()).map(|run| run.time));
    if let Some(run) = runs.last().filter(|run| !run.is_finished) {
        let kind = run.kind.as_str();
        report.note(format!("The last {kind} was interrupted. Run the same command again to finish it."));
    }
    let options = JudgeOptions::new().translations(true);
    let judged = judge(&StateEvidence::new(state), &options, &mut |verdict| {
        let worst = verdict.findings.iter().map(sitemap_read::Finding::severity).max();
        let file = files.get(verdict.file).filter(|_| verdict.is_listed);
        for finding in &verdict.findings {
            report.finding(verdict.url, file.map(String::as_str), finding);
        }
        if !verdict.is_listed {
            return;
        }
        // The content of a page that never changed is as old as the page, and that is not known.
        let changed = verdict.changed.and_then(|time| LastMod::try_from(time).ok());
        let (url, answer) = (verdict.url, verdict.answer);
        report.page(&ReportPage { url, answer, worst, changed: changed.as_ref() });
    });
    let mut judgement = judged.map_err(|error| Stop::new(error.to_string()))?;
    if let Some(why) = &judgement.incomplete {
        report.note(format!("The crawl is not complete: {why}. Which pages no page links to is not known."));
    }
    report.translations(std::mem::take(&mut judgement.translations));
    Ok((report.finish(), judgement))
}

/// Returns the error for a state that does not know which pages are listed.
fn without_listing(state: &State) -> Stop {
    let path = state.path().display();
    Stop::new(match state.page_count() {
        0 => format!("`{path}` has no pages yet; run `sitemap check SITEMAP --pages --state {path}` first"),
        _ => format!(
            "`{path}` does not know which of its pages a sitemap lists; run `sitemap check SITEMAP --pages --state \
             {path}` first (a site without a sitemap gets one from `sitemap build --from-state {path}`)"
        ),
    })
}
