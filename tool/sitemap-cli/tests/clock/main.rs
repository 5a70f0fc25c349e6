//! Runs the command at other times. The clock is set for the whole process, so the command runs in the test's own
//! process.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The number of seconds that the clock is ahead.
static AHEAD: AtomicU64 = AtomicU64::new(0);

/// Ensures that only one test at a time sets the clock.
static CLOCK: Mutex<()> = Mutex::new(());

fn wait(minutes: u64) {
    AHEAD.fetch_add(minutes * 60, Ordering::SeqCst);
}

fn run(folder: &Path, command: &str, input: &str, more: &[&str]) {
    let (input_path, out) = (folder.join("input"), folder.join("out"));
    fs::write(&input_path, input).unwrap();
    let [input_path, out] = [&input_path, &out].map(|path| path.to_str().unwrap());
    let mut arguments = vec!["sitemap", command, "--base", "https://example.com", "--out", out];
    arguments.extend(more);
    if command != "rebucket" {
        arguments.push(input_path);
    }
    assert_eq!(sitemap_cli::run(arguments.into_iter().map(Into::into)), 0, "{command}");
}

/// Returns the names of the files with pages.
fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder.join("out")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("sitemap-pages-")).collect();
    names.sort();
    names
}

#[test]
fn apply_and_rebucket_keep_files_as_long_as_build() {
    let _guard = CLOCK.lock().unwrap();
    let ahead = || SystemTime::now() + Duration::from_secs(AHEAD.load(Ordering::SeqCst));
    // If a second test runs in this process, the clock has already been set.
    let _ = sitemap_core::clock::set(ahead);
    for (keep, stays) in [(&["--keep-for", "24h"][..], true), (&[][..], false)] {
        let folder = tempfile::tempdir().unwrap();
        let apply = |day: u32| {
            let change = format!("{{\"op\":\"upsert\",\"loc\":\"/a\",\"lastmod\":\"2026-01-0{day}\"}}\n");
            run(folder.path(), "apply", &change, keep);
        };
        run(folder.path(), "build", "/a\n/b\n", &[&["--buckets", "1"], keep].concat());
        let first = files(folder.path());
        assert_eq!(first.len(), 1);
        apply(1);
        wait(20);
        apply(2);
        wait(20);
        apply(3);
        assert_eq!(files(folder.path()).contains(&first[0]), stays, "{keep:?}");
        let replaced = files(folder.path());
        wait(20);
        run(folder.path(), "rebucket", "", &[&["--buckets", "2"], keep].concat());
        wait(20);
        apply(4);
        let are_kept = replaced.iter().all(|name| files(folder.path()).contains(name));
        assert_eq!(are_kept, stays, "{keep:?}");
    }
}
