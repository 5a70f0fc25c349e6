//! Lists of rows in memory, and the file for the parts that are on disk.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::sync::Arc;

use datafusion::common::internal_err;
use datafusion::error::Result;
use datafusion::execution::SpillFile;
use datafusion::execution::disk_manager::DiskManager;
use sitemap_core::publish::shards::{SourceDigest, SourceDigester};

use super::row::{push_len, take_len};
use super::spilled::{self, NewFile};

/// The rows of a hash bucket, or of several neighbouring ones. Each row is preceded by its length.
#[derive(Default)]
pub(super) struct List {
    pieces: Vec<Vec<u8>>,
    open: Vec<u8>,
    /// The number of bytes in `pieces` and `open`.
    len: usize,
    /// The list's memory use in bytes.
    held: usize,
    /// The parts on disk.
    stored: Vec<Place>,
    source: SourceDigester,
}

/// The place of a part of a list on disk.
#[derive(Clone, Copy)]
struct Place {
    start: u64,
    len: u64,
}

impl List {
    pub(super) fn push(&mut self, row: &[u8]) {
        // Pieces grow with the list, so that little memory is left unused.
        const SMALLEST: usize = 256;
        const LARGEST: usize = 64 * 1024;
        /// The maximum number of bytes that `push_len` writes.
        const MOST_OF_LEN: usize = 10;

        let needed = row.len() + MOST_OF_LEN;
        if self.open.capacity() - self.open.len() < needed {
            let size = (self.len / 4).clamp(SMALLEST, LARGEST).max(needed);
            let full = std::mem::replace(&mut self.open, Vec::with_capacity(size));
            if !full.is_empty() {
                self.pieces.push(full);
            }
            self.held += self.open.capacity();
        }
        let before = self.open.len();
        push_len(&mut self.open, row.len());
        self.open.extend_from_slice(row);
        self.len += self.open.len() - before;
    }

    /// Adds a row to the list's digest.
    pub(super) fn count(&mut self, row: &[u8]) {
        self.source.add(row);
    }

    /// Returns the digest of these rows and of the settings used to write them.
    pub(super) fn source(&self, settings: &[u8]) -> SourceDigest {
        self.source.finish(settings)
    }

    /// Returns the list's memory use in bytes.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// Moves the rows in memory to disk. Returns how many bytes of memory `stored` has grown by.
    pub(super) fn store(&mut self, disk: &mut Disk) -> Result<usize> {
        if self.len == 0 {
            return Ok(0);
        }
        let before = self.stored.capacity();
        let pieces = self.take();
        self.stored.push(disk.write(pieces)?);
        Ok((self.stored.capacity() - before) * size_of::<Place>())
    }

    /// Removes and returns the pieces in memory.
    fn take(&mut self) -> impl Iterator<Item = Vec<u8>> + use<> {
        (self.len, self.held) = (0, 0);
        std::mem::take(&mut self.pieces).into_iter().chain([std::mem::take(&mut self.open)])
    }

    /// Passes on all rows, piece by piece, and frees them.
    pub(super) fn read(
        mut self,
        disk: &mut Stored,
        mut each: impl FnMut(Rows<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut piece = Vec::new();
        for place in &self.stored {
            disk.read(*place, &mut piece, &mut each)?;
        }
        self.take().try_for_each(|piece| each(Rows(&piece)))
    }
}

/// The file that lists are moved to. It is created with the first part.
pub(super) struct Disk {
    manager: Arc<DiskManager>,
    open: Option<NewFile>,
    len: u64,
}

/// The size of a piece's length prefix on disk, in bytes.
const LEN: usize = size_of::<u64>();

impl Disk {
    pub(super) fn new(manager: Arc<DiskManager>) -> Self {
        Self { manager, open: None, len: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_none()
    }

    pub(super) fn manager(&self) -> &Arc<DiskManager> {
        &self.manager
    }

    /// Writes a list's pieces, each preceded by its length.
    fn write(&mut self, pieces: impl Iterator<Item = Vec<u8>>) -> Result<Place> {
        let file = match &mut self.open {
            Some(open) => open,
            none => none.insert(NewFile::create(&self.manager, "collecting the hash buckets of a sitemap")?),
        };
        let start = self.len;
        for piece in pieces {
            file.write(&piece)?;
            self.len += (LEN + piece.len()) as u64;
        }
        Ok(Place { start, len: self.len - start })
    }

    /// Finishes the file, and opens it for reading.
    pub(super) fn finish(self) -> Result<Stored> {
        let Some(open) = self.open else { return Ok(Stored(None)) };
        let file = open.finish()?;
        let from = spilled::open(&*file)?;
        Ok(Stored(Some((file, from))))
    }
}

/// The parts of lists on disk. The file is deleted when this value is dropped.
pub(super) struct Stored(Option<(Arc<dyn SpillFile>, BufReader<File>)>);

impl Stored {
    fn read(
        &mut self,
        place: Place,
        piece: &mut Vec<u8>,
        each: &mut impl FnMut(Rows<'_>) -> Result<()>,
    ) -> Result<()> {
        let Some((_, from)) = &mut self.0 else { return internal_err!("the rows on disk are missing") };
        from.seek(SeekFrom::Start(place.start))?;
        let mut left = place.len;
        while left > 0 {
            let mut len = [0; LEN];
            from.read_exact(&mut len)?;
            let len = u64::from_le_bytes(len);
            let rest = left.checked_sub(LEN as u64).and_then(|left| left.checked_sub(len));
            let Some(rest) = rest else { return damaged() };
            piece.clear();
            if from.take(len).read_to_end(piece)? as u64 != len {
                return damaged();
            }
            each(Rows(piece))?;
            left = rest;
        }
        Ok(())
    }
}

fn damaged<T>() -> Result<T> {
    internal_err!("the rows on disk are damaged")
}

/// Iterates over the bytes of a piece's rows.
pub(super) struct Rows<'p>(&'p [u8]);

impl<'p> Iterator for Rows<'p> {
    type Item = Result<&'p [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let row = take_len(&mut self.0).and_then(|len| self.0.split_at_checked(len));
        let Some((row, rest)) = row else {
            self.0 = &[];
            return Some(damaged());
        };
        self.0 = rest;
        Some(Ok(row))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};

    use super::*;

    fn rows(numbers: std::ops::Range<usize>) -> Vec<Vec<u8>> {
        // The last row is larger than a piece.
        numbers.map(|number| vec![b'a'; if number == 299 { 100_000 } else { number }]).collect()
    }

    /// Fills a list whose first 300 rows are on disk, in three parts.
    fn filled(disk: &mut Disk) -> List {
        let mut list = List::default();
        for part in 0..4 {
            for row in rows(part * 100..part * 100 + 100) {
                list.push(&row);
            }
            if part < 3 {
                assert!(list.held() > 0 && list.store(disk).is_ok());
                assert_eq!(list.held(), 0);
            }
        }
        list
    }

    fn read(list: List, stored: &mut Stored) -> Result<Vec<Vec<u8>>> {
        let mut found = Vec::new();
        list.read(stored, |rows| {
            for row in rows {
                found.push(row?.to_vec());
            }
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn rows_on_disk_and_in_memory_are_read_in_the_order_in_which_they_came() {
        let mut disk = Disk::new(Arc::clone(&RuntimeEnv::default().disk_manager));
        let (one, other) = (filled(&mut disk), filled(&mut disk));
        let mut stored = disk.finish().unwrap();
        assert_eq!(read(other, &mut stored).unwrap(), rows(0..400));
        assert_eq!(read(one, &mut stored).unwrap(), rows(0..400));
    }

    #[test]
    fn a_file_that_was_cut_is_an_error() {
        for cut in [1, 100_000, 100_010] {
            let mut disk = Disk::new(Arc::clone(&RuntimeEnv::default().disk_manager));
            let list = filled(&mut disk);
            let mut stored = disk.finish().unwrap();
            let path = stored.0.as_ref().and_then(|(file, _)| file.path()).unwrap();
            let len = fs::metadata(path).unwrap().len();
            File::options().write(true).open(path).unwrap().set_len(len - cut).unwrap();
            assert!(read(list, &mut stored).is_err(), "{cut}");
        }
    }

    #[test]
    fn a_disk_that_is_full_is_an_error() {
        let runtime = RuntimeEnvBuilder::new().with_max_temp_directory_size(100).build().unwrap();
        let mut disk = Disk::new(Arc::clone(&runtime.disk_manager));
        let mut list = List::default();
        list.push(&vec![b'a'; 200_000]);
        let error = list.store(&mut disk).unwrap_err();
        assert!(error.to_string().contains("disk space"), "{error}");
    }
}
