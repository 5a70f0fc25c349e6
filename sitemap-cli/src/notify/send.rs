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

    /// Sends a request, and sends it again after a temporary failure. The error is the reason of the last failure.
    pub(super) fn send(&mut self, batch: &IndexNowBatch) -> Result<IndexNowResponse, String> {
        let mut wait = FIRST_WAIT;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let reply = self.source.post(&self.endpoint, IndexNow::CONTENT_TYPE, batch.body())?;
            let answer = IndexNowResponse::from_status(reply.status);
            if answer.is_accepted() {
                return Ok(answer);
            }
            if !answer.is_retryable() || attempts == MAX_ATTEMPTS {
                return Err(answer.to_string());
            }
            let pause = reply.retry_after.as_deref().and_then(delay).unwrap_or(wait);
            if pause > self.patience {
                let seconds = pause.as_secs();
                return Err(format!("{answer}; the next wait is {seconds} s; allow more with `--max-wait`"));
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
