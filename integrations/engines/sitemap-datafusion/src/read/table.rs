//! A set as a table, and the table factory for `CREATE EXTERNAL TABLE`.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::plan_err;
use datafusion::common::runtime::SpawnedTask;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{CreateExternalTable, Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;

use super::batches::schema;
use super::prune::prune;
use super::scan::{ScanExec, ScanFile};
use super::set::{Files, Set};
use crate::target::Target;

/// The table factory for `CREATE EXTERNAL TABLE … STORED AS SITEMAP LOCATION '…'`.
///
/// The location is a folder that contains a `sitemap.xml`, or the path of a sitemap or sitemap index. With the feature
/// `web`, it may also be the URL of a sitemap, a sitemap index or a robots.txt. Each query then requests the files
/// again, a few at a time from each host, and waits if a host asks for it with `Retry-After`. A sitemap cannot make the
/// query connect to this machine or to a private network unless the option `allow_private` is `true`.
/// [`register`](crate::register) adds this factory to a session:
///
/// ```
/// use std::sync::Arc;
///
/// use datafusion::prelude::SessionContext;
/// use sitemap_datafusion::SitemapTableFactory;
///
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// # let dir = tempfile::tempdir().unwrap();
/// # let folder = dir.path().display();
/// # let xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
/// #            <url><loc>https://www.example.com/</loc></url></urlset>";
/// # std::fs::write(dir.path().join("sitemap.xml"), xml).unwrap();
/// let session = SessionContext::new();
/// let factory = Arc::new(SitemapTableFactory);
/// session.state_ref().write().table_factories_mut().insert("SITEMAP".to_owned(), factory);
///
/// session.sql(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{folder}'")).await?;
/// assert_eq!(session.sql("SELECT loc FROM pages").await?.count().await?, 1);
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct SitemapTableFactory;

#[async_trait]
impl TableProviderFactory for SitemapTableFactory {
    async fn create(&self, _: &dyn Session, command: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        let mut location = Target::new(location(command)?);
        for (key, value) in &command.options {
            set_option(&mut location, key.strip_prefix("format.").unwrap_or(key), value)?;
        }
        Ok(Arc::new(SitemapTable::at(location).await?))
    }
}

/// A set of sitemaps as a table.
///
/// | column | type | |
/// |---|---|---|
/// | `loc` | text | the URL of the page |
/// | `lastmod` | timestamp in UTC, or `NULL` | a day, month or year becomes its first second; fractions of a second are cut off |
/// | `changefreq` | text, or `NULL` | |
/// | `priority` | number, or `NULL` | |
/// | `sitemap` | text | the file that lists the page, relative to the folder of the index |
/// | `section` | text | the section of the file, taken from its name |
/// | `lastmod_text` | text, or `NULL` | the date with its precision, such as `2026-01-31`; select it `AS lastmod` to publish the same date again |
/// | `alternates` | map, or `NULL` | the URL of each language |
/// | `images`, `videos` | lists of structs, or `NULL` | |
/// | `news` | struct, or `NULL` | |
///
/// When the table is created, and again for each query, it reads the set's manifest. If no manifest describes the
/// published `sitemap.xml`, it reads the indexes instead. A query then reads the other files with one task per
/// partition of the session. It skips files that cannot contain a matching row according to the manifest, which records
/// `section`, `sitemap`, the newest `lastmod` and the hash bucket of `loc`. `count(*)` comes from the manifest. In an
/// invalid file, the query finds every entry that it can recognise. A truncated file is an error.
///
/// ```
/// use std::sync::Arc;
///
/// use datafusion::prelude::SessionContext;
/// use sitemap_datafusion::SitemapTable;
///
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// # let dir = tempfile::tempdir().unwrap();
/// # let file = dir.path().join("sitemap-posts.xml");
/// # let xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>\
/// #            <loc>https://www.example.com/posts/1</loc><lastmod>2026-01-31</lastmod></url></urlset>";
/// # std::fs::write(&file, xml).unwrap();
/// # let file = file.display().to_string();
/// let session = SessionContext::new();
/// session.register_table("pages", Arc::new(SitemapTable::open(&file).await?))?;
///
/// let newest = session.sql("SELECT section, max(lastmod) AS newest FROM pages GROUP BY section").await?;
/// assert_eq!(
///     newest.to_string().await?,
///     "+---------+----------------------+\n\
///      | section | newest               |\n\
///      +---------+----------------------+\n\
///      | posts   | 2026-01-31T00:00:00Z |\n\
///      +---------+----------------------+"
/// );
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct SitemapTable {
    location: Target,
}

impl SitemapTable {
    /// Opens the set at a location.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no sitemap at the location, or if the sitemap's files cannot be read.
    pub async fn open(location: &str) -> Result<Self> {
        Self::at(Target::new(location)).await
    }

    async fn at(location: Target) -> Result<Self> {
        location.check()?;
        find(location.clone()).await?;
        Ok(Self { location })
    }
}

/// Returns the location of a statement. A statement must have exactly one location, and no column list.
fn location(command: &CreateExternalTable) -> Result<&str> {
    if !command.schema.fields().is_empty() {
        return plan_err!(
            "the statement lists columns; leave them out, because all sitemap tables have the same columns"
        );
    }
    match &command.locations[..] {
        [location] => Ok(location),
        locations => plan_err!("a sitemap table has {} locations; write exactly one", locations.len()),
    }
}

/// Sets an option. Only the table of a site has any.
fn set_option(location: &mut Target, name: &str, value: &str) -> Result<()> {
    match (location, name) {
        (Target::Site { allow_private, .. }, "allow_private") => match value {
            "true" => *allow_private = true,
            "false" => *allow_private = false,
            _ => return plan_err!("`allow_private` is {value:?}; use `true` or `false`"),
        },
        (Target::Site { .. }, _) => {
            return plan_err!(
                "`{name}` is not an option of a sitemap on a site; its only option is `allow_private`"
            );
        }
        _ => return no_option(name),
    }
    Ok(())
}

fn no_option(name: &str) -> Result<()> {
    plan_err!("`{name}` is not an option of a sitemap table; remove it, because such a table has no options")
}

async fn find(location: Target) -> Result<(Target, Files)> {
    let opened = SpawnedTask::spawn_blocking(move || Set::find(location)).join().await;
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

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // The filters only skip whole files. The files that remain contain other rows too.
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (target, files) = find(self.location.clone()).await?;
        let files: Vec<ScanFile> = match files {
            Files::Listed(names) => names.into_iter().map(|name| ScanFile { name, urls: None }).collect(),
            Files::Described(published) => {
                let kept = prune(published.rows(), filters, state)?.into_iter();
                kept.map(|file| ScanFile { name: file.name().to_owned(), urls: Some(file.urls()) }).collect()
            }
        };
        let shared = distribute(files, partitions(&target, state.config().target_partitions()));
        let projection = projection.cloned().unwrap_or_else(|| (0..schema().fields().len()).collect());
        Ok(Arc::new(ScanExec::try_new(target, shared, projection, limit)?))
    }
}

/// Distributes files over tasks round-robin. There is at least one task, and never more tasks than files.
fn distribute(files: Vec<ScanFile>, tasks: usize) -> Vec<Vec<ScanFile>> {
    let tasks = tasks.clamp(1, files.len().max(1));
    let mut shares = vec![Vec::new(); tasks];
    for (number, file) in files.into_iter().enumerate() {
        shares[number % tasks].push(file);
    }
    shares
}

/// Returns how many tasks read a set at the same time.
fn partitions(target: &Target, of_session: usize) -> usize {
    match target {
        // Tasks that wait for a server don't need a core.
        Target::Site { .. } => of_session.max(16),
        _ => of_session,
    }
}
