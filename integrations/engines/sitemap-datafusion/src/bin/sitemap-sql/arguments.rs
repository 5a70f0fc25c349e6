//! The command-line arguments.

use std::env;

use sitemap_datafusion::{Part, Spill};

pub(crate) const USAGE: &str = "\
Runs SQL that reads and writes sitemaps.

Usage: sitemap-sql [--memory MIB] [--partitions COUNT] [--spill FOLDER] [--spill-limit GB]
                   [--part K/N --rows PLACE | --commit PLACE] FILE.sql

  FILE.sql            a file of statements separated by `;`, or `-` for standard input
  --memory MIB        the memory of a query before it uses the disk [default: 256, or 32 for each task if that
                      is more]
  --partitions COUNT  the number of concurrent tasks [default: one for each core]
  --spill FOLDER      the folder for rows on disk, about 75 GB for a billion rows; empty again at the
                      end [default: the folder for temporary files]
  --spill-limit GB    the largest size of these rows [default: 100]
  --part K/N          write only the shards of part K of N of each COPY, and publish nothing
  --rows PLACE        where a part stores the names of its shards: a folder or s3://…, a new one for each run
  --commit PLACE      publish the shards of all parts that are stored there

Sources: CREATE EXTERNAL TABLE … STORED AS PARQUET, CSV, JSON (one object per line) or SITEMAP LOCATION '…', a
         path or s3://…, gs://…, az://… with the credentials from the environment; a SITEMAP also from
         https://…, where it may be a robots.txt
Sets:    COPY (SELECT loc, lastmod, changefreq, priority, section FROM …) TO 'folder/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', buckets 100, gzip true); further columns are `alternates`,
         `images`, `videos` and `news`
Changes: COPY (SELECT loc, lastmod, section, op FROM …) TO 'folder/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', mode 'update'), where `op` is `upsert` or `remove`
URLs:    sitemap_loc('https://www.example.com', loc) is the URL as a sitemap lists it, for joins";

/// The action that the process performs.
pub(crate) enum Command {
    Help,
    Run(Arguments),
}

pub(crate) struct Arguments {
    pub(crate) file: String,
    pub(crate) memory: Option<usize>,
    pub(crate) partitions: Option<usize>,
    pub(crate) spill: Spill,
    pub(crate) part: Option<Part>,
}

impl Command {
    pub(crate) fn parse() -> Result<Self, String> {
        let mut given = env::args().skip(1);
        let mut file = None;
        let (mut memory, mut partitions, mut part, mut rows, mut commit) = (None, None, None, None, None);
        let mut spill = Spill::default();
        while let Some(argument) = given.next() {
            let mut text = |what: &str| {
                let value = given.next().filter(|value| !value.is_empty());
                value.ok_or_else(|| format!("the value of `{argument}` is missing; write {what}"))
            };
            match argument.as_str() {
                "--help" | "-h" => return Ok(Self::Help),
                "--memory" => memory = Some(number(&argument, &text("MiB")?)?),
                "--spill-limit" => {
                    let gigabytes = number(&argument, &text("gigabytes")?)?;
                    spill = spill.limit((gigabytes as u64).saturating_mul(1_000_000_000));
                }
                "--spill" => spill = spill.folder(text("a folder")?),
                "--partitions" => partitions = Some(number(&argument, &text("a number")?)?),
                "--part" => part = Some(text("a part such as `2/4`")?),
                "--rows" => rows = Some(text("a folder")?),
                "--commit" => commit = Some(text("the folder of `--rows`")?),
                _ if file.is_none() && (argument == "-" || !argument.starts_with('-')) => {
                    file = Some(argument);
                }
                _ => return Err(format!("`{argument}` is not an argument; see `sitemap-sql --help`")),
            }
        }
        let part = match (part, rows, commit) {
            (None, None, None) => None,
            (Some(part), Some(rows), None) => {
                Some(Part::write(&part, &rows).map_err(|error| error.strip_backtrace())?)
            }
            (None, None, Some(rows)) => Some(Part::commit(&rows)),
            _ => return Err("write `--part` with `--rows`, or `--commit` alone".to_owned()),
        };
        let Some(file) = file else { return Ok(Self::Help) };
        Ok(Self::Run(Arguments { file, memory, partitions, spill, part }))
    }
}

fn number(argument: &str, value: &str) -> Result<usize, String> {
    let number = value.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("the value of `{argument}` is {value:?}; use a number above 0"))
}
