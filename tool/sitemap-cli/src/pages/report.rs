//! `sitemap report`: one HTML page about a site.

use std::fs;
use std::path::Path;

use sitemap_core::LastMod;
use sitemap_pages::judge::{JudgeOptions, Judgement, StateEvidence, Verdict, judge, judge_crawl};
use sitemap_pages::report::{Fetches, ReportBuilder, ReportPage};
use sitemap_pages::state::{RunRecord, State};

use super::access_logs;
use super::findings_csv::FindingsCsv;
use super::state::{OpenState, stop};
use crate::args::ReportArgs;
use crate::error::{Outcome, Stop};
use crate::number::counted;
use crate::terminal::say;

/// Writes the report about the pages in a state file.
pub(crate) fn run(args: &ReportArgs) -> Outcome<()> {
    let open = OpenState::open(&args.state)?;
    let same = |path: &Path| path.canonicalize().ok();
    for (what, path) in [("report", Some(&args.out)), ("findings", args.csv.as_ref())] {
        let Some(path) = path else { continue };
        if same(path).is_some_and(|path| same(&args.state) == Some(path)) {
            let path = path.display();
            return Err(Stop::new(format!("`{path}` is the state; write the {what} to another file")));
        }
    }
    if args.csv.as_ref() == Some(&args.out) {
        let path = args.out.display();
        return Err(Stop::new(format!("`{path}` is the report; write the findings to another file")));
    }
    let mut csv = FindingsCsv::create(args.csv.as_deref())?;
    let (html, judgement) = report(args, &open.state, &mut csv)?;
    csv.finish()?;
    fs::write(&args.out, &html).map_err(|error| Stop::io("write", &args.out, &error))?;
    say(&format!("{} in `{}`", counted(judgement.pages(), "page"), args.out.display()));
    Ok(())
}

/// The page information that is needed to read access logs.
#[derive(Default)]
struct Changes {
    fetches: Fetches,
    /// The scheme and host of the first page.
    origin: Option<String>,
}

fn report(args: &ReportArgs, state: &State, csv: &mut FindingsCsv<'_>) -> Outcome<(String, Judgement)> {
    // The crawlers' files are read first, so that a mistake in one of them is reported before the pages are judged.
    let crawlers = access_logs::crawlers(&args.logs)?;
    let mut changes = crawlers.is_some().then(Changes::default);
    let files = state.listing_files().map_err(stop)?;
    let runs: Vec<RunRecord> = state.runs().collect::<Result<_, _>>().map_err(stop)?;
    let finished = runs.iter().rev().find(|run| run.is_finished);
    let time = finished.or(runs.last()).map(|run| run.time);
    let title = state.base().or_else(|| files.first().cloned());
    let mut report = match (&title, files.is_empty()) {
        (Some(title), false) => ReportBuilder::new(title, time),
        (Some(title), true) => ReportBuilder::of_crawl(title, time),
        (None, _) => return Err(without_pages(state)),
    };
    if let Some(run) = runs.last().filter(|run| !run.is_finished) {
        let kind = run.kind.as_str();
        report.note(format!("The last {kind} was interrupted. Run the same command again to finish it."));
    }
    let options = JudgeOptions::new().translations(true);
    let mut judgement = if files.is_empty() {
        of_crawl(state, &options, &mut report, &mut changes, csv)?
    } else {
        of_sitemap(state, &files, &options, &mut report, &mut changes, csv)?
    };
    if let (Some(crawlers), Some(Changes { mut fetches, origin })) = (crawlers, changes) {
        access_logs::read(&args.logs, &crawlers, &origin.unwrap_or_default(), &mut fetches)?;
        report.fetches(fetches);
    }
    report.translations(std::mem::take(&mut judgement.translations));
    Ok((report.finish(), judgement))
}

/// Reports on the pages in a sitemap.
fn of_sitemap(
    state: &State,
    files: &[String],
    options: &JudgeOptions,
    report: &mut ReportBuilder,
    changes: &mut Option<Changes>,
    csv: &mut FindingsCsv<'_>,
) -> Outcome<Judgement> {
    let judged = judge(&StateEvidence::new(state), options, &mut |verdict| {
        let file = files.get(verdict.file).filter(|_| verdict.is_listed).map(String::as_str);
        for finding in &verdict.findings {
            report.finding(verdict.url, file, finding);
            csv.listed(verdict.url, file, finding);
        }
        if verdict.is_listed {
            add(report, changes, &verdict);
        }
    });
    let judgement = judged.map_err(stop)?;
    if let Some(why) = &judgement.incomplete {
        report.note(format!("The crawl is not complete: {why}. Which pages no page links to is not known."));
    }
    Ok(judgement)
}

/// Reports on the pages of a crawl, for a site without a sitemap.
fn of_crawl(
    state: &State,
    options: &JudgeOptions,
    report: &mut ReportBuilder,
    changes: &mut Option<Changes>,
    csv: &mut FindingsCsv<'_>,
) -> Outcome<Judgement> {
    let mut failed = Ok(());
    let judged = judge_crawl(state, options, &mut |verdict| {
        let mut linked_from = || {
            let found = state.found(verdict.url).map_err(stop);
            let found = found.unwrap_or_else(|error| {
                failed = Err(error);
                None
            });
            found.and_then(|found| found.found_on)
        };
        for finding in &verdict.findings {
            report.finding_of_crawl(verdict.url, finding, &mut linked_from);
            csv.crawled(verdict.url, finding, &mut linked_from);
        }
        // The last verdict may be a note that doesn't belong to a page.
        if verdict.is_listed {
            add(report, changes, &verdict);
        }
    });
    let Some(judgement) = judged.map_err(stop)? else { return Err(without_pages(state)) };
    failed?;
    report.note(
        "No sitemap of the site is known, so the report is about the pages that the crawl found by links.",
    );
    if let Some(why) = &judgement.incomplete {
        report.note(format!("The crawl is not complete: {why}. Pages can be missing from the report."));
    }
    report.indexing(judgement.table.clone());
    Ok(judgement)
}

/// Counts a page.
fn add(report: &mut ReportBuilder, kept: &mut Option<Changes>, verdict: &Verdict<'_>) {
    if let Some(kept) = kept {
        if let Some(time) = verdict.changed {
            kept.fetches.change(verdict.url, time);
        }
        kept.origin.get_or_insert_with(|| origin_of(verdict.url).to_owned());
    }
    let worst = verdict.findings.iter().map(sitemap_read::Finding::severity).max();
    // If a page never changed, its content is as old as the page itself, and the age of the page is unknown.
    let changed = verdict.changed.and_then(|time| LastMod::try_from(time).ok());
    let mut page = ReportPage::new(verdict.url, verdict.answer);
    (page.worst, page.changed) = (worst, changed.as_ref());
    report.page(&page);
}

/// Returns the scheme and host of a URL.
fn origin_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    &url[..url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at)]
}

/// Returns the error for a state file that contains neither a sitemap nor a crawl.
fn without_pages(state: &State) -> Stop {
    let path = state.path().display();
    Stop::new(match state.page_count() {
        0 => format!("`{path}` has no pages yet; run `sitemap check SITEMAP --pages --state {path}` first"),
        _ => format!(
            "`{path}` does not know which of its pages a sitemap lists; run `sitemap check SITEMAP --pages --state \
             {path}` first (a site without a sitemap gets one from `sitemap build --from-state {path}`)"
        ),
    })
}
