//! Messages for publishing errors, with the command's options as remedies.

use sitemap_core::publish::{PublishErrorKind, ShrinkLimit, Shrinkage};
use sitemap_core::{ErrorKind, PublishError};
use sitemap_update::UpdateError;

use crate::error::{Stop, with_causes};
use crate::number::counted;

/// Converts a publishing error to the command's error.
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
        PublishErrorKind::Shrunk { losses, limit, skipped } => Stop::Shrunk(shrunk(losses, *limit, *skipped)),
        PublishErrorKind::Document(error) if matches!(error.kind(), ErrorKind::NoExtensions { .. }) => {
            no_extensions()
        }
        _ => Stop::new(error.to_string()),
    }
}

/// Converts an update error to the command's error.
pub(crate) fn update_failed(error: &UpdateError) -> Stop {
    match error {
        UpdateError::Publish(error) => failed(error),
        UpdateError::Section { sections } => Stop::new(format!(
            "the published set has the sections `{}`; name one of them with `--section`",
            sections.join("`, `")
        )),
        _ => Stop::new(with_causes(error)),
    }
}

/// Returns the message for a set that would lose too many pages, with one line for each loss.
fn shrunk(losses: &[Shrinkage], limit: ShrinkLimit, skipped: u64) -> String {
    let mut lines: Vec<String> = losses.iter().map(|loss| format!("  {loss}\n")).collect();
    if skipped > 0 {
        lines.push(format!("  {} skipped\n", counted(skipped, "invalid record")));
    }
    let is_empty = losses.iter().any(|loss| loss.after() == 0);
    let (without, option) = if is_empty { (", without empty sections", "=empty") } else { ("", "") };
    format!(
        "the new set would lose too many pages, so the old set stays published:\n{}the limit is a loss of \
         {limit}{without}; check the input, or allow the loss for this run with `--allow-shrink{option}`",
        lines.concat()
    )
}

fn no_extensions() -> Stop {
    Stop::new(
        "dialect 0.84 has no extensions; leave out `--dialect 0.84` or remove the extensions from the input",
    )
}
