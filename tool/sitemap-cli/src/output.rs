//! Buffered output to stdout or a file. A closed pipe ends the command without an error.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Outcome, Stop};

/// A buffered writer for data, to stdout or a file.
pub(crate) struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    /// The file, or `None` for stdout.
    path: Option<PathBuf>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self::to(Box::new(io::stdout()), None)
    }

    /// Writes to a file instead of stdout, and replaces an existing file.
    pub(crate) fn to_file(path: &Path) -> Outcome<Self> {
        let file = File::create(path).map_err(|error| Stop::io("write", path, &error))?;
        Ok(Self::to(Box::new(file), Some(path.to_owned())))
    }

    fn to(writer: Box<dyn Write + Send>, path: Option<PathBuf>) -> Self {
        Self { writer: BufWriter::with_capacity(64 * 1024, writer), path }
    }

    fn stop(&self, error: &io::Error) -> Stop {
        match &self.path {
            Some(path) => Stop::io("write", path, error),
            None => Stop::print(error),
        }
    }

    pub(crate) fn line(&mut self, text: &str) -> Outcome<()> {
        let written = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.write_all(b"\n"));
        written.map_err(|error| self.stop(&error))
    }

    /// Writes text that already contains its line breaks.
    pub(crate) fn lines(&mut self, text: &[u8]) -> Outcome<()> {
        self.writer.write_all(text).map_err(|error| self.stop(&error))
    }

    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> Outcome<()> {
        serde_json::to_writer(&mut self.writer, value).map_err(|error| self.stop(&error.into()))?;
        self.line("")
    }

    pub(crate) fn flush(&mut self) -> Outcome<()> {
        self.writer.flush().map_err(|error| self.stop(&error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
