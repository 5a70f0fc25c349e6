//! The command line of the program `changes`.

use std::path::PathBuf;

use crate::Result;

/// The text that `--help` prints.
pub const USAGE: &str = "\
usage: changes --sitemap FILE [--pages N] [--changes N]… [--buckets N]… [--dir DIR] [--s3]

  --sitemap FILE   the program `sitemap`, from `cargo build --release -p sitemap-cli`
  --pages N        pages of the set (default 10000000)
  --changes N      changes of an update; may be repeated (default 1, 100, 10000 and 1000000)
  --buckets N      hash buckets of a set; may be repeated (default 400 and the number that the rule gives for each
                   number of changes)
  --dir DIR        the folder for a temporary folder of the sets (default: that of the system)
  --s3             updates a set in the bucket that `SITEMAP_TEST_S3` names, and compares it with one in the folder;
                   see `dev/ci/with-s3`
";

/// The options of a comparison.
#[derive(Debug)]
pub struct ChangeOptions {
    /// The program `sitemap`.
    pub sitemap: PathBuf,
    /// The number of pages of the set.
    pub pages: u64,
    /// The numbers of changes.
    pub changes: Vec<u64>,
    /// The numbers of hash buckets; if empty, 400 and those of the rule.
    pub buckets: Vec<u32>,
    /// The folder for a temporary folder.
    pub dir: PathBuf,
    /// True if the sets are in an object store.
    pub is_s3: bool,
}

impl ChangeOptions {
    /// Parses the options from the arguments after the program's name.
    ///
    /// # Errors
    ///
    /// Returns an error if an option is unknown, a value is missing, or a number is not valid.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            sitemap: PathBuf::new(),
            pages: 10_000_000,
            changes: Vec::new(),
            buckets: Vec::new(),
            dir: std::env::temp_dir(),
            is_s3: false,
        };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            if name == "--s3" {
                options.is_s3 = true;
                continue;
            }
            let value =
                arguments.next().ok_or_else(|| format!("`{name}` is unknown or has no value\n\n{USAGE}"))?;
            match name.as_str() {
                "--sitemap" => options.sitemap = std::path::absolute(value)?,
                "--pages" => options.pages = value.parse()?,
                "--changes" => options.changes.push(value.parse()?),
                "--buckets" => options.buckets.push(value.parse()?),
                "--dir" => options.dir = std::path::absolute(value)?,
                _ => return Err(format!("`{name}` is not an option\n\n{USAGE}").into()),
            }
        }
        if options.changes.is_empty() {
            options.changes = vec![1, 100, 10_000, 1_000_000];
            options.changes.retain(|changes| *changes <= options.pages);
        }
        if options.changes.iter().any(|changes| *changes == 0 || *changes > options.pages) {
            return Err("`--changes` is 0 or larger than `--pages`; change between one page and all".into());
        }
        if options.is_s3 && options.changes.len() != 1 {
            return Err("`--s3` updates the set itself and not a copy; give one number of `--changes`".into());
        }
        if !options.sitemap.is_file() {
            return Err(format!("`--sitemap` is not a file\n\n{USAGE}").into());
        }
        Ok(options)
    }
}
