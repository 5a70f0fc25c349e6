//! How DataFusion comes to the plan: a file format that can only write.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{GetExt, Statistics, not_impl_err, plan_err};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource, JsonSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::object_store::{ObjectMeta, ObjectStore};
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;

use super::options::{Destination, Options};
use super::plan;

/// Makes the format of `COPY … STORED AS SITEMAP` from its options.
///
/// | option | default | |
/// |---|---|---|
/// | `base` | required | the address of the folder that the set will be served from |
/// | `buckets` | required | into how many buckets the addresses are hashed, about one for each 25,000 pages |
/// | `section` | `pages` | names the files |
/// | `gzip` | `false` | compress them |
/// | `on_invalid` | `stop` | `skip` leaves invalid rows out and counts them in the metric `skipped` |
/// | `expect_urls` | any number | publish only if there are so many pages |
/// | `remove_uncommitted` | never | remove shards that were written so many days ago and never committed |
/// | `also_list` | none | other addresses, separated by blanks, under which pages may be |
#[derive(Debug, Default)]
pub struct SitemapFormatFactory;

impl GetExt for SitemapFormatFactory {
    fn get_ext(&self) -> String {
        "sitemap".to_owned()
    }
}

impl FileFormatFactory for SitemapFormatFactory {
    fn create(&self, _: &dyn Session, options: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        Ok(Arc::new(SitemapFormat { options: Some(Options::parse(options)?) }))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(SitemapFormat { options: None })
    }
}

#[derive(Debug)]
struct SitemapFormat {
    options: Option<Options>,
}

const READING: &str = "a sitemap is read as a table of its own; use `CREATE EXTERNAL TABLE … STORED AS SITEMAP` \
                       in a session that `sitemap_datafusion::register` has prepared";

#[async_trait]
impl FileFormat for SitemapFormat {
    fn get_ext(&self) -> String {
        "xml".to_owned()
    }

    fn get_ext_with_compression(&self, _: &FileCompressionType) -> Result<String> {
        Ok(self.get_ext())
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        _: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        not_impl_err!("{READING}")
    }

    async fn infer_stats(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        _: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(Statistics::new_unknown(&schema))
    }

    async fn create_physical_plan(
        &self,
        _: &dyn Session,
        _: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        not_impl_err!("{READING}")
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        state: &dyn Session,
        sink: FileSinkConfig,
        _: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(options) = self.options.clone() else {
            return plan_err!("a sitemap needs the options `base` and `buckets`");
        };
        if !sink.table_partition_cols.is_empty() {
            return plan_err!("a sitemap has no `PARTITIONED BY`; its option `section` names its files");
        }
        plan::build(input, state, Destination { options, url: sink.original_url })
    }

    /// Of a format that is not read nobody asks for it, but for one that has been planned already.
    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(JsonSource::new(schema))
    }
}
