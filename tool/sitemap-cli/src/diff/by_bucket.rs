//! Compares two sets one hash bucket at a time.

use sitemap_core::threads::{Worker, in_order};

use super::compare::{Comparison, Counts, NotCompared, compare};
use super::lines::Lines;
use crate::args::ReadArgs;
use crate::buckets::{Differing, Pair};
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::source::{Crawled, Identity, PART, Source};
use crate::terminal::Progress;
use crate::url_map::UrlMap;

/// A result that a thread sends for a bucket.
enum Piece {
    Lines(Vec<u8>),
    End(Box<End>),
}

/// Sent after the last result of a bucket.
struct End {
    messages: Vec<String>,
    compared: Result<Comparison, NotCompared>,
}

/// Compares the differing hash buckets. Each thread holds only the old pages of one bucket, so memory usage doesn't
/// grow with the sets.
pub(super) fn compare_buckets(
    args: &ReadArgs,
    pair: &Pair,
    threads: usize,
    lines: Lines,
    output: &mut Output,
) -> Outcome<Comparison> {
    let mut sum = Sum {
        all: Comparison {
            counts: Counts { same: pair.unchanged, ..Counts::default() },
            old: Crawled::default(),
            new: Crawled::default(),
            is_partial: false,
        },
        progress: Progress::with_output("reading files"),
        done: 0,
        known: pair.differing.len() as u64,
        output,
    };
    let threads = threads.min(pair.differing.len());
    if threads <= 1 {
        for bucket in &pair.differing {
            let end = compare_bucket(args, bucket, lines, &mut |text| sum.output.lines(text));
            sum.end(end)?;
        }
        return Ok(sum.all);
    }
    let work = |bucket: &Differing, worker: &Worker<'_, Piece>| {
        let mut part = Vec::new();
        let send = |text: Vec<u8>| {
            let is_wanted = worker.send(text.len(), Piece::Lines(text));
            // If the caller no longer reads the lines, it won't read the error either.
            if is_wanted { Ok(()) } else { Err(Stop::Quiet) }
        };
        let end = compare_bucket(args, bucket, lines, &mut |text| {
            part.extend_from_slice(text);
            if part.len() < PART { Ok(()) } else { send(std::mem::take(&mut part)) }
        });
        if send(part).is_ok() {
            worker.send(size_of::<End>(), Piece::End(Box::new(end)));
        }
    };
    in_order(threads, &pair.differing, work, |piece| match piece {
        Piece::Lines(text) => sum.output.lines(&text),
        Piece::End(end) => sum.end(*end),
    })?;
    Ok(sum.all)
}

/// The total result for all buckets compared so far.
struct Sum<'o> {
    all: Comparison,
    progress: Progress,
    done: u64,
    known: u64,
    output: &'o mut Output,
}

impl Sum<'_> {
    fn end(&mut self, End { messages, compared }: End) -> Outcome<()> {
        for message in messages {
            self.progress.say(&message);
        }
        let Comparison { counts, old, new, is_partial } = match compared {
            Ok(compared) => compared,
            Err(why) => {
                self.progress.hide();
                return Err(why.report());
            }
        };
        self.all.counts.add(counts);
        self.all.old.add(old);
        self.all.new.add(new);
        self.all.is_partial |= is_partial;
        self.done += 1;
        self.progress.advance(self.done, self.known);
        Ok(())
    }
}

/// Compares the files of one bucket on this thread. The files must be on disk.
fn compare_bucket(
    args: &ReadArgs,
    bucket: &Differing,
    lines: Lines,
    print: &mut dyn FnMut(&[u8]) -> Outcome<()>,
) -> End {
    let source = Source::with_identity(args, Identity::default());
    let mut messages = Vec::new();
    let compared =
        compare(&source, (&bucket.old, &bucket.new), 1, (lines, &UrlMap::default()), &mut messages, print);
    End { messages, compared }
}
