//! Sends requests, and waits when there have been too many.

use std::thread;
use std::time::{Duration, SystemTime};

use sitemap_notify::{IndexNow, IndexNowAnswer, IndexNowBatch};
use url::Url;

use crate::source::Fetcher;
use crate::terminal::say;

/// The first wait where the endpoint names none; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// How often one request is sent at most.
const ATTEMPTS: u32 = 6;

pub(super) struct Sender {
    fetcher: Fetcher,
    endpoint: Url,
    /// How long it may still wait.
    patience: Duration,
}

impl Sender {
    pub(super) fn new(fetcher: Fetcher, endpoint: Url, max_wait: u64) -> Self {
        Self { fetcher, endpoint, patience: Duration::from_secs(max_wait) }
    }

    /// Sends a request until it is taken or refused for good; the error says why it is.
    pub(super) fn send(&mut self, batch: &IndexNowBatch) -> Result<IndexNowAnswer, String> {
        let mut wait = FIRST_WAIT;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let reply = self.fetcher.post(&self.endpoint, IndexNow::CONTENT_TYPE, batch.body())?;
            let answer = IndexNowAnswer::from_status(reply.status);
            if answer.is_accepted() {
                return Ok(answer);
            }
            if !answer.is_temporary() || attempts == ATTEMPTS {
                return Err(answer.to_string());
            }
            let pause = reply.retry_after.as_deref().and_then(delay).unwrap_or(wait);
            if pause > self.patience {
                let seconds = pause.as_secs();
                return Err(format!("{answer}; it takes a wait of {seconds} s, allow it with `--max-wait`"));
            }
            self.patience -= pause;
            say(&format!("status {}: waiting {} s", reply.status, pause.as_secs()));
            thread::sleep(pause);
            wait *= 2;
        }
    }
}

/// How long a `Retry-After` asks to wait: seconds, or until a date (RFC 9110, 10.2.3).
fn delay(retry_after: &str) -> Option<Duration> {
    let text = retry_after.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let when = httpdate::parse_http_date(text).ok()?;
    // A date that is over asks for no wait.
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
