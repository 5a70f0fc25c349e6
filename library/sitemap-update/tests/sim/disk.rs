//! The files in the simulated storage, and the requests that change them.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sitemap_core::publish::files::content_digest;
use sitemap_core::storage::Metadata;

/// The kind of storage to simulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A directory with a lock. New files are visible while they are being written, and survive a crash.
    Folder,
    /// An object store: no lock, but conditional requests. Finished files stay in the client's memory until they are
    /// sent.
    Bucket,
}

/// The files of the storage.
#[derive(Debug)]
pub(crate) struct Disk {
    pub(crate) kind: Kind,
    files: BTreeMap<String, File>,
    created: u64,
    /// The storage's clock. It must not be ahead of the computer's clock.
    now: SystemTime,
}

#[derive(Clone, Debug)]
struct File {
    bytes: Arc<[u8]>,
    modified: SystemTime,
    number: u64,
}

/// A request that changes files. It may be executed twice, or after the client has given up.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Create(String),
    Append(String, Arc<[u8]>),
    Put(String, Arc<[u8]>),
    /// Stores a file if the stored file has this tag or, without a tag, if there is no such file.
    PutIf(String, Arc<[u8]>, Option<String>),
    Copy(String, String),
    Rename(String, String),
    RenameIf(String, String, Option<Metadata>),
    Remove(String),
}

impl Disk {
    pub(crate) fn new(kind: Kind) -> Self {
        // The seconds must be the same every time a history is played, and all times must be in the past.
        let hour = 3600;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs((now / hour - 1) * hour);
        Self { kind, files: BTreeMap::new(), created: 0, now }
    }

    pub(crate) fn wait(&mut self, time: Duration) {
        self.now += time;
    }

    pub(crate) fn bytes(&self, name: &str) -> Option<Arc<[u8]>> {
        self.files.get(name).map(|file| Arc::clone(&file.bytes))
    }

    /// Returns the names in order of creation, because temporary names differ from run to run.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.files.iter().map(|(name, file)| (file.number, name.clone())).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }

    pub(crate) fn metadata(&self, name: &str) -> Option<Metadata> {
        let file = self.files.get(name)?;
        let len = file.bytes.len() as u64;
        Some(match self.kind {
            Kind::Folder => Metadata::new(len, file.modified),
            // S3 returns whole seconds, and the tag is a digest of the bytes.
            Kind::Bucket => {
                let since = file.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
                let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(since.as_secs());
                Metadata::new(len, modified).with_tag(content_digest(&file.bytes))
            }
        })
    }

    /// Executes a request. Returns `false` if its condition is not met.
    pub(crate) fn carry_out(&mut self, request: &Request) -> io::Result<bool> {
        match request {
            Request::Create(name) => {
                if self.files.contains_key(name) {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                self.put(name, Arc::default());
            }
            Request::Append(name, bytes) => {
                let old = self.bytes(name).ok_or(io::ErrorKind::NotFound)?;
                self.put(name, old.iter().chain(bytes.iter()).copied().collect());
            }
            Request::Put(name, bytes) => self.put(name, Arc::clone(bytes)),
            Request::PutIf(name, bytes, tag) => {
                if self.metadata(name).and_then(|metadata| metadata.tag) != *tag {
                    return Ok(false);
                }
                self.put(name, Arc::clone(bytes));
            }
            Request::Copy(from, to) => {
                let bytes = self.bytes(from).ok_or(io::ErrorKind::NotFound)?;
                self.put(to, bytes);
            }
            Request::Rename(from, to) => {
                let file = self.files.remove(from).ok_or(io::ErrorKind::NotFound)?;
                self.files.insert(to.clone(), file);
            }
            Request::RenameIf(from, to, seen) => {
                if self.metadata(to) != *seen {
                    return Ok(false);
                }
                return self.carry_out(&Request::Rename(from.clone(), to.clone()));
            }
            Request::Remove(name) => {
                let removed = self.files.remove(name);
                if removed.is_none() && self.kind == Kind::Folder {
                    return Err(io::ErrorKind::NotFound.into());
                }
            }
        }
        Ok(true)
    }

    fn put(&mut self, name: &str, bytes: Arc<[u8]>) {
        let number = self.files.get(name).map_or(self.created, |file| file.number);
        self.created += 1;
        self.files.insert(name.to_owned(), File { bytes, modified: self.now, number });
    }
}

impl Request {
    /// Returns the names of the files that the request changes.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Self::Create(name)
            | Self::Append(name, _)
            | Self::Put(name, _)
            | Self::PutIf(name, ..)
            | Self::Remove(name)
            | Self::Copy(_, name) => vec![name],
            Self::Rename(from, to) | Self::RenameIf(from, to, _) => vec![from, to],
        }
    }

    pub(crate) fn verb(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Append(..) => "append to",
            Self::Put(..) => "put",
            Self::PutIf(..) => "put if unchanged",
            Self::Copy(..) => "copy to",
            Self::Rename(..) => "rename",
            Self::RenameIf(..) => "rename if unchanged",
            Self::Remove(_) => "remove",
        }
    }
}
