//! Builds the plan of a `COPY`, which DataFusion then optimizes.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::catalog::Session;
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::physical_expr::expressions::{CastExpr, Column, lit};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;

use super::columns::{self, BUCKET, COLUMNS};
use super::commit::CommitExec;
use super::options::Destination;
use super::shards::WriteExec;
use crate::bucket::sitemap_bucket;

pub(super) fn build(
    input: Arc<dyn ExecutionPlan>,
    state: &dyn Session,
    destination: Destination,
) -> Result<Arc<dyn ExecutionPlan>> {
    let rows = with_bucket(input, state, destination.options.buckets)?;
    let write = WriteExec::try_new(rows, destination.clone())?;
    Ok(Arc::new(CommitExec::new(Arc::new(write), destination)))
}

/// Adds a plan node that returns the hash bucket of each row as the first column. The columns `loc`, `lastmod`,
/// `changefreq` and `priority` follow in this order, if the rows have them.
fn with_bucket(
    input: Arc<dyn ExecutionPlan>,
    state: &dyn Session,
    buckets: u32,
) -> Result<Arc<dyn ExecutionPlan>> {
    let schema = input.schema();
    if let Some(other) = schema.fields().iter().find(|field| !COLUMNS.contains(&field.name().as_str())) {
        return plan_err!(
            "`{}` is not a column of a sitemap; select `loc`, `lastmod`, `changefreq` and `priority`, and rename columns \
             with `AS`",
            other.name()
        );
    }
    let mut columns: Vec<(Arc<dyn PhysicalExpr>, String)> = Vec::new();
    for name in COLUMNS {
        let Some((at, field)) = schema.column_with_name(name) else { continue };
        columns::check(field)?;
        let column = Arc::new(Column::new(name, at)) as Arc<dyn PhysicalExpr>;
        columns.push((plain(column, field.data_type()), name.to_owned()));
    }
    let Some((loc, _)) = columns.first().filter(|(_, name)| name == COLUMNS[0]) else {
        return plan_err!("the column `loc` is missing; select the URL of the page `AS loc`");
    };
    let schema = input.schema();
    let bucket = ScalarFunctionExpr::try_new(
        Arc::new(sitemap_bucket()),
        vec![Arc::clone(loc), lit(buckets)],
        &schema,
        Arc::new(state.config_options().clone()),
    )?;
    columns.insert(0, (Arc::new(bucket), BUCKET.to_owned()));
    Ok(Arc::new(ProjectionExec::try_new(columns, input)?))
}

/// Adds a cast to plain values if the column is an Arrow dictionary or a `Utf8View`.
///
/// Both layouts would make sorting expensive. Each step that reorders rows would rebuild the dictionary. Views point
/// into the batches that they come from, so the texts of all these batches would stay in memory.
fn plain(column: Arc<dyn PhysicalExpr>, found: &DataType) -> Arc<dyn PhysicalExpr> {
    let to = match found {
        DataType::Dictionary(_, values) => &**values,
        _ => found,
    };
    match to {
        DataType::Utf8View => Arc::new(CastExpr::new(column, DataType::Utf8, None)),
        to if to != found => Arc::new(CastExpr::new(column, to.clone(), None)),
        _ => column,
    }
}
