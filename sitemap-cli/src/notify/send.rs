//! Sends requests. If the endpoint fails or gets too many requests, waits and sends the request again.

use std::thread;
use std::time::{Duration, SystemTime};

use sitemap_notify::{IndexNow, IndexNowBatch, IndexNowResponse};
use url::Url;

use crate::source::Source;
use crate::terminal::say;

/// The first wait if the response has no `Retry-After`. Each further wait is twice as long as the one before.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// The maximum number of times that one request is sent.
const MAX_ATTEMPTS: u32 = 6;

/// Why a request was not accepted.
pub(super) struct NotSent {
    /// The reason of the last failure.
    pub(super) reason: String,
    /// True if the endpoint has refused the request. If false, it is not known whether the endpoint has got it.
    pub(super) was_refused: bool,
}

pub(super) struct Sender<'s> {
    source: &'s Source,
    endpoint: Url,
    /// The time that all further waits may take together.
    patience: Duration,
}

impl<'s> Sender<'s> {
    pub(super) fn new(source: &'s Source, endpoint: Url, max_wait: u64) -> Self {
        Self { source, endpoint, patience: Duration::from_secs(max_wait) }
    }

    /// Sends a request, and sends it again after a temporary failure.
    pub(super) fn send(&mut self, batch: &IndexNowBatch) -> Result<IndexNowResponse, NotSent> {
        let mut wait = FIRST_WAIT;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let reply = self.source.post(&self.endpoint, IndexNow::CONTENT_TYPE, batch.body());
            let reply = reply.map_err(|reason| NotSent { reason, was_refused: false })?;
            let answer = IndexNowResponse::from_status(reply.status);
            // A server that fails may have taken the request before.
            let was_refused = reply.status < 500 && reply.status != 408;
            if answer.is_accepted() {
                return Ok(answer);
            }
            if !answer.is_retryable() || attempts == MAX_ATTEMPTS {
                return Err(NotSent { reason: answer.to_string(), was_refused });
            }
            let pause = reply.retry_after.as_deref().and_then(delay).unwrap_or(wait);
            if pause > self.patience {
                let seconds = pause.as_secs();
                let reason = format!("{answer}; the next wait is {seconds} s; allow more with `--max-wait`");
                return Err(NotSent { reason, was_refused });
            }
            self.patience -= pause;
            say(&format!("status {}: waiting {} s", reply.status, pause.as_secs()));
            thread::sleep(pause);
            wait *= 2;
        }
    }
}

/// Returns the wait that a `Retry-After` header asks for. The header contains seconds or a date (RFC 9110, section
/// 10.2.3).
fn delay(retry_after: &str) -> Option<Duration> {
    let text = retry_after.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let when = httpdate::parse_http_date(text).ok()?;
    // A date in the past means no wait.
    Some(when.duration_since(SystemTime::now()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_in_seconds_or_as_a_date() {
        assert_eq!(delay("120"), Some(Duration::from_secs(120)));
        assert_eq!(delay(" 0 "), Some(Duration::ZERO));
        assert_eq!(delay("Fri, 31 Dec 1999 23:59:59 GMT"), Some(Duration::ZERO));
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(100));
        let found = delay(&soon).unwrap();
        assert!((90..=100).contains(&found.as_secs()), "{found:?}");
        for text in ["", "soon", "-1", "1.5"] {
            assert_eq!(delay(text), None, "{text}");
        }
    }
}
