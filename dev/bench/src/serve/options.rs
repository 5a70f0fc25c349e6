//! The command line of the program `serve`.

use std::path::PathBuf;
use std::time::Duration;

use crate::Result;
use crate::workload::URLS_PER_FILE;

/// The text that `--help` prints.
pub const USAGE: &str = "\
usage: serve [--pages N] [--seconds N] [--connections N] [--rounds N] [--only TABLE] [--dir DIR]

  --pages N        pages of the set, at least 50001 (default 1000000)
  --seconds N      length of each measurement (default 5)
  --connections N  connections of the load generator (default 64)
  --rounds N       measurements of each row; the table has the one with the median CPU time (default 3)
  --only TABLE     measure one of `requests`, `connections` and `refresh`
  --dir DIR        publish to a new directory in DIR, which is removed at the end (default /dev/shm)

The load generator is `wrk`, which has to be installed.
";

/// The options of a comparison.
#[derive(Debug)]
pub struct ServeOptions {
    /// The number of pages of the set.
    pub pages: u64,
    /// The length of each measurement.
    pub time: Duration,
    /// The number of connections of the load generator.
    pub connections: usize,
    /// The number of measurements of each row.
    pub rounds: usize,
    /// The only table that is measured, or empty for all.
    pub only: String,
    /// The directory for the set.
    pub dir: PathBuf,
}

impl ServeOptions {
    /// Parses the options from the arguments after the program's name.
    ///
    /// # Errors
    ///
    /// Returns an error if an option or a table is unknown, a value is missing, or a number is not positive.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            pages: 1_000_000,
            time: Duration::from_secs(5),
            connections: 64,
            rounds: 3,
            only: String::new(),
            dir: PathBuf::from("/dev/shm"),
        };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let value =
                arguments.next().ok_or_else(|| format!("`{name}` is unknown or has no value\n\n{USAGE}"))?;
            match name.as_str() {
                "--pages" => options.pages = value.parse()?,
                "--seconds" => options.time = Duration::from_secs(value.parse()?),
                "--connections" => options.connections = value.parse()?,
                "--rounds" => options.rounds = value.parse()?,
                "--only" if ["requests", "connections", "refresh"].contains(&&*value) => options.only = value,
                "--dir" => options.dir = PathBuf::from(value),
                _ => return Err(format!("`{name}` is not an option\n\n{USAGE}").into()),
            }
        }
        if options.pages <= URLS_PER_FILE {
            return Err(
                format!("`--pages` must be more than {URLS_PER_FILE}, so that there is an index").into()
            );
        }
        if options.time.is_zero() || options.connections == 0 || options.rounds == 0 {
            return Err("a number is 0; all must be at least 1".into());
        }
        Ok(options)
    }
}
