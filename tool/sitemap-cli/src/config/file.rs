//! The configuration file: where it is, and errors at its places.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::{Outcome, Stop};

/// The name of the file that is looked for.
pub(super) const NAME: &str = "sitemap.toml";

/// The text of a configuration file.
#[derive(Clone, Debug)]
pub(crate) struct ConfigFile {
    /// The path for messages: relative if the file is in the current folder.
    pub(crate) path: PathBuf,
    pub(super) text: String,
}

impl ConfigFile {
    /// Reads the file that the arguments name or, without `--config`, the nearest `sitemap.toml`. Returns `None` if
    /// there is none, or with `--no-config`.
    pub(super) fn of(arguments: &[OsString]) -> Outcome<Option<Self>> {
        match choice(arguments) {
            Choice::None => Ok(None),
            Choice::File(path) => {
                let text = fs::read_to_string(&path).map_err(|error| Stop::io("read", &path, &error))?;
                Ok(Some(Self { path, text }))
            }
            Choice::Search => nearest(),
        }
    }

    /// Returns an error that starts with the place in the file.
    pub(super) fn error(&self, span: &Range<usize>, message: &str) -> Stop {
        let (line, column) = self.place(span.start);
        Stop::new(format!("{}:{line}:{column}: {message}", self.path.display()))
    }

    /// Returns the line and column of a byte of the file, both counted from 1.
    fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (line, before[start..].chars().count() + 1)
    }

    /// Returns the file and line of a byte, such as `sitemap.toml:3`.
    pub(super) fn source(&self, span: &Range<usize>) -> String {
        format!("{}:{}", self.path.display(), self.place(span.start).0)
    }

    /// Resolves a relative path that the file contains against the folder of the file.
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

/// Where to read the configuration from.
#[derive(Debug, PartialEq, Eq)]
enum Choice {
    None,
    File(PathBuf),
    Search,
}

/// Finds `--config` and `--no-config`. They are needed before the command line can be parsed, because the file may
/// have the values of required options.
fn choice(arguments: &[OsString]) -> Choice {
    let mut choice = Choice::Search;
    let mut arguments = arguments.iter().skip(1).take_while(|argument| *argument != "--");
    while let Some(argument) = arguments.next() {
        if argument == "--no-config" {
            return Choice::None;
        } else if argument == "--config" {
            choice = arguments.next().map_or(choice, |path| Choice::File(path.into()));
        } else if let Some(path) = argument.to_str().and_then(|text| text.strip_prefix("--config=")) {
            choice = Choice::File(path.into());
        }
    }
    choice
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

/// Reads a file, or returns `None` if there is no such file.
fn read(path: &Path) -> io::Result<Option<String>> {
    debug_assert_eq!(path.file_name(), Some(OsStr::new(NAME)));
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => fs::read_to_string(path).map(Some),
        // A folder with this name is not a configuration, and one that may not be searched has none for this user.
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
    fn the_options_are_found_before_the_command_line_is_parsed() {
        let choice = |text: &str| choice(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(choice("sitemap check a"), Choice::Search);
        assert_eq!(choice("sitemap check --config a.toml b"), Choice::File("a.toml".into()));
        assert_eq!(choice("sitemap --config=a.toml check"), Choice::File("a.toml".into()));
        assert_eq!(choice("sitemap check --no-config"), Choice::None);
        assert_eq!(choice("sitemap check -- --no-config"), Choice::Search);
        assert_eq!(choice("sitemap check --config"), Choice::Search);
    }

    #[test]
    fn places_are_counted_from_one() {
        let file = ConfigFile { path: NAME.into(), text: "a = 1\nü = é\n".to_owned() };
        let place = |text: &str| file.place(file.text.find(text).unwrap());
        assert_eq!((place("a"), place("é")), ((1, 1), (2, 5)));
        assert_eq!(file.place(99), (3, 1));
    }
}
