//! Errors of publishing as errors of the engine.

use datafusion::error::DataFusionError;
use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;

/// Converts an error. A record's error already names its row, and the record's number within the partition
/// would not help, so only the row's error remains.
pub(super) fn failed(error: PublishError) -> DataFusionError {
    match error.into_kind() {
        PublishErrorKind::Record { source, .. } => DataFusionError::Execution(source.to_string()),
        kind => DataFusionError::External(Box::new(PublishError::from(kind))),
    }
}
