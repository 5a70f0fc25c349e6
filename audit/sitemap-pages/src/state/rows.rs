//! Iterates over all rows of a table in key order, a few at a time.

use std::vec;

use serde::de::DeserializeOwned;

use super::db::{AT_ONCE, Db, KeyAndRow};
use super::error::StateError;
use super::head::Total;
use super::row_digest;
use super::table::Table;

/// All rows of a table. Stops after the first error.
pub(super) struct Rows<'a, T> {
    db: &'a Db,
    table: Table<T>,
    chunk: vec::IntoIter<KeyAndRow>,
    last: Option<Vec<u8>>,
    found: Total,
    /// The table's write count before the first row was read. If it has changed, the totals can't be checked.
    writes: u64,
    is_done: bool,
}

impl Db {
    /// Returns all rows in order. This includes rows written in the meantime, if they come later in the order.
    ///
    /// If nothing is written in the meantime, missing rows are reported as errors.
    pub(super) fn all<T: DeserializeOwned>(&self, table: Table<T>) -> Rows<'_, T> {
        self.from(table, None)
    }

    /// Returns the rows after a key, in order.
    pub(super) fn from<T: DeserializeOwned>(&self, table: Table<T>, after: Option<Vec<u8>>) -> Rows<'_, T> {
        // The totals are only known for all rows, so they can't be checked here.
        let writes = if after.is_some() { u64::MAX } else { self.writes(table.id) };
        let chunk = Vec::new().into_iter();
        Rows { db: self, table, chunk, last: after, found: Total::default(), writes, is_done: false }
    }
}

impl<T: DeserializeOwned> Rows<'_, T> {
    fn step(&mut self) -> Result<Option<(Vec<u8>, T)>, StateError> {
        if self.chunk.as_slice().is_empty() {
            self.chunk = self.db.after(self.table.id, self.last.as_deref(), AT_ONCE)?.into_iter();
        }
        let id = self.table.id;
        let Some((key, bytes)) = self.chunk.next() else {
            self.is_done = true;
            if self.writes == self.db.writes(id) {
                self.db.check_total(id, self.found)?;
            }
            return Ok(None);
        };
        let (row, digest) =
            row_digest::unsealed(id as u8, &key, &bytes).map_err(|why| self.db.damage(id, &key)(why))?;
        self.found.add(digest);
        self.last = Some(key.clone());
        Ok(Some((key, row)))
    }
}

impl<T: DeserializeOwned> Iterator for Rows<'_, T> {
    type Item = Result<(Vec<u8>, T), StateError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let step = self.step();
        self.is_done |= step.is_err();
        step.transpose()
    }
}
