//! Options that control how much of the published set a run replaces.

use clap::{Args, ValueEnum};
use sitemap_core::publish::{AllowShrink, SetOptions, ShrinkLimit};

/// How much of the published set a run replaces.
#[derive(Args, Debug)]
pub(crate) struct ReplaceArgs {
    /// Keep the published sections that this run does not name
    #[arg(long)]
    pub(crate) keep_sections: bool,

    /// Replace the published set even if it has a different base URL; cannot be used with `--keep-sections`
    #[arg(long, conflicts_with = "keep_sections")]
    pub(crate) change_base: bool,

    #[command(flatten)]
    pub(crate) shrink: ShrinkArgs,
}

/// How many pages the published set may lose.
#[derive(Args, Debug)]
pub(crate) struct ShrinkArgs {
    /// Publish nothing if the set, or one of its sections, would lose more pages than this: a share such as `30%`, a
    /// number of pages such as `5000`, or `off`. Small losses of several runs add up [default: 30%, for losses of at
    /// least 100 pages]
    #[arg(long, value_name = "LIMIT")]
    max_shrink: Option<ShrinkLimit>,

    /// Let this run exceed `--max-shrink`. `--allow-shrink=empty` also lets sections become empty
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "smaller")]
    allow_shrink: Option<Shrink>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shrink {
    /// The set and its sections may lose any number of pages
    Smaller,
    /// Sections may even lose all of their pages
    Empty,
}

impl ReplaceArgs {
    pub(crate) fn apply(&self, builder: SetOptions) -> SetOptions {
        self.shrink.apply(builder.keep_sections(self.keep_sections).change_base(self.change_base))
    }
}

impl ShrinkArgs {
    pub(crate) fn apply(&self, builder: SetOptions) -> SetOptions {
        builder.max_shrink(self.max_shrink.unwrap_or_default())
    }

    /// Returns how far this run may shrink the set.
    pub(crate) fn allow_shrink(&self) -> Option<AllowShrink> {
        self.allow_shrink.map(|shrink| match shrink {
            Shrink::Smaller => AllowShrink::Smaller,
            Shrink::Empty => AllowShrink::Empty,
        })
    }
}
