//! Opens a list of pages or changes from a file or standard input, and detects its format.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read, Seek as _, SeekFrom};
use std::path::Path;

use super::columns;
use super::csv_end::{COMMA, TAB};
use crate::args::Column;
use crate::args::InputFormat;
use crate::error::{Outcome, Stop, system_message};
use crate::interrupt;
use crate::terminal::{Progress, say};

/// The opened list.
pub(crate) struct Input {
    /// The name of the list in messages: the path or `<stdin>`.
    pub(crate) name: String,
    pub(crate) from: BufReader<Box<dyn Read>>,
    pub(crate) progress: Progress,
    /// True for a regular file, which can be reopened.
    is_file: bool,
}

/// Describes the input in the command's messages.
#[derive(Clone, Copy)]
pub(crate) struct Content {
    /// What the lines of the input list, such as `pages`.
    pub(crate) lines: &'static str,
    /// The label of the progress line.
    pub(crate) work: &'static str,
    /// What to do if the input is a folder.
    pub(crate) instead_of_folder: &'static str,
}

pub(crate) const PAGES: Content =
    Content { lines: "pages", work: "building", instead_of_folder: "list its HTML files with `--from-dir`" };

const BUFFER: usize = 64 * 1024;

impl Input {
    /// Opens a file, or standard input if there is no path.
    pub(crate) fn open(path: Option<&Path>, content: Content) -> Outcome<Self> {
        path.map_or_else(|| Ok(from_stdin(content)), |path| from_file(path, content))
    }

    /// Detects the format from the file name or, if the extension is unknown, from the first line.
    pub(crate) fn format(&mut self, path: Option<&Path>, given: &[Column]) -> Outcome<InputFormat> {
        match path.and_then(by_name) {
            Some(format) => Ok(format),
            None => by_content(self, path.is_some_and(is_text), given),
        }
    }

    /// Returns `true` if the input starts with a letter or a quote, like a CSV header.
    pub(crate) fn starts_with_letter_or_quote(&mut self) -> Outcome<bool> {
        let first = self.start()?.first();
        Ok(first.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'"'))
    }

    /// Returns the first bytes of the input, after any byte order mark and leading white space.
    fn start(&mut self) -> Outcome<&[u8]> {
        // The buffer is filled only while it is empty, so calling this again returns the same bytes.
        loop {
            match self.from.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let message = system_message(&error);
                    return Err(Stop::new(format!("cannot read `{}`: {message}", self.name)));
                }
            }
        }
        let start = self.from.buffer();
        Ok(start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start())
    }

    /// Returns the input as a file, so that it can be read twice.
    pub(crate) fn into_file(mut self, path: Option<&Path>) -> Outcome<File> {
        match path {
            Some(path) if self.is_file => File::open(path).map_err(|error| Stop::io("read", path, &error)),
            _ => spool(&mut self),
        }
    }
}

fn from_file(path: &Path, content: Content) -> Outcome<Input> {
    let failed = |error: io::Error| Stop::io("read", path, &error);
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(Stop::new(format!("`{}` is a folder; {}", path.display(), content.instead_of_folder)));
    }
    // A regular file never blocks for long, but a pipe or a device may.
    let from: Box<dyn Read> = if metadata.is_file() {
        Box::new(interrupt::checked(file))
    } else {
        Box::new(interrupt::piped(file))
    };
    Ok(Input {
        name: path.display().to_string(),
        from: BufReader::with_capacity(BUFFER, from),
        progress: Progress::of_bytes(content.work, metadata.is_file().then_some(metadata.len())),
        is_file: metadata.is_file(),
    })
}

fn from_stdin(content: Content) -> Input {
    if io::stdin().is_terminal() {
        say(&format!("reading {} from standard input", content.lines));
    }
    Input {
        name: "<stdin>".to_owned(),
        from: BufReader::with_capacity(BUFFER, Box::new(interrupt::stdin())),
        progress: Progress::of_bytes(content.work, None),
        is_file: false,
    }
}

pub(crate) fn by_name(path: &Path) -> Option<InputFormat> {
    match path.extension()?.to_str()? {
        "ndjson" | "jsonl" => Some(InputFormat::Ndjson),
        "csv" => Some(InputFormat::Csv),
        "tsv" => Some(InputFormat::Tsv),
        _ => None,
    }
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "txt")
}

/// Detects the format from the first line: a JSON object, a URL, a path or a CSV header. A file with the extension of
/// text is text unless it starts with a header.
fn by_content(input: &mut Input, is_text: bool, given: &[Column]) -> Outcome<InputFormat> {
    let start = input.start()?;
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_url = |line: &[u8]| {
        line.starts_with(b"/") || line.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"http"))
    };
    match line {
        [] => Ok(InputFormat::Text),
        [b'{', ..] if !is_text => Ok(InputFormat::Ndjson),
        _ if is_url(line) => Ok(InputFormat::Text),
        _ => match table(line, given) {
            Some(format) => Ok(format),
            None if is_text => Ok(InputFormat::Text),
            None => {
                let found: String = String::from_utf8_lossy(line).chars().take(60).collect();
                Err(Stop::new(format!(
                    "`{}` starts with {found:?}, which is neither NDJSON, nor CSV or TSV with a column `loc` or `url`, nor \
                     a URL, nor a path with a leading `/`; name the format with `--input-format`",
                    input.name
                )))
            }
        },
    }
}

/// Returns the format of a table if a line is its header.
pub(super) fn table(line: &[u8], given: &[Column]) -> Option<InputFormat> {
    let delimiter = if line.contains(&TAB) { TAB } else { COMMA };
    let cells = line.split(|&byte| byte == delimiter).map(|cell| {
        let cell = cell.trim_ascii();
        cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell)
    });
    let format = if delimiter == TAB { InputFormat::Tsv } else { InputFormat::Csv };
    columns::is_header(cells, given).then_some(format)
}

/// Copies a pipe to a temporary file, so that it can be read twice.
fn spool(input: &mut Input) -> Outcome<File> {
    let failed = |error: io::Error| {
        Stop::new(format!("cannot copy the input to a temporary file: {}", system_message(&error)))
    };
    let mut file = tempfile::tempfile().map_err(failed)?;
    io::copy(&mut input.from, &mut file).map_err(failed)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    Ok(file)
}
