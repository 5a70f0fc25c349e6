//! The command-line arguments.

use std::env;

use sitemap_datafusion::Spill;

pub(crate) const USAGE: &str = "\
Runs SQL that reads and writes sitemaps.

Usage: sitemap-sql [--memory MIB] [--partitions COUNT] [--spill FOLDER] [--spill-limit GB]
                   [--workers LIST [--retries COUNT]] FILE.sql
       sitemap-sql worker [--listen ADDRESS] [--memory MIB] [--spill FOLDER] [--spill-limit GB]

  FILE.sql            a file of statements separated by `;`, or `-` for standard input
  --memory MIB        the memory of a query before it uses the disk [default: 256, or 32 for each task if that
                      is more]
  --partitions COUNT  the number of concurrent tasks, with `--workers` on each of them [default: one for each core]
  --spill FOLDER      the folder for rows on disk, about 75 GB for a billion rows; empty again at the
                      end [default: the folder for temporary files]
  --spill-limit GB    the largest size of these rows [default: 100]
  --workers LIST      run the tasks of large statements on workers; LIST has `http://HOST:PORT`, and `dns:NAME:PORT` for
                      all addresses of a name, separated by commas
  --retries COUNT     how often a statement that has lost a worker is run again [default: 3]

  worker              runs tasks of statements of other machines, until SIGINT or SIGTERM
  --listen ADDRESS    the address and port of the worker, which must not be open to others: there is no password
                      [default: 127.0.0.1:8080]

Sources: CREATE EXTERNAL TABLE … STORED AS PARQUET, CSV, JSON (one object per line) or SITEMAP LOCATION '…', a
         path or s3://…, gs://…, az://… with the credentials from the environment; a SITEMAP also from
         https://…, where it may be a robots.txt
Sets:    COPY (SELECT loc, lastmod, changefreq, priority, section FROM …) TO 'folder/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', buckets 100, gzip true); further columns are `alternates`,
         `images`, `videos` and `news`
Changes: COPY (SELECT loc, lastmod, section, op FROM …) TO 'folder/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', mode 'update'), where `op` is `upsert` or `remove`";

/// The action that the process performs.
pub(crate) enum Command {
    Help,
    Run(Arguments),
    /// Runs tasks for other machines.
    Work(Work),
}

pub(crate) struct Arguments {
    pub(crate) file: String,
    pub(crate) memory: Option<usize>,
    pub(crate) partitions: Option<usize>,
    pub(crate) spill: Spill,
    /// The list of workers.
    pub(crate) workers: Option<String>,
    pub(crate) retries: Option<u32>,
}

#[cfg_attr(not(feature = "distributed"), expect(dead_code, reason = "only a worker reads them"))]
pub(crate) struct Work {
    pub(crate) listen: String,
    pub(crate) memory: Option<usize>,
    pub(crate) spill: Spill,
}

impl Command {
    pub(crate) fn parse() -> Result<Self, String> {
        let mut given = env::args().skip(1).peekable();
        let is_worker = given.next_if(|argument| argument == "worker").is_some();
        let mut file = None;
        let (mut memory, mut partitions, mut workers, mut retries, mut listen) =
            (None, None, None, None, None);
        let mut spill = Spill::default();
        while let Some(argument) = given.next() {
            let mut text = |what: &str| {
                let value = given.next().filter(|value| !value.is_empty());
                value.ok_or_else(|| format!("the value of `{argument}` is missing; write {what}"))
            };
            match argument.as_str() {
                "--help" | "-h" => return Ok(Self::Help),
                "--memory" => memory = Some(number(&argument, &text("MiB")?, 1)?),
                "--spill-limit" => {
                    let gigabytes: usize = number(&argument, &text("gigabytes")?, 1)?;
                    spill = spill.limit((gigabytes as u64).saturating_mul(1_000_000_000));
                }
                "--spill" => spill = spill.folder(text("a folder")?),
                "--listen" if is_worker => listen = Some(text("an address and a port")?),
                _ if is_worker => return Err(unknown(&argument)),
                "--partitions" => partitions = Some(number(&argument, &text("a number")?, 1)?),
                "--workers" => workers = Some(text("the URLs of workers, separated by commas")?),
                "--retries" => retries = Some(number(&argument, &text("a number")?, 0)?),
                _ if file.is_none() && (argument == "-" || !argument.starts_with('-')) => {
                    file = Some(argument);
                }
                _ => return Err(unknown(&argument)),
            }
        }
        if is_worker {
            let listen = listen.unwrap_or_else(|| "127.0.0.1:8080".to_owned());
            return Ok(Self::Work(Work { listen, memory, spill }));
        }
        if retries.is_some() && workers.is_none() {
            return Err("`--retries` is only for `--workers`; leave it out".to_owned());
        }
        Ok(file.map_or(Self::Help, |file| {
            Self::Run(Arguments { file, memory, partitions, spill, workers, retries })
        }))
    }
}

fn number<N: TryFrom<usize>>(argument: &str, value: &str, least: usize) -> Result<N, String> {
    let number =
        value.parse().ok().filter(|number| *number >= least).and_then(|number| N::try_from(number).ok());
    number.ok_or_else(|| match least {
        0 => format!("the value of `{argument}` is {value:?}; use a number"),
        _ => format!("the value of `{argument}` is {value:?}; use a number above 0"),
    })
}

fn unknown(argument: &str) -> String {
    format!("`{argument}` is not an argument; see `sitemap-sql --help`")
}
