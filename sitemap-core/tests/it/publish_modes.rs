//! Tests of the permissions and group of published files.
#![cfg(unix)]

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;
use std::process::Command;

use sitemap_core::{Directory, Site, SitemapSet};
use tempfile::tempdir;

fn publish(directory: Directory, pages: u32) {
    let site = Site::new("https://example.com").unwrap();
    let mut run = SitemapSet::builder(site).storage(directory).replace().unwrap();
    run.section("a").unwrap().add_all((0..pages).map(|n| format!("/a/{n}"))).unwrap();
    run.section("b").unwrap().add("/b").unwrap();
    run.commit().unwrap();
}

fn open(dir: &Path) -> Directory {
    Directory::open(dir).unwrap()
}

/// Returns the mode of each file in the set.
fn modes(dir: &Path) -> Vec<u32> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert_eq!(names.len(), 4, "{names:?}");
    names.iter().map(|path| fs::metadata(path).unwrap().mode() & 0o777).collect()
}

const DIR: &str = "SITEMAP_TEST_MODES";

/// A `umask` applies to the whole process, so this test publishes in a separate one.
#[test]
fn files_can_be_read_by_those_who_can_read_the_directory() {
    if let Some(dir) = env::var_os(DIR) {
        return publish(open(Path::new(&dir)), 1);
    }
    for (umask, directory, file) in [
        ("077", 0o755, 0o644),
        ("022", 0o755, 0o644),
        ("000", 0o750, 0o640),
        ("000", 0o777, 0o644),
        ("022", 0o700, 0o600),
    ] {
        let dir = tempdir().unwrap();
        fs::set_permissions(dir.path(), Permissions::from_mode(directory)).unwrap();
        let status = Command::new("sh")
            .args(["-c", "umask \"$0\"; exec \"$@\"", umask])
            .arg(env::current_exe().unwrap())
            .args(["--exact", "publish_modes::files_can_be_read_by_those_who_can_read_the_directory"])
            .env(DIR, dir.path())
            .status()
            .unwrap();
        assert!(status.success());
        assert_eq!(modes(dir.path()), [file; 4], "umask {umask}, directory {directory:o}");
    }
}

#[test]
fn a_replaced_file_keeps_its_permissions() {
    let dir = tempdir().unwrap();
    publish(open(dir.path()), 1);
    for name in ["sitemap.xml", "sitemap-a-1.xml", "sitemap-b-1.xml", ".sitemap-manifest.jsonl"] {
        fs::set_permissions(dir.path().join(name), Permissions::from_mode(0o604)).unwrap();
    }
    publish(open(dir.path()), 2);
    assert_eq!(modes(dir.path()), [0o604; 4]);
}

#[test]
fn a_mode_can_be_set_for_all_new_files() {
    let dir = tempdir().unwrap();
    publish(open(dir.path()).mode(0o640), 1);
    assert_eq!(modes(dir.path()), [0o640; 4]);
    publish(open(dir.path()).mode(0o660), 2);
    // The manifest and child `a` are new. Child `b` has not changed, so this run did not replace it.
    assert_eq!(modes(dir.path())[..3], [0o660, 0o660, 0o640]);
}

#[test]
fn a_replaced_file_keeps_its_owner_and_group() {
    let dir = tempdir().unwrap();
    publish(open(dir.path()), 1);
    let child = dir.path().join("sitemap-a-1.xml");
    // Only root can give a file to another user. For anyone else, the file keeps their own user.
    let _ = chown(&child, Some(12), Some(34));
    let owner = |path: &Path| fs::metadata(path).map(|metadata| (metadata.uid(), metadata.gid())).unwrap();
    let old = owner(&child);
    publish(open(dir.path()), 2);
    assert_eq!(owner(&child), old);
    assert!(fs::read_to_string(child).unwrap().contains("/a/1"));
}
