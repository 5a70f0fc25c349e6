//! Retries requests after temporary failures, such as a dropped connection or a busy service.
//!
//! The client of `object_store` also retries, but it gives up after a few seconds, and it never repeats a request that
//! the service may have executed. Here, every request is repeated. This is safe because most requests have the same
//! effect if they are executed twice. The exception is a conditional put: if the service executed it but the response
//! was lost, it refuses the second one. The caller then compares the stored file with its own.

use std::error::Error;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};
use object_store::{ClientOptions, HeaderMap};
use tokio::time::{Instant, sleep, timeout_at};

/// The maximum number of retries of one request.
const MOST: u32 = 50;

/// Responses up to this length are received completely before they are returned, so a connection that drops halfway
/// fails the request and causes a retry. For a larger response, the client of `object_store` requests the rest by
/// itself.
const WHOLE: u64 = 8 << 20;

/// The retry limits and the number of retries, shared by all connections of the same storage.
#[derive(Debug)]
pub(crate) struct Retries {
    limits: Mutex<Limits>,
    count: AtomicU64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long to keep retrying a request.
    pub(crate) total: Duration,
    /// How long to wait for the bucket's first answer.
    pub(crate) first_answer: Duration,
    /// The pause before the first retry. Each later pause is about twice as long as the previous one.
    pub(crate) first_pause: Duration,
    pub(crate) longest_pause: Duration,
    /// The time at which to give up, while the storage waits for the bucket's first answer.
    pub(crate) deadline: Option<Instant>,
}

impl Default for Retries {
    fn default() -> Self {
        let limits = Limits {
            total: Duration::from_secs(3 * 60),
            first_answer: Duration::from_secs(10),
            first_pause: Duration::from_millis(100),
            longest_pause: Duration::from_secs(10),
            deadline: None,
        };
        Self { limits: Mutex::new(limits), count: AtomicU64::new(0) }
    }
}

impl Retries {
    /// Returns the number of retries so far.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub(crate) fn limits(&self) -> MutexGuard<'_, Limits> {
        // A panic cannot leave the limits half changed.
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request until it succeeds, fails permanently, or runs out of time.
    async fn send(&self, client: &HttpClient, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (start, limits) = (Instant::now(), *self.limits());
        let deadline = limits.deadline.unwrap_or(start + limits.total);
        if request.headers().contains_key("range") {
            // A request for a range can only be for the rest of an interrupted response, so it counts as a retry.
            self.count.fetch_add(1, Ordering::Relaxed);
        }
        let mut retries = 0;
        // The cause of the previous failure. If time runs out during an attempt, this cause tells more than the
        // timeout.
        let mut known: Option<String> = None;
        loop {
            let attempt = timeout_at(deadline, attempt(client, request.clone())).await;
            let (cause, wait) = match attempt {
                Ok(Ok(response)) => return Ok(response),
                Ok(Err(Failure::Permanent(error))) => return Err(error),
                Ok(Err(Failure::Passing { cause, wait })) => (cause, wait),
                Err(_) => (known.take().unwrap_or_else(|| "no answer".to_owned()), Duration::ZERO),
            };
            let pause = limits.pause(retries).max(wait.min(limits.longest_pause));
            if retries == MOST || Instant::now() + pause >= deadline {
                let authority = request.uri().authority().map(ToString::to_string).unwrap_or_default();
                let gave_up = GaveUp { authority, cause, retries, after: start.elapsed() };
                // Clients do not retry errors of this kind.
                return Err(HttpError::new(HttpErrorKind::Unknown, gave_up));
            }
            known = Some(cause);
            sleep(pause).await;
            retries += 1;
            self.count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Limits {
    /// Returns the pause before the retry with this number. The length is partly random, so that several threads do not
    /// retry at the same moment.
    fn pause(&self, retry: u32) -> Duration {
        let full = self.first_pause.saturating_mul(1 << retry.min(20)).min(self.longest_pause);
        let random = RandomState::new().build_hasher().finish() % 1_024;
        full / 2 + full.mul_f64(f64::from(u16::try_from(random).unwrap_or(0)) / 2_048.0)
    }
}

/// A failed attempt.
enum Failure {
    Permanent(HttpError),
    Passing {
        cause: String,
        /// How long the service asks the client to wait before the retry.
        wait: Duration,
    },
}

impl Failure {
    fn passing(cause: String) -> Self {
        Self::Passing { cause, wait: Duration::ZERO }
    }

    fn of_error(error: HttpError) -> Self {
        // A request that cannot be built fails every time, for example a plain HTTP request where only HTTPS is
        // allowed.
        if causes(&error).any(|cause| cause.downcast_ref().is_some_and(reqwest::Error::is_builder)) {
            return Self::Permanent(error);
        }
        let cause = causes(&error).last().map_or_else(|| error.to_string(), ToString::to_string);
        Self::passing(cause.split(" (os error").next().unwrap_or_default().to_lowercase())
    }
}

/// Sends a request once and receives the response.
async fn attempt(client: &HttpClient, request: HttpRequest) -> Result<HttpResponse, Failure> {
    // Copies, completed uploads and removals report some failures with status 200.
    let may_fail_late = request.method() == "POST" || request.headers().contains_key("x-amz-copy-source");
    let response = client.execute(request).await.map_err(Failure::of_error)?;
    let status = response.status();
    let is_large = header(response.headers(), "content-length").is_some_and(|len| len > WHOLE);
    if status.is_success() && is_large {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = body.bytes().await.map_err(Failure::of_error)?;
    let text = String::from_utf8_lossy(&body);
    let passes = match status.as_u16() {
        200..=299 => {
            may_fail_late
                && ["InternalError", "SlowDown", "ServiceUnavailable"]
                    .iter()
                    .any(|code| text.contains(&format!("<Code>{code}</Code>")))
        }
        408 | 429 | 500 | 502..=504 | 506..=599 => true,
        400 => code(&text) == Some("RequestTimeout"),
        409 => matches!(code(&text), Some("ConditionalRequestConflict" | "OperationAborted")),
        _ => false,
    };
    if passes {
        let wait = Duration::from_secs(header(&parts.headers, "retry-after").unwrap_or(0));
        let cause =
            code(&text).map_or_else(|| format!("status {status}"), |code| format!("{status}, `{code}`"));
        return Err(Failure::Passing { cause, wait });
    }
    Ok(HttpResponse::from_parts(parts, body.into()))
}

fn header(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

/// Extracts the error code from a service's XML or JSON response.
pub(crate) fn code(text: &str) -> Option<&str> {
    let (_, after) = text.split_once("<Code>").or_else(|| text.split_once("\"reason\": \""))?;
    let end = after.find(|ch: char| !ch.is_ascii_alphanumeric())?;
    (end > 0).then(|| &after[..end])
}

/// Returns an error and all its causes, outermost first.
pub(crate) fn causes<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// The error of a request that has failed too often.
#[derive(Debug)]
pub(crate) struct GaveUp {
    /// The host and port of the service.
    pub(crate) authority: String,
    pub(crate) cause: String,
    retries: u32,
    after: Duration,
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cause, retries, after, .. } = self;
        let times = if *retries == 1 { "time" } else { "times" };
        write!(f, "{cause}; gave up after {:.1} seconds and {retries} more {times}", after.as_secs_f64())
    }
}

impl Error for GaveUp {}

/// Creates HTTP clients that retry requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connector {
    retries: Arc<Retries>,
    /// The options of the most recent client. Clients for credentials are created first, so the last one is the
    /// bucket's client.
    pub(crate) options: Arc<Mutex<Option<ClientOptions>>>,
}

impl Connector {
    pub(crate) fn new(retries: &Arc<Retries>) -> Self {
        Self { retries: Arc::clone(retries), options: Arc::default() }
    }
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        *self.options.lock().unwrap_or_else(PoisonError::into_inner) = Some(options.clone());
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(Repeating { client, retries: Arc::clone(&self.retries) }))
    }
}

#[derive(Debug)]
struct Repeating {
    client: HttpClient,
    retries: Arc<Retries>,
}

impl HttpService for Repeating {
    fn call<'s, 'a>(
        &'s self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>
    where
        's: 'a,
        Self: 'a,
    {
        Box::pin(self.retries.send(&self.client, request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_ten_seconds_and_fill_three_minutes() {
        let limits = *Retries::default().limits();
        for (retry, full) in [(0, 100), (1, 200), (2, 400), (6, 6_400), (7, 10_000), (49, 10_000)] {
            for _ in 0..100 {
                let pause = limits.pause(retry);
                let full = Duration::from_millis(full);
                assert!(full / 2 <= pause && pause < full, "{retry}: {pause:?}");
            }
        }
        // Even with the shortest possible pauses, the retries last three minutes, so a request survives an outage of
        // that length.
        let shortest: Duration = (0..MOST).map(|retry| limits.pause(retry)).sum();
        assert!(shortest > limits.total, "{shortest:?}");
    }

    #[test]
    fn codes_are_read_from_xml_and_json() {
        assert_eq!(code("<Error><Code>SlowDown</Code></Error>"), Some("SlowDown"));
        assert_eq!(code("{\"reason\": \"notFound\"}"), Some("notFound"));
        for text in ["", "<Code></Code>", "<Code>", "<html>502</html>"] {
            assert_eq!(code(text), None, "{text}");
        }
    }
}
