//! Builds the plan of a `COPY`. DataFusion then optimizes it.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::logical_expr::{Operator, ScalarUDF};
use datafusion::physical_expr::expressions::{CastExpr, Column, binary, col, lit};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::projection::ProjectionExec;

use super::columns::{self, BUCKET, COLUMNS, OP, SECTION};
use super::options::{Destination, Mode};
use super::part::{Part, Share};
use super::publish::{Action, PublishExec};
use super::shards::WriteExec;
use crate::extensions;
use crate::loc::{bucket, loc_or_text};

pub(super) fn build(
    input: Arc<dyn ExecutionPlan>,
    state: &dyn Session,
    mut destination: Destination,
) -> Result<Arc<dyn ExecutionPlan>> {
    let schema = input.schema();
    destination.options.has_sections = schema.index_of(SECTION).is_ok();
    let is_update = destination.options.mode == Mode::Update;
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
    let Some((loc, _)) = columns.first_mut().filter(|(_, name)| name == COLUMNS[0]) else {
        return plan_err!("the column `loc` is missing; select the URL of the page `AS loc`");
    };
    let part = state.config().get_extension::<Part>();
    if is_update {
        if part.is_some() {
            return plan_err!("an update runs in one process; run it without parts");
        }
        let rows = Arc::new(ProjectionExec::try_new(columns, input)?);
        return Ok(Arc::new(PublishExec::new(rows, destination, Action::Update)));
    }
    let settings = Arc::new(state.config_options().clone());
    let call = |function: ScalarUDF, arguments, schema: &SchemaRef| -> Result<Arc<dyn PhysicalExpr>> {
        Ok(Arc::new(ScalarFunctionExpr::try_new(
            Arc::new(function),
            arguments,
            schema,
            Arc::clone(&settings),
        )?))
    };
    // From here on, a page has one URL, however its rows spell it.
    *loc = call(loc_or_text(), vec![lit(destination.options.base.as_str()), Arc::clone(loc)], &schema)?;
    let rows = Arc::new(ProjectionExec::try_new(columns, input)?);
    let (schema, buckets) = (rows.schema(), destination.options.buckets);
    let mut columns = Vec::with_capacity(schema.fields().len() + 1);
    columns
        .push((call(bucket(), vec![col(COLUMNS[0], &schema)?, lit(buckets)], &schema)?, BUCKET.to_owned()));
    for (at, field) in schema.fields().iter().enumerate() {
        columns.push((Arc::new(Column::new(field.name(), at)) as _, field.name().clone()));
    }
    let mut rows: Arc<dyn ExecutionPlan> = Arc::new(ProjectionExec::try_new(columns, rows)?);
    let mut action = Action::Commit;
    if let Some(part) = part {
        let schema = rows.schema();
        // The commit of all parts reads no row.
        let (mut keeps, stored) = (lit(false), part.rows());
        action = Action::CommitStored(stored.clone());
        if let Some(Share { number, of }) = part.share() {
            let rest = binary(col(BUCKET, &schema)?, Operator::Modulo, lit(of), &schema)?;
            keeps = binary(rest, Operator::Eq, lit(number - 1), &schema)?;
            action = Action::Store(stored);
        }
        rows = Arc::new(FilterExec::try_new(keeps, rows)?);
    }
    let write = Arc::new(WriteExec::try_new(rows, destination.clone())?);
    Ok(Arc::new(PublishExec::new(write, destination, action)))
}

/// Adds a cast to plain values if the column is an Arrow dictionary or a `Utf8View`.
///
/// Distributing rows in these two layouts would be expensive. With a dictionary, each output batch would get the whole
/// dictionary. With views, which point into the batches they come from, the strings of those batches would stay in
/// memory.
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
