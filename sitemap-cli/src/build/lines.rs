//! The lines of a file, with a maximum length.

use std::io::{BufRead, Read as _};

use crate::error::{Outcome, Stop, system_message};

/// The maximum length of a line in bytes, more than any page needs with all its extensions.
const MAX_LEN: u64 = 16 * 1024 * 1024;

/// A reader of lines that uses the same buffer for each line.
pub(crate) struct Lines<R> {
    from: R,
    line: Vec<u8>,
    number: u64,
    keeps_spaces: bool,
}

/// A line that is not blank.
pub(crate) struct Line<'l> {
    /// The number of the line, counted from 1.
    pub(crate) number: u64,
    pub(crate) text: &'l [u8],
    /// The number of bytes from the end of the previous returned line to the end of this one.
    pub(crate) taken: u64,
    /// True if a line break follows. Only the last line of the input can lack it.
    pub(crate) has_break: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(from: R) -> Self {
        Self { from, line: Vec::new(), number: 0, keeps_spaces: false }
    }

    /// Creates a reader that keeps white space at the start and end of a line, for columns separated by tabs.
    pub(crate) fn with_spaces(from: R) -> Self {
        Self { keeps_spaces: true, ..Self::new(from) }
    }

    /// Returns the next line that is not blank.
    pub(crate) fn next(&mut self) -> Outcome<Option<Line<'_>>> {
        let mut taken = 0;
        loop {
            self.line.clear();
            let read = self.from.by_ref().take(MAX_LEN + 1).read_until(b'\n', &mut self.line);
            let len = read
                .map_err(|error| Stop::new(format!("cannot read the input: {}", system_message(&error))))?;
            if len == 0 {
                return Ok(None);
            }
            taken += len as u64;
            self.number += 1;
            if len as u64 > MAX_LEN {
                return Err(Stop::new(format!(
                    "line {} has more than {MAX_LEN} bytes; write one page per line",
                    self.number
                )));
            }
            if self.number == 1 && self.line.starts_with(b"\xEF\xBB\xBF") {
                self.line.drain(..3);
            }
            if !self.trimmed().is_empty() {
                break;
            }
        }
        let has_break = self.line.ends_with(b"\n");
        Ok(Some(Line { number: self.number, text: self.trimmed(), taken, has_break }))
    }

    fn trimmed(&self) -> &[u8] {
        if !self.keeps_spaces {
            return self.line.trim_ascii();
        }
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }
}
