//! CSV files that can be opened in a spreadsheet.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use csv::{Terminator, Writer, WriterBuilder};

use crate::error::{Outcome, Stop};

/// A CSV file that is written row by row.
#[derive(Debug)]
pub(crate) struct CsvFile<'p> {
    path: &'p Path,
    writer: Writer<BufWriter<File>>,
}

impl<'p> CsvFile<'p> {
    /// Creates the file with a header row.
    pub(crate) fn create<const N: usize>(path: &'p Path, headings: [&str; N]) -> Outcome<Self> {
        let file = File::create(path).map_err(|error| Stop::io("write", path, &error))?;
        let writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(BufWriter::new(file));
        let mut table = Self { path, writer };
        table.row(headings)?;
        Ok(table)
    }

    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, fields: [&str; N]) -> Outcome<()> {
        let written = self.writer.write_record(fields.map(harmless));
        written.map_err(|error| Stop::io("write", self.path, &error.into()))
    }

    /// Writes the rows that are still in the buffer.
    pub(crate) fn finish(self) -> Outcome<()> {
        let path = self.path;
        let mut file = self.writer.into_inner().map_err(|error| Stop::io("write", path, error.error()))?;
        file.flush().map_err(|error| Stop::io("write", path, &error))
    }
}

/// Escapes a field so that no spreadsheet treats it as a formula.
fn harmless(field: &str) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    if is_formula { ["'", field].concat() } else { field.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{CsvFile, harmless};

    #[test]
    fn a_field_is_no_formula() {
        for (field, expected) in [
            ("=1+1", "'=1+1"),
            ("@a", "'@a"),
            ("-1", "'-1"),
            ("+1", "'+1"),
            ("\t=1", "'\t=1"),
            ("https://e.com/=1", "https://e.com/=1"),
            ("", ""),
        ] {
            assert_eq!(harmless(field), expected);
        }
    }

    #[test]
    fn fields_are_quoted_as_rfc_4180_says() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("moved.csv");
        let mut table = CsvFile::create(&path, ["old", "status", "target"]).unwrap();
        table.row(["a,b", "say \"oak\"", "=1"]).unwrap();
        table.finish().unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert_eq!(written, "old,status,target\r\n\"a,b\",\"say \"\"oak\"\"\",'=1\r\n");
    }
}
