//! The command line of the program `publish`.

use std::path::PathBuf;

use crate::Result;
use crate::publish::{CONTENDERS, Contender};

/// The text that `--help` prints.
pub const USAGE: &str = "\
usage: publish [--entries N] [--rounds N] [--only NAME]... [--dir DIR]

  --entries N  URLs to publish (default 1000000)
  --rounds N   timed runs of each contender (default 5)
  --only NAME  run only this contender; may be repeated
  --dir DIR    publish to a new directory in DIR (default /dev/shm)
";

/// The options of a comparison.
#[derive(Debug)]
pub struct Options {
    /// The number of URLs in the set.
    pub entries: u64,
    /// The number of timed runs of each contender.
    pub rounds: usize,
    /// The contenders to run, in the order of the table.
    pub contenders: Vec<Contender>,
    /// The parent of the directory to publish to.
    pub dir: PathBuf,
}

impl Options {
    /// Parses the options from the arguments after the program's name.
    ///
    /// # Errors
    ///
    /// Returns an error if an option or contender is unknown, a value is missing, or a number is not positive.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options =
            Self { entries: 1_000_000, rounds: 5, contenders: Vec::new(), dir: PathBuf::from("/dev/shm") };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let value =
                arguments.next().ok_or_else(|| format!("`{name}` is unknown or has no value\n\n{USAGE}"))?;
            match name.as_str() {
                "--entries" => options.entries = value.parse()?,
                "--rounds" => options.rounds = value.parse()?,
                "--only" => options.contenders.push(contender(&value)?),
                "--dir" => options.dir = PathBuf::from(value),
                _ => return Err(format!("`{name}` is not an option\n\n{USAGE}").into()),
            }
        }
        if options.entries == 0 || options.rounds == 0 {
            return Err("`--entries` or `--rounds` is 0; both must be at least 1".into());
        }
        if options.contenders.is_empty() {
            options.contenders = CONTENDERS.to_vec();
        }
        Ok(options)
    }
}

/// Returns the contender with this name.
///
/// # Errors
///
/// Returns an error that lists the known names if there is no such contender.
pub fn contender(name: &str) -> Result<Contender> {
    let found = CONTENDERS.iter().find(|contender| contender.name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = CONTENDERS.iter().map(|contender| contender.name).collect();
        format!("there is no contender `{name}`; choose one of {}", names.join(", ")).into()
    })
}
