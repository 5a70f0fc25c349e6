//! The HTML files of a folder.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

use crate::error::{Outcome, Stop};
use crate::page_file::is_page;

/// The paths of all HTML files, relative to the folder. The files of a folder come before its subfolders, and both are
/// sorted by name.
///
/// Hidden files and folders are skipped. Links to folders are not followed, because they may form a cycle.
pub(super) struct Walk<'f> {
    folder: &'f Path,
    /// The folders that still have to be read. The last one is read next.
    folders: Vec<PathBuf>,
    files: vec::IntoIter<PathBuf>,
}

impl<'f> Walk<'f> {
    pub(super) fn new(folder: &'f Path) -> Self {
        Self { folder, folders: vec![PathBuf::new()], files: Vec::new().into_iter() }
    }

    /// Reads a folder.
    fn open(&mut self, relative: &Path) -> Outcome<()> {
        let path = if relative.as_os_str().is_empty() {
            self.folder.to_path_buf()
        } else {
            self.folder.join(relative)
        };
        let failed = |error: io::Error| Stop::io("read", &path, &error);
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (name, kind) = (entry.file_name(), entry.file_type().map_err(failed)?);
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if kind.is_dir() {
                folders.push(name);
            } else if is_page(&name) && (kind.is_file() || entry.path().is_file()) {
                files.push(name);
            }
        }
        files.sort_unstable();
        // The subfolders are added in reverse order, because the last folder is read first.
        folders.sort_unstable_by(|a, b| b.cmp(a));
        let whole = |name: OsString| relative.join(name);
        self.folders.extend(folders.into_iter().map(whole));
        self.files = files.into_iter().map(whole).collect::<Vec<_>>().into_iter();
        Ok(())
    }
}

impl Iterator for Walk<'_> {
    type Item = Outcome<PathBuf>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(file) = self.files.next() {
                return Some(Ok(file));
            }
            let folder = self.folders.pop()?;
            if let Err(error) = self.open(&folder) {
                return Some(Err(error));
            }
        }
    }
}
