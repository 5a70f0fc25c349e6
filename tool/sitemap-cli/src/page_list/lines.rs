//! Reads lines of limited length.

use std::io::{self, BufRead};
use std::mem;

use memchr::memchr;

use crate::error::{Outcome, Stop, system_message};

/// The maximum length of a line in bytes. Even a page with all extensions needs less.
const MAX_LEN: u64 = 16 * 1024 * 1024;

/// A line reader. It copies only lines that don't fit into the input's buffer.
pub(crate) struct Lines<R> {
    from: R,
    /// A copy of a line that continues after the end of the input's buffer.
    line: Vec<u8>,
    /// The number of bytes in the input's buffer that belong to the last line.
    used: usize,
    number: u64,
    keeps_spaces: bool,
}

/// A line that is not blank.
pub(crate) struct Line<'l> {
    /// The line number, counted from 1.
    pub(crate) number: u64,
    pub(crate) text: &'l [u8],
    /// The number of bytes from the end of the previous returned line to the end of this one.
    pub(crate) taken: u64,
    /// True if the line ends with a line break. Only the last line of the input can be without one.
    pub(crate) has_break: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(from: R) -> Self {
        Self { from, line: Vec::new(), used: 0, number: 0, keeps_spaces: false }
    }

    /// Creates a reader that keeps white space at the start and end of each line, for tab-separated columns.
    pub(crate) fn with_spaces(from: R) -> Self {
        Self { keeps_spaces: true, ..Self::new(from) }
    }

    /// Returns the next line that is not blank.
    pub(crate) fn next(&mut self) -> Outcome<Option<Line<'_>>> {
        let mut taken = 0;
        let has_break = loop {
            let Some((len, has_break)) = self.advance()? else { return Ok(None) };
            taken += len as u64;
            if !self.trimmed()?.is_empty() {
                break has_break;
            }
        };
        let number = self.number;
        Ok(Some(Line { number, text: self.trimmed()?, taken, has_break }))
    }

    /// Moves to the next line. Returns the line's length in bytes, and whether it ends with a line break. Returns
    /// `None` at the end of the input.
    fn advance(&mut self) -> Outcome<Option<(usize, bool)>> {
        self.from.consume(mem::take(&mut self.used));
        self.line.clear();
        loop {
            let buffer = fill(&mut self.from)?;
            let end = memchr(b'\n', buffer).map(|at| at + 1);
            let len = end.unwrap_or(buffer.len());
            let is_last = buffer.is_empty();
            if is_last && self.line.is_empty() {
                return Ok(None);
            }
            let whole = self.line.len() + len;
            if end.is_some() && self.line.is_empty() {
                self.used = len;
            } else {
                self.line.extend_from_slice(&buffer[..len]);
                self.from.consume(len);
            }
            if whole as u64 > MAX_LEN {
                return Err(Stop::new(format!(
                    "line {} has more than {MAX_LEN} bytes; write one page per line",
                    self.number + 1
                )));
            }
            if end.is_some() || is_last {
                self.number += 1;
                return Ok(Some((whole, end.is_some())));
            }
        }
    }

    /// Returns the current line without a byte order mark. Also removes the white space around the line, or only its
    /// line break if the reader keeps white space.
    fn trimmed(&mut self) -> Outcome<&[u8]> {
        let line = if self.used == 0 { &*self.line } else { &fill(&mut self.from)?[..self.used] };
        let line = line.strip_prefix(b"\xEF\xBB\xBF").filter(|_| self.number == 1).unwrap_or(line);
        if !self.keeps_spaces {
            return Ok(line.trim_ascii());
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Ok(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// Returns the input's buffer, and fills it first if it is empty.
fn fill(from: &mut impl BufRead) -> Outcome<&[u8]> {
    // The first call only retries an interrupted read: the borrow checker doesn't let a loop return what it borrows.
    while let Err(error) = from.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(failed(&error));
        }
    }
    from.fill_buf().map_err(|error| failed(&error))
}

fn failed(error: &io::Error) -> Stop {
    Stop::new(format!("cannot read the input: {}", system_message(error)))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Returns the number, text, length and line break of each line, read through a buffer of this size.
    fn lines_of(text: &[u8], buffer: usize) -> Vec<(u64, Vec<u8>, u64, bool)> {
        let mut lines = Lines::new(BufReader::with_capacity(buffer, text));
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push((line.number, line.text.to_vec(), line.taken, line.has_break));
        }
        found
    }

    #[test]
    fn lines_are_the_same_whatever_the_buffer_holds() {
        let text = b"\xEF\xBB\xBF/a\r\n\n \n/bcdefgh\n/i";
        for buffer in [1, 2, 5, 7, 100] {
            assert_eq!(
                lines_of(text, buffer),
                [
                    (1, b"/a".to_vec(), 7, true),
                    (4, b"/bcdefgh".to_vec(), 12, true),
                    (5, b"/i".to_vec(), 2, false)
                ],
                "{buffer}"
            );
        }
        assert!(lines_of(b"", 5).is_empty());
        assert!(lines_of(b"\n\n", 1).is_empty());
    }
}
