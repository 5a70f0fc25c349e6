//! The content of the configuration file.

use sitemap_read::Levels;

use super::file::ConfigFile;
use super::parse::Setting;
use super::rules::{Listed, Override};

/// The content of the configuration file. Without a file, everything is empty.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(super) file: Option<ConfigFile>,
    pub(super) settings: Vec<Setting>,
    pub(super) lists: Vec<Listed>,
    /// The levels of rules in all files.
    pub(crate) levels: Levels,
    /// The levels of rules in some files.
    pub(crate) overrides: Vec<Override>,
}
