//! `CREATE EXTERNAL TABLE … STORED AS DELTATABLE`.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::{plan_datafusion_err, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::CreateExternalTable;
use deltalake_core::table::builder::parse_table_uri;
use deltalake_core::{DeltaTable, DeltaTableBuilder, DeltaTableError};

use super::changes;
use super::options::{Options, Since};
use super::position::{Opened, Positions, Version};
use crate::external;

/// The factory of tables for `CREATE EXTERNAL TABLE … STORED AS DELTATABLE LOCATION '…'`.
///
/// The location is a folder, or with the feature `buckets` also a folder in a bucket. The table keeps the version that it
/// has when the statement runs.
///
/// | option | default | |
/// |---|---|---|
/// | `version` | the newest | the version to read |
/// | `changes_since` | all rows | a version: read only what has changed after it; or `position`: the version in the file of the option `position` |
/// | `key` | `loc` | the columns that make up the URL of a page, separated by spaces |
/// | `position` | none | a file, perhaps in a bucket, with the published version; `COPY` with the option `save_position` writes it |
///
/// A table of changes has the columns of the table and `op`, which is `upsert` or `remove`, so that its rows are those of
/// `COPY … OPTIONS (mode 'update')`. Each page has one row, its last change. The columns `_commit_version` and
/// `_commit_timestamp` say when that was. If versions have expired that the changes need, queries end with an error.
///
/// [`register`](crate::register) adds this factory to a session, which then accepts such statements:
///
/// ```
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// let session = sitemap_datafusion::session(1 << 28, None)?;
/// let table = "CREATE EXTERNAL TABLE changes STORED AS DELTATABLE LOCATION '/lake/pages'
///              OPTIONS (changes_since 'position')";
///
/// // A complete statement also has the option `position`.
/// let error = session.sql(table).await.unwrap_err();
/// assert!(error.to_string().contains("name the file with the published version in the option `position`"));
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct DeltaTableFactory;

#[async_trait]
impl TableProviderFactory for DeltaTableFactory {
    async fn create(
        &self,
        session: &dyn Session,
        command: &CreateExternalTable,
    ) -> Result<Arc<dyn TableProvider>> {
        let location = external::location(command, "a Delta table", "the log of the table has them")?;
        let options = Options::parse(&command.options)?;
        let name = command.name.to_string();
        Positions::forget(session, &name);
        // The position is read before the table, so that the table is at least as new.
        let position = match &options.position {
            Some(file) => Some(Opened::open(session, file).await?),
            None => None,
        };
        let table = open(location, options.version).await?;
        let read = version(&table)?;
        let provider: Arc<dyn TableProvider> = match options.since {
            None => table.table_provider().await?,
            Some(since) => {
                let since = match (since, &position) {
                    (Since::Version(since), _) => since,
                    (Since::Position, position) => {
                        published(position.as_ref().and_then(|position| position.published.as_ref()), &read)?
                    }
                };
                if since > read.version {
                    return plan_err!(
                        "the changes start at version {since}, but the newest version that is read is {}; publish all rows \
                         again if the table is another one",
                        read.version
                    );
                }
                Arc::new(changes::view(&table, since, read.version, &options.key)?)
            }
        };
        if let Some(position) = position {
            position.keep(session, &name, read)?;
        }
        Ok(provider)
    }
}

/// Returns the published version, if it is one of this table.
fn published(found: Option<&Version>, read: &Version) -> Result<u64> {
    match found {
        None => plan_err!(
            "there is no position yet; publish all rows first, from a table with the option `position` and without \
             `changes_since`, with a `COPY` that has the option `save_position`"
        ),
        Some(found) if found.table != read.table => plan_err!(
            "the position is that of another Delta table, with the identity {}; publish all rows again",
            found.table
        ),
        Some(found) => Ok(found.version),
    }
}

async fn open(location: &str, version: Option<u64>) -> Result<DeltaTable> {
    #[cfg(feature = "buckets")]
    super::buckets::register();
    let opened = async {
        let builder = DeltaTableBuilder::from_url(parse_table_uri(location)?)?;
        let builder = match version {
            Some(version) => builder.with_version(version),
            None => builder,
        };
        builder.load().await
    };
    opened.await.map_err(|error: DeltaTableError| {
        let expired = version
            .map_or_else(String::new, |version| format!("version {version}, which may have expired, of "));
        plan_datafusion_err!("cannot read {expired}the Delta table `{location}`: {error}")
    })
}

fn version(table: &DeltaTable) -> Result<Version> {
    let snapshot = table.snapshot()?;
    Ok(Version { table: snapshot.metadata().id().to_owned(), version: snapshot.version() })
}
