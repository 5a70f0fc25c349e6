//! `sitemap crawl`: follows a site's links.

use std::borrow::Cow;
use std::time::Duration;

use sitemap_fetch::survey::{CrawlLimits, Survey, SurveyProgress};
use sitemap_pages::state::{Page, RunKind};
use sitemap_pages::urls::origin;
use sitemap_pages::visit::Outcome as Answer;
use url::Url;

use super::hosts::{Hosts, KnownHosts};
use super::listing::Lister;
use super::state::{OpenState, stop};
use super::{client, reach, summary};
use crate::args::CrawlArgs;
use crate::error::{Outcome, Stop};
use crate::number::grouped;
use crate::run_time::now;
use crate::source::{Identity, Source, crawl as read_sitemaps};
use crate::terminal::{Ink, Paint, Progress, say};

/// Crawls the site. Returns `true` if the crawl is incomplete.
pub(crate) fn run(args: &CrawlArgs, err: Paint) -> Outcome<bool> {
    let start = start(&args.url)?;
    // These URLs still contain the user name and password. The first page's URL does not.
    let named = if args.url.contains("://") { &args.url } else { &start };
    let targets = [Some(named.as_str()), args.sitemap.as_deref()].into_iter().flatten();
    let identity = Identity::new(&args.read.network, targets)?;
    let hosts = Hosts::of(&start);
    reach::check(&hosts, &args.read)?;
    let mut open = OpenState::create_or_open(Some(&args.state))?;
    KnownHosts::of(&open.state)?.check(&hosts)?;
    if open.state.base().is_none_or(|base| base != start) {
        open.state.bind(&start).map_err(stop)?;
    }
    list(args, &start, &identity, &mut open, err)?;
    let state = &open.state;
    let fetcher = client::fetcher(&args.request, &args.read, &identity)?;
    let mut limits = CrawlLimits::new().pages(args.max_pages).depth(args.max_depth);
    if let Some(seconds) = args.max_time {
        limits = limits.time(Duration::from_secs(seconds));
    }
    let progress = Progress::of_files("crawling pages");
    let show = |at: &SurveyProgress| progress.advance_resumed(at.done(), at.expected, at.run.visited);
    let survey = Survey::new(state, &fetcher).only(|url| args.patterns.cover(url)).on_progress(show);
    let crawling = survey.crawl(std::slice::from_ref(&start), limits, now()?);
    let done = client::runtime()?.block_on(crawling).map_err(stop)?;
    drop(progress);
    summary::print(&done, err);
    if !done.is_finished() {
        let (found, known) = (grouped(state.found_count()), grouped(state.page_count()));
        say(&format!(
            "not complete: {known} pages are known, {found} URLs were found; run the same command again"
        ));
        return Ok(true);
    }
    let home = state.page(&start).map_err(stop)?;
    if let Some(why) =
        home.map_or(Some("it was not requested; check the URL".to_owned()), |page| problem(&page))
    {
        return Err(Stop::new(format!("cannot crawl `{start}`: {why}")));
    }
    let is_complete =
        state.last_run(Some(RunKind::Crawl)).map_err(stop)?.is_some_and(|run| run.is_complete());
    say(if is_complete { "complete" } else { "not complete; the notes above say why" });
    Ok(!is_complete)
}

/// Returns the reason why a crawl can find no page except this first one, with a remedy.
fn problem(home: &Page) -> Option<String> {
    let why = match &home.visit.outcome {
        Answer::Page { .. } | Answer::NotModified(_)
            if origin(home.visit.last_url()) != origin(&home.visit.url) =>
        {
            let target = home.visit.last_url();
            return Some(format!("it redirects to another site, `{target}`; crawl that URL"));
        }
        Answer::Page { facts, .. } if facts.status < 400 => return None,
        Answer::Page { facts, .. } => format!("it answers with status {}", facts.status),
        Answer::Blocked(blocked) => blocked.to_string(),
        Answer::Failed(failure) => failure.to_string(),
        _ => return None,
    };
    Some(format!("{why}; check the URL"))
}

/// Returns the URL of the home page.
fn start(text: &str) -> Outcome<String> {
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(&with_scheme)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let mut url = url.ok_or_else(|| {
        Stop::new(format!("`{text}` is not the URL of a site; write `https://example.com/`"))
    })?;
    url.set_fragment(None);
    // This fails only for URLs without a host.
    let _ = (url.set_username(""), url.set_password(None));
    Ok(url.into())
}

/// Reads the site's sitemaps into the listing. If there are none, the crawl relies on links alone.
fn list(args: &CrawlArgs, start: &str, identity: &Identity, open: &mut OpenState, err: Paint) -> Outcome<()> {
    let source = Source::with_identity(&args.read, identity.clone());
    let origin = || origin(start).map_or_else(|| start.to_owned(), Cow::into_owned);
    let target = args.sitemap.clone().unwrap_or_else(origin);
    let mut lister = Lister::new(&mut open.state, &args.patterns)?;
    match read_sitemaps(&source, &target, &mut lister) {
        Ok(read) => {
            read.report(&target)?;
            lister.finish()
        }
        Err(Stop::Error(why)) if args.sitemap.is_none() => {
            let note = err.ink(Ink::Note, "note");
            say(&format!("{note}: {why}; only links are followed"));
            Ok(())
        }
        Err(stop) => Err(stop),
    }
}
