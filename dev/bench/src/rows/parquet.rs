//! A Parquet file, compressed with Snappy, with a timestamp. The scan decodes the columns into Arrow's arrays.

use std::fs::File;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, TimestampMillisecondType, UInt64Type};
use arrow_array::{ArrayRef, Float32Array, RecordBatch, TimestampMillisecondArray, UInt64Array};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use sitemap_core::LastMod;

use super::record::{Stamped, publish as publish_section};
use super::work::Work;
use crate::Result;
use crate::workload::Item;

/// The number of rows that are decoded at a time.
const BATCH: usize = 8192;

fn file(dir: &Path) -> PathBuf {
    dir.join("rows.parquet")
}

/// Writes the file.
pub(super) fn make(dir: &Path, rows: u64) -> Result<()> {
    let batch = |ids: std::ops::Range<u64>| {
        let items: Vec<Item> = ids.map(Item::nth).collect();
        let id = UInt64Array::from_iter_values(items.iter().map(|item| item.id));
        let size = UInt64Array::from_iter_values(items.iter().map(|item| item.size));
        let lastmod = TimestampMillisecondArray::from_iter_values(
            items.iter().map(|item| item.lastmod.timestamp_millis()),
        );
        let priority = Float32Array::from_iter_values(items.iter().map(|item| item.priority));
        let columns: [(&str, ArrayRef); 4] = [
            ("id", Arc::new(id)),
            ("size", Arc::new(size)),
            ("lastmod", Arc::new(lastmod.with_timezone("UTC"))),
            ("priority", Arc::new(priority)),
        ];
        RecordBatch::try_from_iter(columns)
    };
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(File::create(file(dir))?, batch(0..0)?.schema(), Some(properties))?;
    for first in (0..rows).step_by(BATCH) {
        writer.write(&batch(first..rows.min(first + BATCH as u64))?)?;
    }
    writer.close()?;
    Ok(())
}

/// Calls `each` with every batch of rows.
fn read(dir: &Path, mut each: impl FnMut(&RecordBatch) -> Result<()>) -> Result<()> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(file(dir))?)?;
    for batch in builder.with_batch_size(BATCH).build()? {
        each(&batch?)?;
    }
    Ok(())
}

/// Reads all columns.
pub(super) fn scan(dir: &Path, _: &Path, _: u64) -> Work {
    let dir = dir.to_path_buf();
    Box::new(move || {
        read(&dir, |batch| {
            black_box(batch);
            Ok(())
        })
    })
}

/// Publishes all rows.
pub(super) fn publish(dir: &Path, out: &Path, _: u64) -> Work {
    let (dir, out) = (dir.to_path_buf(), out.to_path_buf());
    Box::new(move || {
        publish_section(&out, |section| {
            read(&dir, |batch| {
                let (id, size) = (
                    batch.column(0).as_primitive::<UInt64Type>(),
                    batch.column(1).as_primitive::<UInt64Type>(),
                );
                let lastmod = batch.column(2).as_primitive::<TimestampMillisecondType>();
                let priority = batch.column(3).as_primitive::<Float32Type>();
                for row in 0..batch.num_rows() {
                    section.add(&Stamped {
                        id: id.value(row),
                        size: size.value(row),
                        lastmod: LastMod::from_timestamp(lastmod.value(row).div_euclid(1000))?,
                        priority: priority.value(row),
                    })?;
                }
                Ok(())
            })
        })
    })
}
