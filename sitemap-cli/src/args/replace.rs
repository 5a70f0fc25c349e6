//! Options that say what a run replaces of the published set.

use clap::Args;
use sitemap_core::publish::PublisherBuilder;

/// What a run replaces of the published set.
#[derive(Args, Debug)]
pub(crate) struct ReplaceArgs {
    /// Keep the sections of the published set that this run does not name
    #[arg(long)]
    pub(crate) keep_sections: bool,

    /// Replace the published set even if its base URL is not `--base`; cannot be used with `--keep-sections`
    #[arg(long, conflicts_with = "keep_sections")]
    pub(crate) change_base: bool,
}

impl ReplaceArgs {
    pub(crate) fn apply(&self, builder: PublisherBuilder) -> PublisherBuilder {
        builder.keep_sections(self.keep_sections).change_base(self.change_base)
    }
}
