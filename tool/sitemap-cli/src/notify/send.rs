//! Sends requests. If the endpoint fails or throttles requests, waits and tries again.

use std::fmt::Display;
use std::thread;
use std::time::{Duration, SystemTime};

use sitemap_notify::{IndexNow, IndexNowBatch, IndexNowResponse};
use url::Url;

use crate::source::Source;
use crate::terminal::say;

/// The first wait if the response has no `Retry-After` header. Each wait after that is twice as long as the previous
/// one.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// The maximum number of times to send a request.
const MAX_ATTEMPTS: u32 = 6;

/// The reason why a request was not accepted.
pub(super) struct NotSent {
    /// The reason for the last failure.
    pub(super) reason: String,
    /// True if the endpoint refused the request. False if it's unknown whether the endpoint received it.
    pub(super) was_refused: bool,
}

/// The meaning of a response.
pub(super) struct Answer<T> {
    pub(super) meaning: T,
    pub(super) is_accepted: bool,
    /// True if the same request may succeed later.
    pub(super) is_retryable: bool,
}

pub(super) struct Sender<'s> {
    source: &'s Source,
    endpoint: Url,
    /// The total waiting time that is left.
    patience: Duration,
}

impl<'s> Sender<'s> {
    pub(super) fn new(source: &'s Source, endpoint: Url, max_wait: u64) -> Self {
        Self { source, endpoint, patience: Duration::from_secs(max_wait) }
    }

    /// Sends an IndexNow request, with retries after temporary failures.
    pub(super) fn send(&mut self, batch: &IndexNowBatch) -> Result<IndexNowResponse, NotSent> {
        self.post(IndexNow::CONTENT_TYPE, batch.body(), |status| {
            let meaning = IndexNowResponse::from_status(status);
            Answer { meaning, is_accepted: meaning.is_accepted(), is_retryable: meaning.is_retryable() }
        })
    }

    /// Sends a request, with retries after temporary failures. `answer` explains the status of a response.
    pub(super) fn post<T: Display>(
        &mut self,
        content_type: &str,
        body: &str,
        answer: impl Fn(u16) -> Answer<T>,
    ) -> Result<T, NotSent> {
        let mut wait = FIRST_WAIT;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let reply = self.source.post(&self.endpoint, content_type, body);
            let reply = reply.map_err(|reason| NotSent { reason, was_refused: false })?;
            let Answer { meaning, is_accepted, is_retryable } = answer(reply.status);
            // A server may have processed a request even if it returns an error.
            let was_refused = reply.status < 500 && reply.status != 408;
            if is_accepted {
                return Ok(meaning);
            }
            if !is_retryable || attempts == MAX_ATTEMPTS {
                return Err(NotSent { reason: meaning.to_string(), was_refused });
            }
            let pause = reply.retry_after.as_deref().and_then(delay).unwrap_or(wait);
            if pause > self.patience {
                let seconds = pause.as_secs();
                let reason = format!("{meaning}; the next wait is {seconds} s; allow more with `--max-wait`");
                return Err(NotSent { reason, was_refused });
            }
            self.patience -= pause;
            say(&format!("status {}: waiting {} s", reply.status, pause.as_secs()));
            thread::sleep(pause);
            wait *= 2;
        }
    }
}

/// Returns how long a `Retry-After` header asks to wait. The header contains either seconds or a date (RFC 9110,
/// section 10.2.3).
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
