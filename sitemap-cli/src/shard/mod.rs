//! `sitemap shard`: one set written by many processes.

mod bucket;
mod commit;
mod order;
mod place;
mod row;
mod write;

use sitemap_core::Site;

use crate::args::{ShardCommand, ShardSite};
use crate::error::{Outcome, Stop};
use crate::terminal::Paint;

pub(crate) fn run(command: &ShardCommand, paint: Paint) -> Outcome<()> {
    match command {
        ShardCommand::Write(args) => write::run(args, paint),
        ShardCommand::Commit(args) => commit::run(args, paint),
        ShardCommand::Bucket(args) => bucket::run(args),
    }
}

fn site(args: &ShardSite) -> Outcome<Site> {
    let base = Site::new(&args.base).map_err(|error| Stop::new(format!("`--base`: {error}")))?;
    args.also_list.iter().try_fold(base, |site, other| {
        site.also_list(other).map_err(|error| Stop::new(format!("`--also-list`: {error}")))
    })
}
