//! Tests for each log format, with lines from the documentation of servers and with generated lines.

mod documented;
mod print;
mod reading;
mod round_trip;

use sitemap_logs::{LogError, LogFormat, LogReader, LogRequest, LogRule};

/// Reads a log of one line.
fn with_one<T>(format: LogFormat, line: &str, use_request: impl FnOnce(LogRequest<'_>) -> T) -> T {
    let mut reader = LogReader::new(line.as_bytes(), format);
    match reader.next_request() {
        Some(Ok(request)) => use_request(request),
        other => panic!("{line}: {other:?}"),
    }
}

/// Reads a log of one line that is not a request.
fn rule_of(format: LogFormat, line: &str) -> LogRule {
    match LogReader::new(line.as_bytes(), format).next_request() {
        Some(Err(LogError::Line(line))) => line.rule(),
        other => panic!("{line}: {other:?}"),
    }
}
