//! Runs the statements of a file.

use std::fs;
use std::io::{self, Read as _};

use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::collect;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParser, Statement};
use sitemap_datafusion::session_with;

use crate::arguments::Arguments;

pub(crate) fn sql(file: &str) -> io::Result<String> {
    if file == "-" {
        let mut sql = String::new();
        io::stdin().read_to_string(&mut sql)?;
        return Ok(sql);
    }
    fs::read_to_string(file)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot read `{file}`: {error}")))
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the memory limit for a number of tasks, in bytes.
pub(crate) fn memory(given: Option<usize>, tasks: usize) -> usize {
    given.unwrap_or_else(|| tasks.saturating_mul(32).max(256)).saturating_mul(1024 * 1024)
}

pub(crate) async fn run(arguments: &Arguments, sql: &str) -> Result<()> {
    let tasks = arguments.partitions.unwrap_or_else(cores);
    let memory = memory(arguments.memory, tasks);
    let session = match &arguments.workers {
        None => session_with(memory, Some(tasks), arguments.spill.clone())?,
        Some(workers) => with_workers(arguments, memory, workers)?,
    };
    let statements = DFParser::parse_sql(sql)?;
    let count = statements.len();
    for (number, statement) in (1..).zip(statements) {
        execute(&session, statement, retries(arguments)).await.inspect_err(|_| {
            if count > 1 {
                eprintln!("statement {number} of {count} failed; the statements before it took effect");
            }
        })?;
    }
    Ok(())
}

/// Returns how often a statement is repeated after it has lost a worker.
fn retries(arguments: &Arguments) -> u32 {
    arguments.retries.unwrap_or(if arguments.workers.is_some() { 3 } else { 0 })
}

#[cfg(feature = "distributed")]
fn with_workers(arguments: &Arguments, memory: usize, workers: &str) -> Result<SessionContext> {
    let workers = workers.parse()?;
    let spill = arguments.spill.clone();
    sitemap_datafusion::distributed::session_with_workers(memory, arguments.partitions, spill, workers)
}

#[cfg(not(feature = "distributed"))]
fn with_workers(_: &Arguments, _: usize, _: &str) -> Result<SessionContext> {
    datafusion::common::plan_err!("`--workers` needs the feature `distributed`; build `sitemap-sql` with it")
}

/// Executes a statement. If a join does not fit in memory, repeats the statement with a slower join that sorts on disk.
/// A failed statement has no effect, so repeating it is safe.
async fn execute(session: &SessionContext, statement: Statement, retries: u32) -> Result<()> {
    let error = match execute_with(session, &statement, retries).await {
        Err(error) if prefers_hash_join(session) && is_about(&error, "HashJoinInput") => error,
        ended => return ended,
    };
    eprintln!(
        "repeated: a join does not fit in memory, so its rows are sorted on disk ({})",
        error.strip_backtrace()
    );
    session.sql("SET datafusion.optimizer.prefer_hash_join = false").await?;
    let ended = execute_with(session, &statement, retries).await;
    session.sql("SET datafusion.optimizer.prefer_hash_join = true").await?;
    ended
}

fn prefers_hash_join(session: &SessionContext) -> bool {
    session.state().config().options().optimizer.prefer_hash_join
}

/// Returns `true` if a query failed because the memory consumer with this name needs more memory.
pub(crate) fn is_about(error: &DataFusionError, consumer: &str) -> bool {
    matches!(error.find_root(), DataFusionError::ResourcesExhausted(message) if message.contains(consumer))
}

/// Executes a statement, and repeats it if it loses a worker.
#[cfg(feature = "distributed")]
async fn execute_with(session: &SessionContext, statement: &Statement, retries: u32) -> Result<()> {
    let plan = session.state().statement_to_plan(statement.clone()).await?;
    let retries = if is_repeatable(&plan) { retries } else { 0 };
    sitemap_datafusion::distributed::retry(retries, || execute_once(session, statement.clone())).await
}

/// Returns `false` for a statement that may leave files behind, because a second run would add to them.
#[cfg(feature = "distributed")]
fn is_repeatable(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Copy(copy) => copy.file_type.get_ext() == "sitemap",
        LogicalPlan::Dml(_) => false,
        _ => true,
    }
}

#[cfg(not(feature = "distributed"))]
async fn execute_with(session: &SessionContext, statement: &Statement, _: u32) -> Result<()> {
    execute_once(session, statement.clone()).await
}

async fn execute_once(session: &SessionContext, statement: Statement) -> Result<()> {
    let plan = session.state().statement_to_plan(statement).await?;
    let is_copy = matches!(plan, LogicalPlan::Copy(_));
    let query = session.execute_logical_plan(plan).await?;
    if query.schema().fields().is_empty() {
        return Ok(());
    }
    let plan = query.create_physical_plan().await?;
    let batches = collect(plan, session.task_ctx()).await?;
    println!("{}", datafusion::arrow::util::pretty::pretty_format_batches(&batches)?);
    let skipped = if is_copy { skipped(&batches) } else { 0 };
    if skipped > 0 {
        eprintln!("skipped: {skipped} invalid rows");
    }
    Ok(())
}

/// Returns the number of invalid rows that a `COPY` skipped on all machines.
fn skipped(batches: &[RecordBatch]) -> u64 {
    let columns = batches.iter().filter_map(|batch| batch.column_by_name("invalid_rows"));
    columns.filter_map(|column| column.as_primitive_opt::<UInt64Type>()).map(|column| column.value(0)).sum()
}
