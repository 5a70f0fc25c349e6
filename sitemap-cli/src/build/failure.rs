//! Messages for errors of the publisher, with the command's options as remedies.

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::{ErrorKind, PublishError};

use crate::error::Stop;

/// Converts an error of the publisher to the command's error.
pub(crate) fn failed(error: &PublishError) -> Stop {
    match error.kind() {
        PublishErrorKind::Record { source, .. } => match source.kind() {
            ErrorKind::NoExtensions { .. } => no_extensions(),
            // The message already names the line or file of the input, so it needs no record number.
            _ => Stop::new(source.to_string()),
        },
        PublishErrorKind::EmptySet { skipped: 0 } => {
            Stop::new("no page to publish, so an old set stays published; check the input")
        }
        PublishErrorKind::OtherSite { published, base } => Stop::new(format!(
            "the published set is of the site `{published}`, and this run is of `{base}`; correct `--base` or `--out`, \
             or replace the set with `--change-base`"
        )),
        PublishErrorKind::Document(error) if matches!(error.kind(), ErrorKind::NoExtensions { .. }) => {
            no_extensions()
        }
        _ => Stop::new(error.to_string()),
    }
}

fn no_extensions() -> Stop {
    Stop::new(
        "dialect 0.84 has no extensions; leave out `--dialect 0.84` or remove the extensions from the input",
    )
}
