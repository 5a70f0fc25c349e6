//! A published set's files.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::Result;

/// The files of a folder, by name.
#[derive(Debug)]
pub(super) struct Set {
    files: BTreeMap<String, Known>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    /// A run never writes into a published file, so a file with new bytes has a new inode.
    inode: u64,
    bytes: u64,
}

/// The number of files, and their total size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) count: u64,
    pub(super) bytes: u64,
}

impl Set {
    /// Reads the names and sizes of a folder's files.
    pub(super) fn read(dir: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            let name = entry.file_name().into_string().map_err(|_| "a file name is not UTF-8")?;
            files.insert(name, Known { inode: metadata.ino(), bytes: metadata.len() });
        }
        Ok(Self { files })
    }

    /// Counts the files with pages.
    pub(super) fn pages(&self) -> Files {
        total(self.files.iter().filter(|(name, _)| has_pages(name)).map(|(_, known)| known))
    }

    /// Counts the files with pages that are new or changed compared with an older set.
    pub(super) fn new_pages(&self, old: &Self) -> Files {
        total(self.added(old).filter(|(name, _)| has_pages(name)).map(|(_, known)| known))
    }

    /// Counts the files that a crawler has to fetch if it already has the older set.
    pub(super) fn new_files(&self, old: &Self) -> Files {
        total(self.added(old).filter(|(name, _)| !name.starts_with('.')).map(|(_, known)| known))
    }

    /// Returns the names of hidden files, such as the manifest, that are new or changed compared with an older set.
    pub(super) fn new_hidden<'s>(&'s self, old: &'s Self) -> Vec<&'s str> {
        self.added(old).map(|(name, _)| name.as_str()).filter(|name| name.starts_with('.')).collect()
    }

    fn added<'s>(&'s self, old: &'s Self) -> impl Iterator<Item = (&'s String, &'s Known)> {
        self.files.iter().filter(|(name, known)| old.files.get(*name) != Some(known))
    }
}

/// Copies a folder of published files. The copies are hard links.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::hard_link(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

fn total<'k>(files: impl Iterator<Item = &'k Known>) -> Files {
    files.fold(Files::default(), |Files { count, bytes }, known| Files {
        count: count + 1,
        bytes: bytes + known.bytes,
    })
}

fn has_pages(name: &str) -> bool {
    name.starts_with("sitemap-pages-")
}
