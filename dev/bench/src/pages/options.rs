//! The command line of the program `pages`.

use std::path::PathBuf;
use std::time::Duration;

use crate::Result;

/// The text that `--help` prints.
pub const USAGE: &str = "\
usage: pages --sitemap FILE [--peers DIR] [--pages N] [--jobs N] [--latency MS] [--limit SECONDS] [--rounds N]

  --sitemap FILE   the program `sitemap`, from `cargo build --release -p sitemap-cli`
  --peers DIR      the folder of `dev/bench/pages-peers`; without it, the peers are skipped
  --pages N        pages of the site (default 20000)
  --jobs N         requests at the same time (default 64)
  --latency MS     pause before each answer (default 20)
  --limit SECONDS  stops a contender that needs longer (default 300)
  --rounds N       runs of each contender; the table has the run with the median CPU time (default 3)
";

/// The options of a comparison.
#[derive(Debug)]
pub struct PageOptions {
    /// The program `sitemap`.
    pub sitemap: PathBuf,
    /// The folder of the peers.
    pub peers: PathBuf,
    /// The number of pages of the site.
    pub pages: usize,
    /// The number of requests at the same time.
    pub jobs: usize,
    /// The pause before each answer.
    pub latency: Duration,
    /// The longest time of a contender.
    pub limit: Duration,
    /// The number of runs of each contender.
    pub rounds: usize,
}

impl PageOptions {
    /// Parses the options from the arguments after the program's name.
    ///
    /// # Errors
    ///
    /// Returns an error if an option is unknown, a value is missing, or a number is not positive.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            sitemap: PathBuf::new(),
            peers: PathBuf::from("/nonexistent"),
            pages: 20_000,
            jobs: 64,
            latency: Duration::from_millis(20),
            limit: Duration::from_mins(5),
            rounds: 3,
        };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let value =
                arguments.next().ok_or_else(|| format!("`{name}` is unknown or has no value\n\n{USAGE}"))?;
            match name.as_str() {
                "--sitemap" => options.sitemap = std::path::absolute(value)?,
                "--peers" => options.peers = std::path::absolute(value)?,
                "--pages" => options.pages = value.parse()?,
                "--jobs" => options.jobs = value.parse()?,
                "--latency" => options.latency = Duration::from_millis(value.parse()?),
                "--limit" => options.limit = Duration::from_secs(value.parse()?),
                "--rounds" => options.rounds = value.parse()?,
                _ => return Err(format!("`{name}` is not an option\n\n{USAGE}").into()),
            }
        }
        if options.pages == 0 || options.jobs == 0 || options.rounds == 0 {
            return Err("`--pages`, `--jobs` or `--rounds` is 0; all must be at least 1".into());
        }
        if !options.sitemap.is_file() {
            return Err(format!("`--sitemap` is not a file\n\n{USAGE}").into());
        }
        Ok(options)
    }
}
