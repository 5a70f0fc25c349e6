//! Reads the records of a CSV file with the parser of `csv-core`.

use std::io::{self, BufRead};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::csv_end::{CsvEnd, End};

/// A record reader. Unlike the reader of the crate `csv`, it knows the first line of each record even after blank
/// lines, and how the input ends.
pub(super) struct Records<R> {
    from: R,
    parser: Reader,
    end: CsvEnd,
    /// The values of the last record, concatenated.
    bytes: Vec<u8>,
    /// The end of each value in `bytes`.
    ends: Vec<usize>,
    /// The number of values of the last record.
    len: usize,
    /// The line of the last record.
    line: u64,
}

impl<R: BufRead> Records<R> {
    pub(super) fn new(from: R, delimiter: u8) -> Self {
        Self {
            from,
            parser: ReaderBuilder::new().delimiter(delimiter).build(),
            end: CsvEnd::new(delimiter),
            bytes: vec![0; 1024],
            ends: vec![0; 16],
            len: 0,
            line: 0,
        }
    }

    /// Reads the next record. Returns `false` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<bool> {
        self.skip_breaks()?;
        (self.line, self.len) = (self.end.line(), 0);
        let mut written = 0;
        loop {
            let input = fill(&mut self.from)?;
            let (result, taken, bytes, ends) =
                self.parser.read_record(input, &mut self.bytes[written..], &mut self.ends[self.len..]);
            self.end.follow_all(&input[..taken], input.is_empty());
            self.from.consume(taken);
            written += bytes;
            self.len += ends;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.bytes.resize(2 * self.bytes.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record => return Ok(true),
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// Skips the line breaks before the next record. The parser would skip them too, but then the record's line would
    /// be unknown. These line breaks include the second half of a Windows line break, because the parser returns a
    /// record after the first half.
    fn skip_breaks(&mut self) -> io::Result<()> {
        while let [byte @ (b'\n' | b'\r'), ..] = fill(&mut self.from)? {
            self.end.follow_all(&[*byte], false);
            self.from.consume(1);
        }
        Ok(())
    }

    /// Returns how the input ends, if the end has been reached.
    pub(super) fn end(&self) -> End {
        self.end.end()
    }

    /// Returns the line of the last record, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the byte offset of the end of the last record.
    pub(super) fn position(&self) -> u64 {
        self.end.bytes()
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, at: usize) -> Option<&[u8]> {
        let ends = &self.ends[..self.len];
        let start = at.checked_sub(1).map_or(Some(&0), |before| ends.get(before))?;
        self.bytes.get(*start..*ends.get(at)?)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len).filter_map(|at| self.get(at))
    }
}

/// Returns the input's buffer, and fills it first if it is empty.
fn fill(from: &mut impl BufRead) -> io::Result<&[u8]> {
    // The first call only retries an interrupted read: the borrow checker doesn't let a loop return what it borrows.
    while let Err(error) = from.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    from.fill_buf()
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn found(text: &[u8], buffer: usize) -> Vec<Vec<Vec<u8>>> {
        let mut records = Records::new(BufReader::with_capacity(buffer, text), b',');
        let mut found = Vec::new();
        while records.next().unwrap() {
            found.push(records.values().map(<[u8]>::to_vec).collect());
        }
        assert_eq!(records.position(), text.len() as u64);
        found
    }

    #[test]
    fn all_short_texts_have_the_records_of_the_crate_csv() {
        const BYTES: [u8; 5] = *b"a\",\n\r";

        for number in 0..BYTES.len().pow(5) {
            let places = (0..5).map(|place| BYTES[number / BYTES.len().pow(place) % BYTES.len()]);
            let text: Vec<u8> = places.collect();
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_slice());
            let expected: Vec<Vec<Vec<u8>>> = reader
                .byte_records()
                .map(|record| record.unwrap().iter().map(<[u8]>::to_vec).collect())
                .collect();
            for buffer in [1, 3, 100] {
                assert_eq!(found(&text, buffer), expected, "{:?}", String::from_utf8_lossy(&text));
            }
        }
    }

    #[test]
    fn long_records_and_many_values() {
        let long = "x".repeat(5_000);
        let text = format!("{long},\"{long}\"{}\n/a\n", ",y".repeat(50));
        let records = found(text.as_bytes(), 64);
        assert_eq!((records.len(), records[0].len(), records[0][1].len()), (2, 52, 5_000));
        assert_eq!(records[1], [b"/a"]);
    }

    #[test]
    fn the_line_of_a_record_is_that_of_its_first_byte() {
        let mut records = Records::new(&b"loc\r\n\r\n\n/a\r\n\"/b\nc\"\n/d"[..], b',');
        let mut lines = Vec::new();
        while records.next().unwrap() {
            lines.push(records.line());
        }
        assert_eq!(lines, [1, 4, 5, 7]);
    }
}
