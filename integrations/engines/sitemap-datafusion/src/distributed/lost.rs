//! Tells lost workers from other errors, and repeats what has lost a worker.

use std::error::Error;
use std::time::Duration;

use datafusion::error::{DataFusionError, Result};
use tonic::{Code, Status};
use url::Url;

/// The beginnings of the messages. Errors lose their type on the way through other workers, but not their message.
const LOST: &str = "lost the worker `";
const NONE: &str = "no worker answers";

/// Returns the error of a worker that cannot be reached.
pub(super) fn lost(url: &Url, reason: impl std::fmt::Display) -> DataFusionError {
    DataFusionError::Execution(format!("{LOST}{}`: {reason}; run the statement again", shown(url)))
}

/// Returns the error of a list of workers of which none answers.
pub(super) fn none_answers(problems: &[String]) -> DataFusionError {
    DataFusionError::Execution(format!("{NONE}: {}; start the workers", problems.join("; ")))
}

/// Returns the URL without the slash at its end.
pub(super) fn shown(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}

/// Converts an error of a connection. Errors that the worker itself has reported stay as they are.
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
        // A worker that was restarted knows nothing of the plan.
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

/// Returns the message of a status and of its innermost cause.
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

/// Returns `true` if a statement has failed because a worker was lost, and not because of its rows.
///
/// A `COPY … STORED AS SITEMAP` can then be run again: the shards that it writes again have the same names and bytes. [`retry`]
/// does so.
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

/// Runs a function, and runs it again up to `times` times when it has lost a worker. Each repetition is a warning in the log.
///
/// The pauses between two runs are 1, 2, 4, … and at most 30 seconds. Each run looks the workers up again, so it finds those
/// that have replaced others.
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
/// Returns the error of the last run. An error that is not about a lost worker ends the runs.
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
