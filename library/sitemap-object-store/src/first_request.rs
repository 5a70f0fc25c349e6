//! Sends a first request to a bucket, to find out within seconds whether the bucket can be used.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use object_store::{Error as E, GetOptions, ObjectStore};
use tokio::time::Instant;

use crate::location::Location;
use crate::request_thread::{RequestThread, io_error};
use crate::retry::{GaveUp, causes, code};
use sitemap_core::publish::files::ENTRY_POINT;

/// Whether the bucket has answered.
#[derive(Debug, Default)]
pub(crate) struct Contact {
    has_answered: Mutex<bool>,
}

impl Contact {
    /// Requests the entry point, with a short time limit. Does nothing if the bucket has already answered.
    pub(crate) fn make(&self, location: &Location, worker: &RequestThread) -> io::Result<()> {
        let Some(retries) = &location.retries else { return Ok(()) };
        // Other threads wait here for the first request.
        let mut has_answered = self.has_answered.lock().unwrap_or_else(PoisonError::into_inner);
        if *has_answered {
            return Ok(());
        }
        let limit = {
            let mut limits = retries.limits();
            limits.deadline = Some(Instant::now() + limits.first_answer);
            limits.first_answer
        };
        let (store, path) = (Arc::clone(&location.store), location.path(ENTRY_POINT));
        let answer = worker.run(async move { store.get_opts(&path, GetOptions::default()).await.map(drop) });
        retries.limits().deadline = None;
        match answer? {
            Ok(()) => {}
            Err(E::NotFound { source, .. }) if missing_bucket(&source.to_string()).is_none() => {}
            Err(error) => return Err(explain(&error, location, limit.as_secs_f64())),
        }
        *has_answered = true;
        Ok(())
    }
}

/// Returns the service's error code if the bucket is missing.
fn missing_bucket(text: &str) -> Option<&str> {
    code(text).filter(|code| matches!(*code, "NoSuchBucket" | "ContainerNotFound" | "ContainerBeingDeleted"))
}

/// Returns an error message that names the bucket, the cause and a remedy.
fn explain(error: &E, location: &Location, limit: f64) -> io::Error {
    let (bucket, text) = (&location.bucket, error.to_string());
    let with_code =
        |what: &str| code(&text).map_or_else(|| what.to_owned(), |code| format!("{what} (`{code}`)"));
    if let Some(gave_up) = causes(error).find_map(|cause| cause.downcast_ref::<GaveUp>()) {
        let GaveUp { authority, cause, .. } = gave_up;
        if ["169.254.169.254", "169.254.170.2", "metadata.google.internal"]
            .iter()
            .any(|host| authority.contains(host))
        {
            let variables = location.credentials;
            return io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!(
                    "no credentials in the environment; set {variables}, or run the command where the cloud's \
                     metadata service provides them"
                ),
            );
        }
        return io::Error::new(
            io::ErrorKind::TimedOut,
            format!(
                "`{authority}` did not answer within {limit} seconds: {cause}; check the endpoint, the region and \
                 the network"
            ),
        );
    }
    let is_builder = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().is_some_and(reqwest::Error::is_builder)
    };
    if causes(error).any(is_builder) {
        return io::Error::new(
            io::ErrorKind::InvalidInput,
            "the endpoint is a plain `http://` URL, which is not allowed; use `https://`, or set the option \
             `allow_http` or the variable `AWS_ALLOW_HTTP` to `true`",
        );
    }
    if missing_bucket(&text).is_some() {
        let message = with_code(&format!("the bucket `{bucket}` does not exist"));
        return io::Error::other(format!("{message}; create it, or correct its name or the region"));
    }
    match error {
        E::PermissionDenied { .. } | E::Unauthenticated { .. } => {
            let message = with_code(&format!("access to the bucket `{bucket}` is denied"));
            io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!(
                    "{message}; check the credentials and their permissions to list, read and write files"
                ),
            )
        }
        _ => io_error(error),
    }
}
