//! Lines of a file, none longer than what memory should hold.

use std::io::{BufRead, Read as _};

use crate::error::{Outcome, Stop, said};

/// Longer than any page with its extensions.
const LONGEST: u64 = 16 * 1024 * 1024;

/// Reads line by line into a buffer that is used again.
pub(crate) struct Lines<R> {
    from: R,
    line: Vec<u8>,
    number: u64,
    keeps_blanks: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(from: R) -> Self {
        Self { from, line: Vec::new(), number: 0, keeps_blanks: false }
    }

    /// Blanks at the ends of a line belong to it: a tab is where a column ends.
    pub(crate) fn with_blanks(from: R) -> Self {
        Self { keeps_blanks: true, ..Self::new(from) }
    }

    /// The next line that is not blank, its number and how many bytes it took with blank ones before.
    pub(crate) fn next(&mut self) -> Outcome<Option<(u64, &[u8], u64)>> {
        let mut taken = 0;
        loop {
            self.line.clear();
            let read = self.from.by_ref().take(LONGEST + 1).read_until(b'\n', &mut self.line);
            let len = read.map_err(|error| Stop::new(format!("cannot read the input: {}", said(&error))))?;
            if len == 0 {
                return Ok(None);
            }
            taken += len as u64;
            self.number += 1;
            if len as u64 > LONGEST {
                return Err(Stop::new(format!("line {} has more than {LONGEST} bytes", self.number)));
            }
            if self.number == 1 && self.line.starts_with(b"\xEF\xBB\xBF") {
                self.line.drain(..3);
            }
            if !self.trimmed().is_empty() {
                break;
            }
        }
        Ok(Some((self.number, self.trimmed(), taken)))
    }

    fn trimmed(&self) -> &[u8] {
        if !self.keeps_blanks {
            return self.line.trim_ascii();
        }
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }
}
