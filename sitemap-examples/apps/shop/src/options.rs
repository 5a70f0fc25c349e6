//! What the examples can be told.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use crate::Error;

/// Options of the command line, and `DATABASE_URL` of the environment.
#[derive(Clone, Debug)]
pub struct Options {
    /// `--out DIR`: where the set goes. Default: `public`.
    pub out: PathBuf,
    /// `--port N`: where a server listens, on the loopback address; 0 for any free port. Default: 3000.
    pub port: u16,
    /// `--every SECONDS`: how often a server publishes anew. Default: 3600.
    pub every: Duration,
    /// `--fill`: make the tables in the database that `DATABASE_URL` names, and fill them.
    pub fill: bool,
    /// `DATABASE_URL`; without it, the sample data in memory.
    pub database_url: Option<String>,
}

impl Options {
    /// Reads them.
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
            let mut value = || args.next().ok_or_else(|| format!("`{arg}` needs a value"));
            match arg.as_str() {
                "--out" => options.out = value()?.into(),
                "--port" => options.port = value()?.parse()?,
                "--every" => options.every = Duration::from_secs_f64(value()?.parse()?),
                "--fill" => options.fill = true,
                _ => return Err(format!("unknown option `{arg}`; there are `--out DIR`, `--port N`, `--every SECONDS` and `--fill`").into()),
            }
        }
        Ok(options)
    }
}
