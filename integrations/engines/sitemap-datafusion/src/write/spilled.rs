//! Files with spilled rows. A file is deleted when it is dropped.

use std::fs::File;
use std::io::{BufReader, BufWriter, IntoInnerError, Write as _};
use std::sync::Arc;

use datafusion::common::internal_datafusion_err;
use datafusion::error::Result;
use datafusion::execution::disk_manager::DiskManager;
use datafusion::execution::{SpillFile, SpillWriter};

/// How many bytes to read or write at a time.
const BUFFER: usize = 64 * 1024;

/// A file that is being written.
pub(super) struct NewFile {
    file: Arc<dyn SpillFile>,
    to: BufWriter<Box<dyn SpillWriter>>,
}

impl NewFile {
    /// Creates a file. Errors about the disk contain `purpose`.
    pub(super) fn create(disk: &Arc<DiskManager>, purpose: &str) -> Result<Self> {
        let file = disk.create_tmp_file(purpose)?;
        let to = BufWriter::with_capacity(BUFFER, file.open_writer()?);
        Ok(Self { file, to })
    }

    /// Writes the number of bytes as an eight-byte integer, followed by the bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.to.write_all(&(bytes.len() as u64).to_le_bytes())?;
        self.to.write_all(bytes)?;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Arc<dyn SpillFile>> {
        let mut to = self.to.into_inner().map_err(IntoInnerError::into_error)?;
        to.flush()?;
        to.finish()?;
        Ok(self.file)
    }
}

/// Opens a finished file for reading.
pub(super) fn open(file: &dyn SpillFile) -> Result<BufReader<File>> {
    let path = file.path().ok_or_else(|| internal_datafusion_err!("the rows on disk have no path"))?;
    Ok(BufReader::with_capacity(BUFFER, File::open(path)?))
}
