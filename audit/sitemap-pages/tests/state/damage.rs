//! Tests that a damaged state file is reported, and that no damaged data is used.

use std::fs;

use rusqlite::Connection;
use sitemap_pages::robots::RobotsAnswer;
use sitemap_pages::state::{Host, ListedPage, RunKind, State, StateError};

use crate::support::{Place, day, failed, html};

/// Creates a state file with rows in every table.
fn fill(place: &Place) {
    let mut state = State::create_or_open(place.path()).unwrap();
    state.bind("https://example.com/").unwrap();
    let run = state.begin_run(RunKind::Crawl, day(1)).unwrap();
    for number in 0..12 {
        let url = format!("https://example.com/{number}");
        let body =
            format!("<title>Tree {number}</title><p>Tree {number} <a href=/{}>next</a><p>Footer", number + 1);
        state.store(&run, &html(&url, &body)).unwrap();
        state.enqueue(&url, 1, None).unwrap();
    }
    state.finish_run(&run).unwrap();
    let run = state.begin_run(RunKind::Check, day(2)).unwrap();
    state.store(&run, &failed("https://example.com/3")).unwrap();
    state.store(&run, &html("https://example.com/4", "<p>Changed")).unwrap();
    let host = Host::new(RobotsAnswer::Status(200), b"User-agent: *\n".to_vec(), day(1));
    state.store_host("https://example.com", &host).unwrap();
    state.store_probe("https://example.com/", &html("https://example.com/0f3a", "<p>Sorry")).unwrap();
    let listed = |position| {
        let mut page = ListedPage::new(0, format!("https://example.com/{position}"));
        page.position = position;
        page
    };
    state.set_listing(&["sitemap.xml"], (0..12).map(listed)).unwrap();
    state
        .digest_dates()
        .unwrap()
        .date("trees/1", sitemap_pages::content::ContentDigest::of_bytes(b"a"), day(1))
        .unwrap();
}

/// Reads everything.
fn read(place: &Place) -> Result<String, StateError> {
    let state = State::open(place.path())?;
    state.verify()?;
    let mut text = format!("{:?} {}\n", state.base(), state.page_count());
    let mut add = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for page in state.pages() {
        let page = page?;
        add(format!("{page:?} {:?} {:?}", state.blocks(&page.visit.url)?, state.links(&page.visit.url)?));
    }
    for row in state.contents() {
        add(format!("{:?}", row?));
    }
    for row in state.all_links() {
        add(format!("{:?}", row?));
    }
    for row in state.listing() {
        add(format!("{:?}", row?));
    }
    add(format!("{:?}", state.listing_files()?));
    for row in state.hosts() {
        add(format!("{:?}", row?));
    }
    for row in state.probes() {
        add(format!("{:?}", row?));
    }
    for row in state.runs() {
        add(format!("{:?}", row?));
    }
    add(format!("{:?} {:?}", state.frontier(0, 100)?, state.found_count()));
    add(format!("{:?} {:?}", state.shared_blocks(1)?, state.found("https://example.com/3")?));
    Ok(text)
}

#[test]
fn a_flipped_byte_anywhere_is_reported_or_has_no_effect() {
    let place = Place::new();
    fill(&place);
    let whole = fs::read(place.path()).unwrap();
    let expected = read(&place).unwrap();
    fs::write(place.path(), &whole).unwrap();
    assert_eq!(read(&place).unwrap(), expected);

    let (mut reported, mut harmless) = (0_u32, 0_u32);
    // The places to damage: the whole header, every seventh nonzero byte of the rest, and a few zero bytes. Most of the
    // rest is free space.
    let places = (0..whole.len()).filter(|&at| at < 100 || (whole[at] != 0 && at % 7 == 0) || at % 401 == 0);
    for at in places {
        for mask in [0x01, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= mask;
            fs::write(place.path(), &bytes).unwrap();
            match read(&place) {
                Ok(found) => {
                    assert_eq!(found, expected, "byte {at} with {mask:#x}");
                    harmless += 1;
                }
                Err(
                    StateError::Damaged { .. }
                    | StateError::NotAState { .. }
                    | StateError::Format { .. }
                    | StateError::Sql { .. },
                ) => reported += 1,
                Err(error) => panic!("byte {at} with {mask:#x}: {error}"),
            }
            let _ = fs::remove_file(format!("{}-wal", place.path().display()));
            let _ = fs::remove_file(format!("{}-journal", place.path().display()));
        }
    }
    assert!(reported > harmless, "{reported} reported, {harmless} harmless");
}

#[test]
fn a_file_that_is_cut_is_reported() {
    let place = Place::new();
    fill(&place);
    let whole = fs::read(place.path()).unwrap();
    for len in (1..whole.len()).step_by(1_777) {
        fs::write(place.path(), &whole[..len]).unwrap();
        let error = read(&place).unwrap_err();
        assert!(
            matches!(
                error,
                StateError::Damaged { .. } | StateError::NotAState { .. } | StateError::Format { .. }
            ),
            "{len}: {error}"
        );
    }
}

/// Changes a state file with SQL, as only another program would.
fn tamper(sql: &str) -> String {
    let place = Place::new();
    fill(&place);
    Connection::open(place.path()).unwrap().execute_batch(sql).unwrap();
    let error = read(&place).unwrap_err();
    assert!(matches!(error, StateError::Damaged { .. }), "{error}");
    error.to_string().replace(&place.path().display().to_string(), "FILE")
}

#[test]
fn the_message_names_the_row() {
    for (sql, message) in [
        (
            "UPDATE pages SET row = (SELECT row FROM pages WHERE key = CAST('https://example.com/5' AS BLOB)) \
             WHERE key = CAST('https://example.com/6' AS BLOB)",
            "the row `https://example.com/6` of `pages` does not have its digest",
        ),
        (
            "DELETE FROM pages WHERE key = CAST('https://example.com/6' AS BLOB)",
            "the table `pages` has 11 rows, and its head counts 12 and other digests",
        ),
        (
            "UPDATE pages SET key = CAST('x' || char(27) AS BLOB) WHERE key = CAST('https://example.com/6' AS BLOB)",
            "the row `x\\u{1b}` of `pages` does not have its digest",
        ),
        ("UPDATE runs SET row = x'00' WHERE key = x'0000000000000002'", "row 2 of `runs` is too short"),
        (
            "UPDATE listing SET row = zeroblob(20) WHERE key = x'00000000000000000000000000000003'",
            "row 3 of file 0 of `listing` does not have its digest",
        ),
        ("DELETE FROM head", "the row `head` of `head` is missing"),
        ("CREATE TABLE other (a)", "the list of tables is not that of the format"),
        ("DROP TABLE hosts", "the list of tables is not that of the format"),
    ] {
        assert_eq!(
            tamper(sql),
            format!("`FILE` is damaged: {message}; restore the file, or start a new state"),
            "{sql}"
        );
    }
}

#[test]
fn a_run_whose_pages_or_links_are_missing_is_not_finished() {
    for (kind, table) in [
        (RunKind::Build, "pages"),
        (RunKind::Check, "content"),
        (RunKind::Crawl, "pages"),
        (RunKind::Crawl, "links"),
        (RunKind::Crawl, "queued"),
        (RunKind::Crawl, "frontier"),
    ] {
        let place = Place::new();
        let store = |state: &State| {
            let run = state.begin_run(kind, day(1)).unwrap();
            for number in 0..3 {
                let url = format!("https://example.com/{number}");
                state.store(&run, &html(&url, "<p>Tree <a href=/1>next</a>")).unwrap();
                if kind == RunKind::Crawl {
                    state.enqueue(&url, 1, None).unwrap();
                }
            }
            run
        };
        let state = State::create_or_open(place.path()).unwrap();
        let run = store(&state);
        state.finish_run(&run).unwrap();
        // The crawl was interrupted, so its frontier is kept.
        store(&state);
        drop(state);
        let last = format!("DELETE FROM {table} WHERE key = (SELECT max(key) FROM {table})");
        assert_eq!(Connection::open(place.path()).unwrap().execute(&last, []).unwrap(), 1);

        let state = State::open(place.path()).unwrap();
        let run = state.begin_run(kind, day(2)).unwrap();
        let error = state.finish_run(&run).unwrap_err().to_string();
        assert!(error.contains(&format!(" is damaged: the table `{table}` has 2 rows, ")), "{error}");
        assert!(!state.run(run.number()).unwrap().unwrap().is_finished);
    }
}
