//! The summary at the end of a run.

use sitemap_fetch::survey::{Done, Visited};

use crate::number::counted;
use crate::site_folder::SiteFolder;
use crate::terminal::{Ink, Paint, say};

/// The maximum number of sites to name that ask for a longer delay than allowed.
const MOST_DELAYS: usize = 10;

pub(super) fn print(done: &Done, paint: Paint) {
    for line in lines(done, paint) {
        say(&line);
    }
}

/// Prints the counts of a check of files to stderr. With a state file, also prints how many pages changed.
pub(super) fn print_read(visited: &Visited, folder: &SiteFolder<'_>, is_kept: bool, paint: Paint) {
    let note = paint.ink(Ink::Note, "note");
    say(&format!("{} looked up in {folder}", counted(visited.visits, "page")));
    if is_kept {
        say(&format!("content: {}", visited.changes));
    }
    if visited.omitted > 0 {
        say(&format!(
            "{note}: {} not read, because there are too many",
            counted(visited.omitted, "named page")
        ));
    }
    say(&format!(
        "{note}: what only a server can answer was not checked, such as redirects, headers, failures and soft 404s"
    ));
}

fn lines(done: &Done, paint: Paint) -> Vec<String> {
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
    let mut lines = vec![parts.join(", ")];
    if done.is_finished() {
        lines.push(format!("content: {}", done.changes));
    }
    if done.excluded > 0 {
        let (note, count) = (paint.ink(Ink::Note, "note"), counted(done.excluded, "link"));
        lines.push(format!("{note}: {count} not followed, because of `--include` or `--exclude`"));
    }
    for given_up in &done.summary.given_up {
        let (warning, pages) = (paint.ink(Ink::Warning, "warning"), counted(given_up.visits, "page"));
        lines.push(format!("{warning}: {pages} not requested: {given_up}"));
    }
    let shortened = &done.summary.shortened_delays;
    for delay in shortened.iter().take(MOST_DELAYS) {
        lines.push(format!("{}: {delay}", paint.ink(Ink::Note, "note")));
    }
    if let Some(more @ 1..) = shortened.len().checked_sub(MOST_DELAYS) {
        let (note, sites) = (paint.ink(Ink::Note, "note"), counted(more as u64, "more site"));
        lines.push(format!("{note}: {sites} asked for a longer delay than the limit"));
    }
    for gap in &done.gaps {
        lines.push(format!("{}: {gap}", paint.ink(Ink::Note, "note")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sitemap_fetch::{GivenUp, GivenUpReason, ShortenedDelay};

    use super::*;
    use crate::args::When;

    #[test]
    fn hosts_that_were_not_asked_as_they_wish_are_named() {
        let mut done = Done::default();
        done.summary.progress.visited = 2_000;
        done.summary.progress.failed = 1_000;
        let last = "`a.example` refused the connection".to_owned();
        let reason = GivenUpReason::NoAnswer { requests: 20, last };
        done.summary.given_up = vec![GivenUp::new("a.example", reason, 980)];
        let (asked, used) = (Duration::from_secs(600), Duration::from_secs(30));
        done.summary.shortened_delays = (0..12)
            .map(|number| ShortenedDelay::new(format!("https://{number}.example"), asked, used))
            .collect();
        let lines = lines(&done, Paint::stderr(When::Never));
        assert_eq!(lines.len(), 14);
        assert_eq!(
            [&lines[0], &lines[2], &lines[3], &lines[13]],
            [
                "2,000 pages visited, 1,000 without a usable answer",
                "warning: 980 pages not requested: `a.example` left 20 requests in a row without an answer (`a.example` \
                 refused the connection); try again later",
                "note: the robots.txt of `https://0.example` asks for a `Crawl-delay` of 600 s, and 30 s were used; set a \
                 longer delay to obey it",
                "note: 2 more sites asked for a longer delay than the limit",
            ]
        );
    }
}
