//! Tests of links and other special files that take the place of a run's files.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use sitemap_core::publish::Names;
use sitemap_core::{Site, SitemapSet, Stylesheet};
use tempfile::tempdir;

/// A kind of file that is not a regular file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    Link,
    DanglingLink,
    HardLink,
    Fifo,
}

const ALL: [Special; 4] = [Special::Link, Special::DanglingLink, Special::HardLink, Special::Fifo];

/// The content of the links' target.
const SECRET: &str = "not of the set";

impl Special {
    fn create(self, at: &Path, target: &Path) {
        match self {
            Self::Link => symlink(target, at).unwrap(),
            Self::DanglingLink => symlink(target.with_extension("missing"), at).unwrap(),
            Self::HardLink => fs::hard_link(target, at).unwrap(),
            Self::Fifo => assert!(Command::new("mkfifo").arg(at).status().unwrap().success()),
        }
    }
}

/// Publishes a set with a stylesheet, two sections, and digest or stable names. Panics if the run hangs.
fn publish(dir: &Path, names: Names) -> Result<(), String> {
    let (sender, receiver) = mpsc::channel();
    let dir = dir.to_owned();
    thread::spawn(move || {
        let run = || {
            let site = Site::new("https://example.com")?;
            let builder = SitemapSet::builder(site).stylesheet(Stylesheet::BUILT_IN).names(names);
            let mut run = builder.open(&dir)?.replace()?;
            run.section("a")?.add("/a")?;
            run.section("b")?.add("/b")?;
            run.commit()
        };
        sender.send(run().map(drop).map_err(|error| error.to_string()))
    });
    receiver.recv_timeout(Duration::from_secs(60)).expect("the run ends")
}

#[test]
fn no_run_follows_a_link_or_waits_for_another_process() {
    for names in [Names::Stable, Names::Digest] {
        let reference = tempdir().unwrap();
        publish(reference.path(), names).unwrap();
        let mut places: Vec<_> =
            fs::read_dir(reference.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(places.len(), 5, "{places:?}");
        places.extend([".sitemap.lock".into(), ".sitemap-journal.jsonl".into()]);
        for place in places {
            for special in ALL {
                for has_old_set in [false, true] {
                    let case = format!("{place:?} {special:?} {has_old_set} {names:?}");
                    let dir = tempdir().unwrap();
                    let elsewhere = tempdir().unwrap();
                    let target = elsewhere.path().join("secret");
                    fs::write(&target, SECRET).unwrap();
                    let at = dir.path().join(&place);
                    if has_old_set {
                        publish(dir.path(), names).unwrap();
                        let _ = fs::remove_file(&at);
                    }
                    special.create(&at, &target);
                    let result = publish(dir.path(), names);

                    assert_eq!(fs::read_to_string(&target).unwrap(), SECRET, "{case}");
                    assert!(!target.with_extension("missing").exists(), "{case}");
                    // A hard link is a regular file, so a rename replaces it like any other.
                    let is_read_first = place == ".sitemap.lock" || place == ".sitemap-manifest.jsonl";
                    if is_read_first && special != Special::HardLink {
                        let error = result.unwrap_err();
                        let action = if place == ".sitemap.lock" { "open" } else { "read" };
                        let at = at.display();
                        assert_eq!(
                            error,
                            format!("cannot {action} `{at}`: it is not a regular file; remove it"),
                            "{case}"
                        );
                        continue;
                    }
                    assert_eq!(result, Ok(()), "{case}");
                    for entry in fs::read_dir(dir.path()).unwrap() {
                        let entry = entry.unwrap();
                        let name = entry.file_name();
                        // A run that changes nothing writes no journal and ignores whatever is in its place.
                        if has_old_set && name == ".sitemap-journal.jsonl" {
                            continue;
                        }
                        assert!(entry.file_type().unwrap().is_file(), "{case}: {name:?}");
                        // The manifest and the index contain dates.
                        let has_dates =
                            name == "sitemap.xml" || name.to_string_lossy().starts_with(".sitemap-manifest.");
                        if !has_dates {
                            let bytes = fs::read(entry.path()).unwrap();
                            assert_eq!(bytes, fs::read(reference.path().join(name)).unwrap(), "{case}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_huge_manifest_is_not_read_whole() {
    let dir = tempdir().unwrap();
    let manifest = dir.path().join(".sitemap-manifest.jsonl");
    fs::File::create(&manifest).unwrap().set_len(3_000_000_000).unwrap();
    assert_eq!(
        publish(dir.path(), Names::Stable).unwrap_err(),
        format!(
            "cannot read `{}`: it is larger than 268435456 bytes, so it is not of this program; remove it",
            manifest.display()
        )
    );
}
