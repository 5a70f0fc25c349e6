//! What the tables of `CREATE EXTERNAL TABLE` have in common.

use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::logical_expr::CreateExternalTable;

/// Returns the only location of a statement that lists no columns. Errors contain the kind of the table, such as `an access
/// log`, and why its columns are known.
pub(crate) fn location<'c>(command: &'c CreateExternalTable, table: &str, columns: &str) -> Result<&'c str> {
    if !command.schema.fields().is_empty() {
        return plan_err!("the statement lists columns; leave them out, because {columns}");
    }
    match &command.locations[..] {
        [location] => Ok(location),
        locations => plan_err!("{table} has {} locations; write exactly one", locations.len()),
    }
}

/// Distributes files over tasks in turn. There is at least one task, and no more than files.
pub(crate) fn distribute<T: Clone>(files: Vec<T>, tasks: usize) -> Vec<Vec<T>> {
    let tasks = tasks.clamp(1, files.len().max(1));
    let mut shares = vec![Vec::new(); tasks];
    for (number, file) in files.into_iter().enumerate() {
        shares[number % tasks].push(file);
    }
    shares
}
