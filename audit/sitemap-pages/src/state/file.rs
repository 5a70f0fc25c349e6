//! Opens and creates state files.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use sitemap_core::storage::{LockFile, StorageError};

use super::db::{Db, sql_error};
use super::error::StateError;
use super::head::{HEAD, HEAD_KEY, Head};
use super::row_digest;
use super::table::TableId;

/// The application ID in the file header: `Smap`.
const APPLICATION: u32 = 0x536d_6170;
/// The format version of the tables and rows. Increase it whenever a stored type changes.
const FORMAT: u32 = 3;

/// Opens a state file. If there is none and `creates` is true, creates it.
pub(super) fn open(path: &Path, creates: bool) -> Result<Db, StateError> {
    let missing = || StateError::Missing { path: path.to_owned() };
    if !check(path)? {
        if !creates {
            return Err(missing());
        }
        check_folder(path)?;
    }
    let lock = lock(path)?;
    // Another process may have created or removed the file in the meantime.
    if !check(path)? {
        if !creates {
            return Err(missing());
        }
        create(path)?;
    }
    let failed = |error| sql_error(path, "open", &error);
    let connection = connect(path).map_err(failed)?;
    check_tables(&connection, path)?;
    Db::new(connection, path, lock)
}

/// Locks a state file. Returns `None` if the file system doesn't support locks, which leaves only SQLite's own lock.
fn lock(path: &Path) -> Result<Option<LockFile>, StateError> {
    LockFile::lock(beside(path, ".sitemap-lock")).map_err(|error| match error {
        StorageError::Io { action, path, source } => StateError::Io { action, path, source },
        StorageError::Locked { pid, .. } => StateError::InUse { path: path.to_owned(), pid },
        error => StateError::Io { action: "lock", path: path.to_owned(), source: io::Error::other(error) },
    })
}

/// Returns the path of an auxiliary file next to the state file.
fn beside(state: &Path, ending: &str) -> PathBuf {
    let mut name = state.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

pub(super) fn in_memory() -> Result<Db, StateError> {
    let path = Path::new(":memory:");
    let failed = |error| sql_error(path, "create", &error);
    let connection = Connection::open_in_memory().map_err(failed)?;
    fill(&connection).map_err(failed)?;
    Db::new(connection, path, None)
}

/// Checks a file's header without changing anything. Returns `false` if there is no file.
fn check(path: &Path) -> Result<bool, StateError> {
    let io = |source| StateError::Io { action: "open", path: path.to_owned(), source };
    let other = |found| Err(StateError::NotAState { path: path.to_owned(), found });
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        metadata => metadata.map_err(io)?,
    };
    if metadata.is_dir() {
        return other("is a folder");
    }
    if !metadata.is_file() {
        return other("is not a regular file");
    }
    let mut header = Vec::new();
    File::options()
        .read(true)
        .write(true)
        .open(path)
        .and_then(|file| file.take(100).read_to_end(&mut header))
        .map_err(io)?;
    let number =
        |at: usize| header.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| u32::from_be_bytes(*bytes));
    if header.is_empty() {
        return Err(StateError::Empty { path: path.to_owned() });
    }
    if !header.starts_with(b"SQLite format 3\0") {
        return other("is not an SQLite database");
    }
    if number(68) != Some(APPLICATION) {
        return other("is an SQLite database of another program");
    }
    match number(60) {
        Some(FORMAT) if is_cut(path, metadata.len(), &header) => {
            let (place, why) = ("its end".to_owned(), "is missing".to_owned());
            Err(StateError::Damaged { path: path.to_owned(), place, why })
        }
        Some(FORMAT) => Ok(true),
        found => {
            let found = found.unwrap_or_default();
            Err(StateError::Format { path: path.to_owned(), found, expected: FORMAT })
        }
    }
}

/// Checks that the folder of a new state file exists.
fn check_folder(path: &Path) -> Result<(), StateError> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(StateError::NoFolder { folder: folder.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Returns `true` if the file contains fewer pages than its header claims.
fn is_cut(path: &Path, len: u64, header: &[u8]) -> bool {
    let (Some(size), Some(pages)) = (header.get(16..18), header.get(28..32)) else { return true };
    let number = |bytes: &[u8]| bytes.iter().fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
    // After a process was killed, some pages may be only in the write-ahead log.
    len < number(size).saturating_mul(number(pages)) && !beside(path, "-wal").exists()
}

/// Creates the file under a temporary name and renames it once it is complete.
fn create(path: &Path) -> Result<(), StateError> {
    let io = |action, path: &Path| {
        let path = path.to_owned();
        move |source| StateError::Io { action, path, source }
    };
    let new = beside(path, ".sitemap-new");
    // These files are left over if a run was killed or someone deleted only the state file itself. SQLite would mistake
    // the old file's journal for the new file's.
    for file in [&new, &beside(path, "-wal"), &beside(path, "-shm")] {
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io("remove", file)(error)),
            _ => {}
        }
    }
    File::create_new(&new).map_err(io("create", &new))?;
    let filled = connect(&new).and_then(|connection| {
        fill(&connection)?;
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        connection.close().map_err(|(_, error)| error)
    });
    let created = filled
        .map_err(|error| sql_error(path, "create", &error))
        .and_then(|()| fs::rename(&new, path).map_err(io("create", path)));
    if created.is_err() {
        let _ = fs::remove_file(&new);
    }
    created
}

fn connect(path: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::ZERO)?;
    // This lock also keeps out programs that don't know about the lock file, and avoids a shared memory file.
    connection.pragma_update_and_check(None, "locking_mode", "exclusive", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "normal")?;
    // The size is in KiB. With it, judging a million pages takes less than 150 MB.
    connection.pragma_update(None, "cache_size", -32_768)?;
    Ok(connection)
}

/// Creates the tables and the head.
fn fill(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.execute_batch("BEGIN")?;
    for (_, sql) in TableId::SCHEMA {
        connection.execute_batch(sql)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", FORMAT)?;
    let (head, _) = row_digest::sealed(HEAD.id as u8, HEAD_KEY, &Head::default())
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    connection.execute(HEAD.id.sql().put, rusqlite::params![HEAD_KEY, head])?;
    connection.execute_batch("COMMIT")
}

/// Checks that the file contains exactly the tables of this format.
fn check_tables(connection: &Connection, path: &Path) -> Result<(), StateError> {
    let tables = |connection: &Connection| -> Result<Vec<(String, String)>, rusqlite::Error> {
        let mut statement = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")?;
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    let found = tables(connection).map_err(|error| sql_error(path, "open", &error))?;
    let expected = TableId::SCHEMA.iter().map(|&(name, sql)| (name.to_owned(), sql.to_owned()));
    if !expected.eq(found) {
        let place = "the list of tables".to_owned();
        let why = "is not that of the format".to_owned();
        return Err(StateError::Damaged { path: path.to_owned(), place, why });
    }
    Ok(())
}
