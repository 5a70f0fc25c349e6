//! `sitemap diff`: lists added, removed and changed pages.
//!
//! | what | where |
//! |---|---|
//! | the pages of a set | `old`, `new` |
//! | the comparison | `compare`; one hash bucket after another: `by_bucket` |
//! | values and lines | `values`, `lines` |

mod by_bucket;
mod compare;
mod lines;
mod new;
mod old;
mod values;

use std::slice;

use self::by_bucket::compare_buckets;
use self::compare::{Comparison, Counts, NotCompared, compare};
use self::lines::Lines;
use crate::args::DiffArgs;
use crate::buckets;
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::source::Source;
use crate::terminal::{Paint, Progress, say};

/// Compares two sets. Returns `true` if they differ.
pub(crate) fn run(args: &DiffArgs, paint: Paint) -> Outcome<bool> {
    if args.old == "-" && args.new == "-" {
        return Err(Stop::new("both sets are standard input; give a path or URL for one of them"));
    }
    let source = Source::new(&args.read, [args.old.as_str(), &args.new])?;
    let (threads, lines) = (args.threads.count(), Lines { format: args.format, paint });
    let map = args.map.urls();
    let mut output = Output::new();
    let both = |old: &[String], new: &[String], output: &mut Output| {
        let mut progress = Progress::with_output("reading files");
        let mut write = |text: &[u8]| output.lines(text);
        let compared = compare(&source, (old, new), threads, (lines, &map), &mut progress, &mut write);
        drop(progress);
        compared.map_err(NotCompared::report)
    };
    let same_urls = map.is_empty();
    let Comparison { counts, old, new, is_partial } =
        match buckets::differing(&args.old, &args.new, same_urls, threads)? {
            // All files of both sets.
            Some(pair) if pair.differing.len() == 1 => {
                let all = &pair.differing[0];
                let mut compared = both(&all.old, &all.new, &mut output)?;
                compared.counts.same += pair.unchanged;
                compared
            }
            Some(pair) => compare_buckets(&args.read, &pair, threads, lines, &mut output)?,
            None => both(slice::from_ref(&args.old), slice::from_ref(&args.new), &mut output)?,
        };
    output.flush()?;
    old.report(&args.old)?;
    new.report(&args.new)?;
    if is_partial {
        say("note: values that one of the sets cannot have, such as dates in a text file, are not compared");
    }
    let Counts { added, removed, changed, same } = counts;
    say(&format!("{added} added, {removed} removed, {changed} changed, {same} unchanged"));
    Ok(added + removed + changed > 0)
}
