//! Tests that runs are resumed, and that they record what they skipped.

use sitemap_pages::state::{ContentChanges, Gap, GapReason, RunKind, State, StateError};

use crate::support::{Place, day, failed, html};

#[test]
fn an_interrupted_run_is_resumed_with_its_time() {
    let place = Place::new();
    let state = State::create_or_open(place.path()).unwrap();
    let run = state.begin_run(RunKind::Check, day(5)).unwrap();
    state.store(&run, &failed("https://example.com/a")).unwrap();
    drop(state);

    let state = State::open(place.path()).unwrap();
    let run = state.begin_run(RunKind::Check, day(9)).unwrap();
    assert!(run.is_resumed());
    assert_eq!((run.number(), run.kind(), run.time()), (1, RunKind::Check, day(5)));
    assert!(state.visited_in(&run, "https://example.com/a").unwrap());
    assert!(!state.visited_in(&run, "https://example.com/b").unwrap());
    state.finish_run(&run).unwrap();

    let run = state.begin_run(RunKind::Check, day(9)).unwrap();
    assert!(!run.is_resumed());
    assert_eq!((run.number(), run.time()), (2, day(9)));
    assert!(!state.visited_in(&run, "https://example.com/a").unwrap());
}

#[test]
fn runs_of_other_kinds_go_on_beside_it() {
    let state = State::in_memory().unwrap();
    let check = state.begin_run(RunKind::Check, day(1)).unwrap();
    let crawl = state.begin_run(RunKind::Crawl, day(2)).unwrap();
    let build = state.begin_run(RunKind::Build, day(3)).unwrap();
    assert_eq!([check.number(), crawl.number(), build.number()], [1, 2, 3]);
    state.finish_run(&crawl).unwrap();
    assert_eq!(state.begin_run(RunKind::Check, day(4)).unwrap().number(), 1);
    assert_eq!(state.begin_run(RunKind::Build, day(4)).unwrap().number(), 3);
    assert_eq!(state.begin_run(RunKind::Crawl, day(4)).unwrap().number(), 4);
    assert_eq!(state.last_run(None).unwrap().unwrap().number, 2);
    assert_eq!(state.last_run(Some(RunKind::Check)).unwrap(), None);
}

#[test]
fn a_finished_run_takes_nothing_more() {
    let state = State::in_memory().unwrap();
    let run = state.begin_run(RunKind::Check, day(1)).unwrap();
    state.finish_run(&run).unwrap();
    let error = state.store(&run, &failed("https://example.com/a")).unwrap_err();
    assert!(matches!(error, StateError::NoSuchRun { number: 1, .. }));
    assert_eq!(error.to_string(), "run 1 of `:memory:` is finished or unknown; begin a run");
    assert!(matches!(state.finish_run(&run), Err(StateError::NoSuchRun { .. })));
    assert!(matches!(state.leave_out(&run, GapReason::Cut, 1), Err(StateError::NoSuchRun { .. })));
    assert_eq!(state.page_count(), 0);
}

#[test]
fn what_is_left_out_is_counted() {
    let place = Place::new();
    let state = State::create_or_open(place.path()).unwrap();
    let run = state.begin_run(RunKind::Crawl, day(1)).unwrap();
    state.leave_out(&run, GapReason::Links, 5).unwrap();
    state.leave_out(&run, GapReason::MaxPages, 1).unwrap();
    state.leave_out(&run, GapReason::Links, 2).unwrap();
    state.leave_out(&run, GapReason::MaxDepth, 0).unwrap();
    assert!(!state.run(1).unwrap().unwrap().is_complete());
    drop(state);
    let state = State::open(place.path()).unwrap();
    let run = state.begin_run(RunKind::Crawl, day(1)).unwrap();
    state.finish_run(&run).unwrap();
    let record = state.run(1).unwrap().unwrap();
    let gap = Gap::new;
    assert_eq!(record.gaps, [gap(GapReason::MaxPages, 1), gap(GapReason::Links, 7)]);
    assert!(record.is_finished && !record.is_complete());
    assert_eq!(record.gaps[1].to_string(), "7 links are past the limit of links on a page");

    let run = state.begin_run(RunKind::Crawl, day(2)).unwrap();
    state.store(&run, &html("https://example.com/", "<p>Oak")).unwrap();
    state.finish_run(&run).unwrap();
    let record = state.last_run(Some(RunKind::Crawl)).unwrap().unwrap();
    assert!(record.is_complete());
    assert_eq!(record.changes, ContentChanges::new(1, 0, 0));
}

#[test]
fn a_run_that_is_given_up_does_not_go_on() {
    let state = State::in_memory().unwrap();
    let run = state.begin_run(RunKind::Build, day(1)).unwrap();
    state.store(&run, &html("https://example.com/a", "<p>Oak")).unwrap();
    state.abandon_run(&run).unwrap();
    assert!(matches!(state.finish_run(&run), Err(StateError::NoSuchRun { number: 1, .. })));

    let run = state.begin_run(RunKind::Build, day(2)).unwrap();
    assert!(!run.is_resumed());
    assert_eq!((run.number(), run.time()), (2, day(2)));
    assert_eq!(state.finish_run(&run).unwrap(), ContentChanges::default());
    assert!(!state.run(1).unwrap().unwrap().is_finished);
    assert_eq!(state.blocks("https://example.com/a").unwrap(), None);
}
