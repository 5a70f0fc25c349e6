//! Reads the lines of a document that contain findings.

use std::io::{self, Read};

/// A reader that goes through the text once, and keeps only the part around the current finding in memory.
pub(super) struct Windows {
    text: Box<dyn Read>,
    held: Vec<u8>,
    /// The offset of `held` in the text.
    before: u64,
    ended: bool,
}

/// The part of a line around a finding.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) before: Vec<u8>,
    pub(super) marked: Vec<u8>,
    pub(super) after: Vec<u8>,
    /// True if `before` doesn't start at the start of the line.
    pub(super) cut: bool,
}

/// The maximum number of bytes to return from a line before, in and after a finding. A terminal shows fewer.
const REACH: u64 = 1024;

/// The number of bytes to read at a time. Once this much text has piled up before a finding, the text is dropped.
const CHUNK: usize = 64 * 1024;

impl Windows {
    pub(super) fn new(text: Box<dyn Read>) -> Self {
        Self { text, held: Vec::new(), before: 0, ended: false }
    }

    /// Returns the line around a byte range. Offsets must not decrease from one call to the next.
    pub(super) fn line(&mut self, offset: u64, len: u64) -> Option<Line> {
        let from = offset.saturating_sub(REACH);
        let until = offset.checked_add(len.min(REACH))?.checked_add(REACH)?;
        self.hold(from, until);
        let at = usize::try_from(offset.checked_sub(self.before)?).ok()?;
        let (left, right) = self.held.split_at_checked(at)?;
        let first = left.len().saturating_sub(usize::try_from(REACH).unwrap_or(usize::MAX));
        let (starts_text, left) = (self.before == 0 && first == 0, &left[first..]);
        let right = &right[..right.len().min(usize::try_from(until - offset).unwrap_or(usize::MAX))];
        let line_start = left.iter().rposition(|&byte| byte == b'\n').map(|at| at + 1);
        let line_end = right.iter().position(|&byte| byte == b'\n').unwrap_or(right.len());
        let right = right[..line_end].strip_suffix(b"\r").unwrap_or(&right[..line_end]);
        let marked = usize::try_from(len).unwrap_or(usize::MAX).min(right.len());
        let cut = line_start.is_none() && !starts_text;
        let mut before = &left[line_start.unwrap_or(0)..];
        if cut {
            // Drops the remaining bytes of a character that was split.
            let broken = before.iter().take_while(|&&byte| byte & 0xC0 == 0x80).count();
            before = &before[broken..];
        }
        Some(Line {
            before: before.to_vec(),
            marked: right[..marked].to_vec(),
            after: right[marked..].to_vec(),
            cut,
        })
    }

    /// Reads until the text between two offsets is in memory, or the text ends.
    fn hold(&mut self, from: u64, until: u64) {
        let mut chunk = Vec::new();
        while !self.ended && self.before + (self.held.len() as u64) < until {
            chunk.resize(CHUNK, 0);
            match self.text.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // A read error is treated as the end, because the checker has already reported the damaged file.
                Ok(0) | Err(_) => self.ended = true,
                Ok(len) => self.held.extend_from_slice(&chunk[..len]),
            }
            self.drop_before(from);
        }
    }

    fn drop_before(&mut self, from: u64) {
        let dropped =
            usize::try_from(from.saturating_sub(self.before)).unwrap_or(usize::MAX).min(self.held.len());
        // Dropping text moves everything after it, so it isn't worth it for a few bytes.
        if dropped >= CHUNK || dropped == self.held.len() {
            self.held.drain(..dropped);
            self.before += dropped as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(text: &str) -> Windows {
        Windows::new(Box::new(io::Cursor::new(text.to_owned())))
    }

    fn line(before: &str, marked: &str, after: &str, cut: bool) -> Line {
        Line { before: before.into(), marked: marked.into(), after: after.into(), cut }
    }

    #[test]
    fn the_line_around_a_place() {
        let mut windows = windows("one\r\ntwo three\nfour");
        assert_eq!(windows.line(0, 3), Some(line("", "one", "", false)));
        assert_eq!(windows.line(9, 2), Some(line("two ", "th", "ree", false)));
        assert_eq!(windows.line(9, 99), Some(line("two ", "three", "", false)));
        assert_eq!(windows.line(15, 0), Some(line("", "", "four", false)));
        assert_eq!(windows.line(19, 1), Some(line("four", "", "", false)));
        assert_eq!(windows.line(20, 1), None);
    }

    #[test]
    fn long_lines_are_not_held_whole() {
        let mut windows = windows(&format!("{}x{}", "é".repeat(200_000), "y".repeat(200_000)));
        let found = windows.line(400_000, 1).unwrap();
        assert_eq!((found.cut, &*found.marked), (true, &b"x"[..]));
        assert!(found.before.len() <= 1_024 && found.after.len() <= 1_024);
        assert!(String::from_utf8(found.before).is_ok());
    }
}
