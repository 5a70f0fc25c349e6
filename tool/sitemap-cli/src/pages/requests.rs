//! Requests the pages for `check --pages` and `check --moved-to`.

use std::time::SystemTime;

use sitemap_fetch::survey::{Survey, SurveyProgress, check_with};
use sitemap_pages::judge::{
    JudgeOptions, Judgement, MoveJudgement, MoveVerdict, NewSet, StateEvidence, Verdict, judge, judge_move,
};
use sitemap_read::{ReadOptions, Report};

use super::hosts::KnownHosts;
use super::set::{SetEntries, SetEvidence};
use super::state::{OpenState, stop};
use super::{client, folder, listing, reach, summary};
use crate::args::CheckArgs;
use crate::error::{Outcome, Stop, system_message};
use crate::in_order::map_in_order;
use crate::run_time::now;
use crate::site_folder::SiteFolder;
use crate::source::{Documents, Identity};
use crate::terminal::{Paint, Progress};

/// What is known about the pages after the requests.
#[derive(Debug)]
pub(super) struct Asked<'d> {
    open: OpenState,
    /// The entries, unless they are stored in the state file. An offline check doesn't change that file.
    entries: Option<SetEntries<'d>>,
    listed_at: SystemTime,
}

impl Asked<'_> {
    /// Judges the pages.
    pub(super) fn judge(&self, each: &mut dyn FnMut(Verdict<'_>)) -> Outcome<Judgement> {
        let options = JudgeOptions::new();
        match &self.entries {
            Some(entries) => judge(&self.offline(entries)?, &options, each),
            None => judge(&self.stored(), &options, each).map_err(stop),
        }
    }

    /// Judges whether the pages have moved to a new set.
    pub(super) fn judge_move(
        &self,
        new: &NewSet,
        each: &mut dyn FnMut(MoveVerdict<'_>),
    ) -> Outcome<MoveJudgement> {
        match &self.entries {
            Some(entries) => judge_move(&self.offline(entries)?, new, each),
            None => judge_move(&self.stored(), new, each).map_err(stop),
        }
    }

    fn offline<'a>(&'a self, entries: &'a SetEntries<'a>) -> Outcome<SetEvidence<'a>> {
        SetEvidence::new(entries, &self.open.state, self.listed_at)
    }

    fn stored(&self) -> StateEvidence<'_> {
        StateEvidence::new(&self.open.state).listed_at(self.listed_at)
    }
}

/// Opens the state, reads the entries in a report's files, and requests their pages.
pub(super) fn pages<'d>(
    args: &'d CheckArgs,
    identity: &Identity,
    options: &ReadOptions,
    report: &Report,
    documents: &'d Documents,
    err: Paint,
) -> Outcome<Asked<'d>> {
    match &args.pages.state {
        Some(path) if args.pages.offline => {
            let open = OpenState::open(path)?;
            let entries = SetEntries::of(report, documents, options, &args.pages.patterns);
            Ok(Asked { open, entries: Some(entries), listed_at: now()? })
        }
        path => {
            let mut open = OpenState::create_or_open(path.as_deref())?;
            let known = KnownHosts::of(&open.state)?;
            let entries = SetEntries::of(report, documents, options, &args.pages.patterns);
            let hosts = listing::of_report(&mut open.state, report, &entries, |hosts| {
                known.check(hosts)?;
                if args.pages.from_dir.is_none() { reach::check(hosts, &args.read) } else { Ok(()) }
            })?;
            entries.report_excluded(err);
            // A page may be visited after its entry was read and still have the old content. In that case, a newer
            // `lastmod` is wrong.
            let listed_at = now()?;
            match &args.pages.from_dir {
                Some(folder) => {
                    let folder = folder::open(folder, args, &hosts)?;
                    read(&folder, args.threads.count(), &open, path.is_some(), err)?;
                }
                None => request(args, identity, &open, err)?,
            }
            Ok(Asked { open, entries: None, listed_at })
        }
    }
}

/// Reads the listed pages from a folder.
fn read(folder: &SiteFolder<'_>, threads: usize, open: &OpenState, is_kept: bool, err: Paint) -> Outcome<()> {
    let progress = Progress::of_items("reading pages", Some(open.state.listed_count()));
    let now = now()?;
    let visited = check_with::<Stop>(&open.state, now, &mut |urls, store| {
        let mut urls = urls.map(|url| url.map_err(stop));
        let visit = |url: String| {
            let visit = folder.visit(&url, now);
            visit.map_err(|error| Stop::new(format!("cannot read `{url}`: {}", system_message(&error))))
        };
        map_in_order(threads, &mut urls, &visit, &mut |visit| {
            progress.add(1);
            visit?.map_or(Ok(()), |visit| store(visit).map_err(stop))
        })
    })?;
    drop(progress);
    summary::print_read(&visited, folder, is_kept, err);
    Ok(())
}

/// Requests the listed pages.
fn request(args: &CheckArgs, identity: &Identity, open: &OpenState, err: Paint) -> Outcome<()> {
    let state = &open.state;
    let fetcher = client::fetcher(&args.pages.request, &args.read, identity)?;
    let progress = Progress::of_files("requesting pages");
    let show = |at: &SurveyProgress| progress.advance_resumed(at.done(), at.expected, at.run.visited);
    let mut survey = Survey::new(state, &fetcher).on_progress(show);
    if let Some(pages) = args.pages.sample {
        survey = survey.sample(pages, args.pages.seed);
    }
    let done = client::runtime()?.block_on(survey.check(now()?)).map_err(stop)?;
    drop(progress);
    summary::print(&done, err);
    Ok(())
}
