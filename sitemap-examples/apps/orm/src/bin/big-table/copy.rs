//! Reads the rows of a binary `COPY`.
//!
//! PostgreSQL documents [the binary format of `COPY`](https://www.postgresql.org/docs/current/sql-copy.html) and [the
//! message formats](https://www.postgresql.org/docs/current/protocol-message-formats.html). The server sends each row
//! as one message.

use chrono::{DateTime, Utc};

/// Reads the messages of a `COPY … TO STDOUT (FORMAT binary)`. Pass the messages in order.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    is_past_header: bool,
}

/// A row. Read its fields in order.
#[derive(Debug)]
pub(crate) struct Row<'m> {
    rest: &'m [u8],
}

/// The error for a message that is not in the binary format.
const DAMAGED: &str =
    "the server's `COPY` data ends early or is not in the binary format; check the query and the connection";

const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";

/// The epoch of PostgreSQL timestamps, 2000-01-01, in microseconds of Unix time.
const EPOCH: i64 = 946_684_800_000_000;

impl Rows {
    /// Returns the row in a message, or `None` if the message contains only the header or the end of the data.
    pub(crate) fn row<'m>(&mut self, message: &'m [u8]) -> Result<Option<Row<'m>>, shop::Error> {
        let mut row = Row { rest: message };
        if !self.is_past_header {
            if row.take(SIGNATURE.len())? != SIGNATURE {
                return Err(DAMAGED.into());
            }
            let _flags = row.number()?;
            let extension = row.length()?.ok_or(DAMAGED)?;
            row.take(extension)?;
            self.is_past_header = true;
        }
        // The server may send the header in a separate message, or together with the first row.
        if row.rest.is_empty() {
            return Ok(None);
        }
        let fields = i16::from_be_bytes(row.array()?);
        Ok((fields >= 0).then_some(row))
    }
}

impl<'m> Row<'m> {
    /// Reads the next field as `text`.
    pub(crate) fn text(&mut self) -> Result<&'m str, shop::Error> {
        Ok(str::from_utf8(self.field()?)?)
    }

    /// Reads the next field as `timestamptz`.
    pub(crate) fn timestamptz(&mut self) -> Result<DateTime<Utc>, shop::Error> {
        let since_2000 = i64::from_be_bytes(self.field()?.try_into()?);
        // The conversion fails for both infinities and for other timestamps outside chrono's range.
        let moment = since_2000.checked_add(EPOCH).and_then(DateTime::from_timestamp_micros);
        moment.ok_or_else(|| "a `timestamptz` field is out of range; correct the date in the table".into())
    }

    /// Reads the bytes of the next field, which must not be null.
    fn field(&mut self) -> Result<&'m [u8], shop::Error> {
        let length = self.length()?.ok_or("a field is null; select only columns without nulls")?;
        self.take(length)
    }

    fn length(&mut self) -> Result<Option<usize>, shop::Error> {
        Ok(usize::try_from(self.number()?).ok())
    }

    fn number(&mut self) -> Result<i32, shop::Error> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], shop::Error> {
        let (array, rest) = self.rest.split_first_chunk().ok_or(DAMAGED)?;
        self.rest = rest;
        Ok(*array)
    }

    fn take(&mut self, length: usize) -> Result<&'m [u8], shop::Error> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(DAMAGED)?;
        self.rest = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_and_row_may_share_a_message() {
        let first = [SIGNATURE, &[0; 8], &[0, 2, 0, 0, 0, 1, b'a', 0, 0, 0, 8], &[0; 8]].concat();
        let mut rows = Rows::default();
        let mut row = rows.row(&first).unwrap().unwrap();
        assert_eq!(row.text().unwrap(), "a");
        assert_eq!(row.timestamptz().unwrap().to_rfc3339(), "2000-01-01T00:00:00+00:00");
        assert!(row.text().is_err());
        assert!(rows.row(&[255, 255]).unwrap().is_none());
    }

    #[test]
    fn a_damaged_message_is_an_error() {
        assert!(Rows::default().row(b"PGCOPY\n").is_err());
        assert!(Rows::default().row(&[0; 19]).is_err());
        let null = [SIGNATURE, &[0; 8], &[0, 1, 255, 255, 255, 255]].concat();
        assert!(Rows::default().row(&null).unwrap().unwrap().text().is_err());
        let long = [SIGNATURE, &[0; 8], &[0, 1, 0, 0, 0, 9, b'a']].concat();
        assert!(Rows::default().row(&long).unwrap().unwrap().text().is_err());
        let infinity =
            [SIGNATURE, &[0; 8], &[0, 1, 0, 0, 0, 8, 127, 255, 255, 255, 255, 255, 255, 255]].concat();
        assert!(Rows::default().row(&infinity).unwrap().unwrap().timestamptz().is_err());
    }
}
