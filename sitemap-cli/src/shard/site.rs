//! The site of the `shard` commands.

use sitemap_core::Site;

use crate::args::ShardSite;
use crate::error::{Outcome, Stop};

pub(super) fn site(args: &ShardSite) -> Outcome<Site> {
    let base = Site::new(&args.base).map_err(|error| Stop::new(format!("`--base`: {error}")))?;
    args.also_list.iter().try_fold(base, |site, other| {
        site.also_list(other).map_err(|error| Stop::new(format!("`--also-list`: {error}")))
    })
}
