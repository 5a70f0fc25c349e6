//! Buckets as places of tables, by their URL alone.

use std::env;
use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use object_store::{ObjectStore, parse_url_opts};
use url::Url;

/// Knows every bucket of `s3://…`, `gs://…` and `az://…`, with the credentials of the environment.
#[derive(Debug, Default)]
pub(crate) struct Buckets(DefaultObjectStoreRegistry);

impl ObjectStoreRegistry for Buckets {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.0.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let known = self.0.get_store(url);
        if known.is_ok() || !matches!(url.scheme(), "s3" | "s3a" | "gs" | "az" | "abfs" | "abfss") {
            return known;
        }
        // What is not text is no setting.
        let settings =
            env::vars_os().filter_map(|(key, value)| key.into_string().ok().zip(value.into_string().ok()));
        let (store, _) =
            parse_url_opts(url, settings).map_err(|error| DataFusionError::ObjectStore(Box::new(error)))?;
        let store: Arc<dyn ObjectStore> = Arc::from(store);
        self.0.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}
