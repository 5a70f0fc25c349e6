//! A CSV file with a header. The scan only splits the lines into fields.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord, Writer};

use super::record::{Texts, publish as publish_section, text};
use super::work::Work;
use crate::Result;
use crate::workload::Item;

fn file(dir: &Path) -> PathBuf {
    dir.join("rows.csv")
}

/// Writes the file.
pub(super) fn make(dir: &Path, rows: u64) -> Result<()> {
    let mut writer = Writer::from_path(file(dir))?;
    writer.write_record(["id", "size", "lastmod", "priority"])?;
    for item in (0..rows).map(Item::nth) {
        let (id, size, priority) = (item.id.to_string(), item.size.to_string(), item.priority.to_string());
        writer.write_record([&id, &size, &text(item.lastmod), &priority])?;
    }
    Ok(writer.flush()?)
}

/// Calls `each` with the fields of every row.
fn read(dir: &Path, mut each: impl FnMut(&StringRecord) -> Result<()>) -> Result<()> {
    let mut reader = ReaderBuilder::new().from_path(file(dir))?;
    let mut record = StringRecord::new();
    while reader.read_record(&mut record)? {
        each(&record)?;
    }
    Ok(())
}

/// Reads all fields.
pub(super) fn scan(dir: &Path, _: &Path, _: u64) -> Work {
    let dir = dir.to_path_buf();
    Box::new(move || {
        read(&dir, |record| {
            record.iter().for_each(|field| _ = black_box(field));
            Ok(())
        })
    })
}

/// Publishes all rows.
pub(super) fn publish(dir: &Path, out: &Path, _: u64) -> Work {
    let (dir, out) = (dir.to_path_buf(), out.to_path_buf());
    Box::new(move || {
        publish_section(&out, |section| {
            read(&dir, |record| {
                let (id, size, priority) = (record[0].parse()?, record[1].parse()?, record[3].parse()?);
                Ok(section.add(&Texts { id, size, lastmod: &record[2], priority })?)
            })
        })
    })
}
