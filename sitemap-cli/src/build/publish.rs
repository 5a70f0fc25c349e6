//! Opening a publisher, and reporting how its run ended.

use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{Publisher, Summary};

use super::failure::failed;
use super::out::open_storage;
use crate::args::BuildArgs;
use crate::error::Outcome;
use crate::terminal::{Ink, Paint, say};

/// Skipped pages to name one by one.
const SHOWN: usize = 20;

/// Begins to publish; nothing of an old set is touched yet.
pub(super) fn open(args: &BuildArgs, builder: PublisherBuilder) -> Outcome<Publisher> {
    builder.to_storage(open_storage(&args.out)?).map_err(|error| failed(&error))
}

pub(crate) fn report(summary: &Summary, paint: Paint) {
    let warning = paint.ink(Ink::Warning, "skipped");
    for skipped in summary.skipped_records().iter().take(SHOWN) {
        say(&format!("{warning}: {}", skipped.reason()));
    }
    let more = summary.skipped().saturating_sub(SHOWN as u64);
    if more > 0 {
        say(&format!("{warning}: {more} more"));
    }
    say(&summary.to_string());
}
