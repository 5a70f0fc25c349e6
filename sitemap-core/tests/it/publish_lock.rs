//! Two runs cannot interleave, and a run that was killed is in nobody's way.

use std::fs;
use std::process;

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::{Directory, Memory, Publisher, Site, Storage};
use tempfile::tempdir;

fn begin(storage: impl Storage + 'static) -> Result<Publisher, PublishError> {
    Publisher::builder(Site::new("https://example.com")?).to_storage(storage)
}

#[test]
fn a_second_run_is_told_which_process_holds_the_lock() {
    let dir = tempdir().unwrap();
    let directory = Directory::open(dir.path()).unwrap();
    let first = begin(directory.clone()).unwrap();
    let error = begin(directory.clone()).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Locked { pid: Some(pid), .. } if *pid == process::id()));
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` is locked by process {}; wait until that run ends",
            dir.path().join(".sitemap.lock").display(),
            process::id()
        )
    );
    drop(first);
    assert!(begin(directory).is_ok());
}

#[test]
fn the_lock_goes_with_the_run_however_that_ends() {
    let dir = tempdir().unwrap();
    let directory = Directory::open(dir.path()).unwrap();
    assert!(begin(directory.clone()).unwrap().finish().is_err(), "no page");
    let mut publisher = begin(directory.clone()).unwrap();
    publisher.section("p").unwrap().add("/").unwrap();
    publisher.finish().unwrap();
    assert!(!dir.path().join(".sitemap.lock").exists());
}

#[test]
fn the_lock_file_of_a_dead_process_is_in_nobodys_way() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join(".sitemap.lock"), "1").unwrap();
    let mut publisher = begin(Directory::open(dir.path()).unwrap()).unwrap();
    publisher.section("p").unwrap().add("/").unwrap();
    publisher.finish().unwrap();
    assert!(!dir.path().join(".sitemap.lock").exists());
}

#[test]
fn memory_has_a_lock_too() {
    let memory = Memory::new();
    let first = begin(memory.clone()).unwrap();
    assert!(matches!(begin(memory.clone()).unwrap_err().kind(), PublishErrorKind::Locked { .. }));
    drop(first);
    assert!(begin(memory).is_ok());
}
