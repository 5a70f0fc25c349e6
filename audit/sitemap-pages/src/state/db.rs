//! Reads and writes sealed rows in batches.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, Row, ffi, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sitemap_core::storage::LockFile;

use super::error::StateError;
use super::head::{HEAD, HEAD_KEY, Head, Total};
use super::row_digest;
use super::table::{Table, TableId};

/// The number of visits in one transaction.
const BATCH: u32 = 1_000;

/// The number of rows to keep in memory while reading a table.
pub(super) const AT_ONCE: u32 = 128;

/// A key and a row, as stored.
pub(super) type KeyAndRow = (Vec<u8>, Vec<u8>);

/// The open file.
pub(super) struct Db {
    connection: Connection,
    path: PathBuf,
    head: RefCell<Head>,
    /// The number of writes to each table.
    writes: [Cell<u64>; TableId::COUNT],
    is_open: Cell<bool>,
    visits: Cell<u32>,
    /// Released last.
    _lock: Option<LockFile>,
}

impl Db {
    /// Wraps a connection to a file that already contains all tables and a head.
    pub(super) fn new(
        connection: Connection,
        path: &Path,
        lock: Option<LockFile>,
    ) -> Result<Self, StateError> {
        connection.set_prepared_statement_cache_capacity(128);
        let db = Self {
            connection,
            path: path.to_owned(),
            head: RefCell::default(),
            writes: [const { Cell::new(0) }; TableId::COUNT],
            is_open: Cell::new(false),
            visits: Cell::new(0),
            _lock: lock,
        };
        db.load_head()?;
        for table in TableId::ALL.iter().filter(|table| table.is_small()) {
            db.verify(*table)?;
        }
        Ok(db)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Passes the head to a function.
    pub(super) fn head<R>(&self, read: impl FnOnce(&Head) -> R) -> R {
        read(&self.head.borrow())
    }

    /// Changes the head. The change is written when the batch ends.
    pub(super) fn change_head(&self, change: impl FnOnce(&mut Head)) {
        change(&mut self.head.borrow_mut());
    }

    /// Returns the number of rows in a table.
    pub(super) fn rows(&self, table: TableId) -> u64 {
        self.total(table).rows
    }

    pub(super) fn total(&self, table: TableId) -> Total {
        self.head.borrow().total(table)
    }

    /// Returns how often a table has been written to.
    pub(super) fn writes(&self, table: TableId) -> u64 {
        self.writes[table as usize].get()
    }

    pub(super) fn get<T: DeserializeOwned>(
        &self,
        table: &Table<T>,
        key: &[u8],
    ) -> Result<Option<T>, StateError> {
        Ok(self.get_sealed(table, key)?.map(|(row, _)| row))
    }

    /// Returns a row and its digest, which [`replace`](Self::replace) needs.
    pub(super) fn get_sealed<T: DeserializeOwned>(
        &self,
        table: &Table<T>,
        key: &[u8],
    ) -> Result<Option<(T, u64)>, StateError> {
        self.look_up(table.id, key, |bytes| row_digest::unsealed(table.id as u8, key, bytes))
    }

    /// Like [`put`](Self::put), but doesn't look up the row that it replaces: `old` is that row's digest.
    pub(super) fn replace<T>(
        &self,
        table: &Table<T>,
        key: &[u8],
        row: &impl Serialize,
        old: Option<u64>,
    ) -> Result<(), StateError> {
        self.put_sealed(table, key, self.sealed(table, key, row)?, old)
    }

    /// Writes a row to the open batch. Its format must match the table.
    pub(super) fn put<T>(
        &self,
        table: &Table<T>,
        key: &[u8],
        row: &impl Serialize,
    ) -> Result<(), StateError> {
        let old = self.digest(table.id, key)?;
        self.replace(table, key, row, old)
    }

    /// Writes a sealed row to the open batch. `old` is the digest of the row that it replaces.
    pub(super) fn put_sealed<T>(
        &self,
        table: &Table<T>,
        key: &[u8],
        (bytes, digest): (Vec<u8>, u64),
        old: Option<u64>,
    ) -> Result<(), StateError> {
        let mut statement =
            self.connection.prepare_cached(table.id.sql().put).map_err(self.sql("write to"))?;
        statement.execute(params![key, bytes]).map_err(self.sql("write to"))?;
        self.count(table.id, |total| {
            if let Some(old) = old {
                total.remove(old);
            }
            total.add(digest);
        });
        Ok(())
    }

    /// Deletes a row in the open batch.
    pub(super) fn delete<T>(&self, table: &Table<T>, key: &[u8]) -> Result<(), StateError> {
        let Some(old) = self.digest(table.id, key)? else { return Ok(()) };
        let mut statement =
            self.connection.prepare_cached(table.id.sql().delete).map_err(self.sql("write to"))?;
        statement.execute(params![key]).map_err(self.sql("write to"))?;
        self.count(table.id, |total| total.remove(old));
        Ok(())
    }

    /// Deletes all rows in the open batch.
    pub(super) fn clear<T>(&self, table: &Table<T>) -> Result<(), StateError> {
        self.connection.execute(table.id.sql().clear, []).map_err(self.sql("write to"))?;
        self.count(table.id, |total| *total = Total::default());
        Ok(())
    }

    /// Deletes all rows after `key`, or all rows if there is no key, in the open batch. `kept` is the total of the
    /// remaining rows.
    pub(super) fn clear_after<T>(
        &self,
        table: &Table<T>,
        key: Option<&[u8]>,
        kept: Total,
    ) -> Result<(), StateError> {
        let Some(key) = key else { return self.clear(table) };
        let mut statement =
            self.connection.prepare_cached(table.id.sql().clear_after).map_err(self.sql("write to"))?;
        statement.execute(params![key]).map_err(self.sql("write to"))?;
        self.count(table.id, |total| *total = kept);
        Ok(())
    }

    /// Returns a row in its stored form, and its digest.
    pub(super) fn sealed<T>(
        &self,
        table: &Table<T>,
        key: &[u8],
        row: &impl Serialize,
    ) -> Result<(Vec<u8>, u64), StateError> {
        row_digest::sealed(table.id as u8, key, row).map_err(|error| StateError::Sql {
            action: "write to",
            path: self.path.clone(),
            message: error.to_string(),
        })
    }

    /// Returns the next rows after a key, or the first rows, in their stored form.
    pub(super) fn after(
        &self,
        table: TableId,
        key: Option<&[u8]>,
        limit: u32,
    ) -> Result<Vec<KeyAndRow>, StateError> {
        // Starts with a number, because SQLite sorts numbers before all blobs.
        let key = key.map_or(Value::Integer(0), |key| Value::Blob(key.to_vec()));
        let mut statement = self.connection.prepare_cached(table.sql().after).map_err(self.sql("read"))?;
        let rows = statement.query_map(params![key, limit], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.and_then(Iterator::collect).map_err(self.sql("read"))
    }

    /// Checks all rows of a table. Call this before a row that isn't found is treated as new, because it may be
    /// damaged.
    pub(super) fn verify(&self, table: TableId) -> Result<(), StateError> {
        self.scan(table, |_, _| Ok(()))
    }

    /// Passes the key and contents of every row in order, without copying them. A missing or damaged row is an error.
    /// Nothing may be written to the table in the meantime.
    pub(super) fn scan(
        &self,
        table: TableId,
        mut each: impl FnMut(&[u8], &[u8]) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let mut found = Total::default();
        let mut statement = self.connection.prepare_cached(table.sql().all).map_err(self.sql("read"))?;
        let mut rows = statement.query([]).map_err(self.sql("read"))?;
        while let Some(row) = rows.next().map_err(self.sql("read"))? {
            let (key, bytes) = (self.blob(row, 0)?, self.blob(row, 1)?);
            let (row, digest) =
                row_digest::check(table as u8, key, bytes).map_err(self.damage(table, key))?;
            // The head contains the totals, so it isn't included in them.
            if table != TableId::Head {
                found.add(digest);
            }
            each(key, row)?;
        }
        self.check_total(table, found)
    }

    /// Parses a row passed by [`scan`](Self::scan). The result may borrow from that row.
    pub(super) fn read<'r, T: Deserialize<'r>>(
        &self,
        table: TableId,
        key: &[u8],
        row: &'r [u8],
    ) -> Result<T, StateError> {
        row_digest::read(row).map_err(self.damage(table, key))
    }

    fn blob<'r>(&self, row: &'r Row<'_>, column: usize) -> Result<&'r [u8], StateError> {
        let value = row.get_ref(column).map_err(self.sql("read"))?;
        value.as_blob().map_err(|error| self.sql("read")(error.into()))
    }

    /// Compares the total of the rows that were found with the total in the head.
    pub(super) fn check_total(&self, table: TableId, found: Total) -> Result<(), StateError> {
        let expected = self.total(table);
        if found == expected {
            return Ok(());
        }
        let why = format!("has {} rows, and its head counts {} and other digests", found.rows, expected.rows);
        Err(self.damaged(format!("the table `{}`", table.name()), why))
    }

    /// Ends the batch if it's full, so that the next visit and everything stored with it go into the same batch.
    pub(super) fn next_visit(&self) -> Result<(), StateError> {
        if self.visits.get() >= BATCH {
            self.commit()?;
        }
        self.visits.set(self.visits.get() + 1);
        Ok(())
    }

    /// Writes to the open batch, opening one if necessary. After an error, the whole batch is rolled back.
    pub(super) fn write<R>(&self, write: impl FnOnce() -> Result<R, StateError>) -> Result<R, StateError> {
        if !self.is_open.get() {
            self.connection.execute_batch("BEGIN IMMEDIATE").map_err(self.sql("write to"))?;
            self.is_open.set(true);
        }
        let written = write();
        if written.is_err() {
            self.roll_back();
        }
        written
    }

    /// Writes in a separate transaction.
    pub(super) fn transaction<R>(
        &self,
        write: impl FnOnce() -> Result<R, StateError>,
    ) -> Result<R, StateError> {
        self.commit()?;
        let written = self.write(write)?;
        self.commit()?;
        Ok(written)
    }

    /// Ends the open batch.
    pub(super) fn commit(&self) -> Result<(), StateError> {
        if !self.is_open.get() {
            return Ok(());
        }
        let head = self.head.borrow().clone();
        self.write(|| {
            self.put_head(&head)?;
            self.connection.execute_batch("COMMIT").map_err(self.sql("write to"))
        })?;
        self.is_open.set(false);
        self.visits.set(0);
        Ok(())
    }

    /// Rolls back the open batch.
    pub(super) fn roll_back(&self) {
        if self.is_open.get() {
            // SQLite may already have rolled back the batch. It then returns an error here.
            let _ = self.connection.execute_batch("ROLLBACK");
            self.is_open.set(false);
            self.visits.set(0);
            // If the head can't be read now, the damage is reported the next time a whole table is read.
            let _ = self.load_head();
        }
    }

    /// Writes the head. It isn't included in the totals, because it contains them.
    pub(super) fn put_head(&self, head: &Head) -> Result<(), StateError> {
        let sealed = row_digest::sealed(HEAD.id as u8, HEAD_KEY, head);
        let (bytes, _) = sealed.map_err(|error| self.damaged(HEAD.id.place(HEAD_KEY), error.to_string()))?;
        let mut statement =
            self.connection.prepare_cached(HEAD.id.sql().put).map_err(self.sql("write to"))?;
        statement.execute(params![HEAD_KEY, bytes]).map_err(self.sql("write to"))?;
        Ok(())
    }

    fn load_head(&self) -> Result<(), StateError> {
        let missing = || self.damaged(HEAD.id.place(HEAD_KEY), "is missing".to_owned());
        let head = self.get(&HEAD, HEAD_KEY)?.ok_or_else(missing)?;
        self.head.replace(head);
        Ok(())
    }

    fn digest(&self, table: TableId, key: &[u8]) -> Result<Option<u64>, StateError> {
        self.look_up(table, key, |bytes| Ok(row_digest::check(table as u8, key, bytes)?.1))
    }

    /// Looks up a stored row and passes it to `read`, whose errors mean that the row is damaged.
    fn look_up<R>(
        &self,
        table: TableId,
        key: &[u8],
        read: impl FnOnce(&[u8]) -> Result<R, &'static str>,
    ) -> Result<Option<R>, StateError> {
        let mut statement = self.connection.prepare_cached(table.sql().get).map_err(self.sql("read"))?;
        let mut rows = statement.query(params![key]).map_err(self.sql("read"))?;
        let Some(row) = rows.next().map_err(self.sql("read"))? else { return Ok(None) };
        read(self.blob(row, 0)?).map(Some).map_err(self.damage(table, key))
    }

    fn count(&self, table: TableId, change: impl FnOnce(&mut Total)) {
        change(self.head.borrow_mut().total_mut(table));
        let writes = &self.writes[table as usize];
        writes.set(writes.get() + 1);
    }

    /// Returns the error for a damaged row.
    pub(super) fn damage(&self, table: TableId, key: &[u8]) -> impl FnOnce(&'static str) -> StateError {
        move |why| self.damaged(table.place(key), why.to_owned())
    }

    pub(super) fn damaged(&self, place: String, why: String) -> StateError {
        StateError::Damaged { path: self.path.clone(), place, why }
    }

    fn sql(&self, action: &'static str) -> impl FnOnce(rusqlite::Error) -> StateError {
        move |error| sql_error(&self.path, action, &error)
    }
}

impl Drop for Db {
    /// Ends the open batch, so that what was stored is kept. Errors are ignored; only [`commit`](Self::commit) reports
    /// them.
    fn drop(&mut self) {
        let _ = self.commit();
    }
}

/// Converts a database error to a [`StateError`].
pub(super) fn sql_error(path: &Path, action: &'static str, error: &rusqlite::Error) -> StateError {
    let path = path.to_owned();
    let message = error.to_string();
    let code = error.sqlite_error().map(|error| (error.code, error.extended_code));
    let is_damage = match code {
        // The statements and tables are known to match, so any other error means that the file is damaged.
        None => true,
        Some((code, extended)) => {
            extended == ffi::SQLITE_IOERR_SHORT_READ
                || matches!(
                    code,
                    ErrorCode::DatabaseCorrupt
                        | ErrorCode::NotADatabase
                        | ErrorCode::ConstraintViolation
                        | ErrorCode::TypeMismatch
                        | ErrorCode::InternalMalfunction
                        | ErrorCode::Unknown
                )
        }
    };
    match code {
        Some((ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _)) => {
            StateError::InUse { path, pid: None }
        }
        _ if is_damage => StateError::Damaged {
            path,
            place: "the database".to_owned(),
            why: format!("cannot be read: {message}"),
        },
        _ => StateError::Sql { action, path, message },
    }
}
