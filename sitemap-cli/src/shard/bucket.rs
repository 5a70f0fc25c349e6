//! `sitemap shard bucket`: lines with their buckets, for those who sort with `sort`.

use std::io::{Write as _, stdin};

use sitemap_core::bucket_of;

use crate::args::ShardBucketArgs;
use crate::build::lines::Lines;
use crate::error::{Outcome, Stop};
use crate::output::Output;

pub(super) fn run(args: &ShardBucketArgs) -> Outcome<()> {
    let mut lines = Lines::with_blanks(stdin().lock());
    let mut output = Output::new();
    while let Some((number, line, _)) = lines.next()? {
        let loc = line.split(|&byte| byte == b'\t').next().unwrap_or_default();
        let loc = std::str::from_utf8(loc)
            .map_err(|_| Stop::new(format!("<stdin>:{number}: the address is not UTF-8")))?;
        let written = write!(output, "{}\t", bucket_of(loc, args.buckets))
            .and_then(|()| output.write_all(line))
            .and_then(|()| output.write_all(b"\n"));
        written.map_err(|error| Stop::print(&error))?;
    }
    output.flush()
}
