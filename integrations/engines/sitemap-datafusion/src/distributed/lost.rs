//! Distinguishes lost workers from other errors, and repeats statements that lost a worker.

use std::error::Error;
use std::time::Duration;

use datafusion::error::{DataFusionError, Result};
use tonic::{Code, Status};
use url::Url;

/// The prefixes of these error messages. When an error passes through other workers, it loses its type, but not its
/// message.
const LOST: &str = "lost the worker `";
const NONE: &str = "no worker answers";

/// Returns the error for a worker that cannot be reached.
pub(super) fn lost(url: &Url, reason: impl std::fmt::Display) -> DataFusionError {
    DataFusionError::Execution(format!("{LOST}{}`: {reason}; run the statement again", shown(url)))
}

/// Returns the error for a list of workers if none of them responds.
pub(super) fn none_answers(problems: &[String]) -> DataFusionError {
    DataFusionError::Execution(format!("{NONE}: {}; start the workers", problems.join("; ")))
}

/// Returns the URL without its trailing slash.
pub(super) fn shown(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}

/// Converts a connection error. Errors that the worker itself reported are not changed.
pub(super) fn convert(url: &Url, error: DataFusionError) -> DataFusionError {
    match &error {
        DataFusionError::External(inner) => match inner.downcast_ref::<Status>() {
            Some(status) if is_of_connection(status.code()) => lost(url, reason(status)),
            Some(status) => DataFusionError::Execution(format!(
                "the worker `{}` refused the request: {}; is it `sitemap-sql worker` of the same version?",
                shown(url),
                reason(status)
            )),
            None => error,
        },
        // After a restart, a worker no longer knows the plan.
        DataFusionError::Execution(message) if message.contains("waiting for the plan to be set") => {
            lost(url, "it was restarted, or did not get its part of the plan")
        }
        _ => error,
    }
}

fn is_of_connection(code: Code) -> bool {
    !matches!(
        code,
        Code::InvalidArgument
            | Code::Unimplemented
            | Code::FailedPrecondition
            | Code::Unauthenticated
            | Code::PermissionDenied
    )
}

/// Returns the message of a status, with its innermost cause.
fn reason(status: &Status) -> String {
    let mut innermost = status.source();
    while let Some(deeper) = innermost.and_then(Error::source) {
        innermost = Some(deeper);
    }
    match innermost.map(ToString::to_string) {
        Some(cause) if !status.message().contains(&cause) => format!("{}: {cause}", status.message()),
        _ => status.message().to_owned(),
    }
}

/// Returns `true` if a statement failed because it lost a worker, and not because of its rows.
///
/// It is then safe to run a `COPY … STORED AS SITEMAP` again: the second run writes shards with the same names and
/// bytes. [`retry`] does this for you.
///
/// ```
/// use datafusion::error::DataFusionError;
/// use sitemap_datafusion::distributed::is_lost_worker;
///
/// let error = DataFusionError::Execution("lost the worker `http://10.0.0.7:8080`: broken pipe".to_owned());
/// assert!(is_lost_worker(&error));
/// let error = DataFusionError::Execution("row \"/tea\": `priority`: found 1.5".to_owned());
/// assert!(!is_lost_worker(&error));
/// ```
#[must_use]
pub fn is_lost_worker(error: &DataFusionError) -> bool {
    let message = error.to_string();
    [LOST, NONE].iter().any(|lost| message.contains(lost))
}

/// Runs a function, and repeats it up to `times` times if it loses a worker. Each repetition logs a warning.
///
/// The pauses between runs are 1, 2, 4, … seconds, up to 30. Each run looks up the workers again, so it finds
/// replacements.
///
/// ```
/// use datafusion::error::{DataFusionError, Result};
/// use sitemap_datafusion::distributed::retry;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let mut runs = 0;
/// let published: Result<u32> = retry(3, || {
///     runs += 1;
///     let run = runs;
///     async move {
///         match run {
///             1 => Err(DataFusionError::Execution("lost the worker `http://10.0.0.7:8080`: broken pipe".to_owned())),
///             _ => Ok(run),
///         }
///     }
/// })
/// .await;
/// assert_eq!(published?, 2);
/// # Ok::<(), DataFusionError>(())
/// # }).unwrap();
/// ```
///
/// # Errors
///
/// Returns the error of the last run. Any error other than a lost worker is returned at once.
pub async fn retry<T, F>(times: u32, mut run: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    const LONGEST_PAUSE: u64 = 30;

    let mut number = 0;
    loop {
        match run().await {
            Err(error) if number < times && is_lost_worker(&error) => {
                let pause = (1 << number.min(16)).min(LONGEST_PAUSE);
                number += 1;
                log::warn!(
                    "repeated: {number} of at most {times} times, after {pause} s: {}",
                    error.strip_backtrace()
                );
                tokio::time::sleep(Duration::from_secs(pause)).await;
            }
            ended => return ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_errors_of_connections_are_lost_workers() {
        let url = Url::parse("http://10.0.0.7:8080").unwrap();
        let status = |code| DataFusionError::External(Box::new(Status::new(code, "transport error")));
        let error = convert(&url, status(Code::Unavailable));
        assert!(is_lost_worker(&error));
        assert_eq!(
            error.strip_backtrace(),
            "Execution error: lost the worker `http://10.0.0.7:8080`: transport error; run the statement again"
        );
        let through_another = DataFusionError::Shared(std::sync::Arc::new(error));
        assert!(is_lost_worker(&through_another));

        let refused = convert(&url, status(Code::Unimplemented));
        assert!(!is_lost_worker(&refused) && refused.to_string().contains("refused the request"));
        let reported = convert(&url, DataFusionError::Execution("row \"/a\"".to_owned()));
        assert_eq!(reported.strip_backtrace(), "Execution error: row \"/a\"");
    }
}
