//! Tests of the lock: two runs cannot interleave, and a killed run does not block the next one.

use std::fs;
use std::process;
use std::sync::Barrier;
use std::thread;

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::storage::temporary_name;
use sitemap_core::{Directory, Memory, Replacement, Site, SitemapSet, Storage};
use tempfile::tempdir;

fn start(storage: impl Storage + 'static) -> Result<Replacement, PublishError> {
    SitemapSet::builder(Site::new("https://example.com")?).storage(storage).replace()
}

#[test]
fn a_second_run_is_told_which_process_holds_the_lock() {
    let dir = tempdir().unwrap();
    let directory = Directory::open(dir.path()).unwrap();
    let first = start(directory.clone()).unwrap();
    let error = start(directory.clone()).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Locked { pid: Some(pid), .. } if *pid == process::id()));
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` is locked by process {}; wait until its run ends",
            dir.path().join(".sitemap.lock").display(),
            process::id()
        )
    );
    drop(first);
    assert!(start(directory).is_ok());
}

#[test]
fn every_end_of_a_run_releases_the_lock() {
    let dir = tempdir().unwrap();
    let directory = Directory::open(dir.path()).unwrap();
    assert!(start(directory.clone()).unwrap().commit().is_err(), "a set without pages was published");
    let mut run = start(directory.clone()).unwrap();
    run.section("p").unwrap().add("/").unwrap();
    run.commit().unwrap();
    assert!(!dir.path().join(".sitemap.lock").exists());
}

#[test]
fn the_lock_file_of_a_dead_process_does_not_block_a_run() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join(".sitemap.lock"), "1").unwrap();
    let mut run = start(Directory::open(dir.path()).unwrap()).unwrap();
    run.section("p").unwrap().add("/").unwrap();
    run.commit().unwrap();
    assert!(!dir.path().join(".sitemap.lock").exists());
}

#[test]
#[cfg(unix)]
fn a_run_removes_only_its_own_lock_file() {
    let dir = tempdir().unwrap();
    let directory = Directory::open(dir.path()).unwrap();
    let first = start(directory.clone()).unwrap();
    fs::remove_file(dir.path().join(".sitemap.lock")).unwrap();
    let second = start(directory.clone()).unwrap();
    drop(first);
    let error = start(directory.clone()).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Locked { .. }), "{error}");
    drop(second);
    assert!(!dir.path().join(".sitemap.lock").exists());
}

#[test]
fn memory_has_a_lock_too() {
    let memory = Memory::new();
    let first = start(memory.clone()).unwrap();
    assert!(matches!(start(memory.clone()).unwrap_err().kind(), PublishErrorKind::Locked { .. }));
    drop(first);
    assert!(start(memory).is_ok());
}

#[test]
fn of_several_renames_under_the_same_condition_one_succeeds() {
    const RIVALS: usize = 4;

    let dir = tempdir().unwrap();
    let directory = Directory::open(dir.path()).unwrap().durable(false);
    let start = Barrier::new(RIVALS);
    for round in 0..100 {
        // The first round creates the file, and the others replace it.
        let seen = directory.metadata("note.txt").unwrap();
        let take = |rival| {
            let temporary = temporary_name("note.txt");
            let mut file = directory.create(&temporary).unwrap();
            // Each note has a different length, so that a comparison finds a change even within one clock tick.
            file.write_all("x".repeat(1 + round * RIVALS + rival).as_bytes()).unwrap();
            file.finish().unwrap();
            start.wait();
            directory.rename_if(&temporary, "note.txt", seen.as_ref()).unwrap()
        };
        let won = thread::scope(|scope| {
            let rivals: Vec<_> = (0..RIVALS)
                .map(|rival| {
                    scope.spawn({
                        let take = &take;
                        move || take(rival)
                    })
                })
                .collect();
            rivals.into_iter().map(|rival| rival.join().unwrap()).filter(|won| *won).count()
        });
        assert_eq!(won, 1, "round {round}");
    }
}
