//! `sitemap report`: one HTML page about a site.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use sitemap_core::LastMod;
use sitemap_pages::judge::{JudgeOptions, StateEvidence, judge};
use sitemap_pages::report::{ReportBuilder, ReportPage};

use super::state::{OpenState, stop};
use crate::args::ReportArgs;
use crate::error::{Outcome, Stop};
use crate::number::counted;
use crate::terminal::say;

/// Writes the report about the pages of a state.
pub(crate) fn run(args: &ReportArgs) -> Outcome<()> {
    let open = OpenState::open(&args.state)?;
    let state = &open.state;
    let files = state.listing_files().map_err(stop)?;
    let Some(first) = files.first() else {
        return Err(Stop::new(format!(
            "`{}` has no listed pages; run `sitemap check --pages --state` or `sitemap crawl` first",
            args.state.display()
        )));
    };
    let title = state.base().unwrap_or_else(|| first.clone());
    let time = state.last_run(None).map_err(stop)?.map_or(UNIX_EPOCH, |run| run.time);
    let mut report = ReportBuilder::new(title, time);
    let judged = judge(&StateEvidence::new(state), &JudgeOptions::new(), &mut |verdict| {
        let worst = verdict.findings.iter().map(sitemap_read::Finding::severity).max();
        for finding in &verdict.findings {
            report.finding(verdict.url, finding);
        }
        if !verdict.is_listed {
            return;
        }
        // The content of a page that never changed is as old as the page, and that is not known.
        let changed = verdict.changed.and_then(|time| LastMod::try_from(time).ok());
        report.page(&ReportPage {
            url: verdict.url,
            status: verdict.status,
            is_unvisited: !verdict.is_visited,
            worst,
            changed: changed.as_ref(),
        });
    });
    let judgement = judged.map_err(|error| Stop::new(error.to_string()))?;
    if let Some(why) = &judgement.incomplete {
        report.note(format!("The crawl is not complete: {why}. Which pages no page links to is not known."));
    }
    let same = |path: &Path| path.canonicalize().ok();
    if same(&args.out).is_some_and(|out| same(&args.state) == Some(out)) {
        let out = args.out.display();
        return Err(Stop::new(format!("`{out}` is the state; write the report to another file")));
    }
    let html = report.finish();
    fs::write(&args.out, &html).map_err(|error| Stop::io("write", &args.out, &error))?;
    say(&format!("{} in `{}`", counted(judgement.pages(), "page"), args.out.display()));
    Ok(())
}
