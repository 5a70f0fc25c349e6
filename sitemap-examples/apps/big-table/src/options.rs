//! What the program can be told.

use std::env;
use std::path::PathBuf;

/// How rows come out of the database.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// One query, its rows as they come.
    Stream,
    /// Many queries, each from where the last one ended.
    Keyset,
    /// `COPY` in its binary format.
    Copy,
}

/// Options of the command line, and `DATABASE_URL` of the environment.
#[derive(Debug)]
pub(crate) struct Options {
    /// `--way stream`, `keyset` or `copy`.
    pub(crate) way: Way,
    /// `--gzip LEVEL`.
    pub(crate) gzip: Option<u32>,
    /// `--threads N`: how many compress and store beside the one that makes the pages. Default: 1.
    pub(crate) threads: usize,
    /// `--out DIR`.
    pub(crate) out: PathBuf,
    /// `--fill ROWS`: make the table first.
    pub(crate) fill: Option<i64>,
    /// `DATABASE_URL`.
    pub(crate) database_url: String,
}

impl Options {
    /// Reads them.
    pub(crate) fn from_env() -> Result<Self, shop::Error> {
        let database_url =
            env::var("DATABASE_URL").map_err(|_| "`DATABASE_URL` must name a PostgreSQL database")?;
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
            let value = args.next().ok_or_else(|| format!("`{arg}` needs a value"))?;
            match (arg.as_str(), value.as_str()) {
                ("--way", "stream") => options.way = Way::Stream,
                ("--way", "keyset") => options.way = Way::Keyset,
                ("--way", "copy") => options.way = Way::Copy,
                ("--gzip", level) => options.gzip = Some(level.parse()?),
                ("--threads", threads) => options.threads = threads.parse()?,
                ("--out", dir) => options.out = dir.into(),
                ("--fill", rows) => options.fill = Some(rows.parse()?),
                _ => return Err(format!("unknown option `{arg} {value}`").into()),
            }
        }
        Ok(options)
    }
}
