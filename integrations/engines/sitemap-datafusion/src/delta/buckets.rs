//! Delta tables in buckets.

use std::sync::Arc;

use datafusion::execution::object_store::ObjectStoreRegistry as _;
use datafusion::object_store::path::Path;
use deltalake_core::logstore::{
    LogStore, LogStoreFactory, ObjectStoreFactory, ObjectStoreRef, StorageConfig, default_logstore,
    logstore_factories, object_store_factories,
};
use deltalake_core::{DeltaResult, DeltaTableError};
use url::Url;

use crate::sources::Buckets;

/// Opens buckets as other tables do: with the credentials from the environment.
struct FromEnvironment;

/// Registers the factory for all schemes of buckets. Delta Lake keeps its factories for the whole process.
pub(super) fn register() {
    for scheme in ["s3", "s3a", "gs", "az", "abfs", "abfss"] {
        if let Ok(url) = Url::parse(&format!("{scheme}://")) {
            object_store_factories().entry(url.clone()).or_insert_with(|| Arc::new(FromEnvironment));
            logstore_factories().entry(url).or_insert_with(|| Arc::new(FromEnvironment));
        }
    }
}

impl ObjectStoreFactory for FromEnvironment {
    fn parse_url_opts(&self, url: &Url, _: &StorageConfig) -> DeltaResult<(ObjectStoreRef, Path)> {
        let store = Buckets::default().get_store(url)?;
        let path = Path::from_url_path(url.path())
            .map_err(|error| DeltaTableError::InvalidTableLocation(format!("{url}: {error}")))?;
        Ok((store, path))
    }
}

impl LogStoreFactory for FromEnvironment {
    fn with_options(
        &self,
        prefixed: ObjectStoreRef,
        root: ObjectStoreRef,
        location: &Url,
        options: &StorageConfig,
    ) -> DeltaResult<Arc<dyn LogStore>> {
        Ok(default_logstore(prefixed, root, location, options))
    }
}
