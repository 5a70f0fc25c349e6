//! Converts errors of publishing into errors of DataFusion.

use datafusion::error::DataFusionError;
use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;

/// Converts an error. An error about an invalid row names the row. The number of the record within its partition is
/// left out, because it does not help the user to find the row.
pub(super) fn failed(error: PublishError) -> DataFusionError {
    match error.into_kind() {
        PublishErrorKind::Record { source, .. } => DataFusionError::Execution(source.to_string()),
        PublishErrorKind::Shrunk { losses, limit, .. } => {
            let option = if losses.iter().any(|loss| loss.after() == 0) { "empty" } else { "smaller" };
            let losses: Vec<_> = losses.iter().map(ToString::to_string).collect();
            DataFusionError::Execution(format!(
                "{}, and the limit is a loss of {limit}; check the query, or allow the loss for this statement with \
                 `OPTIONS (allow_shrink '{option}')`",
                losses.join(", ")
            ))
        }
        kind => DataFusionError::External(Box::new(PublishError::from(kind))),
    }
}
