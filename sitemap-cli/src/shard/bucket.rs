//! `sitemap shard bucket`: lines with their buckets, for those who sort with `sort`.

use std::borrow::Cow;
use std::io::{Write as _, stdin};

use sitemap_core::publish::bucket_of;

use super::row;
use crate::args::ShardBucketArgs;
use crate::build::lines::Lines;
use crate::error::{Outcome, Stop};
use crate::output::Output;

pub(super) fn run(args: &ShardBucketArgs) -> Outcome<()> {
    let mut lines = Lines::with_blanks(stdin().lock());
    let mut output = Output::new();
    while let Some((number, line, _)) = lines.next()? {
        let loc = address(line).map_err(|problem| Stop::new(format!("<stdin>:{number}: {problem}")))?;
        let written = write!(output, "{}\t", bucket_of(&loc, args.buckets))
            .and_then(|()| output.write_all(line))
            .and_then(|()| output.write_all(b"\n"));
        written.map_err(|error| Stop::print(&error))?;
    }
    output.flush()
}

/// The address of a row: no address begins with a brace, so such a row is JSON.
fn address(line: &[u8]) -> Result<Cow<'_, str>, String> {
    if line.trim_ascii_start().starts_with(b"{") {
        return row::address(line);
    }
    let loc = line.split(|&byte| byte == b'\t').next().unwrap_or_default();
    std::str::from_utf8(loc).map(Cow::Borrowed).map_err(|_| "the address is not UTF-8".to_owned())
}
