//! Runs SQL statements that read and write sitemaps.

use std::env;
use std::fs;
use std::io::{self, Read as _};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParser, Statement};
use futures::future::{Either, select};
use sitemap_datafusion::{Spill, session_with};

const USAGE: &str = "\
Runs SQL that reads and writes sitemaps.

Usage: sitemap-sql [--memory MIB] [--partitions COUNT] [--spill FOLDER] [--spill-limit GB]
                   [--crawler-ranges NAME=FILE]… FILE.sql

  FILE.sql            a file of statements separated by `;`, or `-` for standard input
  --memory MIB        the memory of a query before it sorts on disk [default: 256, or 32 for each task if that
                      is more]
  --partitions COUNT  the number of concurrent tasks [default: one for each core]
  --spill FOLDER      the folder for rows that are sorted on disk, about 90 GB for a billion rows; empty again at the
                      end [default: the folder for temporary files]
  --spill-limit GB    the largest size of these rows [default: 100]
  --crawler-ranges NAME=FILE
                      the published address ranges of crawlers, for `is_verified_bot(ip, agent)` and
                      `verified_bot(ip, agent)`; NAME is `google`, `google-special` or `bing`

Sources: CREATE EXTERNAL TABLE … STORED AS PARQUET, CSV, JSON (one object per line) or SITEMAP LOCATION '…', a
         path or s3://…, gs://…, az://… with the credentials from the environment; a SITEMAP also from
         https://…, where it may be a robots.txt;
         CREATE EXTERNAL TABLE … STORED AS POSTGRES LOCATION 'postgres://user@host/database'
         OPTIONS (query 'SELECT …');
         CREATE EXTERNAL TABLE … STORED AS ACCESSLOG LOCATION '/var/log/nginx/access.log'
         OPTIONS (base 'https://www.example.com')
Sets:    COPY (SELECT loc, lastmod, changefreq, priority, section FROM …) TO 'folder/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', buckets 100, gzip true); further columns are `alternates`,
         `images`, `videos` and `news`
Changes: COPY (SELECT loc, lastmod, section, op FROM …) TO 'folder/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', mode 'update'), where `op` is `upsert` or `remove`";

struct Arguments {
    file: String,
    memory: Option<usize>,
    partitions: Option<usize>,
    spill: Spill,
    /// The names and the files of address ranges.
    crawlers: Vec<(String, String)>,
}

/// Why a run has ended early.
enum Ended {
    Error(DataFusionError),
    /// A signal has interrupted the run.
    Signal(Signal),
}

#[derive(Clone, Copy)]
struct Signal {
    name: &'static str,
    number: u8,
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(message) => return failed(&message),
    };
    if log::set_logger(&Logger).is_ok() {
        log::set_max_level(log::LevelFilter::Info);
    }
    let ran = sql(&arguments.file).map_err(|error| Ended::Error(error.into())).and_then(|sql| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Ended::Error(error.into()))?;
        // Dropping the runtime waits for threads that store a file, and removes the rows on disk.
        runtime.block_on(async {
            match select(pin!(interrupted()), pin!(run(&arguments, &sql))).await {
                Either::Left((signal, _)) => Err(Ended::Signal(signal)),
                Either::Right((ran, _)) => ran.map_err(Ended::Error),
            }
        })
    });
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(Ended::Error(error)) if is_about(&error, "") => failed(&format!(
            "{}; give the query more memory with `--memory`, more disk with `--spill-limit`, or fewer tasks with \
             `--partitions`",
            error.strip_backtrace()
        )),
        Err(Ended::Error(error)) => failed(&error.strip_backtrace()),
        Err(Ended::Signal(Signal { name, number })) => {
            eprintln!("error: interrupted by {name}; a set is published in full or stays as it was");
            ExitCode::from(128 + number)
        }
    }
}

/// Waits for a signal that asks the process to end. Without a handler, the signal ends the process at once.
#[cfg(unix)]
async fn interrupted() -> Signal {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let (sender, receiver) = tokio::sync::oneshot::channel();
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else {
        return std::future::pending().await;
    };
    std::thread::spawn(move || {
        let signal = match signals.forever().next() {
            Some(SIGHUP) => Signal { name: "SIGHUP", number: 1 },
            Some(SIGTERM) => Signal { name: "SIGTERM", number: 15 },
            _ => Signal { name: "SIGINT", number: 2 },
        };
        sender.send(signal).ok();
    });
    match receiver.await {
        Ok(signal) => signal,
        Err(_) => std::future::pending().await,
    }
}

/// Waits forever: the operating system ends the process.
#[cfg(not(unix))]
async fn interrupted() -> Signal {
    std::future::pending().await
}

fn failed(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

fn arguments() -> Result<Option<Arguments>, String> {
    let mut file = None;
    let (mut memory, mut partitions) = (None, None);
    let mut spill = Spill::default();
    let mut crawlers = Vec::new();
    let mut given = env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut number = || -> Result<usize, String> {
            let value = given.next().unwrap_or_default();
            let number = value.parse().ok().filter(|number| *number > 0);
            number.ok_or_else(|| format!("the value of `{argument}` is {value:?}; use a number above 0"))
        };
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--memory" => memory = Some(number()?),
            "--partitions" => partitions = Some(number()?),
            "--spill-limit" => spill = spill.limit((number()? as u64).saturating_mul(1_000_000_000)),
            "--spill" => {
                let folder = given.next().filter(|folder| !folder.is_empty());
                spill = spill.folder(folder.ok_or("the value of `--spill` is missing; write a folder")?);
            }
            "--crawler-ranges" => {
                let value = given.next().unwrap_or_default();
                let Some((name, file)) = value.split_once('=') else {
                    return Err(format!(
                        "the value of `--crawler-ranges` is {value:?}; write NAME=FILE, as in `google=FILE`"
                    ));
                };
                crawlers.push((name.to_owned(), file.to_owned()));
            }
            _ if file.is_none() && (argument == "-" || !argument.starts_with('-')) => file = Some(argument),
            _ => return Err(format!("`{argument}` is not an argument; see `sitemap-sql --help`")),
        }
    }
    Ok(file.map(|file| Arguments { file, memory, partitions, spill, crawlers }))
}

fn sql(file: &str) -> io::Result<String> {
    if file == "-" {
        let mut sql = String::new();
        io::stdin().read_to_string(&mut sql)?;
        return Ok(sql);
    }
    fs::read_to_string(file)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot read `{file}`: {error}")))
}

async fn run(arguments: &Arguments, sql: &str) -> Result<()> {
    const MIB: usize = 1024 * 1024;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let tasks = arguments.partitions.unwrap_or_else(cores);
    let memory = arguments.memory.unwrap_or_else(|| tasks.saturating_mul(32).max(256)).saturating_mul(MIB);
    let session = session_with(memory, Some(tasks), arguments.spill.clone())?;
    register_crawlers(&session, &arguments.crawlers)?;
    let statements = DFParser::parse_sql(sql)?;
    let count = statements.len();
    for (number, statement) in (1..).zip(statements) {
        execute(&session, statement).await.inspect_err(|_| {
            if count > 1 {
                eprintln!("statement {number} of {count} failed; the statements before it took effect");
            }
        })?;
    }
    Ok(())
}

#[cfg(feature = "logs")]
fn register_crawlers(session: &SessionContext, given: &[(String, String)]) -> Result<()> {
    if given.is_empty() {
        return Ok(());
    }
    let mut crawlers = sitemap_logs::Crawlers::builder();
    for (name, file) in given {
        let ranges = fs::read_to_string(file)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot read `{file}`: {error}")))?;
        crawlers =
            crawlers.file(name, &ranges).map_err(|error| DataFusionError::External(Box::new(error)))?;
    }
    sitemap_datafusion::register_crawlers(session, crawlers.build());
    Ok(())
}

#[cfg(not(feature = "logs"))]
fn register_crawlers(_: &SessionContext, given: &[(String, String)]) -> Result<()> {
    match given {
        [] => Ok(()),
        _ => datafusion::common::plan_err!(
            "`--crawler-ranges` needs the feature `logs`; build `sitemap-sql` with it"
        ),
    }
}

/// Executes a statement. If a join does not fit in memory, repeats the statement with a join that sorts on disk, which is
/// slower. A statement that fails has no effect, so it can be repeated.
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

/// Returns `true` if a query has failed because it needs more memory, for the consumer of this name.
fn is_about(error: &DataFusionError, consumer: &str) -> bool {
    matches!(error.find_root(), DataFusionError::ResourcesExhausted(message) if message.contains(consumer))
}

async fn execute_once(session: &SessionContext, statement: Statement) -> Result<()> {
    let plan = session.state().statement_to_plan(statement).await?;
    let query = session.execute_logical_plan(plan).await?;
    if query.schema().fields().is_empty() {
        return Ok(());
    }
    let plan = query.create_physical_plan().await?;
    let batches = collect(Arc::clone(&plan), session.task_ctx()).await?;
    println!("{}", datafusion::arrow::util::pretty::pretty_format_batches(&batches)?);
    let skipped = skipped(&plan);
    if skipped > 0 {
        eprintln!("skipped: {skipped} invalid rows");
    }
    Ok(())
}

/// Returns the number of invalid rows that the plan skipped.
fn skipped(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let own =
        plan.metrics().and_then(|metrics| metrics.sum_by_name("skipped")).map_or(0, |sum| sum.as_usize());
    own + plan.children().into_iter().map(skipped).sum::<usize>()
}

/// A logger that prints the log messages of `sitemap-datafusion`, which are about skipped rows and the published set.
struct Logger;

impl log::Log for Logger {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target().starts_with("sitemap_datafusion")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            eprintln!("{}", record.args());
        }
    }

    fn flush(&self) {}
}
