//! Builds the plan of a `COPY`. DataFusion then optimizes it.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::physical_expr::expressions::{CastExpr, Column, lit};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;

use super::columns::{self, BUCKET, COLUMNS, OP, SECTION};
use super::commit::CommitExec;
use super::options::{Destination, Mode};
use super::shards::WriteExec;
use super::update::UpdateExec;
use crate::bucket::sitemap_bucket;
use crate::extensions;

pub(super) fn build(
    input: Arc<dyn ExecutionPlan>,
    state: &dyn Session,
    mut destination: Destination,
) -> Result<Arc<dyn ExecutionPlan>> {
    let schema = input.schema();
    destination.options.has_sections = schema.index_of(SECTION).is_ok();
    let is_update = destination.options.mode() == Mode::Update;
    let extensions = extensions::COLUMNS.map(|(name, _)| name);
    let allowed = [&COLUMNS[..], &extensions, &[SECTION], if is_update { &[OP] } else { &[] }].concat();
    destination.options.set_extensions(&schema);
    if let Some(other) = schema.fields().iter().find(|field| !allowed.contains(&field.name().as_str())) {
        if other.name() == OP {
            return plan_err!(
                "the column `op` is only for updates; leave it out, or add the option `mode 'update'`"
            );
        }
        return plan_err!(
            "`{}` is not a column of a sitemap; select `loc`, `lastmod`, `changefreq`, `priority`, `alternates`, `images`, \
             `videos`, `news` and `section`, and rename columns with `AS`",
            other.name()
        );
    }
    let mut columns: Vec<(Arc<dyn PhysicalExpr>, String)> = Vec::new();
    for name in allowed {
        let Some((at, field)) = schema.column_with_name(name) else { continue };
        columns::check(field)?;
        let column = Arc::new(Column::new(name, at)) as Arc<dyn PhysicalExpr>;
        columns.push((plain(column, field.data_type()), name.to_owned()));
    }
    let Some((loc, _)) = columns.first().filter(|(_, name)| name == COLUMNS[0]) else {
        return plan_err!("the column `loc` is missing; select the URL of the page `AS loc`");
    };
    if is_update {
        let rows = ProjectionExec::try_new(columns, input)?;
        return Ok(Arc::new(UpdateExec::new(Arc::new(rows), destination)));
    }
    let bucket = bucket(Arc::clone(loc), &schema, state, destination.options.buckets)?;
    columns.insert(0, (bucket, BUCKET.to_owned()));
    let rows = Arc::new(ProjectionExec::try_new(columns, input)?);
    let write = WriteExec::try_new(rows, destination.clone())?;
    Ok(Arc::new(CommitExec::new(Arc::new(write), destination)))
}

/// Returns the expression for a row's hash bucket.
fn bucket(
    loc: Arc<dyn PhysicalExpr>,
    schema: &SchemaRef,
    state: &dyn Session,
    buckets: u32,
) -> Result<Arc<dyn PhysicalExpr>> {
    let function = Arc::new(sitemap_bucket());
    let options = Arc::new(state.config_options().clone());
    Ok(Arc::new(ScalarFunctionExpr::try_new(function, vec![loc, lit(buckets)], schema, options)?))
}

/// Adds a cast to plain values if the column is an Arrow dictionary or a `Utf8View`.
///
/// Distributing rows in these two layouts would be expensive. With a dictionary, each output batch would get the whole
/// dictionary. With views, which point into the batches they come from, the strings of those batches would stay in
/// memory or be sent to workers.
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
