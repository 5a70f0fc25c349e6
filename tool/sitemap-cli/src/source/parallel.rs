//! Reads all entries of targets on several threads. The results arrive in the same order as if a single thread had read
//! everything.
//!
//! The caller's thread opens the documents and reads the indexes, because these determine which documents come next.
//! Other threads read all other documents, and send back parts of the result. The number of threads limits how many
//! documents are open and how many bytes of results can wait.

use sitemap_core::threads::{self, Worker};

use super::ordered::{End, Job, Ordered, Piece};
use super::parts::{Counted, Messages, Parts, read_parts};
use super::walk::Walk;
use super::{Document, Source};
use crate::error::{Outcome, Stop};

/// Reads targets and all child sitemaps on up to `threads` threads, like [`crawl`](super::crawl). Calls `start` for
/// each document. Calls `receive` for each part on the caller's thread, in the order of the documents.
pub(crate) fn crawl_parts<V: Parts>(
    source: &Source,
    targets: &[String],
    threads: usize,
    messages: &mut dyn Messages,
    start: &(dyn Fn(&Document) -> V + Sync),
    receive: &mut dyn FnMut(V::Part) -> Outcome<()>,
) -> Outcome<Counted> {
    let mut walk = Walk::new(source, targets);
    let mut turns = Ordered::new(source, messages, receive);
    let is_over = threads > 1
        && threads::run(
            threads,
            |opened, worker: &Worker<'_, _>| read_there(opened, start, worker),
            |jobs| turns.together(&mut walk, start, jobs),
        )?;
    if !is_over {
        turns.alone(&mut walk, start)?;
    }
    Ok(turns.finish())
}

fn read_there<V: Parts>(
    mut opened: Job,
    start: &(dyn Fn(&Document) -> V + Sync),
    worker: &Worker<'_, Piece<V::Part>>,
) {
    let (mut problems, mut locs) = (Vec::new(), Vec::new());
    let crawled = read_parts(
        &mut opened,
        start,
        &mut |problem| problems.push(problem.clone()),
        // If the caller no longer receives parts, it won't receive the error either.
        &mut |part| {
            let is_wanted = worker.send(V::size(&part), Piece::Part(part));
            if is_wanted { Ok(()) } else { Err(Stop::Quiet) }
        },
        &mut |_, _, loc| {
            locs.push(loc.clone().into_owned());
            Ok(())
        },
    );
    let depth = opened.depth();
    let document = opened.document;
    let misplaced = (!locs.is_empty()).then_some((document, depth, locs));
    worker.send(size_of::<End>(), Piece::End(Box::new(End { problems, crawled, misplaced })));
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fmt::Write as _;
    use std::fs;
    use std::path::Path;
    use std::rc::Rc;
    use std::slice;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use clap::Parser as _;
    use sitemap_core::Entry;
    use sitemap_read::SitemapReader;

    use super::super::{Identity, Problem};
    use super::*;
    use crate::args::ReadArgs;

    #[derive(clap::Parser)]
    struct Words {
        #[command(flatten)]
        read: ReadArgs,
    }

    /// Writes a set whose child sitemaps list one page each, and returns the path of the index.
    fn set(folder: &Path, children: usize) -> String {
        let mut index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".to_owned();
        for child in 0..children {
            writeln!(index, "<sitemap><loc>https://e.com/{child}.txt</loc></sitemap>").unwrap();
            fs::write(folder.join(format!("{child}.txt")), format!("https://e.com/{child}\n")).unwrap();
        }
        let path = folder.join("sitemap.xml");
        fs::write(&path, index + "</sitemapindex>\n").unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Collects a document's URLs as one part.
    #[derive(Default)]
    struct Urls(Vec<String>);

    impl Parts for Urls {
        type Part = Vec<String>;

        fn page(&mut self, entry: &Entry<'_>) -> Outcome<()> {
            self.0.push(entry.loc().as_str().to_owned());
            Ok(())
        }

        fn end(&mut self, _: &Document, _: &mut SitemapReader<'_>) -> Outcome<Vec<String>> {
            Ok(std::mem::take(&mut self.0))
        }

        fn size(part: &Vec<String>) -> usize {
            part.len() * 32
        }
    }

    /// Remembers how many documents were opened.
    struct Opened(Rc<Cell<u64>>);

    impl Messages for Opened {
        fn problem(&mut self, problem: &Problem) {
            panic!("{problem}");
        }

        fn advance(&mut self, opened: u64, _: u64) {
            self.0.set(opened);
        }
    }

    #[test]
    fn few_documents_are_open_at_a_time() {
        const CHILDREN: usize = 300;
        let folder = tempfile::tempdir().unwrap();
        let index = set(folder.path(), CHILDREN);
        let source = Source::with_identity(&Words::parse_from(["test"]).read, Identity::default());
        for threads in [1, 2, 3, 8] {
            let (opened, begun) = (Rc::new(Cell::new(0)), AtomicUsize::new(0));
            let (mut urls, mut ended, mut most_open, mut most_begun) = (Vec::new(), 0, 0, 0);
            let start = |_: &Document| {
                begun.fetch_add(1, Ordering::Relaxed);
                Urls::default()
            };
            let mut receive = |part: Vec<String>| {
                most_open = most_open.max(opened.get() - ended);
                most_begun = most_begun.max(begun.load(Ordering::Relaxed) as u64 - ended);
                ended += 1;
                urls.extend(part);
                Ok(())
            };
            let mut messages = Opened(Rc::clone(&opened));
            let targets = slice::from_ref(&index);
            let counted =
                crawl_parts(&source, targets, threads, &mut messages, &start, &mut receive).unwrap();
            assert_eq!((counted.crawled.failed, ended), (0, CHILDREN as u64 + 1), "{threads}");
            let expected: Vec<_> = (0..CHILDREN).map(|child| format!("https://e.com/{child}")).collect();
            assert_eq!(urls, expected, "{threads}");
            let max = if threads == 1 { 1 } else { threads as u64 * 2 + 1 };
            assert!(most_open <= max && most_begun <= max, "{threads}: {most_open}, {most_begun}");
        }
    }

    #[test]
    fn the_only_document_is_read_on_the_thread_of_the_caller() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.txt");
        fs::write(&path, "https://e.com/a\nhttps://e.com/b\n").unwrap();
        let target = path.to_str().unwrap().to_owned();
        let source = Source::with_identity(&Words::parse_from(["test"]).read, Identity::default());
        let (here, mut urls) = (std::thread::current().id(), Vec::new());
        let start = |_: &Document| {
            assert_eq!(std::thread::current().id(), here);
            Urls::default()
        };
        let mut receive = |part| {
            urls.push(part);
            Ok(())
        };
        let mut messages = Vec::new();
        crawl_parts(&source, &[target], 8, &mut messages, &start, &mut receive).unwrap();
        assert_eq!(urls, [["https://e.com/a", "https://e.com/b"]]);
        assert!(messages.is_empty());
    }
}
