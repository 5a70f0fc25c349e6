//! Finds out which step a failed request belongs to.

use sitemap_fetch::DownloadError;
use sitemap_pages::visit::{Failure, FailureKind};

use super::log::Step;

pub(super) fn step_of(error: &DownloadError) -> Step {
    match error {
        DownloadError::Failed(failure) => step_of_failure(failure),
        DownloadError::TooLong { .. } => Step::Size,
        _ => Step::Response,
    }
}

/// Returns the step that a failure belongs to.
pub(super) fn step_of_failure(failure: &Failure) -> Step {
    match failure.kind {
        FailureKind::Dns | FailureKind::ForbiddenAddress => Step::Dns,
        FailureKind::Connect => Step::Connection,
        FailureKind::Timeout if failure.message.starts_with("no connection") => Step::Connection,
        FailureKind::Tls => Step::Tls,
        FailureKind::RedirectLoop | FailureKind::TooManyRedirects | FailureKind::InvalidRedirect => {
            Step::Redirects
        }
        FailureKind::Encoding => Step::Encoding,
        _ => Step::Response,
    }
}
