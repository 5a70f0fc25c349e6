//! Opens a table's bucket from its URL.

use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use url::Url;

/// A registry that opens any bucket at `s3://…`, `gs://…` or `az://…` with the credentials in the environment.
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
        /// Builds a client from the environment variables of its service, such as `AWS_REGION`. Variables without the
        /// service's prefix, such as `BUCKET`, are ignored.
        macro_rules! service {
            ($builder:ty) => {
                <$builder>::from_env().with_url(url.as_str()).build().map(|store| Arc::new(store) as _)
            };
        }

        let known = self.0.get_store(url);
        if known.is_ok() {
            return known;
        }
        let made: object_store::Result<Arc<dyn ObjectStore>> = match url.scheme() {
            "s3" | "s3a" => service!(AmazonS3Builder),
            "gs" => service!(GoogleCloudStorageBuilder),
            "az" | "abfs" | "abfss" => service!(MicrosoftAzureBuilder),
            _ => return known,
        };
        let store = made.map_err(|error| DataFusionError::ObjectStore(Box::new(error)))?;
        self.0.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}
