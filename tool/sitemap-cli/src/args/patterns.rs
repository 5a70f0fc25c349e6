//! Options that select pages by their paths.

use clap::Args;

use crate::glob::Glob;

/// Patterns for the pages of a run.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PatternArgs {
    /// Only these pages, by a pattern for their paths or URLs, such as `blog/**`; can be repeated
    #[arg(long, value_name = "GLOB", value_parser = Glob::new)]
    pub(crate) include: Vec<Glob>,

    /// Not these pages, even if `--include` names them; can be repeated
    #[arg(long, value_name = "GLOB", value_parser = Glob::new)]
    pub(crate) exclude: Vec<Glob>,
}

impl PatternArgs {
    /// Returns `true` for the path or URL of a page that the options select.
    pub(crate) fn cover(&self, name: &str) -> bool {
        let name = name.split(['?', '#']).next().unwrap_or_default();
        let matches = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(name));
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }
}
