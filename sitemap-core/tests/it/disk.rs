//! Tests on real file systems that are full or read-only. They need Linux's `unshare` and `mount`.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::{Site, SitemapSet};
use tempfile::tempdir;

use crate::skip::skip;

const DISK: &str = "SITEMAP_TEST_DISK";

/// Runs a test in this file again in a new mount namespace. There, the variable `SITEMAP_TEST_DISK` contains the path
/// of a 64 KiB disk.
fn on_small_disk(test: &str) {
    let can_mount = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status();
    if !can_mount.is_ok_and(|status| status.success()) {
        return skip("this system does not allow the test to mount a disk");
    }
    let dir = tempdir().unwrap();
    let status = Command::new("unshare")
        .args(["-rm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs \"$0\" && exec \"$@\""])
        .arg(dir.path())
        .arg(env::current_exe().unwrap())
        .args(["--exact", &format!("disk::{test}"), "--nocapture"])
        .env(DISK, dir.path())
        .status()
        .unwrap();
    assert!(status.success());
}

/// Returns the path of the small disk if [`on_small_disk`] started this process, and `None` otherwise.
fn disk() -> Option<PathBuf> {
    env::var_os(DISK).map(PathBuf::from)
}

fn publish(disk: &PathBuf, pages: u32) -> Result<(), sitemap_core::PublishError> {
    let site = Site::new("https://example.com")?;
    let mut run = SitemapSet::builder(site).open(disk)?.replace()?;
    run.section("pages")?.add_all((0..pages).map(|n| format!("/{n}")))?;
    run.commit().map(drop)
}

/// Checks that the first set, with its single page, is still published.
fn assert_old_set_is_published(disk: &PathBuf) {
    let mut names: Vec<_> = fs::read_dir(disk).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".sitemap-manifest.jsonl", "sitemap.xml"]);
    let xml = fs::read_to_string(disk.join("sitemap.xml")).unwrap();
    assert!(
        xml.contains("<loc>https://example.com/0</loc>") && !xml.contains("<loc>https://example.com/1</loc>")
    );
}

#[test]
fn a_full_disk_leaves_the_old_set() {
    let Some(disk) = disk() else { return on_small_disk("a_full_disk_leaves_the_old_set") };
    publish(&disk, 1).unwrap();
    let error = publish(&disk, 10_000).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Io { .. }), "{error:?}");
    let message = format!(
        "cannot write `{}/sitemap-pages-1.xml`: No space left on device (os error 28)",
        disk.display()
    );
    assert_eq!(error.to_string(), message);
    assert_old_set_is_published(&disk);
}

#[test]
fn a_read_only_disk_leaves_the_old_set() {
    let Some(disk) = disk() else { return on_small_disk("a_read_only_disk_leaves_the_old_set") };
    publish(&disk, 1).unwrap();
    let remount = Command::new("mount").args(["-o", "remount,ro"]).arg(&disk).status().unwrap();
    assert!(remount.success());
    let error = publish(&disk, 2).unwrap_err();
    assert!(
        error.to_string().starts_with(&format!("cannot create `{}/.sitemap.lock`: ", disk.display())),
        "{error}"
    );
    assert!(error.to_string().ends_with("Read-only file system (os error 30)"), "{error}");
    assert_old_set_is_published(&disk);
}
