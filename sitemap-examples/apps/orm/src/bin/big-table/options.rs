//! The options of the program.

use std::env;
use std::path::PathBuf;

/// The way to read rows from the database.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// One query, whose rows are streamed.
    Stream,
    /// The same, with entries that borrow from the rows.
    Rows,
    /// Many queries, each starting after the last row of the previous query.
    Keyset,
    /// Many queries, each of which returns the columns of many rows as arrays.
    Arrays,
    /// `COPY` in the binary format.
    Copy,
}

/// The options from the command line and the environment.
#[derive(Debug)]
pub(crate) struct Options {
    /// `--way stream`, `rows`, `keyset`, `arrays` or `copy`: the way to read rows. Default: `copy`.
    pub(crate) way: Way,
    /// `--gzip LEVEL`: the level of compression. Default: no compression.
    pub(crate) gzip: Option<u32>,
    /// `--threads N`: the number of threads that compress and store files. Default: 1.
    pub(crate) threads: usize,
    /// `--out DIR`: the folder of the set. Default: `public`.
    pub(crate) out: PathBuf,
    /// `--fill ROWS`: the number of sample rows in a new table. Default: the existing table.
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
