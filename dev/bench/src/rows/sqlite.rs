//! A table in SQLite, which has no date type. The scan steps through the rows and reads each column.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row};

use super::record::{Texts, publish as publish_section, text};
use super::work::Work;
use crate::Result;
use crate::workload::Item;

fn file(dir: &Path) -> PathBuf {
    dir.join("rows.sqlite")
}

/// Writes the database.
pub(super) fn make(dir: &Path, rows: u64) -> Result<()> {
    let mut connection = Connection::open(file(dir))?;
    connection.execute_batch(
        "CREATE TABLE items (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, lastmod TEXT NOT NULL, \
         priority REAL NOT NULL)",
    )?;
    let transaction = connection.transaction()?;
    {
        let mut insert = transaction.prepare("INSERT INTO items VALUES (?1, ?2, ?3, ?4)")?;
        for item in (0..rows).map(Item::nth) {
            let (id, size) = (item.id.cast_signed(), item.size.cast_signed());
            insert.execute((id, size, text(item.lastmod), item.priority))?;
        }
    }
    Ok(transaction.commit()?)
}

/// Calls `each` with every row.
fn read(dir: &Path, mut each: impl FnMut(Texts<'_>) -> Result<()>) -> Result<()> {
    let connection = Connection::open(file(dir))?;
    let mut query = connection.prepare("SELECT id, size, lastmod, priority FROM items ORDER BY id")?;
    let mut rows = query.query(())?;
    while let Some(row) = rows.next()? {
        each(record(row)?)?;
    }
    Ok(())
}

fn record<'a>(row: &'a Row<'_>) -> Result<Texts<'a>> {
    let (id, size): (i64, i64) = (row.get(0)?, row.get(1)?);
    let lastmod = row.get_ref(2)?.as_str()?;
    Ok(Texts { id: id.cast_unsigned(), size: size.cast_unsigned(), lastmod, priority: row.get(3)? })
}

/// Reads all columns.
pub(super) fn scan(dir: &Path, _: &Path, _: u64) -> Work {
    let dir = dir.to_path_buf();
    Box::new(move || {
        read(&dir, |record| {
            black_box((record.id, record.size, record.lastmod, record.priority));
            Ok(())
        })
    })
}

/// Publishes all rows.
pub(super) fn publish(dir: &Path, out: &Path, _: u64) -> Work {
    let (dir, out) = (dir.to_path_buf(), out.to_path_buf());
    Box::new(move || publish_section(&out, |section| read(&dir, |record| Ok(section.add(&record)?))))
}
