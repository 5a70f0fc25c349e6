//! `sitemap shard bucket`: prints each row with its hash bucket and URL in front.

use std::borrow::Cow;
use std::io::{Write as _, stdin};

use sitemap_core::Site;
use sitemap_core::publish::shards::bucket_of;

use super::row;
use crate::args::ShardBucketArgs;
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::page_list::lines::Lines;

pub(super) fn run(args: &ShardBucketArgs) -> Outcome<()> {
    let site = Site::new(&args.base).map_err(|error| Stop::new(format!("`--base`: {error}")))?;
    let mut lines = Lines::with_spaces(stdin().lock());
    let mut output = Output::new();
    while let Some(line) = lines.next()? {
        // The writer reports a row without a URL. Until then, the row is in the first bucket.
        let loc = loc(line.text).and_then(|loc| site.resolve(loc).ok());
        let loc = loc.as_ref().map_or("", |loc| loc.as_str());
        let bucket = if loc.is_empty() { 0 } else { bucket_of(loc, args.buckets) };
        let written = write!(output, "{bucket}\t{loc}\t")
            .and_then(|()| output.write_all(line.text))
            .and_then(|()| output.write_all(b"\n"));
        written.map_err(|error| Stop::print(&error))?;
    }
    output.flush()
}

/// Returns the loc of a row. If the row starts with a brace, it is JSON, because no loc starts with a brace.
fn loc(line: &[u8]) -> Option<Cow<'_, str>> {
    if line.trim_ascii_start().starts_with(b"{") {
        return row::json_loc(line).ok();
    }
    let loc = line.split(|&byte| byte == b'\t').next().unwrap_or_default();
    std::str::from_utf8(loc).map(Cow::Borrowed).ok()
}
