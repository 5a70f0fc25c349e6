//! Finds and reads the configuration file, and reports errors with their line.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use crate::error::{Outcome, Stop};

/// The name of the file to look for.
pub(super) const NAME: &str = "sitemap.toml";

#[derive(Clone, Debug)]
pub(crate) struct ConfigFile {
    /// The path for messages: relative if the file is in the current folder.
    pub(crate) path: PathBuf,
    pub(super) text: String,
}

impl ConfigFile {
    /// Reads the file of `--config` or, without this option, the nearest `sitemap.toml`. Returns `None` if there is
    /// none, or with `--no-config`.
    pub(super) fn of(given: &ArgMatches) -> Outcome<Option<Self>> {
        if given.get_flag("no_config") {
            return Ok(None);
        }
        let Some(path) = given.get_one::<PathBuf>("config") else { return nearest() };
        let text = fs::read_to_string(path).map_err(|error| Stop::io("read", path, &error))?;
        Ok(Some(Self { path: path.clone(), text }))
    }

    /// Returns an error that starts with its place in the file.
    pub(super) fn error(&self, span: &Range<usize>, message: &str) -> Stop {
        let (line, column) = self.place(span.start);
        Stop::new(format!("{}:{line}:{column}: {message}", self.path.display()))
    }

    /// Returns the line and column of a byte offset, both counted from 1.
    fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (line, before[start..].chars().count() + 1)
    }

    /// Returns the file and line of a byte offset, such as `sitemap.toml:3`.
    pub(super) fn source(&self, span: &Range<usize>) -> String {
        format!("{}:{}", self.path.display(), self.place(span.start).0)
    }

    /// Resolves a relative path from the file against the file's folder.
    pub(super) fn resolve(&self, path: &str) -> String {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder {
            Some(folder) if !path.contains("://") && path != "-" => {
                folder.join(path).to_string_lossy().into_owned()
            }
            _ => path.to_owned(),
        }
    }
}

fn nearest() -> Outcome<Option<ConfigFile>> {
    let Ok(current) = std::env::current_dir() else {
        return Ok(None);
    };
    for folder in current.ancestors() {
        let path = if folder == current { PathBuf::from(NAME) } else { folder.join(NAME) };
        match read(&path) {
            Ok(Some(text)) => return Ok(Some(ConfigFile { path, text })),
            Ok(None) => {}
            Err(error) => return Err(Stop::io("read", &path, &error)),
        }
    }
    Ok(None)
}

/// Reads a file, or returns `None` if it doesn't exist.
fn read(path: &Path) -> io::Result<Option<String>> {
    debug_assert_eq!(path.file_name(), Some(OsStr::new(NAME)));
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => fs::read_to_string(path).map(Some),
        // A folder with this name is not a configuration file. If a folder can't be searched, this user has no
        // configuration file there.
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_one() {
        let file = ConfigFile { path: NAME.into(), text: "a = 1\nü = é\n".to_owned() };
        let place = |text: &str| file.place(file.text.find(text).unwrap());
        assert_eq!((place("a"), place("é")), ((1, 1), (2, 5)));
        assert_eq!(file.place(99), (3, 1));
    }
}
