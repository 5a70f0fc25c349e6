//! Converts errors of publishing into errors of DataFusion.

use datafusion::error::DataFusionError;
use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;

/// Converts an error. For an invalid row, the result has only the row's own error, which names the row. It leaves out
/// the number of the record within the partition, which would not help the user.
pub(super) fn failed(error: PublishError) -> DataFusionError {
    match error.into_kind() {
        PublishErrorKind::Record { source, .. } => DataFusionError::Execution(source.to_string()),
        kind => DataFusionError::External(Box::new(PublishError::from(kind))),
    }
}
