//! Skips files that cannot contain a row of the query, according to the set's manifest.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, StringArray, TimestampMicrosecondArray, UInt64Array};
use datafusion::catalog::Session;
use datafusion::common::pruning::PruningStatistics;
use datafusion::common::{Column, DFSchema, ScalarValue};
use datafusion::error::Result;
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::utils::conjunction;
use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;
use sitemap_core::publish::shards::{PublishedShard, bucket_of};

use super::batches::{UTC, schema};
use super::set::section_of;

/// Returns the files that may contain rows for which all filters are true.
pub(super) fn prune<'s>(
    files: &'s [PublishedShard],
    filters: &[Expr],
    session: &dyn Session,
) -> Result<Vec<&'s PublishedShard>> {
    let Some(filter) = conjunction(filters.iter().cloned()) else { return Ok(files.iter().collect()) };
    let columns = DFSchema::try_from(schema())?;
    let filter = session.create_physical_expr(filter, &columns)?;
    // If the manifest is not enough to evaluate a filter, the filter skips no file.
    let Ok(predicate) = PruningPredicateBuilder::new().with_file_schema(schema()).try_build(filter) else {
        return Ok(files.iter().collect());
    };
    let keeps = predicate.prune(&Described(files))?;
    Ok(files.iter().zip(keeps).filter_map(|(file, keeps)| keeps.then_some(file)).collect())
}

/// What the manifest records about each file's columns.
struct Described<'s>(&'s [PublishedShard]);

impl Described<'_> {
    /// Returns a column's value if it is the same in all rows of a file.
    fn same(&self, column: &Column) -> Option<ArrayRef> {
        let values: StringArray = match column.name() {
            "section" => self.0.iter().map(|file| Some(section_of(file.name()))).collect(),
            "sitemap" => self.0.iter().map(|file| Some(file.name())).collect(),
            _ => return None,
        };
        Some(Arc::new(values))
    }
}

impl PruningStatistics for Described<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.same(column)
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        if column.name() != "lastmod" {
            return self.same(column);
        }
        let newest = self.0.iter().map(|file| file.newest().map(|date| date.timestamp() * 1_000_000));
        Some(Arc::new(newest.collect::<TimestampMicrosecondArray>().with_timezone(UTC)))
    }

    fn num_containers(&self) -> usize {
        self.0.len()
    }

    fn null_counts(&self, column: &Column) -> Option<ArrayRef> {
        let counts: UInt64Array = match column.name() {
            "loc" | "section" | "sitemap" => self.0.iter().map(|_| Some(0)).collect(),
            // If a file has no newest date, none of its entries has a date.
            "lastmod" | "lastmod_text" => {
                self.0.iter().map(|file| file.newest().is_none().then(|| file.urls())).collect()
            }
            _ => return None,
        };
        Some(Arc::new(counts))
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        Some(Arc::new(self.0.iter().map(|file| Some(file.urls())).collect::<UInt64Array>()))
    }

    fn contained(&self, column: &Column, values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        if column.name() != "loc" {
            return None;
        }
        let urls = values.iter().map(|value| value.try_as_str().flatten()).collect::<Option<Vec<_>>>()?;
        let may_have = |file: &PublishedShard| {
            let (bucket, buckets) = file.bucket().zip(file.buckets()).filter(|_| file.is_by_url())?;
            let is_missing = urls.iter().all(|url| bucket_of(url, buckets) != bucket);
            is_missing.then_some(false)
        };
        Some(self.0.iter().map(may_have).collect())
    }
}
