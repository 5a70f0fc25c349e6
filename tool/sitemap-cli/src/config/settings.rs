//! The content of the configuration file.

use sitemap_read::{CheckOptions, Levels};

use super::file::ConfigFile;
use super::rules::{Listed, Override};

/// The content of the configuration file. Everything is empty if there is no file.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(super) file: Option<ConfigFile>,
    pub(super) settings: Vec<Setting>,
    pub(super) lists: Vec<Listed>,
    /// Levels for rules in all files.
    pub(super) levels: Levels,
    /// Levels for rules in some files.
    pub(super) overrides: Vec<Override>,
}

/// The value of one option.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    /// The names of the subcommand, such as `shard` and `write`. Empty for options shared by all commands.
    pub(super) command: Vec<String>,
    pub(super) key: String,
    pub(super) texts: Vec<String>,
    /// The file and line.
    pub(super) source: String,
}

impl Config {
    /// Adds the levels of rules to a check's options. Later tables take precedence.
    pub(crate) fn with_levels(&self, mut options: CheckOptions) -> CheckOptions {
        options = options.levels(self.levels.clone());
        for table in &self.overrides {
            let (levels, table) = (table.levels.clone(), table.clone());
            options = options.levels_for(move |file| table.applies_to(file), levels);
        }
        options
    }
}
