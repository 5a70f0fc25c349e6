//! Tests for a crawl's frontier and links.

use sitemap_pages::state::{RunKind, State};

use crate::support::{Place, day, html};

#[test]
fn urls_come_in_the_order_in_which_they_were_found() {
    let place = Place::new();
    let state = State::create_or_open(place.path()).unwrap();
    state.begin_run(RunKind::Crawl, day(1)).unwrap();
    assert!(state.enqueue("https://example.com/", 0, None).unwrap());
    for number in 0..300 {
        let url = format!("https://example.com/{}", 299 - number);
        assert!(state.enqueue(&url, 1, Some("https://example.com/")).unwrap());
        assert!(!state.enqueue(&url, 5, None).unwrap());
    }
    drop(state);
    let state = State::open(place.path()).unwrap();
    assert_eq!(state.found_count(), 301);
    let found = state.frontier(299, 10).unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|found| (found.number, found.url.as_str(), found.depth, found.found_on.as_deref()))
        .collect();
    let home = Some("https://example.com/");
    assert_eq!(found, [(300, "https://example.com/1", 1, home), (301, "https://example.com/0", 1, home)]);
    assert_eq!(state.frontier(0, 3).unwrap().len(), 3);
    assert_eq!(state.found("https://example.com/299").unwrap().unwrap().number, 2);
    assert_eq!(state.found("https://example.com/300").unwrap(), None);
}

#[test]
fn the_next_crawl_starts_with_an_empty_frontier() {
    let state = State::in_memory().unwrap();
    let run = state.begin_run(RunKind::Crawl, day(1)).unwrap();
    state.enqueue("https://example.com/", 0, None).unwrap();
    state.begin_run(RunKind::Crawl, day(2)).unwrap();
    assert_eq!(state.found_count(), 1, "the crawl goes on");
    state.finish_run(&run).unwrap();
    assert_eq!(state.found_count(), 1, "a finished crawl can be judged");
    state.begin_run(RunKind::Crawl, day(2)).unwrap();
    assert_eq!(state.found_count(), 0);
    assert!(state.enqueue("https://example.com/", 0, None).unwrap());
    assert_eq!(state.frontier(0, 9).unwrap()[0].number, 1);
}

#[test]
fn links_come_by_page_with_their_run() {
    let state = State::in_memory().unwrap();
    let run = state.begin_run(RunKind::Crawl, day(1)).unwrap();
    state.store(&run, &html("https://example.com/b", "<a href=/c>")).unwrap();
    state.store(&run, &html("https://example.com/a", "<a href=/b><a href=/c>")).unwrap();
    state.store(&run, &html("https://example.com/c", "")).unwrap();
    let links: Vec<_> = state.all_links().map(Result::unwrap).collect();
    let links: Vec<_> = links.iter().map(|(url, run, links)| (url.as_str(), *run, links.len())).collect();
    assert_eq!(links, [("https://example.com/a", 1, 2), ("https://example.com/b", 1, 1)]);
}
