//! Input from a crawl.

use std::path::Path;

use sitemap_core::publish::SetOptions;
use sitemap_core::{Entry, LastMod, Loc, Summary};
use sitemap_pages::judge::{Crawled, indexable_pages};
use sitemap_pages::state::State;

use super::out::open_storage;
use super::sink::Sink;
use crate::args::BuildArgs;
use crate::error::{Outcome, Stop};
use crate::interrupt;
use crate::number::{counted, grouped};
use crate::terminal::{Paint, say};

/// Publishes the indexable pages of the last crawl.
pub(super) fn build(args: &BuildArgs, path: &Path, builder: SetOptions, paint: Paint) -> Outcome<Summary> {
    let state = State::open(path).map_err(|error| Stop::new(error.to_string()))?;
    let mut pages = Vec::new();
    let crawled = indexable_pages(&state, &mut |url, changed| pages.push((url.to_owned(), changed)));
    let crawled = crawled.map_err(|error| Stop::new(error.to_string()))?;
    check(args, path, &crawled)?;
    let mut sink = Sink::open(args, builder, None, open_storage(&args.site.out)?, paint)?;
    let mut section = sink.section(&args.section)?;
    for (url, changed) in &pages {
        interrupt::check().map_err(|error| Stop::new(error.to_string()))?;
        let changed = changed.and_then(|time| LastMod::try_from(time).ok());
        let page = Loc::parse(url).map(|loc| Entry::new(loc).with_lastmod(changed));
        let page = page.as_ref().map_err(ToString::to_string);
        section.add(&path.display(), page)?;
    }
    report(&crawled);
    sink.finish()
}

/// Returns an error if the crawl is incomplete.
fn check(args: &BuildArgs, path: &Path, crawled: &Crawled) -> Outcome<()> {
    let path = path.display();
    if !crawled.is_crawled {
        return Err(Stop::new(format!(
            "`{path}` has no crawl; run `sitemap crawl URL --state {path}` first"
        )));
    }
    match &crawled.incomplete {
        Some(why) if !args.allow_incomplete => Err(Stop::new(format!(
            "the crawl in `{path}` is not complete: {why}; run `sitemap crawl` again, or publish what it found with \
             `--allow-incomplete`"
        ))),
        Some(why) => {
            say(&format!("warning: the crawl is not complete: {why}"));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Reports how many pages were skipped, grouped by reason.
fn report(crawled: &Crawled) {
    if crawled.duplicates > 0 {
        say(&format!("left out {} with the content of another page", counted(crawled.duplicates, "page")));
    }
    let left_out: u64 = crawled.left_out.values().sum();
    if left_out > 0 {
        let reasons: Vec<String> = crawled
            .left_out
            .iter()
            .map(|(standing, &count)| format!("{} {standing}", grouped(count)))
            .collect();
        say(&format!(
            "left out {} that cannot be indexed: {}",
            counted(left_out, "page"),
            reasons.join(", ")
        ));
    }
}
