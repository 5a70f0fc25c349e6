//! `sitemap shard bucket`: prefixes each row with its hash bucket, for sorting with `sort`.

use std::borrow::Cow;
use std::io::{Write as _, stdin};

use sitemap_core::publish::shards::bucket_of;

use super::row;
use crate::args::ShardBucketArgs;
use crate::build::lines::Lines;
use crate::error::{Outcome, Stop};
use crate::output::Output;

pub(super) fn run(args: &ShardBucketArgs) -> Outcome<()> {
    let mut lines = Lines::with_spaces(stdin().lock());
    let mut output = Output::new();
    while let Some(line) = lines.next()? {
        let loc =
            loc(line.text).map_err(|problem| Stop::new(format!("<stdin>:{}: {problem}", line.number)))?;
        let written = write!(output, "{}\t", bucket_of(&loc, args.buckets))
            .and_then(|()| output.write_all(line.text))
            .and_then(|()| output.write_all(b"\n"));
        written.map_err(|error| Stop::print(&error))?;
    }
    output.flush()
}

/// Returns the loc of a row. If the row starts with a brace, it is JSON, because no loc starts with a brace.
fn loc(line: &[u8]) -> Result<Cow<'_, str>, String> {
    if line.trim_ascii_start().starts_with(b"{") {
        return row::json_loc(line);
    }
    let loc = line.split(|&byte| byte == b'\t').next().unwrap_or_default();
    std::str::from_utf8(loc).map(Cow::Borrowed).map_err(|_| "`loc` is not UTF-8".to_owned())
}
