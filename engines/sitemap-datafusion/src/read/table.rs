//! The table and how a statement makes it.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::plan_err;
use datafusion::common::runtime::SpawnedTask;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{CreateExternalTable, Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;

use super::batches::schema;
use super::scan::ScanExec;
use super::set::Set;
use crate::target::Target;

/// Makes a table of `CREATE EXTERNAL TABLE … STORED AS SITEMAP LOCATION '…'`.
///
/// The location is a folder with a `sitemap.xml`, or a sitemap or index of any name.
#[derive(Debug)]
pub struct SitemapTableFactory;

#[async_trait]
impl TableProviderFactory for SitemapTableFactory {
    async fn create(&self, _: &dyn Session, command: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        if !command.schema.fields().is_empty() {
            return plan_err!(
                "the columns of a sitemap are always the same; leave them out of the statement"
            );
        }
        if let Some(option) = command.options.keys().next() {
            return plan_err!("a sitemap that is read has no options, found {option:?}");
        }
        let [location] = &command.locations[..] else {
            return plan_err!("a sitemap is read from one location, found {}", command.locations.len());
        };
        Ok(Arc::new(SitemapTable::open(location).await?))
    }
}

/// A set of sitemaps as a table.
///
/// | column | type | |
/// |---|---|---|
/// | `loc` | text | the page's address |
/// | `lastmod` | timestamp in UTC, or `NULL` | of a value that is less exact, when it begins; fractions of a second are cut off |
/// | `changefreq` | text, or `NULL` | |
/// | `priority` | number, or `NULL` | |
/// | `sitemap` | text | the name of the file that the page is in |
/// | `section` | text | the part of that name that tells which section of the site it has |
///
/// The indexes are read when the table is made, and again for each query; the files with pages while a query
/// runs, by as many tasks as the session has partitions. Of a file that breaks rules, pages are read as far
/// as they can be made out; a file that ends too early is an error.
#[derive(Debug)]
pub struct SitemapTable {
    location: String,
}

impl SitemapTable {
    /// A table of the set at a location.
    ///
    /// # Errors
    ///
    /// If there is no sitemap or it cannot be read.
    pub async fn open(location: &str) -> Result<Self> {
        find(location.to_owned()).await?;
        Ok(Self { location: location.to_owned() })
    }
}

async fn find(location: String) -> Result<(Target, Vec<String>)> {
    let opened = SpawnedTask::spawn_blocking(move || Set::find(&location)).join().await;
    opened.map_err(|error| DataFusionError::External(Box::new(error)))?
}

#[async_trait]
impl TableProvider for SitemapTable {
    fn schema(&self) -> SchemaRef {
        schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (target, files) = find(self.location.clone()).await?;
        let partitions = state.config().target_partitions().clamp(1, files.len().max(1));
        let mut shared = vec![Vec::new(); partitions];
        for (number, file) in files.into_iter().enumerate() {
            shared[number % partitions].push(file);
        }
        let projection = projection.cloned().unwrap_or_else(|| (0..schema().fields().len()).collect());
        Ok(Arc::new(ScanExec::try_new(target, shared, projection, limit)?))
    }
}
