//! The requests of `check --pages` and `check --moved-to`.

use std::cell::Cell;
use std::time::SystemTime;

use sitemap_pages::survey::Survey;
use sitemap_read::{ReadOptions, Report};

use super::state::{OpenState, stop};
use super::{listing, request, summary};
use crate::args::{PagesArgs, ReadArgs};
use crate::error::Outcome;
use crate::run_time::now;
use crate::source::Documents;
use crate::terminal::{Paint, Progress};

/// Opens the state, stores the entries of a report's files in it, and requests their pages. Returns the state, and the
/// time when the entries were read.
pub(super) fn pages(
    args: &PagesArgs,
    read: &ReadArgs,
    options: &ReadOptions,
    report: &Report,
    documents: &Documents,
    err: Paint,
) -> Outcome<(OpenState, SystemTime)> {
    let mut open = match &args.state {
        Some(path) if args.offline => OpenState::open(path)?,
        path => OpenState::create_or_open(path.as_deref())?,
    };
    listing::of_report(&mut open.state, report, documents, options)?;
    let state = &open.state;
    // A page that is visited after its entry was read, and has the old content, shows that a newer `lastmod` is false.
    let listed_at = now()?;
    if !args.offline {
        let fetcher = request::fetcher(&args.request, read)?;
        let progress = Progress::of_items("requesting pages", Some(state.listed_count()));
        // Each wave of requests begins to count anew.
        let (before, last) = (Cell::new(0), Cell::new(0));
        let mut survey = Survey::new(state, &fetcher).on_progress(|numbers| {
            if numbers.visited < last.get() {
                before.set(before.get() + last.get());
            }
            last.set(numbers.visited);
            progress.set(before.get() + numbers.visited);
        });
        if let Some(pages) = args.sample {
            survey = survey.sample(pages, args.seed);
        }
        let done = request::runtime()?.block_on(survey.check(now()?)).map_err(stop)?;
        drop(progress);
        summary::print(&done, err);
    }
    Ok((open, listed_at))
}
