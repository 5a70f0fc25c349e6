//! The options of the examples.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use crate::Error;

/// The options from the command line and the environment.
#[derive(Clone, Debug)]
pub struct Options {
    /// `--out DIR`: the folder to publish to. Default: `public`.
    pub out: PathBuf,
    /// `--port N`: the server's port on the loopback address, or 0 for any free port. Default: 3000.
    pub port: u16,
    /// `--every SECONDS`: how often a server republishes the set. Default: 3600.
    pub every: Duration,
    /// `--fill`: create the tables in the database in `DATABASE_URL`, and fill them with the sample data.
    pub fill: bool,
    /// `DATABASE_URL`: the database. Default: the sample data in memory.
    pub database_url: Option<String>,
}

impl Options {
    /// Reads the options.
    pub fn from_env() -> Result<Self, Error> {
        let mut options = Self {
            out: PathBuf::from("public"),
            port: 3000,
            every: Duration::from_hours(1),
            fill: false,
            database_url: env::var("DATABASE_URL").ok().filter(|url| !url.is_empty()),
        };
        let mut args = env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("`{arg}` has no value; add one"));
            match arg.as_str() {
                "--out" => options.out = value()?.into(),
                "--port" => options.port = value()?.parse()?,
                "--every" => options.every = Duration::from_secs_f64(value()?.parse()?),
                "--fill" => options.fill = true,
                _ => {
                    return Err(format!(
                        "`{arg}` is not an option; use `--out DIR`, `--port N`, `--every SECONDS` or `--fill`"
                    )
                    .into());
                }
            }
        }
        Ok(options)
    }
}
