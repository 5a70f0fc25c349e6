//! The files that are the same in two sets, according to the manifests of the sets.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use sitemap_core::publish::MANIFEST;

use super::changes::Unchanged;
use crate::error::{Outcome, Stop};

/// A line of a manifest. Only lines that describe a file have `file` and `digest`, and only the last line has `end`.
#[derive(Deserialize)]
struct Line {
    file: Option<String>,
    digest: Option<String>,
    end: Option<String>,
}

/// Returns the files that have the same digest in the manifests of both folders.
pub(super) fn unchanged(old: &str, new: &str) -> Outcome<Unchanged> {
    let old = read(old)?;
    let is_same = |(file, digest): (String, String)| (old.get(&file) == Some(&digest)).then_some(file);
    Ok(read(new)?.into_iter().filter_map(is_same).collect())
}

fn read(folder: &str) -> Outcome<HashMap<String, String>> {
    let path = Path::new(folder).join(MANIFEST);
    let text = fs::read_to_string(&path).map_err(|error| Stop::io("read", &path, &error))?;
    let damaged = || {
        Stop::new(format!(
            "`{}` is damaged; compare the whole sets by leaving out `--since-manifest`",
            path.display()
        ))
    };
    let mut digests = HashMap::new();
    let mut is_complete = false;
    for line in text.lines() {
        let line: Line = serde_json::from_str(line).map_err(|_| damaged())?;
        is_complete = line.end.is_some();
        if let (Some(file), Some(digest)) = (line.file, line.digest) {
            digests.insert(file, digest);
        }
    }
    if is_complete { Ok(digests) } else { Err(damaged()) }
}
