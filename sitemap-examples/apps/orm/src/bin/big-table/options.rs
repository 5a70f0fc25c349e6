//! The options of the program.

use std::env;
use std::path::PathBuf;

/// How to read rows from the database.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// Stream the rows of one query.
    Stream,
    /// Stream the rows of one query, with entries that borrow from the rows.
    Rows,
    /// Run many queries, each of which starts after the last row of the previous one.
    Keyset,
    /// Run many queries, each of which returns the columns of many rows as arrays.
    Arrays,
    /// Use `COPY` in the binary format.
    Copy,
}

/// The options from the command line and the environment.
#[derive(Debug)]
pub(crate) struct Options {
    /// `--way stream`, `rows`, `keyset`, `arrays` or `copy`: how to read rows. Default: `copy`.
    pub(crate) way: Way,
    /// `--gzip LEVEL`: the compression level. Default: no compression.
    pub(crate) gzip: Option<u32>,
    /// `--threads N`: the number of threads that compress and store files. Default: 1.
    pub(crate) threads: usize,
    /// `--out DIR`: the folder to publish to. Default: `public`.
    pub(crate) out: PathBuf,
    /// `--fill ROWS`: create the table with this number of sample rows. Default: use the existing table.
    pub(crate) fill: Option<i64>,
    /// `DATABASE_URL`: the PostgreSQL database.
    pub(crate) database_url: String,
}

impl Options {
    /// Reads the options.
    pub(crate) fn from_env() -> Result<Self, shop::Error> {
        let database_url = env::var("DATABASE_URL")
            .map_err(|_| "`DATABASE_URL` is not set; set it to the URL of a PostgreSQL database")?;
        let mut options = Self {
            way: Way::Copy,
            gzip: None,
            threads: 1,
            out: PathBuf::from("public"),
            fill: None,
            database_url,
        };
        let mut args = env::args().skip(1);
        while let Some(arg) = args.next() {
            let value = args.next().ok_or_else(|| format!("`{arg}` has no value; add one"))?;
            match (arg.as_str(), value.as_str()) {
                ("--way", "stream") => options.way = Way::Stream,
                ("--way", "rows") => options.way = Way::Rows,
                ("--way", "keyset") => options.way = Way::Keyset,
                ("--way", "arrays") => options.way = Way::Arrays,
                ("--way", "copy") => options.way = Way::Copy,
                ("--gzip", level) => options.gzip = Some(level.parse()?),
                ("--threads", threads) => options.threads = threads.parse()?,
                ("--out", dir) => options.out = dir.into(),
                ("--fill", rows) => options.fill = Some(rows.parse()?),
                _ => {
                    return Err(format!(
                        "`{arg} {value}` is not an option; use `--way stream`, `--way rows`, `--way keyset`, `--way \
                         arrays`, `--way copy`, `--gzip LEVEL`, `--threads N`, `--out DIR` or `--fill ROWS`"
                    )
                    .into());
                }
            }
        }
        Ok(options)
    }
}
