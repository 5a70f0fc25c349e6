//! Converts errors of publishing into errors of DataFusion.

use datafusion::error::DataFusionError;
use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;

/// Converts an error. An error about an invalid row names the row. The number of the record within its partition is
/// left out, because it does not help the user to find the row.
pub(super) fn failed(error: PublishError) -> DataFusionError {
    match error.into_kind() {
        PublishErrorKind::Record { source, .. } => DataFusionError::Execution(source.to_string()),
        kind => DataFusionError::External(Box::new(PublishError::from(kind))),
    }
}
