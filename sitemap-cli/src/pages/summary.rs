//! What a run says at its end.

use sitemap_pages::survey::Done;

use crate::number::counted;
use crate::terminal::{Ink, Paint, say};

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
        say(&format!("{}: {given_up}", paint.ink(Ink::Warning, "warning")));
    }
    for gap in &done.gaps {
        say(&format!("{}: {gap}", paint.ink(Ink::Note, "note")));
    }
}
