//! The command line of the driver.

use std::path::PathBuf;

use crate::Result;
use crate::publish::{CONTENDERS, Contender};

/// What `--help` prints.
pub const USAGE: &str = "\
usage: publish [--entries N] [--rounds N] [--only NAME]... [--dir DIR]

  --entries N  URLs to publish (default 1000000)
  --rounds N   timed runs of each contender (default 5)
  --only NAME  leave out the other contenders; may be repeated
  --dir DIR    where to publish (default /dev/shm); a fresh directory is made in it
";

/// What to run, how often and where.
#[derive(Debug)]
pub struct Options {
    /// The number of URLs in the set.
    pub entries: u64,
    /// The number of timed runs of each contender.
    pub rounds: usize,
    /// The contenders to run, in the order of the table.
    pub contenders: Vec<Contender>,
    /// The directory in which a fresh one is made.
    pub dir: PathBuf,
}

impl Options {
    /// Reads the options from the arguments after the program's name.
    ///
    /// # Errors
    ///
    /// Returns an error for an unknown option, contender or a number that is not a positive one.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options =
            Self { entries: 1_000_000, rounds: 5, contenders: Vec::new(), dir: PathBuf::from("/dev/shm") };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let value =
                arguments.next().ok_or_else(|| format!("{name} is unknown or lacks its value\n\n{USAGE}"))?;
            match name.as_str() {
                "--entries" => options.entries = value.parse()?,
                "--rounds" => options.rounds = value.parse()?,
                "--only" => options.contenders.push(contender(&value)?),
                "--dir" => options.dir = PathBuf::from(value),
                _ => return Err(format!("{name} is unknown\n\n{USAGE}").into()),
            }
        }
        if options.entries == 0 || options.rounds == 0 {
            return Err("--entries and --rounds must be at least 1".into());
        }
        if options.contenders.is_empty() {
            options.contenders = CONTENDERS.to_vec();
        }
        Ok(options)
    }
}

/// Returns the contender of that name.
///
/// # Errors
///
/// Returns an error that lists the names there are.
pub fn contender(name: &str) -> Result<Contender> {
    let found = CONTENDERS.iter().find(|contender| contender.name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = CONTENDERS.iter().map(|contender| contender.name).collect();
        format!("no contender {name}, only {}", names.join(", ")).into()
    })
}
