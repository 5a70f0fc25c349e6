//! The load generator `wrk`.

use std::io::ErrorKind;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::Result;

/// The requests of one run.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The number of requests.
    pub requests: u64,
    /// The number of requests per second.
    pub rate: f64,
}

/// Requests a URL on many connections at once.
///
/// # Errors
///
/// Returns an error if `wrk` cannot be started, or if a request failed.
pub fn wrk(url: &str, headers: &[&str], connections: usize, time: Duration) -> Result<Load> {
    let mut command = Command::new("wrk");
    command.args(["-t1", &format!("-c{connections}"), &format!("-d{}s", time.as_secs()), "--timeout", "30s"]);
    for header in headers {
        command.args(["-H", header]);
    }
    let output = command.arg(url).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            "`wrk` is not installed; install it, such as with `apt-get install wrk`".into()
        }
        _ => format!("cannot start `wrk`: {error}"),
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    parse(&text).filter(|_| output.status.success()).ok_or_else(|| format!("wrk {url}:\n{text}").into())
}

/// Parses the numbers, or returns an error if a request failed.
fn parse(text: &str) -> Option<Load> {
    if text.contains("Socket errors:") || text.contains("Non-2xx") {
        return None;
    }
    let requests = text.lines().find_map(|line| line.split_once(" requests in "))?.0.trim().parse().ok()?;
    let rate = text.lines().find_map(|line| line.strip_prefix("Requests/sec:"))?.trim().parse().ok()?;
    Some(Load { requests, rate })
}

#[cfg(test)]
mod tests {
    use super::parse;

    const REPORT: &str =
        "  12345 requests in 5.01s, 1.20GB read\nRequests/sec:   2464.07\nTransfer/sec:    245.1MB\n";

    #[test]
    fn the_numbers_of_a_report() {
        let load = parse(REPORT).unwrap();
        assert_eq!((load.requests, format!("{:.2}", load.rate)), (12_345, "2464.07".to_owned()));
    }

    #[test]
    fn a_failed_request_is_an_error() {
        assert!(parse(&format!("{REPORT}  Non-2xx or 3xx responses: 1\n")).is_none());
        assert!(
            parse(&format!("  Socket errors: connect 0, read 1, write 0, timeout 0\n{REPORT}")).is_none()
        );
    }
}
