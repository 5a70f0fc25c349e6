//! Tests for counting in bounded memory.

use std::collections::HashMap;
use std::convert::Infallible;

use super::block::Block;
use super::count::{Bounds, Counted, OfPage, count_within, distinct};
use super::folder::Folder;

fn sorted(mut found: Vec<Counted>) -> Vec<(u32, u32)> {
    found.sort_by_key(|found| match *found {
        Counted::Site(shape) => (0, shape),
        Counted::Folder(folder, shape) => (folder, shape),
    });
    let pairs = found.iter().map(|found| match *found {
        Counted::Site(shape) => (0, shape),
        Counted::Folder(folder, shape) => (folder, shape),
    });
    pairs.collect()
}

fn run(bounds: Bounds, pages: &[(Folder, Vec<Block>)]) -> (Vec<(u32, u32)>, usize) {
    let mut passes = 0;
    let found = count_within(bounds, |visit: &mut dyn FnMut(Folder, OfPage<'_>)| {
        passes += 1;
        for (folder, blocks) in pages {
            visit(*folder, OfPage::Blocks(blocks));
        }
        Ok::<_, Infallible>(())
    });
    let Ok(found) = found;
    let found = sorted(found);

    // Counts the same pages again, passing the shapes along.
    let known = count_within(bounds, |visit: &mut dyn FnMut(Folder, OfPage<'_>)| {
        for (folder, blocks) in pages {
            let mut shapes = Vec::new();
            distinct(blocks, &mut shapes);
            visit(*folder, OfPage::Shapes(&shapes));
        }
        Ok::<_, Infallible>(())
    });
    let Ok(known) = known;
    assert_eq!(sorted(known), found);
    (found, passes)
}

/// 400 pages in two folders. Shape `s` is on every `s`-th page, so shape 5 is on a fifth of them.
fn pages() -> Vec<(Folder, Vec<Block>)> {
    let page = |number: u32| {
        let folder =
            Folder::of(if number.is_multiple_of(2) { "https://e.com/a/p" } else { "https://e.com/b/c/p" });
        let divisors = (1..=60).filter(|shape| number.is_multiple_of(*shape));
        let blocks = divisors.flat_map(|shape| {
            [
                Block { text: number, shape },
                Block { text: number + 1, shape },
                Block { text: 0, shape: 1000 + number },
            ]
        });
        (folder, blocks.collect())
    };
    (0..400).map(page).collect()
}

#[test]
fn tight_bounds_change_only_the_number_of_passes() {
    let pages = pages();
    let (found, passes) = run(Bounds { counters: 1 << 20, candidates: 1 << 20 }, &pages);
    assert_eq!(passes, 3);
    let site: Vec<u32> = found.iter().filter(|(level, _)| *level == 0).map(|(_, shape)| *shape).collect();
    assert_eq!(site, [1, 2, 3, 4, 5]);

    let (tight, passes) = run(Bounds { counters: 16, candidates: 50 }, &pages);
    assert_eq!(tight, found);
    assert!(passes > 8, "{passes}");

    let backwards: Vec<_> = pages.into_iter().rev().collect();
    assert_eq!(run(Bounds { counters: 1 << 10, candidates: 1 << 20 }, &backwards).0, found);
}

#[test]
fn thresholds() {
    let site = |pages: u32, with: u32| {
        let page = |number: u32| {
            let shapes = [(number < with).then_some(7), Some(100 + number)];
            let blocks = shapes.into_iter().flatten().map(|shape| Block { text: 0, shape });
            (Folder::default(), blocks.collect())
        };
        let pages: Vec<_> = (0..pages).map(page).collect();
        run(Bounds { counters: 1 << 10, candidates: 1 << 10 }, &pages).0 == [(0, 7)]
    };
    let smallest: HashMap<u32, u32> = [1, 2, 3, 4, 6, 10, 19, 20, 50, 51, 100, 101]
        .into_iter()
        .filter_map(|pages| Some((pages, (1..=pages).find(|&with| site(pages, with))?)))
        .collect();
    let expected =
        [(3, 3), (4, 3), (6, 4), (10, 6), (19, 10), (20, 10), (50, 10), (51, 11), (100, 20), (101, 21)];
    assert_eq!(smallest, HashMap::from(expected));
}

#[test]
fn folders() {
    // 30 of 1000 pages are in one folder. Half of those 30 contain the block.
    for (with, is_shared) in [(14, false), (15, true)] {
        let page = |number: u32| {
            let folder = Folder::of(if number < 30 { "https://e.com/blog/p" } else { "https://e.com/p" });
            let shape = if number < with { 7 } else { 100 + number };
            (folder, vec![Block { text: 0, shape }])
        };
        let pages: Vec<_> = (0..1000).map(page).collect();
        let (found, _) = run(Bounds { counters: 1 << 20, candidates: 1 << 10 }, &pages);
        assert_eq!(
            found.iter().filter(|(level, shape)| *level != 0 && *shape == 7).count(),
            usize::from(is_shared)
        );
        assert_eq!(found.len(), usize::from(is_shared));
    }
}
