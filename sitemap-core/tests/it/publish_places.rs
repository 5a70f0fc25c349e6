//! Tests of immutable and append-only files in place of a set's files. They need Linux's `chattr` and root.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

use sitemap_core::{PublishError, Site, SitemapSet, Summary};
use tempfile::tempdir;

use crate::skip::skip;

/// Publishes sections with one page each.
fn publish(dir: &Path, sections: &[&str], page: &str) -> Result<Summary, PublishError> {
    let site = Site::new("https://example.com").unwrap();
    let mut run = SitemapSet::builder(site).open(dir)?.replace()?;
    for section in sections {
        run.section(section)?.add(&format!("/{section}/{page}"))?;
    }
    run.commit()
}

fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// An attribute of a file. Dropping this value clears the attribute, so that the test can remove the file.
struct Attribute<'p>(&'p Path);

impl<'p> Attribute<'p> {
    fn set(attribute: &str, path: &'p Path) -> Result<Self, String> {
        match Command::new("chattr").arg(attribute).arg(path).output() {
            Ok(output) if output.status.success() => Ok(Self(path)),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Attribute<'_> {
    fn drop(&mut self) {
        let _ = Command::new("chattr").arg("-ia").arg(self.0).status();
    }
}

/// Reports that the test cannot run. With `CI=true` the test fails, but only for root, because no other user may set
/// these attributes.
fn skip_without_attributes(reason: &str) {
    if fs::metadata("/proc/self").is_ok_and(|process| process.uid() != 0) {
        let _ = writeln!(io::stderr(), "skipped: only root can make files immutable: {reason}");
    } else {
        skip(&format!("this system cannot make files immutable: {reason}"));
    }
}

#[test]
fn an_immutable_file_stops_the_run_before_the_commit() {
    for attribute in ["+i", "+a"] {
        for place in ["sitemap-a-1.xml", "sitemap-c-1.xml", "sitemap.xml", ".sitemap-manifest.jsonl"] {
            let dir = tempdir().unwrap();
            publish(dir.path(), &["a", "b", "c"], "1").unwrap();
            // The new set has one more section, so its index differs.
            let publish_new = || publish(dir.path(), &["a", "b", "c", "d"], "2");
            let old = files(dir.path());
            let path = dir.path().join(place);
            let guard = match Attribute::set(attribute, &path) {
                Ok(guard) => guard,
                Err(reason) => return skip_without_attributes(&reason),
            };
            let error = publish_new().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "cannot replace `{}`: it is immutable or append-only; allow changes with `chattr -i -a`",
                    path.display()
                )
            );
            // No journal and no new file is left behind.
            assert_eq!(files(dir.path()), old, "{attribute} {place}");
            drop(guard);
            publish_new().unwrap();
            assert!(
                fs::read_to_string(dir.path().join("sitemap-b-1.xml")).unwrap().contains("/b/2<"),
                "{attribute} {place}"
            );
        }
    }
}

#[test]
fn an_immutable_file_that_the_set_no_longer_lists_is_reported() {
    let dir = tempdir().unwrap();
    publish(dir.path(), &["a", "b", "c"], "1").unwrap();
    let path = dir.path().join("sitemap-c-1.xml");
    let guard = match Attribute::set("+i", &path) {
        Ok(guard) => guard,
        Err(reason) => return skip_without_attributes(&reason),
    };
    let shrink = || publish(dir.path(), &["a", "b"], "1").unwrap();
    let summary = shrink();
    assert_eq!((summary.removed_files(), summary.files_left()), (0, 1));
    assert!(path.exists());
    drop(guard);
    let summary = shrink();
    assert_eq!((summary.removed_files(), summary.files_left()), (1, 0));
    assert!(!path.exists());
}
