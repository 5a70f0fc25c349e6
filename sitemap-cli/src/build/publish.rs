//! The start of a run, and the report at its end.

use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{Publisher, Summary};

use super::failure::failed;
use super::out::open_storage;
use crate::args::BuildArgs;
use crate::error::Outcome;
use crate::terminal::{Ink, Paint, say};

/// The number of skipped pages that are reported one by one.
const MAX_SHOWN: usize = 20;

/// Starts a run. The old set is not touched yet.
pub(super) fn open(args: &BuildArgs, builder: PublisherBuilder) -> Outcome<Publisher> {
    builder.to_storage(open_storage(&args.out)?).map_err(|error| failed(&error))
}

pub(crate) fn report(summary: &Summary, paint: Paint) {
    let warning = paint.ink(Ink::Warning, "skipped");
    for skipped in summary.skipped_records().iter().take(MAX_SHOWN) {
        say(&format!("{warning}: {}", skipped.error()));
    }
    let more = summary.skipped().saturating_sub(MAX_SHOWN as u64);
    if more > 0 {
        say(&format!("{warning}: {more} more"));
    }
    say(&summary.to_string());
}
