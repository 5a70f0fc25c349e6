//! What has changed in a table since a version, as the rows of an update.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Column, plan_datafusion_err, plan_err};
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::error::Result;
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::{
    Expr, ExprFunctionExt as _, LogicalPlan, LogicalPlanBuilder, TableProviderFilterPushDown, TableType, lit,
    when,
};
use datafusion::physical_plan::ExecutionPlan;
use deltalake_core::DeltaTable;
use deltalake_core::delta_datafusion::DeltaCdfTableProvider;

use super::expired::{Explain, explain};
use crate::around::AroundExec;

const CHANGE_TYPE: &str = "_change_type";
const COMMIT_VERSION: &str = "_commit_version";
const OP: &str = "op";
/// The place of a row among those of its page, the last change first.
const PLACE: &str = "_place";

/// Returns a view of the last change of each page after `since` and up to the version of the table.
///
/// The feed has two rows for a changed row: that before the change is a removal, because the change may also move the page
/// to another URL. Of the rows of a page, that of the newest version counts; within a version, an upsert counts.
pub(super) fn view(table: &DeltaTable, since: u64, read: u64, key: &[String]) -> Result<View> {
    let changes = Changes::new(table, since, read)?;
    let schema = changes.schema();
    if schema.index_of(OP).is_ok() {
        return plan_err!(
            "the Delta table has a column `op`, which is also a column of changes; rename it in the table"
        );
    }
    for name in key {
        schema.index_of(name).map_err(|_| {
            plan_datafusion_err!(
                "the Delta table has no column `{name}`, which tells one page from another; name the columns that make up \
                 the URL of a page with the option `key`"
            )
        })?;
    }
    let column = |name: &str| Expr::Column(Column::from_name(name));
    let is_upsert = column(CHANGE_TYPE).in_list(vec![lit("insert"), lit("update_postimage")], false);
    let op = when(is_upsert, lit("upsert")).otherwise(lit("remove"))?.alias(OP);
    let given = schema.fields().iter().map(|field| field.name().as_str()).filter(|name| *name != CHANGE_TYPE);
    let columns: Vec<_> = given.map(column).chain([op]).collect();
    let names: Vec<_> =
        columns.iter().map(|column| Expr::Column(Column::from_name(column.qualified_name().1))).collect();
    let last = row_number()
        .partition_by(key.iter().map(|name| column(name)).collect())
        .order_by(vec![column(COMMIT_VERSION).sort(false, false), column(OP).sort(false, false)])
        .build()?
        .alias(PLACE);
    let empty = since == read;
    let scanned = LogicalPlanBuilder::scan("changes", provider_as_source(Arc::new(changes)), None)?;
    let scanned = if empty { scanned.limit(0, Some(0))? } else { scanned };
    let plan = scanned
        .project(columns)?
        .window(vec![last])?
        .filter(column(PLACE).eq(lit(1_u64)))?
        .project(names)?
        .build()?;
    Ok(View(ViewTable::new(plan, None)))
}

/// A view that is a table for `DROP TABLE` and `CREATE OR REPLACE EXTERNAL TABLE`, which do not find views.
#[derive(Debug)]
pub(super) struct View(ViewTable);

#[async_trait]
impl TableProvider for View {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn get_logical_plan(&self) -> Option<Cow<'_, LogicalPlan>> {
        self.0.get_logical_plan()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.0.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.0.scan(session, projection, filters, limit).await
    }
}

/// The change data feed of a table.
#[derive(Debug)]
struct Changes {
    feed: DeltaCdfTableProvider,
    since: u64,
}

impl Changes {
    fn new(table: &DeltaTable, since: u64, read: u64) -> Result<Self> {
        let versions =
            table.clone().scan_cdf().with_starting_version(since.saturating_add(1)).with_ending_version(read);
        Ok(Self { feed: DeltaCdfTableProvider::try_new(versions)?, since })
    }
}

#[async_trait]
impl TableProvider for Changes {
    fn schema(&self) -> SchemaRef {
        self.feed.schema()
    }

    fn table_type(&self) -> TableType {
        self.feed.table_type()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.feed.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let feed = self.feed.scan(session, projection, filters, limit).await;
        let feed = feed.map_err(|error| explain(error, self.since))?;
        Ok(Arc::new(AroundExec::new(feed, Explain { since: self.since })))
    }
}
