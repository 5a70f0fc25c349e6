//! What a run says at its end.

use sitemap_pages::survey::Done;

use crate::number::counted;
use crate::terminal::{Ink, Paint, say};

/// The number of sites that are named because they ask for a longer delay than the limit.
const MOST_DELAYS: usize = 10;

/// Prints the numbers of a run to stderr.
pub(super) fn print(done: &Done, paint: Paint) {
    let progress = &done.summary.progress;
    let mut parts = vec![format!("{} visited", counted(progress.visited - done.probes, "page"))];
    for (count, what) in [
        (done.resumed, "known from the interrupted run"),
        (progress.not_modified, "not modified"),
        (progress.blocked, "blocked by robots.txt"),
        (progress.failed, "without a usable answer"),
        (progress.cut, "longer than what was read"),
        (progress.retries, "repeated"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", crate::number::grouped(count)));
        }
    }
    say(&parts.join(", "));
    if done.is_finished() {
        say(&format!("content: {}", done.changes));
    }
    for given_up in &done.summary.given_up {
        let (warning, pages) = (paint.ink(Ink::Warning, "warning"), counted(given_up.visits, "page"));
        say(&format!("{warning}: {pages} not requested: {given_up}"));
    }
    let shortened = &done.summary.shortened_delays;
    for delay in shortened.iter().take(MOST_DELAYS) {
        say(&format!("{}: {delay}", paint.ink(Ink::Note, "note")));
    }
    if let Some(more @ 1..) = shortened.len().checked_sub(MOST_DELAYS) {
        let (note, sites) = (paint.ink(Ink::Note, "note"), counted(more as u64, "more site"));
        say(&format!("{note}: {sites} asked for a longer delay than the limit"));
    }
    for gap in &done.gaps {
        say(&format!("{}: {gap}", paint.ink(Ink::Note, "note")));
    }
}
