//! Tests for files that aren't state files, and for state files that are in use.

use std::fs;

use sitemap_pages::state::{State, StateError};

use crate::support::{Place, day, html, run};

#[test]
fn a_new_state_is_kept() {
    let place = Place::new();
    let state = State::create_or_open(place.path()).unwrap();
    run(&state, day(5), &[html("https://example.com/oak", "<title>Oak")]);
    drop(state);
    assert_eq!(place.files(), ["site.state"]);

    let state = State::open(place.path()).unwrap();
    assert_eq!(state.page_count(), 1);
    let page = state.page("https://example.com/oak").unwrap().unwrap();
    assert_eq!((page.run, page.first_seen), (1, day(5)));
    assert_eq!(page.facts().unwrap().title.as_deref(), Some("Oak"));
    assert_eq!(page.facts().unwrap().charset, Some("UTF-8"));
}

#[test]
fn what_is_stored_without_a_flush_is_kept_when_the_state_is_dropped() {
    let place = Place::new();
    let state = State::create_or_open(place.path()).unwrap();
    let open = state.begin_run(sitemap_pages::state::RunKind::Check, day(5)).unwrap();
    state.store(&open, &html("https://example.com/oak", "Oak")).unwrap();
    drop(state);
    assert_eq!(State::open(place.path()).unwrap().page_count(), 1);
}

#[test]
fn a_missing_state_is_not_created_by_open() {
    let place = Place::new();
    let error = State::open(place.path()).unwrap_err();
    assert!(matches!(error, StateError::Missing { .. }));
    let path = place.path();
    assert_eq!(error.to_string(), format!("there is no state `{}`; check the path", path.display()));
    assert!(place.files().is_empty());
}

#[test]
fn a_missing_folder_is_named() {
    let place = Place::new();
    let path = place.path().join("site.state");
    let folder = place.path();
    assert_eq!(
        State::create_or_open(&path).unwrap_err().to_string(),
        format!("there is no folder `{}` for the state; create it, or check the path", folder.display())
    );
    assert_eq!(
        State::open(&path).unwrap_err().to_string(),
        format!("there is no state `{}`; check the path", path.display())
    );
    assert!(place.files().is_empty());
}

#[test]
fn other_files_stay_as_they_are() {
    let place = Place::new();
    let path = place.path();
    let sqlite = {
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch("CREATE TABLE a (b)").unwrap();
        drop(connection);
        fs::read(&path).unwrap()
    };
    for (bytes, message) in [
        (&b""[..], "is empty, so it is not a state; remove it to start a new one"),
        (b"<urlset/>", "is not an SQLite database; name the file of a state"),
        (b"SQLite format 3\0", "is an SQLite database of another program; name the file of a state"),
        (&sqlite, "is an SQLite database of another program; name the file of a state"),
    ] {
        fs::write(&path, bytes).unwrap();
        for error in [State::open(&path).unwrap_err(), State::create_or_open(&path).unwrap_err()] {
            assert!(matches!(error, StateError::NotAState { .. } | StateError::Empty { .. }), "{error}");
            assert_eq!(error.to_string(), format!("`{}` {message}", path.display()));
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(place.files(), ["site.state"]);
    }
}

#[test]
fn a_folder_is_no_state() {
    let place = Place::new();
    fs::create_dir(place.path()).unwrap();
    let error = State::create_or_open(place.path()).unwrap_err();
    assert!(error.to_string().ends_with("is a folder; name the file of a state"), "{error}");
    let error = State::create_or_open(place.path().join("a").join("b")).unwrap_err();
    assert!(matches!(error, StateError::NoFolder { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    drop(State::create_or_open(place.path()).unwrap());
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o444)).unwrap();
    if fs::File::options().write(true).open(place.path()).is_ok() {
        return; // The superuser may write everything.
    }
    let error = State::open(place.path()).unwrap_err();
    assert!(matches!(error, StateError::Io { action: "open", .. }), "{error}");
}

#[test]
fn other_formats_are_named_and_stay() {
    let place = Place::new();
    let path = place.path();
    drop(State::create_or_open(&path).unwrap());
    let whole = fs::read(&path).unwrap();
    for (format, message) in [
        (4_u32, "has the format 4, and this version knows up to 3; use a newer version"),
        (2, "has the format 2, and this version needs 3; start a new state"),
    ] {
        let mut bytes = whole.clone();
        bytes[60..64].copy_from_slice(&format.to_be_bytes());
        fs::write(&path, &bytes).unwrap();
        let error = State::open(&path).unwrap_err();
        assert!(matches!(error, StateError::Format { expected: 3, .. }));
        assert_eq!(error.to_string(), format!("`{}` {message}", path.display()));
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_second_one_is_refused_by_name() {
    let place = Place::new();
    let first = State::create_or_open(place.path()).unwrap();
    let error = State::open(place.path()).unwrap_err();
    assert!(matches!(error, StateError::InUse { pid: Some(_), .. }));
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` is in use by process {}; wait until it ends",
            place.path().display(),
            std::process::id()
        )
    );
    drop(first);
    State::open(place.path()).unwrap();
}

#[test]
fn a_program_that_does_not_know_the_lock_file_is_kept_out() {
    let place = Place::new();
    let other = {
        drop(State::create_or_open(place.path()).unwrap());
        rusqlite::Connection::open(place.path()).unwrap()
    };
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = State::open(place.path()).unwrap_err();
    assert!(matches!(error, StateError::InUse { pid: None, .. }), "{error}");
}

#[test]
fn leftovers_of_a_killed_run_do_not_count() {
    let place = Place::new();
    for ending in [".sitemap-lock", ".sitemap-new", "-wal"] {
        fs::write(format!("{}{ending}", place.path().display()), "123").unwrap();
    }
    drop(State::create_or_open(place.path()).unwrap());
    assert_eq!(place.files(), ["site.state"]);
}

#[test]
fn a_state_belongs_to_one_site() {
    let place = Place::new();
    let state = State::create_or_open(place.path()).unwrap();
    assert_eq!(state.base(), None);
    state.bind("https://example.com/").unwrap();
    drop(state);
    let state = State::open(place.path()).unwrap();
    assert_eq!(state.base().as_deref(), Some("https://example.com/"));
    state.bind("https://example.com/").unwrap();
    let error = state.bind("https://example.org/").unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` is the state of https://example.com/, not of https://example.org/; name another file",
            place.path().display()
        )
    );
}
