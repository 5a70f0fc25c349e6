//! The write-only file format behind `COPY … STORED AS SITEMAP`.

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

/// The file format factory for `COPY … STORED AS SITEMAP`.
///
/// | option | default | |
/// |---|---|---|
/// | `base` | required | the URL of the folder that the set will be served from |
/// | `buckets` | required, except for an update | the number of hash buckets, about one for each 25,000 pages |
/// | `mode` | `replace` | `replace` publishes the sections of the rows in full, and keeps the other sections; `replace_all` replaces the whole set; `update` changes the pages of the rows |
/// | `section` | `pages` | the section of rows without a column `section`, which is part of the file names; for an update, the only section of the set |
/// | `gzip` | `false` | compress the files |
/// | `on_invalid` | `stop` | `skip` leaves invalid rows out and counts them in the metric `skipped` |
/// | `on_duplicate` | `keep_first` | list a page of several rows once and count the other rows, or `stop` |
/// | `expect_urls` | any number | publish only if the rows have this number of URLs |
/// | `remove_uncommitted` | never | the age in days at which shards that were never committed are removed |
/// | `max_shrink` | `30%` | the largest loss of pages that the statement may cause, compared with the published set: a share, a number of pages, or `off` |
/// | `allow_shrink` | none | `smaller` allows this statement to exceed the limit; `empty` also allows sections to become empty |
/// | `allow_rebucket` | `false` | allow another number of buckets than that of the published section |
/// | `rewrite` | `false` | also write the hash buckets whose rows and options are those of the published set |
/// | `also_list` | none | further base URLs, separated by spaces, that pages may be under |
///
/// The rows have the columns `loc`, `lastmod`, `changefreq`, `priority` and `section`. Only `loc` is required. The rows
/// of an update also have a column `op`, which is `upsert` or `remove`. Extension values go into the columns
/// `alternates` (a map from language to URL), `images` and `videos` (lists of structs) and `news` (a struct).
///
/// The statement returns a row with the numbers `count`, `files_written`, `files_kept`, `files_removed`, `invalid_rows`
/// and `duplicate_rows`. `count` is the number of URLs in the set or, for an update, the number of changed pages.
///
/// [`register`](crate::register) adds this format to a session:
///
/// ```
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// # let dir = tempfile::tempdir().unwrap();
/// # let out = dir.path().display();
/// let session = sitemap_datafusion::session(1 << 28, Some(2))?;
/// let copy = format!(
///     "COPY (SELECT 'https://www.example.com/posts/tea' AS loc, DATE '2026-01-31' AS lastmod, 0.8 AS priority) TO '{out}/' STORED AS SITEMAP
///      OPTIONS (base 'https://www.example.com', buckets 1, section 'posts', expect_urls 1)"
/// );
/// session.sql(&copy).await?.collect().await?;
///
/// # let files = std::fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path());
/// # let shard = files.into_iter().find(|file| file.to_string_lossy().contains("sitemap-posts-00000-1-")).unwrap();
/// let xml = std::fs::read_to_string(shard)?;
/// assert!(xml.contains(
///     "<url><loc>https://www.example.com/posts/tea</loc><lastmod>2026-01-31</lastmod><priority>0.8</priority></url>"
/// ));
/// let update = format!(
///     "COPY (SELECT 'https://www.example.com/posts/tea' AS loc, 'remove' AS op
///            UNION ALL SELECT 'https://www.example.com/posts/cups', 'upsert') TO '{out}/' STORED AS SITEMAP
///      OPTIONS (base 'https://www.example.com', mode 'update')"
/// );
/// session.sql(&update).await?.collect().await?;
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
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

const READING: &str = "the file format `sitemap` can only be written; read a sitemap with `CREATE EXTERNAL TABLE … STORED \
                       AS SITEMAP` in a session prepared by `sitemap_datafusion::register`";

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
            return plan_err!("the options `base` and `buckets` are missing; add them with `OPTIONS (…)`");
        };
        if !sink.table_partition_cols.is_empty() {
            return plan_err!(
                "a sitemap cannot have `PARTITIONED BY`; remove it, and name the files with the option `section`"
            );
        }
        plan::build(input, state, Destination { options, url: sink.original_url })
    }

    /// Returns an arbitrary source, because this format is write-only. DataFusion calls this method after it has
    /// planned a write, but never reads from the source.
    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(JsonSource::new(schema))
    }
}
