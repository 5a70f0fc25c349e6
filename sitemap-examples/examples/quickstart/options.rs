//! The command-line options.

use std::env;
use std::error::Error;
use std::path::PathBuf;

/// The folder to publish to, and an optional file with Debian packages.
pub struct Options {
    pub out: PathBuf,
    pub packages: Option<PathBuf>,
}

impl Options {
    /// Reads `--out DIR` and `--packages FILE` from the command line.
    pub fn from_args() -> Result<Self, Box<dyn Error>> {
        let mut options = Self { out: PathBuf::from("target/quickstart"), packages: None };
        let mut args = env::args_os().skip(1);
        while let Some(arg) = args.next() {
            let value = args.next().map(PathBuf::from);
            match (arg.to_str(), value) {
                (Some("--out"), Some(dir)) => options.out = dir,
                (Some("--packages"), Some(file)) => options.packages = Some(file),
                _ => return Err("usage: quickstart [--out DIR] [--packages FILE]".into()),
            }
        }
        Ok(options)
    }
}
