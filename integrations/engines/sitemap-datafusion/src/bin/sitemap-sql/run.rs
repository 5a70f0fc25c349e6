//! Runs the statements of a file.

use std::fs;
use std::io::{self, Read as _};

use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::{plan_datafusion_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::collect;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::dialect::dialect_from_str;
use datafusion::sql::sqlparser::tokenizer::{Location, Token};
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

pub(crate) async fn run(arguments: &Arguments, sql: &str) -> Result<()> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let tasks = arguments.partitions.unwrap_or_else(cores);
    let mebibytes = arguments.memory.unwrap_or_else(|| tasks.saturating_mul(32).max(256));
    let session = session_with(mebibytes.saturating_mul(1024 * 1024), Some(tasks), arguments.spill.clone())?;
    let mut statements = Statements(sql);
    let mut count = 0;
    loop {
        let ended = match statements.next(&session) {
            Ok(None) => return Ok(()),
            Ok(Some(statement)) => {
                if let Some(part) = &arguments.part {
                    part.set(&session, count + 1);
                }
                execute(&session, statement).await
            }
            Err(error) => Err(error),
        };
        ended.inspect_err(|_| {
            if count > 0 {
                eprintln!("statement {} failed; the statements before it took effect", count + 1);
            }
        })?;
        count += 1;
    }
}

/// The statements of a file that have not been executed yet. Each is parsed after the one before it was executed, because
/// that may have changed the dialect with `SET`.
struct Statements<'s>(&'s str);

impl Statements<'_> {
    fn next(&mut self, session: &SessionContext) -> Result<Option<Statement>> {
        let dialect = session.copied_config().options().sql_parser.dialect;
        let dialect = dialect_from_str(dialect)
            .ok_or_else(|| plan_datafusion_err!("`{dialect}` is not a dialect of SQL"))?;
        let mut parser = DFParserBuilder::new(self.0).with_dialect(&*dialect).build()?;
        while parser.parser.consume_token(&Token::SemiColon) {}
        if parser.parser.peek_token() == Token::EOF {
            return Ok(None);
        }
        let statement = parser.parse_statement()?;
        let end = parser.parser.peek_token();
        if end != Token::SemiColon && end != Token::EOF {
            return plan_err!(
                "expected `;` after the statement, found `{end}` in line {}",
                end.span.start.line
            );
        }
        self.0 = if end == Token::EOF { "" } else { from(self.0, end.span.start) };
        Ok(Some(statement))
    }
}

/// Returns the text from a location on, which is a line and a column counted from 1.
fn from(text: &str, start: Location) -> &str {
    let column = |line: &str| {
        let skipped = usize::try_from(start.column.saturating_sub(1)).unwrap_or_default();
        line.char_indices().nth(skipped).map_or(line.len(), |(at, _)| at)
    };
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if number == start.line {
            return &text[offset + column(line)..];
        }
        offset += line.len();
    }
    ""
}

/// Executes a statement. If a join does not fit in memory, repeats the statement with a slower join that sorts on disk.
/// A failed statement has no effect, so repeating it is safe.
async fn execute(session: &SessionContext, statement: Statement) -> Result<()> {
    let error = match execute_once(session, statement.clone()).await {
        Err(error) if prefers_hash_join(session) && is_about(&error, "HashJoinInput") => error,
        ended => return ended,
    };
    eprintln!(
        "repeated: a join does not fit in memory, so its rows are sorted on disk ({})",
        error.strip_backtrace()
    );
    session.sql("SET datafusion.optimizer.prefer_hash_join = false").await?;
    let ended = execute_once(session, statement).await;
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
    if is_copy {
        for (column, what) in [("invalid_rows", "invalid"), ("duplicate_rows", "duplicate")] {
            let count = sum(&batches, column);
            if count > 0 {
                eprintln!("skipped: {count} {what} rows");
            }
        }
    }
    Ok(())
}

/// Returns the sum of a column in the result of a `COPY`.
fn sum(batches: &[RecordBatch], column: &str) -> u64 {
    let columns = batches.iter().filter_map(|batch| batch.column_by_name(column));
    columns.filter_map(|column| column.as_primitive_opt::<UInt64Type>()).map(|column| column.value(0)).sum()
}
