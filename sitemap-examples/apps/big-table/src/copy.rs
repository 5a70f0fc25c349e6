//! Rows of a binary `COPY`.
//!
//! Source: [PostgreSQL, `COPY`, binary format](https://www.postgresql.org/docs/current/sql-copy.html);
//! that each message of the server is one row,
//! [message formats](https://www.postgresql.org/docs/current/protocol-message-formats.html).

use chrono::{DateTime, Utc};

/// Takes the messages of a `COPY … TO STDOUT (FORMAT binary)` in their order.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    begun: bool,
}

/// One row, from which fields are taken in their order.
#[derive(Debug)]
pub(crate) struct Row<'m> {
    rest: &'m [u8],
}

/// A message that is not what the format says.
const DAMAGED: &str = "the server's binary copy ends early or has another format";

const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";

/// 2000-01-01, where PostgreSQL counts from, in microseconds of Unix time.
const EPOCH: i64 = 946_684_800_000_000;

impl Rows {
    /// The row in a message; `None` if it is the last message, which has none.
    pub(crate) fn row<'m>(&mut self, message: &'m [u8]) -> Result<Option<Row<'m>>, shop::Error> {
        let mut row = Row { rest: message };
        if !self.begun {
            if row.take(SIGNATURE.len())? != SIGNATURE {
                return Err(DAMAGED.into());
            }
            let _flags = row.number()?;
            let extension = row.length()?.ok_or(DAMAGED)?;
            row.take(extension)?;
            self.begun = true;
        }
        // The first row may share a message with the header, but need not.
        if row.rest.is_empty() {
            return Ok(None);
        }
        let fields = i16::from_be_bytes(row.array()?);
        Ok((fields >= 0).then_some(row))
    }
}

impl<'m> Row<'m> {
    /// The next field, of type `text`.
    pub(crate) fn text(&mut self) -> Result<&'m str, shop::Error> {
        Ok(str::from_utf8(self.field()?)?)
    }

    /// The next field, of type `timestamptz`.
    pub(crate) fn timestamptz(&mut self) -> Result<DateTime<Utc>, shop::Error> {
        let since_2000 = i64::from_be_bytes(self.field()?.try_into()?);
        // Both infinities and what chrono cannot hold.
        let moment = since_2000.checked_add(EPOCH).and_then(DateTime::from_timestamp_micros);
        moment.ok_or_else(|| "a moment out of range".into())
    }

    /// The bytes of the next field, which is not null.
    fn field(&mut self) -> Result<&'m [u8], shop::Error> {
        let length = self.length()?.ok_or("null in a column that has none")?;
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
