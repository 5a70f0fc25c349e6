//! The site and set of a run, and the report at the end.

use std::io::Write as _;

use sitemap_core::publish::{OnInvalid, SkippedRecord};
use sitemap_core::{Site, Summary};

use crate::args::{self, BuildArgs, SiteArgs};
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::terminal::{Ink, Paint, say};

/// The maximum number of skipped pages to report one by one.
pub(super) const MAX_SHOWN: usize = 20;

/// Returns the site that the options `--base` and `--also-list` describe.
pub(crate) fn site(args: &SiteArgs) -> Outcome<Site> {
    let base = Site::new(&args.base).map_err(|error| Stop::new(format!("`--base`: {error}")))?;
    args.also_list.iter().try_fold(base, |site, other| {
        site.also_list(other).map_err(|error| Stop::new(format!("`--also-list`: {error}")))
    })
}

/// Returns the number of threads that write files.
pub(super) fn threads(args: &BuildArgs) -> usize {
    args::threads(args.threads)
}

impl From<args::OnInvalid> for OnInvalid {
    fn from(choice: args::OnInvalid) -> Self {
        match choice {
            args::OnInvalid::Stop => Self::Stop,
            args::OnInvalid::Skip => Self::Skip,
        }
    }
}

/// Reports the published set on stderr, and prints the line for robots.txt to stdout.
pub(crate) fn report(summary: &Summary, paint: Paint) -> Outcome<()> {
    report_skipped(summary.skipped_records(), summary.skipped(), paint);
    say(&summary.to_string());
    let mut output = Output::new();
    let written = output.write_all(summary.robots_txt().as_bytes());
    written.map_err(|error| Stop::print(&error))?;
    output.flush()
}

/// Reports the first skipped pages one by one, then only the number of the remaining ones.
pub(crate) fn report_skipped(first: &[SkippedRecord], count: u64, paint: Paint) {
    let warning = paint.ink(Ink::Warning, "skipped");
    for skipped in first.iter().take(MAX_SHOWN) {
        say(&format!("{warning}: {}", skipped.error()));
    }
    let more = count.saturating_sub(MAX_SHOWN as u64);
    if more > 0 {
        say(&format!("{warning}: {more} more"));
    }
}
