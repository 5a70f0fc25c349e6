//! `sitemap shard`: builds one set with many processes.

mod bucket;
mod commit;
mod row;
mod write;

use crate::args::ShardCommand;
use crate::error::Outcome;
use crate::terminal::Paint;

pub(crate) fn run(command: &ShardCommand, paint: Paint) -> Outcome<()> {
    match command {
        ShardCommand::Write(args) => write::run(args, paint),
        ShardCommand::Commit(args) => commit::run(args, paint),
        ShardCommand::Bucket(args) => bucket::run(args),
    }
}
