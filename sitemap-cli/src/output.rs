//! Buffered data on stdout. A closed pipe ends the command without an error.

use std::io::{self, BufWriter, Stdout, Write};

use serde::Serialize;

use crate::error::{Outcome, Stop};

/// A buffered writer to stdout, for data only.
pub(crate) struct Output(BufWriter<Stdout>);

impl Output {
    pub(crate) fn new() -> Self {
        Self(BufWriter::with_capacity(64 * 1024, io::stdout()))
    }

    pub(crate) fn line(&mut self, text: &str) -> Outcome<()> {
        let written = self.0.write_all(text.as_bytes()).and_then(|()| self.0.write_all(b"\n"));
        written.map_err(|error| Stop::print(&error))
    }

    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> Outcome<()> {
        serde_json::to_writer(&mut self.0, value).map_err(|error| Stop::print(&error.into()))?;
        self.line("")
    }

    pub(crate) fn flush(&mut self) -> Outcome<()> {
        self.0.flush().map_err(|error| Stop::print(&error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
