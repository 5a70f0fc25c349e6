//! A published set in a folder or an object store, as described by its manifest.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sitemap_core::publish::files::{ENTRY_POINT, JOURNAL, MANIFEST, content_digest};
use sitemap_core::publish::shards::{PublishedShard, PublishedShards};
use sitemap_core::{Directory, Site, Storage, threads};

use crate::build::out;
use crate::error::{Outcome, Stop};
use crate::manifest::base_of;
use crate::temporary::Temporary;

/// The number of files to fetch at the same time. An object store takes about ten milliseconds for each file.
const AT_ONCE: usize = 16;

/// A published set.
pub(super) struct Set<'t> {
    /// The folder, or the URL of the object store.
    target: &'t str,
    storage: Arc<dyn Storage>,
    is_remote: bool,
    pub(super) base: String,
    pub(super) shards: PublishedShards,
}

/// The files of a set on disk.
#[derive(Debug, Default)]
pub(super) struct LocalFiles {
    folder: PathBuf,
    /// Removes the folder on drop, if the files come from an object store.
    _temporary: Option<Temporary>,
}

impl<'t> Set<'t> {
    /// Reads a set's manifest. Returns `None` if the target is neither an object store nor a folder with an intact
    /// manifest. For an object store, a missing or damaged manifest is an error, because there is no other way to find
    /// its files.
    pub(super) fn read(target: &'t str) -> Outcome<Option<Self>> {
        if out::is_bucket(target) {
            let storage = out::open_to_read(target)?;
            let found =
                manifest(&*storage).map_err(|error| Stop::io("read", &storage.locate(MANIFEST), &error))?;
            let Some((base, shards)) = found else {
                return Err(Stop::new(format!(
                    "`{}` has no set with an intact manifest; publish the set there, or try again when the run has ended \
                     that is replacing it",
                    storage.locate("").display()
                )));
            };
            return Ok(Some(Self { target, storage, is_remote: true, base, shards }));
        }
        let folder = Path::new(target);
        if !folder.is_dir() {
            return Ok(None);
        }
        // Not an error: a folder without a readable set can still be compared in another way.
        let Ok(directory) = Directory::open(folder) else { return Ok(None) };
        let Ok(Some((base, shards))) = manifest(&directory) else { return Ok(None) };
        Ok(Some(Self { target, storage: Arc::new(directory), is_remote: false, base, shards }))
    }

    pub(super) fn is_remote(&self) -> bool {
        self.is_remote
    }

    /// Returns all files that contain pages, in the order of the index.
    pub(super) fn all(&self) -> Vec<&PublishedShard> {
        self.shards.sections().into_iter().flat_map(|section| self.shards.section(section)).collect()
    }

    /// Returns `false` if a folder doesn't contain the file, or its size is different. For an object store, only
    /// fetched files are checked.
    pub(super) fn may_have(&self, file: &PublishedShard) -> bool {
        let is_same = |metadata: fs::Metadata| metadata.len() == file.stored_bytes();
        self.is_remote || fs::metadata(Path::new(self.target).join(file.name())).is_ok_and(is_same)
    }

    /// Fetches files from an object store to a temporary folder. Files in a folder stay where they are.
    pub(super) fn fetch(&self, files: &[&PublishedShard]) -> Outcome<LocalFiles> {
        if !self.is_remote {
            return Ok(LocalFiles { folder: PathBuf::from(self.target), _temporary: None });
        }
        let temporary = Temporary::new()?;
        let folder = temporary.path().to_owned();
        threads::map(AT_ONCE, files.iter().copied(), |file| self.fetch_one(file, &folder))?;
        Ok(LocalFiles { folder, _temporary: Some(temporary) })
    }

    /// Fetches the index from an object store to the temporary folder.
    pub(super) fn fetch_index(&self, to: &LocalFiles) -> Outcome<()> {
        let place = self.storage.locate(ENTRY_POINT);
        let index = read(&*self.storage, ENTRY_POINT).map_err(|error| Stop::io("read", &place, &error))?;
        let index = index.filter(|index| content_digest(index) == self.shards.entry_point_digest());
        let Some(index) = index else { return Err(changed(&place)) };
        let path = to.folder.join(ENTRY_POINT);
        fs::write(&path, index).map_err(|error| Stop::io("write", &path, &error))
    }

    fn fetch_one(&self, file: &PublishedShard, folder: &Path) -> Outcome<()> {
        let place = self.storage.locate(file.name());
        let mut bytes = Vec::new();
        let limit = file.stored_bytes().saturating_add(1);
        let read =
            self.storage.open(file.name()).and_then(|source| source.take(limit).read_to_end(&mut bytes));
        read.map_err(|error| Stop::io("read", &place, &error))?;
        if content_digest(&bytes) != file.digest() {
            return Err(changed(&place));
        }
        let path = folder.join(file.name());
        fs::write(&path, bytes).map_err(|error| Stop::io("write", &path, &error))
    }
}

/// Returns the error for a file that doesn't match the manifest.
fn changed(place: &Path) -> Stop {
    Stop::new(format!(
        "`{}` is not the file that the manifest describes; try again, or publish the set again",
        place.display()
    ))
}

impl LocalFiles {
    pub(super) fn folder(&self) -> Outcome<String> {
        self.folder.to_str().map(str::to_owned).ok_or_else(|| not_utf8(&self.folder))
    }

    pub(super) fn paths(&self, files: &[&PublishedShard]) -> Outcome<Vec<String>> {
        let path = |file: &&PublishedShard| {
            let path = self.folder.join(file.name());
            path.to_str().map(str::to_owned).ok_or_else(|| not_utf8(&path))
        };
        files.iter().map(path).collect()
    }
}

fn not_utf8(path: &Path) -> Stop {
    Stop::new(format!("the path `{}` is not UTF-8; use another folder", path.display()))
}

/// Reads a set's manifest, and returns the base URL and the files. Returns `None` if there is no manifest, if it
/// doesn't match the index, or if a run is replacing the set.
fn manifest(storage: &dyn Storage) -> io::Result<Option<(String, PublishedShards)>> {
    if storage.metadata(JOURNAL)?.is_some() {
        return Ok(None);
    }
    let base = read(storage, MANIFEST)?.and_then(|manifest| base_of(&manifest));
    let (Some(base), Some(index)) = (base, read(storage, ENTRY_POINT)?) else {
        return Ok(None);
    };
    let digest = content_digest(&index);
    // Frees a few megabytes before the manifest is read.
    drop(index);
    let Ok(site) = Site::new(&base) else { return Ok(None) };
    let shards = PublishedShards::read(storage, &site).ok();
    Ok(shards.filter(|shards| shards.entry_point_digest() == digest).map(|shards| (base, shards)))
}

/// Returns the bytes of a file, or `None` if it doesn't exist.
fn read(storage: &dyn Storage, name: &str) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    match storage.open(name).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
