//! Reports refreshes as `tracing` events and spans, and as metrics. If no `tracing` subscriber receives them, failures
//! of scheduled refreshes are written to the standard error stream.

use std::fmt::Display;
use std::time::Duration;

use sitemap_core::Summary;

use super::status::Status;

/// Describes what requests get after a failure.
fn consequence(status: &Status) -> &'static str {
    if status.has_set { "the old set stays published" } else { "there is no set yet, so requests get 503" }
}

/// The numbers to report after a refresh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refreshed {
    pub(super) urls: u64,
    /// How many files contain pages, and how many of those have changed.
    files: usize,
    changed: usize,
    skipped: u64,
}

impl Refreshed {
    pub(super) fn new(summary: &Summary) -> Self {
        let files = summary.files();
        Self {
            urls: summary.urls(),
            files: files.len(),
            changed: files.iter().filter(|file| file.changed()).count(),
            skipped: summary.skipped(),
        }
    }
}

pub(super) fn refreshed(refreshed: Refreshed, status: &Status, time: Duration) {
    let Refreshed { urls, files, changed, skipped } = refreshed;
    #[cfg(feature = "tracing")]
    tracing::info!(urls, files, changed, skipped, ?time, "sitemap refreshed");
    let _ = (urls, files, changed, skipped);
    measure("success", status, time);
}

pub(super) fn updated(status: &Status, time: Duration) {
    #[cfg(feature = "tracing")]
    tracing::info!(files = status.files, ?time, "sitemap updated");
    measure("success", status, time);
}

pub(super) fn failed(error: &dyn Display, status: &Status, time: Duration) {
    #[cfg(feature = "tracing")]
    tracing::error!(%error, ?time, "sitemap not refreshed; {}", consequence(status));
    let _ = error;
    measure("failure", status, time);
}

/// Reports the failure of a scheduled refresh, which has no caller to return the error to.
pub(super) fn failed_in_background(status: &Status) {
    if let Some(line) = line(status) {
        eprintln!("{line}");
    }
}

/// Returns the line for the standard error stream, or `None` if there is nothing to print.
fn line(status: &Status) -> Option<String> {
    let error = status.last_error.as_ref().filter(|_| !is_traced())?;
    Some(format!("sitemap not refreshed; {}: {error}", consequence(status)))
}

/// Returns `true` if a subscriber receives failure events. The feature `tracing` is not enough: another crate may have
/// enabled it in a program without a subscriber, or the subscriber may filter out this crate's events.
fn is_traced() -> bool {
    #[cfg(feature = "tracing")]
    return tracing::enabled!(tracing::Level::ERROR);
    #[cfg(not(feature = "tracing"))]
    false
}

/// Reports that a scheduled refresh was left to another instance.
pub(super) fn left(status: &Status) {
    #[cfg(feature = "tracing")]
    tracing::debug!(left = status.left_to_others, "sitemap refresh left to another instance");
    #[cfg(feature = "metrics")]
    {
        metrics::counter!("sitemap_refreshes_total", "result" => "left").increment(1);
        measure_success(status);
    }
    let _ = status;
}

/// Reports that a live set could not search the storage for a published set.
pub(super) fn unreadable_set(error: &dyn Display) {
    #[cfg(feature = "tracing")]
    tracing::error!(%error, "cannot read the published sitemap; requests get 503 until the storage answers");
    if !is_traced() {
        eprintln!("cannot read the published sitemap; requests get 503 until the storage answers: {error}");
    }
}

/// Reports that a storage operation failed. `action` is the verb that follows "cannot".
pub(super) fn storage_failed(action: &'static str, file: &str, error: &dyn Display) {
    #[cfg(feature = "tracing")]
    tracing::error!(file, %error, "cannot {action} sitemap file");
    let _ = (action, file, error);
}

/// Reports that a requested file cannot be read from the storage. Of several failures in a row, only the first is
/// printed.
pub(super) fn unreadable_file(file: &str, error: &dyn Display, is_first: bool) {
    storage_failed("read", file, error);
    #[cfg(feature = "metrics")]
    metrics::counter!("sitemap_storage_failures_total").increment(1);
    if is_first && !is_traced() {
        eprintln!(
            "cannot read `{file}` of the published sitemap; requests get what is in memory, or 503: {error}"
        );
    }
}

/// Updates the metrics. The crate documentation lists their names.
#[cfg(feature = "metrics")]
fn measure(result: &'static str, status: &Status, time: Duration) {
    metrics::counter!("sitemap_refreshes_total", "result" => result).increment(1);
    metrics::histogram!("sitemap_refresh_duration_seconds").record(time);
    #[expect(clippy::cast_precision_loss, reason = "a set has fewer than 2^52 files and pages")]
    {
        metrics::gauge!("sitemap_files").set(status.files as f64);
        if let Some(urls) = status.urls {
            metrics::gauge!("sitemap_urls").set(urls as f64);
        }
    }
    measure_success(status);
}

#[cfg(feature = "metrics")]
fn measure_success(status: &Status) {
    use std::time::UNIX_EPOCH;

    if let Some(time) = status.last_success.and_then(|date| date.duration_since(UNIX_EPOCH).ok()) {
        metrics::gauge!("sitemap_last_success_timestamp_seconds").set(time.as_secs_f64());
    }
}

#[cfg(not(feature = "metrics"))]
fn measure(_: &'static str, _: &Status, _: Duration) {}

/// The `tracing` span of a refresh. Does nothing without the feature `tracing`.
#[derive(Debug)]
pub(super) struct Span {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

impl Span {
    pub(super) fn new() -> Self {
        Self {
            #[cfg(feature = "tracing")]
            span: tracing::info_span!("sitemap_refresh"),
        }
    }

    /// Calls a function inside the span. To run a future in the span, poll it inside the function.
    #[cfg_attr(
        not(feature = "tracing"),
        expect(clippy::unused_self, reason = "there is no span without the feature")
    )]
    pub(super) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        #[cfg(feature = "tracing")]
        let _entered = self.span.enter();
        work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_in_the_background_is_never_silent() {
        let mut status = Status::default();
        assert_eq!(line(&status), None);
        let fail = |status: &mut Status| {
            status.fail("cannot read the records: no database".to_owned(), Duration::ZERO);
            line(status)
        };
        let lines = [
            fail(&mut status),
            {
                status.succeed(Some(1), 1, Duration::ZERO);
                line(&status)
            },
            fail(&mut status),
        ];
        let expected = [
            Some(
                "sitemap not refreshed; there is no set yet, so requests get 503: cannot read the records: no database",
            ),
            None,
            Some("sitemap not refreshed; the old set stays published: cannot read the records: no database"),
        ];
        assert_eq!(lines.each_ref().map(Option::as_deref), expected);
    }
}
